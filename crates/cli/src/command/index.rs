//! `oncue index`: the bytes that the command carries beside its catalog.

use std::fs;
use std::path::Path;

use crate::catalog::Catalog;
use crate::exit::Exit;
use crate::failure::Failure;

pub(super) fn run(file: &Path) -> Result<Exit, Failure> {
    fs::write(file, Catalog::rebuilt()?.index.to_bytes())?;
    Ok(Exit::Ok)
}
