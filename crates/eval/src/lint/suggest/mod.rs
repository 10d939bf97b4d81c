//! Words that the tools of a catalog lack: what people may say for a tool and none of them says of itself.
//!
//! A word is proposed for a tool where it stands for one of the tool's own words and no tool of the catalog says it in its name, title, keywords or description.
//! So it cannot lead away from a tool that says it, and a request in the words of the catalog finds what it found before.
//!
//! | file | holds |
//! |---|---|
//! | `proposal` | [`Proposal`]: a word, and why |
//! | `words` | texts to words; words of everyday |
//! | `synonyms` | words that a list knows to stand for one another |
//! | `lexicon` | what the tools say, and which words none of them does |
//! | `closeness` | how close words and tools are, as a model tells |
//! | `run` | [`suggest`] |

mod closeness;
mod lexicon;
mod proposal;
mod run;
mod synonyms;
#[cfg(test)]
mod tests;
mod words;

pub use proposal::{Origin, Proposal};
pub use run::suggest;

/// How far the work is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Step {
    /// What is being done.
    pub stage: &'static str,
    /// How much of it is.
    pub done: usize,
    /// How much there is.
    pub total: usize,
}
