//! The embedding models that are installed for this user, and the one that a command ranks with.

mod awaited;
mod onnx;

use std::path::{Path, PathBuf};
use std::sync::Arc;

use oncue_embed::{
    DEFAULT_MODEL, KeptVectors, ModelError, Models, Precision, SentenceEncoder, known, known_as,
    read_tuning,
};
use oncue_gateway::config::Environment;
use oncue_gateway::state::StateDir;
use oncue_providers::EmbeddingEndpoint;
use oncue_tools::{Embedder, Tuning};

pub(crate) use self::awaited::Awaited;
use crate::failure::Failure;
use crate::limits::QUERY_VECTORS_TIME_MAX;
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

/// What stands in front of the path of a model in ONNX.
const ONNX: &str = "onnx:";

/// What a name of a model names.
enum Named {
    /// Words alone.
    Nothing,
    /// A model in this process.
    Here(Arc<dyn Embedder>),
    /// One behind an endpoint.
    Elsewhere(Box<EmbeddingEndpoint>),
}

/// Reads the name of a model, as it is typed: one that is known, `none`, or that of an endpoint.
pub(crate) fn name(text: &str) -> Result<String, String> {
    let is_known = text == NO_MODEL || known().any(|model| model.name == text);
    if is_known || text.contains(':') {
        return Ok(text.to_owned());
    }
    let known: Vec<&str> = known().map(|model| model.name).chain([NO_MODEL]).collect();
    Err(format!(
        "no model is called so: use one of {}, or VENDOR:MODEL, embeddings:MODEL@URL or onnx:PATH",
        known.join(", ")
    ))
}

/// Returns the model called `name`, the usual one if it is installed where none is named, and none where words alone are asked for.
///
/// It is asked within a runtime.
pub(crate) fn embedder(name: Option<&str>) -> Result<Option<Arc<dyn Embedder>>, Failure> {
    Ok(match named(name)? {
        Named::Nothing => None,
        Named::Here(embedder) => Some(embedder),
        Named::Elsewhere(endpoint) => Some(Arc::new(endpoint.open().map_err(Failure::input)?)),
    })
}

/// Returns the model as [`embedder`] does, for commands that wait for it outside of any runtime.
pub(crate) fn awaited(name: Option<&str>) -> Result<Option<Awaited>, Failure> {
    Ok(match named(name)? {
        Named::Nothing => None,
        Named::Here(embedder) => Some(Awaited::here(embedder)),
        Named::Elsewhere(endpoint) => {
            let endpoint = endpoint.with_query_time(QUERY_VECTORS_TIME_MAX);
            Some(Awaited::elsewhere(Arc::new(endpoint.open().map_err(Failure::input)?))?)
        }
    })
}

fn named(name: Option<&str>) -> Result<Named, Failure> {
    match name {
        Some(NO_MODEL) => Ok(Named::Nothing),
        Some(name) if let Some(path) = name.strip_prefix(ONNX) => onnx::open(path).map(Named::Here),
        Some(name) if name.contains(':') => {
            let lookup = |variable: &str| std::env::var(variable).ok();
            let endpoint = EmbeddingEndpoint::parse(name, lookup).map_err(Failure::input)?;
            Ok(Named::Elsewhere(Box::new(endpoint)))
        }
        name => Ok(match installed(name)? {
            Some(encoder) => Named::Here(Arc::new(encoder)),
            None => Named::Nothing,
        }),
    }
}

fn installed(name: Option<&str>) -> Result<Option<SentenceEncoder>, Failure> {
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
    embedder: Option<&dyn Embedder>,
) -> Result<Option<Tuning>, Failure> {
    let Some(path) = path else { return Ok(None) };
    let Some(embedder) = embedder else {
        let path = printable(&path.display().to_string());
        return Err(Failure::input(anyhow::anyhow!(
            "what `{path}` has learnt needs ranking by meaning, and words alone rank here"
        ))
        .hint(format!("oncue model install {DEFAULT_MODEL}")));
    };
    read_tuning(path, embedder.model())
        .map(Some)
        .map_err(|error| Failure::input(error).hint("learn it anew: oncue tune LOG --catalog FILE"))
}
