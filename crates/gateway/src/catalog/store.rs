//! What is known of upstreams, on disk: served at once after a start, whatever the upstreams are doing.

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use super::Known;
use crate::config::UpstreamId;

/// Says what the file is, and changes when its form does.
const HEAD: &str = "oncue-catalog-1";

/// A folder with a file for each upstream. Lives as long as the gateway.
#[derive(Clone, Debug)]
pub struct Store {
    folder: PathBuf,
}

/// Why something cannot be kept.
#[derive(Debug, thiserror::Error)]
#[error("failed to keep what is known of `{upstream}` in `{}`", path.display())]
pub struct StoreError {
    /// Of which upstream.
    pub upstream: UpstreamId,
    /// Where.
    pub path: PathBuf,
    /// Why.
    #[source]
    pub why: io::Error,
}

impl Store {
    /// The store in a folder, which need not be there.
    #[must_use]
    pub const fn new(folder: PathBuf) -> Self {
        Self { folder }
    }

    /// Returns what was last known of an upstream, where that is what `fingerprint` stands for.
    ///
    /// A file that is broken, of another form or of something else is as good as none.
    #[must_use]
    pub fn load(&self, upstream: &UpstreamId, fingerprint: &str) -> Option<Known> {
        let path = self.path(upstream);
        let bytes = fs::read(&path).ok()?;
        let known = parse(&bytes);
        if known.is_none() {
            tracing::warn!(%upstream, path = %path.display(), "what was kept cannot be read and is left out");
        }
        known.filter(|known| known.fingerprint == fingerprint)
    }

    /// Keeps what is known of an upstream; whoever reads meanwhile gets the old or the new, whole.
    ///
    /// # Errors
    ///
    /// It cannot be written; what was kept before is still there.
    pub fn keep(&self, upstream: &UpstreamId, known: &Known) -> Result<(), StoreError> {
        let path = self.path(upstream);
        self.write(&path, known).map_err(|why| StoreError { upstream: upstream.clone(), path, why })
    }

    fn write(&self, path: &Path, known: &Known) -> io::Result<()> {
        fs::create_dir_all(&self.folder)?;
        let body = serde_json::to_vec(known)?;
        let crc = crc32fast::hash(&body);
        let mut file = tempfile::NamedTempFile::new_in(&self.folder)?;
        writeln!(file, "{HEAD} {} {crc:08x}", body.len())?;
        file.write_all(&body)?;
        file.as_file().sync_all()?;
        file.persist(path)?;
        // The name is there for good only with its folder.
        File::open(&self.folder)?.sync_all()
    }

    /// A file is named by the hash of the id, which may hold anything.
    fn path(&self, upstream: &UpstreamId) -> PathBuf {
        use sha2::Digest;
        let hash = sha2::Sha256::digest(upstream.as_str().as_bytes());
        let name: String = hash.iter().take(16).map(|byte| format!("{byte:02x}")).collect();
        self.folder.join(format!("{name}.json"))
    }
}

/// Reads a file, where it is whole.
fn parse(bytes: &[u8]) -> Option<Known> {
    let end = bytes.iter().position(|&byte| byte == b'\n')?;
    let (head, body) = (std::str::from_utf8(bytes.get(..end)?).ok()?, bytes.get(end + 1..)?);
    let mut words = head.split(' ');
    let (form, length, crc) = (words.next()?, words.next()?, words.next()?);
    let is_whole = form == HEAD
        && words.next().is_none()
        && length.parse() == Ok(body.len())
        && u32::from_str_radix(crc, 16) == Ok(crc32fast::hash(body));
    if !is_whole {
        return None;
    }
    serde_json::from_slice(body).ok()
}

#[cfg(test)]
mod tests {
    use oncue_mcp::{Era, empty};

    use super::*;

    fn id(text: &str) -> UpstreamId {
        UpstreamId::parse(text).expect("an id")
    }

    fn known(fingerprint: &str, tools: usize) -> Known {
        let tool = |at: usize| {
            let text = format!(r#"{{"name":"t{at}","n":123456789012345678901234567890}}"#);
            serde_json::value::RawValue::from_string(text).expect("JSON")
        };
        Known {
            fingerprint: fingerprint.to_owned(),
            read_ms: 7,
            era: Era::Sessions,
            name: Some("s".to_owned()),
            version: None,
            instructions: None,
            capabilities: empty(),
            tools: (0..tools).map(tool).collect(),
            resources: Vec::new(),
            templates: Vec::new(),
            prompts: Vec::new(),
            incomplete: None,
            forgotten: None,
        }
    }

    #[test]
    fn what_is_kept_comes_back_word_for_word_and_for_its_own_upstream_alone() {
        let folder = tempfile::tempdir().expect("a folder");
        let store = Store::new(folder.path().join("deep/er"));
        assert!(store.load(&id("a"), "f").is_none());
        store.keep(&id("a"), &known("f", 3)).expect("kept");
        store.keep(&id("../b"), &known("g", 1)).expect("kept");
        let back = store.load(&id("a"), "f").expect("it is there");
        assert!(back.says_the_same(&known("f", 3)));
        assert!(store.load(&id("a"), "another command").is_none());
        assert!(store.load(&id("../b"), "g").is_some());
        assert!(!folder.path().join("b.json").exists(), "an id is no path");
    }

    #[test]
    fn without_its_texts_it_still_says_the_same_and_nothing_else() {
        let whole = known("f", 2);
        assert!(whole.without_texts().tools.is_empty());
        assert!(whole.without_texts().says_the_same(&whole));
        assert!(whole.says_the_same(&whole.without_texts().without_texts()));
        for other in [known("f", 1), known("f", 3), known("g", 2)] {
            assert!(!whole.without_texts().says_the_same(&other));
        }
    }

    #[test]
    fn a_file_that_is_cut_or_changed_anywhere_is_as_good_as_none() {
        let folder = tempfile::tempdir().expect("a folder");
        let store = Store::new(folder.path().to_owned());
        store.keep(&id("a"), &known("f", 2)).expect("kept");
        let path = store.path(&id("a"));
        let whole = fs::read(&path).expect("a file");
        assert!(parse(&whole).is_some());
        for at in 0..whole.len() {
            assert!(parse(&whole[..at]).is_none(), "cut at {at}");
            let mut changed = whole.clone();
            changed[at] ^= 1;
            assert!(parse(&changed).is_none(), "changed at {at}");
        }
    }
}
