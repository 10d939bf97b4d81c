//! Which files make up a model, and what they say of it. Lives while the model is opened.

use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use serde_json::Value;
use sha2::{Digest, Sha256};

use crate::ModelError;
use crate::limits::{ONNX_CONFIG_BYTES_MAX, ONNX_TOKENIZER_BYTES_MAX};

/// The names of prompts in front of texts that are searched; makers have not agreed on one.
const PASSAGE_PROMPTS: [&str; 3] = ["document", "passage", "corpus"];

/// Digits of the digest that tells models of one name apart.
const DIGEST_DIGITS: usize = 12;

/// The files of a model.
#[derive(Debug)]
pub(super) struct Folder {
    /// What holds the others.
    root: PathBuf,
    pub(super) model: PathBuf,
    pub(super) tokenizer: PathBuf,
}

impl Folder {
    /// Finds the files of the model at `path`, which is there.
    pub(super) fn of(path: &Path) -> Result<Self, ModelError> {
        let unreadable = |source| ModelError::Unreadable { path: path.to_owned(), source };
        path.metadata().map_err(unreadable)?;
        let parent = |path: &Path| path.parent().unwrap_or_else(|| ".".as_ref()).to_owned();
        let (root, model) = match path.is_dir() {
            true => {
                let inner = path.join("onnx/model.onnx");
                let model = if inner.is_file() { inner } else { path.join("model.onnx") };
                (path.to_owned(), model)
            }
            false => (parent(path), path.to_owned()),
        };
        let beside = root.join("tokenizer.json");
        let above = parent(&root).join("tokenizer.json");
        // Of a model in a folder of its own the rest may lie one level up.
        let is_above = !path.is_dir() && !beside.is_file() && above.is_file();
        let (root, tokenizer) = if is_above { (parent(&root), above) } else { (root, beside) };
        Ok(Self { root, model, tokenizer })
    }

    /// Returns the name of the folder, by which people know the model.
    pub(super) fn name(&self) -> String {
        let root = self.root.canonicalize().unwrap_or_else(|_| self.root.clone());
        root.file_name().map_or_else(|| "model".into(), |name| name.to_string_lossy().into_owned())
    }

    /// Returns what cuts text into pieces.
    pub(super) fn tokenizer(&self) -> Result<Vec<u8>, ModelError> {
        read(&self.tokenizer, ONNX_TOKENIZER_BYTES_MAX)
    }

    /// Returns a digest of all that makes a vector, apart from what stands in front of a text.
    pub(super) fn digest(&self, tokenizer: &[u8]) -> Result<String, ModelError> {
        let unreadable = |source| ModelError::Unreadable { path: self.model.clone(), source };
        let mut hasher = Sha256::new();
        hasher.update((tokenizer.len() as u64).to_le_bytes());
        hasher.update(tokenizer);
        hasher.update([u8::from(self.takes_first())]);
        let mut file = File::open(&self.model).map_err(unreadable)?;
        let mut buffer = vec![0; 1 << 16];
        loop {
            match file.read(&mut buffer).map_err(unreadable)? {
                0 => break,
                count => hasher.update(buffer.get(..count).unwrap_or_default()),
            }
        }
        let digits = hasher.finalize().iter().map(|byte| format!("{byte:02x}")).collect::<String>();
        Ok(digits.chars().take(DIGEST_DIGITS).collect())
    }

    /// Says whether the vector of the first piece stands for the text, instead of the mean of all.
    pub(super) fn takes_first(&self) -> bool {
        let config = self.config("1_Pooling/config.json");
        config["pooling_mode_cls_token"] == true || config["pooling_mode"] == "cls"
    }

    /// Returns what stands in front of queries and of texts that are searched.
    pub(super) fn prompts(&self) -> (String, String) {
        let config = self.config("config_sentence_transformers.json");
        let prompt = |names: &[&str]| {
            let mut found = names.iter().filter_map(|name| config["prompts"][name].as_str());
            found.next().unwrap_or_default().to_owned()
        };
        (prompt(&["query"]), prompt(&PASSAGE_PROMPTS))
    }

    /// Returns a file of settings; null where there is none.
    fn config(&self, name: &str) -> Value {
        let bytes = read(&self.root.join(name), ONNX_CONFIG_BYTES_MAX).ok();
        bytes.and_then(|bytes| serde_json::from_slice(&bytes).ok()).unwrap_or_default()
    }
}

fn read(path: &Path, bytes_max: u64) -> Result<Vec<u8>, ModelError> {
    let unreadable = |source| ModelError::Unreadable { path: path.to_owned(), source };
    let mut bytes = Vec::new();
    let file = File::open(path).map_err(unreadable)?;
    file.take(bytes_max + 1).read_to_end(&mut bytes).map_err(unreadable)?;
    if bytes.len() as u64 > bytes_max {
        let error = io::Error::new(io::ErrorKind::FileTooLarge, "it is too large");
        return Err(unreadable(error));
    }
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::path::Path;

    use super::Folder;

    fn write(root: &Path, name: &str, text: &str) {
        let path = root.join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    #[test]
    fn a_model_is_found_by_its_folder_and_by_its_file() {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path();
        write(root, "flat/model.onnx", "m");
        write(root, "flat/tokenizer.json", "t");
        write(root, "deep/onnx/model.onnx", "m");
        write(root, "deep/onnx/model_int8.onnx", "n");
        write(root, "deep/tokenizer.json", "t");
        let cases = [
            ("flat", "flat/model.onnx", "flat/tokenizer.json", "flat"),
            ("flat/model.onnx", "flat/model.onnx", "flat/tokenizer.json", "flat"),
            ("deep", "deep/onnx/model.onnx", "deep/tokenizer.json", "deep"),
            (
                "deep/onnx/model_int8.onnx",
                "deep/onnx/model_int8.onnx",
                "deep/tokenizer.json",
                "deep",
            ),
        ];
        for (path, model, tokenizer, name) in cases {
            let found = Folder::of(&root.join(path)).unwrap();
            assert_eq!(found.model, root.join(model), "{path}");
            assert_eq!(found.tokenizer, root.join(tokenizer), "{path}");
            assert_eq!(found.name(), name, "{path}");
        }
    }

    #[test]
    fn the_folder_says_how_pieces_become_one_vector_and_what_stands_in_front() {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path();
        write(root, "model.onnx", "m");
        let read = || {
            let found = Folder::of(root).unwrap();
            (found.takes_first(), found.prompts(), found.digest(b"t").unwrap())
        };
        let (takes_first, prompts, digest) = read();
        assert_eq!((takes_first, prompts), (false, (String::new(), String::new())));
        write(root, "1_Pooling/config.json", r#"{"pooling_mode_cls_token": true}"#);
        let prompts = r#"{"prompts": {"query": "q: ", "document": "d: ", "clustering": "c: "}}"#;
        write(root, "config_sentence_transformers.json", prompts);
        let (takes_first, prompts, other) = read();
        assert_eq!((takes_first, prompts), (true, ("q: ".to_owned(), "d: ".to_owned())));
        assert_eq!((digest.len(), other.len()), (12, 12));
        assert_ne!(digest, other, "vectors of the first piece are others than means");
        write(root, "model.onnx", "n");
        assert_ne!(read().2, other);
    }
}
