//! The installed model, for tests that need its weights.

use std::path::{Path, PathBuf};

use oncue_embed::{DEFAULT_MODEL, Models, known_as};

/// Where `cargo xtask models` installs, unless the variable says otherwise.
pub(crate) fn models() -> Models {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../target/models");
    Models::in_folder(std::env::var_os("ONCUE_MODELS").map_or(root, PathBuf::from))
}

/// Says whether the model is there. A check of everything cannot go on without it.
pub(crate) fn is_installed() -> bool {
    let is_there = known_as(DEFAULT_MODEL).is_ok_and(|model| models().find(model).is_some());
    assert!(is_there || std::env::var_os("CI").is_none(), "no model: cargo xtask models");
    is_there
}
