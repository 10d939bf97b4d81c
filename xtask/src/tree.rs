//! The repository as files: where it is, which files belong to it, and a fingerprint of them. Read once per command.

use std::collections::hash_map::DefaultHasher;
use std::fs;
use std::hash::{Hash, Hasher};
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail};

use crate::source::Source;

/// One text file of the repository.
pub(crate) struct File {
    /// The path from the root, with `/`.
    pub path: String,
    /// The whole text.
    pub text: String,
    /// The text as Rust, for `.rs` files.
    pub rust: Option<Source>,
}

impl File {
    /// A file of `path` that holds `text`.
    pub(crate) fn new(path: &str, text: &str) -> Self {
        let rust = path.ends_with(".rs").then(|| Source::new(text));
        Self { path: path.to_owned(), text: text.to_owned(), rust }
    }

    /// Says whether the whole file is test code, by where it lies.
    pub(crate) fn is_test(&self) -> bool {
        let folder = |name: &str| self.path.split('/').any(|part| part == name);
        folder("tests")
            || folder("benches")
            || folder("examples")
            || self.path.ends_with("/tests.rs")
    }

    /// Says whether the line with this number is test code.
    pub(crate) fn is_test_line(&self, line: usize) -> bool {
        self.is_test() || self.rust.as_ref().is_some_and(|rust| rust.is_test_line(line))
    }
}

/// The root folder of the workspace.
pub(crate) fn root() -> Result<PathBuf> {
    let manifest = Path::new(env!("CARGO_MANIFEST_DIR"));
    manifest.parent().map(Path::to_owned).context("xtask lies in the workspace")
}

/// Every text file that Git tracks or would track.
pub(crate) fn files(root: &Path) -> Result<Vec<File>> {
    let mut files = Vec::new();
    for path in paths(root)? {
        if let Ok(text) = fs::read_to_string(root.join(&path)) {
            files.push(File::new(&path, &text));
        }
    }
    Ok(files)
}

/// A number that changes when the content of any file does.
pub(crate) fn fingerprint(root: &Path) -> Result<u64> {
    let mut hasher = DefaultHasher::new();
    for path in paths(root)? {
        path.hash(&mut hasher);
        fs::read(root.join(&path)).unwrap_or_default().hash(&mut hasher);
    }
    Ok(hasher.finish())
}

fn paths(root: &Path) -> Result<Vec<String>> {
    let listed = Command::new("git")
        .args(["ls-files", "--cached", "--others", "--exclude-standard", "-z"])
        .current_dir(root)
        .output()
        .context("failed to start `git`")?;
    if !listed.status.success() {
        bail!("`git ls-files` failed: {}", String::from_utf8_lossy(&listed.stderr).trim());
    }
    let listed = String::from_utf8_lossy(&listed.stdout);
    let mut paths: Vec<String> =
        listed.split('\0').filter(|path| !path.is_empty()).map(str::to_owned).collect();
    paths.sort();
    paths.dedup();
    Ok(paths)
}
