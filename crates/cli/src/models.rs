//! The embedding models that are installed for this user, and the one that a command ranks with.

use std::path::{Path, PathBuf};

use oncue_embed::{
    DEFAULT_MODEL, KeptVectors, ModelError, Models, Precision, SentenceEncoder, known_as,
    read_tuning,
};
use oncue_gateway::config::Environment;
use oncue_gateway::state::StateDir;
use oncue_tools::{Embedder, Tuning};

use crate::failure::Failure;
use crate::text::printable;

/// Names the folder of models, in place of the usual one.
const FOLDER_VARIABLE: &str = "ONCUE_MODELS";

/// What models have told of tools, in the folder of a gateway's state or of models.
pub(crate) const VECTORS_FILE: &str = "vectors";

/// How words alone are asked for, in place of a model.
pub(crate) const NO_MODEL: &str = "none";

/// Returns the folder of models: `ONCUE_MODELS`, or `models` in the state folder of this user.
pub(crate) fn models() -> Result<Models, Failure> {
    if let Some(folder) = std::env::var_os(FOLDER_VARIABLE) {
        return Ok(Models::in_folder(PathBuf::from(folder)));
    }
    let state = StateDir::choose(None, None, &Environment::of_process()).map_err(|error| {
        let hint = error.hint();
        Failure::input(error).hint(hint)
    })?;
    Ok(Models::in_folder(state.file("models")))
}

/// Returns what models have told of tools before; nothing where there is no folder for it.
pub(crate) fn kept() -> KeptVectors {
    let file = models().map(|models| models.folder().join(VECTORS_FILE));
    KeptVectors::open(file.unwrap_or_default())
}

/// Returns the model called `name`, the usual one if it is installed where none is named, and none where words alone are asked for.
pub(crate) fn encoder(name: Option<&str>) -> Result<Option<SentenceEncoder>, Failure> {
    if name == Some(NO_MODEL) {
        return Ok(None);
    }
    let model = known_as(name.unwrap_or(DEFAULT_MODEL)).map_err(Failure::input)?;
    let models = match (models(), name) {
        (Ok(models), _) => models,
        // Where there is no place for models there is none.
        (Err(_), None) => return Ok(None),
        (Err(failure), Some(_)) => return Err(failure),
    };
    match models.open(model, Precision::Bytes) {
        Ok(encoder) => Ok(Some(encoder)),
        Err(ModelError::NotInstalled { .. }) if name.is_none() => Ok(None),
        Err(error) => {
            let hint = format!("oncue model install {}", model.name);
            Err(Failure::input(error).hint(hint))
        }
    }
}

/// Returns what requests have taught of tools, if a file is named.
pub(crate) fn tuning(
    path: Option<&Path>,
    encoder: Option<&SentenceEncoder>,
) -> Result<Option<Tuning>, Failure> {
    let Some(path) = path else { return Ok(None) };
    let Some(encoder) = encoder else {
        let path = printable(&path.display().to_string());
        return Err(Failure::input(anyhow::anyhow!(
            "what `{path}` has learnt needs ranking by meaning, and words alone rank here"
        ))
        .hint(format!("oncue model install {DEFAULT_MODEL}")));
    };
    read_tuning(path, encoder.model())
        .map(Some)
        .map_err(|error| Failure::input(error).hint("learn it anew: oncue tune LOG --catalog FILE"))
}
