//! What an upstream is, as a short text.

use std::fmt;

use sha2::{Digest, Sha256};

use super::{Http, Transport, Upstream, UrlParts};
use crate::config::secret::is_secret_name;

/// What an upstream is, as a text that stays the same over restarts: program, arguments and folder, or address.
///
/// The values of variables take no part, nor do environment, headers, the user of an address and the values of parameters that hold keys.
/// So a new token leaves it as it is, and another command under the same id changes it.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Fingerprint(String);

/// Changes when the formula does, so that what an older one made is not taken for the same.
const FORMULA: &str = "oncue-upstream-1";

impl Fingerprint {
    /// Returns the text: 64 lower-case hexadecimal digits.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for Fingerprint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl Upstream {
    /// Returns what the upstream is: what was learnt from it belongs to this and to nothing else.
    #[must_use]
    pub fn fingerprint(&self) -> Fingerprint {
        let mut parts = vec![FORMULA.to_owned()];
        match &self.transport {
            Transport::Stdio(stdio) => {
                parts.extend(["stdio".to_owned(), stdio.command.identity()]);
                let folder = self.folder(stdio);
                parts.push(folder.map(|folder| folder.identity()).unwrap_or_default());
                parts.extend(stdio.args.iter().map(super::Template::identity));
            }
            Transport::Http(http) => parts.extend(["http".to_owned(), address(http)]),
        }
        let mut hash = Sha256::new();
        for part in parts {
            // The length in front keeps ("ab", "c") apart from ("a", "bc").
            hash.update((part.len() as u64).to_le_bytes());
            hash.update(part.as_bytes());
        }
        Fingerprint(hash.finalize().iter().map(|byte| format!("{byte:02x}")).collect())
    }
}

/// Returns the address without what authenticates.
fn address(http: &Http) -> String {
    let url = http.url.identity();
    // A variable's name has signs that no address has.
    let plain = url.replace('\u{0}', "%");
    let Some(parts) = UrlParts::of(&plain) else { return url };
    let query = parts.query.map(|query| {
        let kept = query.split('&').filter(|pair| {
            let name = pair.split('=').next().unwrap_or_default();
            !is_secret_name(name)
        });
        kept.collect::<Vec<_>>().join("&")
    });
    format!("{}{}?{}", parts.server(), parts.path, query.unwrap_or_default())
}
