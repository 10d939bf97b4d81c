//! What an archive holds, by name.

use std::io::{Cursor, Read};

use npyz::NpyFile;
use zip::ZipArchive;

use crate::limits::MEMBER_BYTES_MAX;

/// A zip archive in memory: a package, or a file of arrays.
pub(super) struct Archive(ZipArchive<Cursor<Vec<u8>>>);

/// An array with its shape.
pub(super) struct Array<T> {
    pub(super) shape: Vec<usize>,
    /// Row by row.
    pub(super) numbers: Vec<T>,
}

impl Archive {
    pub(super) fn new(bytes: Vec<u8>) -> Result<Self, String> {
        ZipArchive::new(Cursor::new(bytes)).map(Self).map_err(|error| error.to_string())
    }

    /// Returns the bytes of a member.
    pub(super) fn bytes(&mut self, name: &str) -> Result<Vec<u8>, String> {
        let failed = |error: &dyn std::fmt::Display| format!("`{name}`: {error}");
        let member = self.0.by_name(name).map_err(|error| failed(&error))?;
        let mut bytes = Vec::new();
        let read = member.take(MEMBER_BYTES_MAX + 1).read_to_end(&mut bytes);
        match read.map_err(|error| failed(&error))? as u64 {
            ..=MEMBER_BYTES_MAX => Ok(bytes),
            _ => Err(format!("`{name}` is larger than {MEMBER_BYTES_MAX} bytes")),
        }
    }

    /// Returns the array that a member holds in the form of NumPy (*NEP 1*).
    pub(super) fn array<T: npyz::Deserialize>(&mut self, name: &str) -> Result<Array<T>, String> {
        let failed = |error: std::io::Error| format!("`{name}`: {error}");
        let bytes = self.bytes(&format!("{name}.npy"))?;
        let file = NpyFile::new(&*bytes).map_err(failed)?;
        let shape = file.shape().iter().map(|&side| side as usize).collect();
        if file.order() != npyz::Order::C {
            return Err(format!("`{name}` is not stored row by row"));
        }
        Ok(Array { shape, numbers: file.into_vec().map_err(failed)? })
    }
}
