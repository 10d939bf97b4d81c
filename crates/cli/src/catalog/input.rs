//! Catalog files, as bytes: a file, the files of a folder, standard input.

use std::fs::{self, File};
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use crate::failure::Failure;
use crate::limits::CATALOG_BYTES_MAX;

/// The path that means standard input.
const STDIN: &str = "-";

/// One catalog file.
pub(crate) struct Input {
    /// The file as messages name it.
    pub(crate) file: String,
    /// The source of tools that name none: the file's stem.
    pub(crate) origin: String,
    /// Whether the file was found in a folder rather than named.
    pub(crate) from_folder: bool,
    /// What is in it, or why it cannot be read.
    pub(crate) bytes: Result<Vec<u8>, Failure>,
}

/// Returns the files that `paths` name, one after the other, so that no more than one needs to be in memory.
///
/// A path that is not there fails before anything is read.
pub(crate) fn inputs(paths: &[PathBuf]) -> Result<impl Iterator<Item = Input> + use<>, Failure> {
    let mut files = Vec::new();
    for path in paths {
        if path.as_os_str() == STDIN {
            files.push((path.clone(), false));
        } else if is_folder(path)? {
            files.extend(files_of(path)?.into_iter().map(|file| (file, true)));
        } else {
            files.push((path.clone(), false));
        }
    }
    Ok(files.into_iter().map(|(path, from_folder)| input(&path, from_folder)))
}

fn is_folder(path: &Path) -> Result<bool, Failure> {
    fs::metadata(path).map(|meta| meta.is_dir()).map_err(|error| {
        unreadable(path, error)
            .hint("check the path, or leave out `--catalog` to use the embedded catalog")
    })
}

/// Returns the `*.json` and `*.jsonl` files of `folder`, sorted by name.
fn files_of(folder: &Path) -> Result<Vec<PathBuf>, Failure> {
    let entries = fs::read_dir(folder).map_err(|error| unreadable(folder, error))?;
    let mut files: Vec<PathBuf> = entries
        .flatten()
        .map(|entry| entry.path())
        .filter(|path| {
            path.extension().is_some_and(|end| end == "json" || end == "jsonl") && path.is_file()
        })
        .collect();
    files.sort();
    if files.is_empty() {
        let folder = folder.display();
        return Err(Failure::input(anyhow::anyhow!("no *.json or *.jsonl file in `{folder}`"))
            .hint(format!("name a catalog file; see what is there: ls '{folder}'")));
    }
    Ok(files)
}

fn input(path: &Path, from_folder: bool) -> Input {
    if path.as_os_str() == STDIN {
        let bytes = bounded(Path::new("standard input"), io::stdin().lock());
        return Input { file: "standard input".into(), origin: "stdin".into(), from_folder, bytes };
    }
    let origin = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
    let bytes = File::open(path)
        .map_err(|error| unreadable(path, error))
        .and_then(|file| bounded(path, file));
    Input { file: path.display().to_string(), origin, from_folder, bytes }
}

fn bounded(path: &Path, reader: impl Read) -> Result<Vec<u8>, Failure> {
    let mut bytes = Vec::new();
    reader
        .take(CATALOG_BYTES_MAX + 1)
        .read_to_end(&mut bytes)
        .map_err(|error| unreadable(path, error))?;
    if bytes.len() as u64 > CATALOG_BYTES_MAX {
        let megabytes = CATALOG_BYTES_MAX / (1024 * 1024);
        return Err(Failure::input(anyhow::anyhow!(
            "catalog `{}` is larger than {megabytes} MiB",
            path.display()
        ))
        .hint("split it into files of one server each and name their folder"));
    }
    Ok(bytes)
}

fn unreadable(path: &Path, error: io::Error) -> Failure {
    Failure::input(
        anyhow::Error::new(error).context(format!("failed to read catalog `{}`", path.display())),
    )
}
