//! Vectors that are remembered on disk by the text that they stand for.

use std::collections::{HashMap, HashSet};
use std::fs;
use std::io::{self, Write};
use std::path::PathBuf;
use std::sync::{Mutex, MutexGuard, PoisonError};

use oncue_search::Row;
use oncue_tools::VectorStore;
use sha2::{Digest, Sha256};

use crate::limits::KEPT_ROWS_MAX;

/// Changes whenever the form of the file changes.
const MAGIC: [u8; 8] = *b"oncuevc1";

/// A text as it is remembered: half of its SHA-256, together with that of the model.
type Key = [u8; 16];

/// Vectors by model and text, in one file that is read whole and replaced whole.
///
/// It is a cache: a file that is missing, damaged or of another form holds nothing, and two programs that write at once lose nothing but time.
/// A row of 512 numbers takes 534 bytes.
#[derive(Debug)]
pub struct KeptVectors {
    path: PathBuf,
    rows: Mutex<Rows>,
}

#[derive(Debug, Default)]
struct Rows {
    known: HashMap<Key, Row>,
    /// Asked for or made since the file was read; kept before the others.
    used: HashSet<Key>,
    has_new: bool,
}

impl KeptVectors {
    /// Reads what the file at `path` remembers.
    #[must_use]
    pub fn open(path: impl Into<PathBuf>) -> Self {
        let path = path.into();
        let known = fs::read(&path).ok().and_then(|bytes| read(&bytes)).unwrap_or_default();
        Self { path, rows: Mutex::new(Rows { known, ..Rows::default() }) }
    }

    /// Writes the file where something is new, and says whether there was; the file is replaced whole or stays.
    ///
    /// # Errors
    ///
    /// It cannot be written.
    pub fn save(&self) -> io::Result<bool> {
        let mut rows = self.rows();
        if !rows.has_new {
            return Ok(false);
        }
        // What another program has written meanwhile.
        let others = fs::read(&self.path).ok().and_then(|bytes| read(&bytes)).unwrap_or_default();
        for (key, row) in others {
            rows.known.entry(key).or_insert(row);
        }
        rows.bound();
        let folder = self.path.parent().filter(|folder| !folder.as_os_str().is_empty());
        let folder = folder.unwrap_or_else(|| ".".as_ref());
        fs::create_dir_all(folder)?;
        let mut file = tempfile::Builder::new().prefix(".vectors-").tempfile_in(folder)?;
        file.write_all(&written(&rows.known))?;
        file.persist(&self.path).map_err(|error| error.error)?;
        rows.has_new = false;
        Ok(true)
    }

    fn rows(&self) -> MutexGuard<'_, Rows> {
        // Rows are put whole, so what a panic has left behind is whole too.
        self.rows.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl VectorStore for KeptVectors {
    fn get(&self, model: &str, text: &str) -> Option<Row> {
        let mut rows = self.rows();
        let key = key(model, text);
        let row = rows.known.get(&key).cloned()?;
        rows.used.insert(key);
        Some(row)
    }

    fn put(&self, model: &str, text: &str, row: &Row) {
        let mut rows = self.rows();
        let key = key(model, text);
        rows.used.insert(key);
        rows.known.insert(key, row.clone());
        rows.has_new = true;
    }

    /// Saves. It is a cache, so a file that cannot be written costs time, and no more.
    fn flush(&self) {
        let _ = self.save();
    }
}

impl Rows {
    /// Forgets what was not used, where there is too much.
    fn bound(&mut self) {
        let unused = self.known.len().saturating_sub(KEPT_ROWS_MAX);
        let goes: Vec<Key> = self
            .known
            .keys()
            .filter(|key| !self.used.contains(*key))
            .take(unused)
            .copied()
            .collect();
        for key in goes {
            self.known.remove(&key);
        }
    }
}

fn key(model: &str, text: &str) -> Key {
    let mut hasher = Sha256::new();
    hasher.update((model.len() as u64).to_le_bytes());
    hasher.update(model);
    hasher.update(text);
    let mut key = Key::default();
    key.iter_mut().zip(hasher.finalize()).for_each(|(byte, hash)| *byte = hash);
    key
}

/// After the form come the SHA-256 of the rest, and then row by row: key, scale, number of bytes, bytes.
fn written(rows: &HashMap<Key, Row>) -> Vec<u8> {
    let mut body = Vec::new();
    let mut keys: Vec<&Key> = rows.keys().collect();
    keys.sort_unstable();
    for key in keys {
        let Some(row) = rows.get(key) else { continue };
        let Ok(width) = u16::try_from(row.bytes.len()) else { continue };
        body.extend_from_slice(key);
        body.extend_from_slice(&row.scale.to_le_bytes());
        body.extend_from_slice(&width.to_le_bytes());
        body.extend(row.bytes.iter().map(|byte| byte.cast_unsigned()));
    }
    let mut bytes = MAGIC.to_vec();
    bytes.extend_from_slice(&Sha256::digest(&body));
    bytes.extend(body);
    bytes
}

fn read(bytes: &[u8]) -> Option<HashMap<Key, Row>> {
    let rest = bytes.strip_prefix(&MAGIC)?;
    let (sum, mut rest) = rest.split_first_chunk::<32>()?;
    if Sha256::digest(rest)[..] != *sum {
        return None;
    }
    let mut rows = HashMap::new();
    while !rest.is_empty() {
        let (key, tail) = rest.split_first_chunk::<16>()?;
        let (scale, tail) = tail.split_first_chunk::<4>()?;
        let (width, tail) = tail.split_first_chunk::<2>()?;
        let (row, tail) = tail.split_at_checked(u16::from_le_bytes(*width).into())?;
        let bytes = row.iter().map(|byte| byte.cast_signed()).collect();
        rows.insert(*key, Row { bytes, scale: f32::from_le_bytes(*scale) });
        rest = tail;
    }
    Some(rows)
}

#[cfg(test)]
mod tests {
    use oncue_search::Row;
    use oncue_tools::VectorStore;

    use super::KeptVectors;

    #[test]
    fn vectors_are_remembered_by_model_and_text() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("deep/vectors");
        let kept = KeptVectors::open(&path);
        let row = Row::of(&[0.6, -0.8]);
        kept.put("m", "a text", &row);
        assert!(kept.save().unwrap());
        assert!(!kept.save().unwrap(), "nothing is new");

        let again = KeptVectors::open(&path);
        assert_eq!(again.get("m", "a text"), Some(row.clone()));
        assert_eq!(again.get("m", "another"), None);
        assert_eq!(again.get("n", "a text"), None);
        assert_eq!(again.get("ma", " text"), None);

        // Two programs that write one after the other lose nothing.
        kept.put("m", "left", &row);
        again.put("m", "right", &row);
        assert!(kept.save().unwrap() && again.save().unwrap());
        let both = KeptVectors::open(&path);
        assert!(["a text", "left", "right"].iter().all(|text| both.get("m", text).is_some()));
    }

    #[test]
    fn a_damaged_file_remembers_nothing_and_is_replaced() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("vectors");
        let kept = KeptVectors::open(&path);
        kept.put("m", "text", &Row::of(&[1.0]));
        kept.save().unwrap();
        let mut bytes = std::fs::read(&path).unwrap();
        *bytes.last_mut().unwrap() ^= 1;
        std::fs::write(&path, bytes).unwrap();
        let kept = KeptVectors::open(&path);
        assert_eq!(kept.get("m", "text"), None);
        kept.put("m", "text", &Row::of(&[2.0]));
        assert!(kept.save().unwrap());
        assert!(KeptVectors::open(&path).get("m", "text").is_some());
    }
}
