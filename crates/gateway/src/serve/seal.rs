//! What a client carries from one round of a call to the next, sealed: it says nothing to anybody else, at no other upstream, of no other call.

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use oncue_mcp::Raw;
use ring::hmac;
use ring::rand::SystemRandom;
use serde::{Deserialize, Serialize};

/// Seals states. Lives as long as the gateway; what another one has sealed is worth nothing here.
pub(super) struct Seal(Option<hmac::Key>);

/// What a state is of.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Target {
    /// Who calls.
    pub(super) principal: String,
    /// What is called.
    pub(super) upstream: String,
    /// How.
    pub(super) method: String,
    /// The tool, the prompt or the resource.
    pub(super) name: String,
}

/// What is sealed.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum State {
    /// A call that waits here for answers.
    Parked(u64),
    /// What an upstream of the newer era wants back.
    Theirs(Raw),
    /// A task of an upstream.
    Task {
        /// Whose it is.
        upstream: String,
        /// What that calls it.
        id: String,
    },
}

impl Seal {
    pub(super) fn new() -> Self {
        let key = hmac::Key::generate(hmac::HMAC_SHA256, &SystemRandom::new());
        Self(key.inspect_err(|_| tracing::error!("there is no randomness to seal with")).ok())
    }

    /// Returns the state under a seal; nothing where none can be made.
    pub(super) fn sealed(&self, state: &State, target: &Target) -> Option<String> {
        let text = serde_json::to_string(state).ok()?;
        let tag = hmac::sign(self.0.as_ref()?, &signed(&text, target));
        Some(format!("{}.{}", URL_SAFE_NO_PAD.encode(&text), URL_SAFE_NO_PAD.encode(tag)))
    }

    /// Returns the state behind a seal; nothing where that is not ours or of something else.
    pub(super) fn opened(&self, sealed: &str, target: &Target) -> Option<State> {
        let (text, tag) = sealed.split_once('.')?;
        let text = String::from_utf8(URL_SAFE_NO_PAD.decode(text).ok()?).ok()?;
        let tag = URL_SAFE_NO_PAD.decode(tag).ok()?;
        hmac::verify(self.0.as_ref()?, &signed(&text, target), &tag).ok()?;
        serde_json::from_str(&text).ok()
    }
}

/// Returns what a seal is over: each part with its length in front, so that none can lend bytes to another.
fn signed(text: &str, target: &Target) -> Vec<u8> {
    let Target { principal, upstream, method, name } = target;
    let mut bytes = Vec::new();
    for part in [principal.as_str(), upstream, method, name, text] {
        bytes.extend_from_slice(&(part.len() as u64).to_be_bytes());
        bytes.extend_from_slice(part.as_bytes());
    }
    bytes
}

#[cfg(test)]
mod tests {
    use super::*;

    fn target() -> Target {
        let own = str::to_owned;
        Target {
            principal: own("local"),
            upstream: own("box"),
            method: own("tools/call"),
            name: own("ask"),
        }
    }

    #[test]
    fn a_state_is_opened_by_whom_it_is_of_alone() {
        let seal = Seal::new();
        let sealed = seal.sealed(&State::Parked(7), &target()).expect("a seal");
        assert!(matches!(seal.opened(&sealed, &target()), Some(State::Parked(7))));
        let own = str::to_owned;
        for other in [
            Target { principal: own("principal eve"), ..target() },
            Target { upstream: own("bo"), method: own("xtools/call"), ..target() },
            Target { upstream: own("bag"), ..target() },
            Target { method: own("prompts/get"), ..target() },
            Target { name: own("other"), ..target() },
        ] {
            assert!(seal.opened(&sealed, &other).is_none(), "{other:?}");
        }
        assert!(Seal::new().opened(&sealed, &target()).is_none(), "of another gateway");
    }

    #[test]
    fn a_state_that_was_changed_is_none() {
        let seal = Seal::new();
        let raw = Raw::from(serde_json::value::to_raw_value("theirs").expect("JSON"));
        let sealed = seal.sealed(&State::Theirs(raw), &target()).expect("a seal");
        let opened = seal.opened(&sealed, &target());
        assert!(matches!(opened, Some(State::Theirs(raw)) if raw.get() == "\"theirs\""));
        let (text, tag) = sealed.split_once('.').expect("two parts");
        let eight = URL_SAFE_NO_PAD.encode(r#"{"parked":8}"#);
        for changed in [
            format!("{sealed}-TAMPERED"),
            format!("{eight}.{tag}"),
            format!("{text}."),
            text.to_owned(),
            String::new(),
        ] {
            assert!(seal.opened(&changed, &target()).is_none(), "{changed}");
        }
    }
}
