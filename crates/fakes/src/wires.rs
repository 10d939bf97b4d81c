//! Every wire that there is a fake of.

use crate::{
    Anthropic, Bedrock, BedrockInvoke, Chat, Embeddings, Gemini, Ollama, OllamaEmbed, Responses,
    Wire,
};

/// Returns one of each wire, in the order in which they are asked whether they serve a path.
#[must_use]
pub fn wires() -> Vec<Box<dyn Wire>> {
    vec![
        Box::new(Anthropic::default()),
        Box::new(Bedrock::default()),
        Box::new(BedrockInvoke::default()),
        Box::new(Chat::openai()),
        Box::new(Responses::openai()),
        Box::new(Gemini::new()),
        Box::new(Ollama::new()),
        Box::new(Embeddings::openai()),
        Box::new(OllamaEmbed::new()),
    ]
}
