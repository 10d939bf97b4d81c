//! Embedding models: OpenAI's protocol, and Ollama's.
//!
//! | file | holds |
//! |---|---|
//! | `openai` | [`Embeddings`] |
//! | `ollama` | [`OllamaEmbed`] |
//! | `meaning` | vectors that anyone can work out by hand |

mod meaning;
mod ollama;
mod openai;

#[cfg(test)]
mod tests;

use oncue_agent::cache::{Breakpoints, CacheRules};
use serde_json::Value;

use crate::{Piece, Scripted};

pub use ollama::OllamaEmbed;
pub use openai::Embeddings;

/// A model and the numbers of its vectors.
type Known = (String, usize);

/// Returns the vectors that the script wants in place of those of the texts: one that is opaque.
fn scripted(scripted: &Scripted) -> Option<&Value> {
    let (Scripted::Reply(pieces) | Scripted::CutOff(pieces)) = scripted else { return None };
    pieces.iter().find_map(|piece| match piece {
        Piece::Opaque(value) => Some(value),
        _ => None,
    })
}

/// Nothing is kept between requests.
fn no_cache() -> CacheRules {
    CacheRules {
        breakpoints: Breakpoints::Explicit { count_max: 0, look_back_blocks: 0 },
        prefix_tokens_min: 0,
        write_price: 1.0,
        read_price: 1.0,
    }
}
