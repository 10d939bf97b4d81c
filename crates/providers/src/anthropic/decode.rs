//! Whole answers.

use oncue_agent::{ModelError, ModelErrorKind, Reply};
use serde_json::Value;

use super::error;
use super::finish::{Block, Said};
use crate::Names;

/// Reads a whole answer of `model`.
///
/// # Errors
///
/// It is no message.
pub(super) fn whole(mut answer: Value, names: &Names, model: &str) -> Result<Reply, ModelError> {
    if let Some(said) = answer.get("error") {
        return Err(error::of_value(said));
    }
    let Some(Value::Array(content)) = answer.get_mut("content").map(Value::take) else {
        let what = "the answer is no message: it has no content";
        return Err(ModelError::new(ModelErrorKind::Malformed, what));
    };
    let mut said = Said::default();
    said.describe(&answer);
    said.blocks = content.into_iter().map(Block::new).collect();
    said.reply(names, model)
}
