//! The names of the files of a record.

use std::path::{Path, PathBuf};

/// The file that is appended to.
pub(super) const CURRENT: &str = "audit.jsonl";
/// Number and digest of the last record.
pub(super) const HEAD: &str = "audit.head";
/// The file whose lock belongs to whoever appends.
pub(super) const LOCK: &str = "audit.lock";

const BEGINNING: &str = "audit-";
const ENDING: &str = ".jsonl";

/// Returns the name of a full file whose last record has this number. `again` tells files of one number apart, which are not meant to be.
pub(super) fn full(last: u64, again: u32) -> String {
    match again {
        0 => format!("{BEGINNING}{last:012}{ENDING}"),
        again => format!("{BEGINNING}{last:012}-{again}{ENDING}"),
    }
}

/// Returns the name of a file with what was no record, set aside before the record of this number.
pub(super) fn aside(before: u64, again: u32) -> String {
    match again {
        0 => format!("audit-torn-{before:012}.bin"),
        again => format!("audit-torn-{before:012}-{again}.bin"),
    }
}

/// Returns the files of the record in a folder, the oldest first.
pub(super) fn all(folder: &Path) -> std::io::Result<Vec<PathBuf>> {
    let mut full = Vec::new();
    for file in folder.read_dir()? {
        let path = file?.path();
        if is_full(&path) {
            full.push(path);
        }
    }
    full.sort_unstable();
    let current = folder.join(CURRENT);
    if current.exists() {
        full.push(current);
    }
    Ok(full)
}

/// Says whether a file is one that was full, and so ends with a record that says so.
pub(super) fn is_full(path: &Path) -> bool {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let number = name.strip_prefix(BEGINNING).and_then(|rest| rest.strip_suffix(ENDING));
    number.is_some_and(|number| number.starts_with(|digit: char| digit.is_ascii_digit()))
}
