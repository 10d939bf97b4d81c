//! The embedding model that tests and figures use, in the folder of the build.

use std::path::{Path, PathBuf};

use anyhow::Result;

use crate::machine::{Supply, cargo, debian, run};
use crate::stage::FEATURES;

/// Where `oncue` looks for models if this variable is set.
pub(crate) const FOLDER_VARIABLE: &str = "ONCUE_MODELS";

/// What `oncue model install` installs where no name is given.
const MODEL_FILES: &str = "use-multilingual-";

/// Returns the folder that the model is installed in.
pub(crate) fn folder(root: &Path) -> PathBuf {
    root.join("target/models")
}

/// Says whether the model is there, after installing it where that may be done.
///
/// # Errors
///
/// It cannot be installed.
pub(crate) fn install(root: &Path, supply: Supply) -> Result<bool> {
    if is_installed(root) {
        return Ok(true);
    }
    if supply == Supply::AsFound || debian(supply, "pip3", &["python3-pip"]).is_none() {
        return Ok(false);
    }
    run(cargo()
        .args(["run", "-q", "-p", "oncue-cli"])
        // As the tests build it, so that it is built once.
        .args(FEATURES)
        .args(["--", "model", "install"])
        .env(FOLDER_VARIABLE, folder(root))
        .current_dir(root))?;
    Ok(is_installed(root))
}

fn is_installed(root: &Path) -> bool {
    let Ok(files) = folder(root).read_dir() else { return false };
    files.flatten().any(|file| file.file_name().to_string_lossy().starts_with(MODEL_FILES))
}
