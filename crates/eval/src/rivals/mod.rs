//! The rankers of others, rebuilt from what they are known to do, and asked the same requests as ours.
//!
//! Each is a row of [`RIVALS`] and a file here. A rival reads the tools of a data set once and then answers texts with places of tools;
//! it gets no help from us, such as the rule for names that are spelled out.
//! Where a rival is made with a library that can be had, its row uses that library (feature `bm25`); the others are written anew from public behaviour.
//! A searcher that cannot be rebuilt is asked once, elsewhere, and its answers are read back as a [`Recording`].
//!
//! ```
//! use oncue_eval::retrieval::Dataset;
//! use oncue_eval::rivals::rival;
//!
//! let tools = r#"{"id": "1", "name": "send_mail", "description": "Sends an email"}
//! {"id": "2", "name": "read_file", "description": "Reads a file"}"#;
//! let queries = r#"{"id": "q", "query": "read a file", "relevant": ["2"], "lang": "en"}"#;
//! let dataset = Dataset::parse("tiny", "dev", tools, queries)?;
//!
//! let run = rival("pydantic-ai")?.run(&dataset, &mut |_done| {});
//! assert_eq!(run.outcomes[0].ranks, [Some(1)]);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Limits
//!
//! Rivals that answer with five or eight tools are asked for ten like the others, so that measures beyond recall within 5 hits flatter them.

#[cfg(feature = "bm25")]
mod codex;
mod comparison;
#[cfg(feature = "bm25")]
mod english;
mod fastmcp;
mod founding;
mod mcpproxy;
mod pydantic_ai;
#[cfg(feature = "bm25")]
mod ratel;
mod recording;
mod rival;
mod tantivy;
mod terms;
mod toolhive;

pub use comparison::{Compared, compared};
pub use recording::{Answer, Recording, RecordingError, answers};
pub use rival::{Answers, LEFT_OUT, Made, RIVALS, Rival, UnknownRival, rival};
