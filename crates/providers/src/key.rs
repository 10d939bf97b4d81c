//! Keys of endpoints. Lives as long as its endpoint; it can be used and never shown.

use std::fmt;
use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};

use secrecy::{ExposeSecret, SecretString};

use crate::limits::KEY_BYTES_MAX;

/// The key of an endpoint.
///
/// It has no text form: neither `Display` nor `Serialize`, and `Debug` shows nothing of it.
///
/// ```
/// use oncue_providers::Key;
///
/// let key = Key::new("sk-1234")?;
/// assert_eq!(format!("{key:?}"), "Key(…)");
/// assert_eq!(
///     Key::of_variable("VENDOR_API_KEY", |_| None).unwrap_err().to_string(),
///     "there is no key: set the environment variable VENDOR_API_KEY",
/// );
/// # Ok::<(), oncue_providers::KeyError>(())
/// ```
#[derive(Clone)]
pub struct Key(SecretString);

/// Why there is no key.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum KeyError {
    /// The environment variable is not set.
    #[error("there is no key: set the environment variable {variable}")]
    Missing {
        /// The variable.
        variable: String,
    },
    /// The key is an empty text.
    #[error("the key is empty: {place} holds nothing")]
    Empty {
        /// Where it was looked for.
        place: String,
    },
    /// The key has characters that no header can carry.
    #[error("the key has a line end or another character that no key has: look at {place}")]
    Illegal {
        /// Where it was looked for.
        place: String,
    },
    /// The file cannot be read.
    #[error("failed to read the key from `{}`", path.display())]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// Why.
        #[source]
        source: std::io::Error,
    },
}

impl Key {
    /// A key of this text, without the white space around it.
    ///
    /// # Errors
    ///
    /// The text is empty, or holds characters that no header can carry.
    pub fn new(text: impl Into<String>) -> Result<Self, KeyError> {
        Self::read(&text.into(), || "the text that was given".to_owned())
    }

    /// The key that an environment variable holds; `lookup` says what a variable holds.
    ///
    /// # Errors
    ///
    /// The variable is not set, or what it holds is no key.
    pub fn of_variable(
        variable: &str,
        lookup: impl Fn(&str) -> Option<String>,
    ) -> Result<Self, KeyError> {
        let text =
            lookup(variable).ok_or_else(|| KeyError::Missing { variable: variable.to_owned() })?;
        Self::read(&text, || format!("the environment variable {variable}"))
    }

    /// The key that stands in a file, without the line end behind it.
    ///
    /// # Errors
    ///
    /// The file cannot be read, or what it holds is no key.
    pub fn of_file(path: impl AsRef<Path>) -> Result<Self, KeyError> {
        let path = path.as_ref();
        let mut text = String::new();
        File::open(path)
            .and_then(|file| file.take(KEY_BYTES_MAX).read_to_string(&mut text))
            .map_err(|source| KeyError::Unreadable { path: path.to_owned(), source })?;
        Self::read(&text, || format!("the file `{}`", path.display()))
    }

    fn read(text: &str, place: impl Fn() -> String) -> Result<Self, KeyError> {
        let key = text.trim();
        if key.is_empty() {
            return Err(KeyError::Empty { place: place() });
        }
        if !key.bytes().all(|byte| byte.is_ascii_graphic() || byte == b' ') {
            return Err(KeyError::Illegal { place: place() });
        }
        Ok(Self(SecretString::from(key)))
    }

    /// Returns the text, for the one header that carries it.
    pub(crate) fn expose(&self) -> &str {
        self.0.expose_secret()
    }

    /// Returns `text` with the key made unreadable, should it stand there.
    pub(crate) fn hidden_in(&self, text: &str) -> String {
        text.replace(self.expose(), "[key]")
    }
}

impl fmt::Debug for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Key(…)")
    }
}

#[cfg(test)]
mod tests {
    use super::{Key, KeyError};

    fn text(key: Result<Key, KeyError>) -> String {
        match key {
            Ok(key) => key.expose().to_owned(),
            Err(error) => format!("error: {error}"),
        }
    }

    #[test]
    fn a_variable_that_is_missing_or_empty_is_named() {
        let lookup = |variable: &str| match variable {
            "A" => Some(" sk-a \n".to_owned()),
            "B" => Some(" \n".to_owned()),
            "C" => Some("sk\na".to_owned()),
            _ => None,
        };
        let cases = [
            ("A", "sk-a"),
            ("B", "error: the key is empty: the environment variable B holds nothing"),
            (
                "C",
                "error: the key has a line end or another character that no key has: look at the environment variable C",
            ),
            ("D", "error: there is no key: set the environment variable D"),
        ];
        for (variable, expected) in cases {
            assert_eq!(text(Key::of_variable(variable, lookup)), expected);
        }
    }

    #[test]
    fn the_line_end_of_a_file_is_no_part_of_the_key() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("key");
        std::fs::write(&path, "sk-file\r\n").unwrap();
        assert_eq!(text(Key::of_file(&path)), "sk-file");
        let error = Key::of_file(folder.path().join("none")).unwrap_err().to_string();
        assert!(error.starts_with("failed to read the key from `"), "{error}");
    }

    #[test]
    fn nothing_shows_a_key() {
        let key = Key::new("sk-secret").unwrap();
        assert_eq!(format!("{key:?} {:?}", Some(&key)), "Key(…) Some(Key(…))");
        assert_eq!(key.hidden_in("wrong key sk-secret!"), "wrong key [key]!");
    }
}
