//! Models in ONNX, from a folder of the user's own.

use std::sync::Arc;

use oncue_tools::Embedder;

use crate::failure::Failure;

/// Opens the model at `path`; what it wants in front of texts is known by its folder, or else by the name of that.
#[cfg(feature = "onnx")]
pub(super) fn open(path: &str) -> Result<Arc<dyn Embedder>, Failure> {
    let encoder = oncue_embed::OnnxEncoder::open(path).map_err(Failure::input)?;
    if encoder.has_prefixes() {
        return Ok(Arc::new(encoder));
    }
    let name = encoder.model().to_owned();
    let (query, passage) = oncue_providers::embedding_prefixes(&name);
    Ok(Arc::new(encoder.with_prefixes(query, passage)))
}

#[cfg(not(feature = "onnx"))]
pub(super) fn open(_path: &str) -> Result<Arc<dyn Embedder>, Failure> {
    let error = anyhow::anyhow!("this program was built without models in ONNX");
    Err(Failure::input(error)
        .hint("build it with the feature: cargo build --release -p oncue-cli --features onnx"))
}
