//! How well a ranker finds the tools that labelled requests need.
//!
//! A data set is a folder with `tools.jsonl` and `queries.NAME.jsonl`.
//! A query has groups of acceptable tools; a group is served once any of its tools is among the hits.
//!
//! ```
//! use oncue_eval::retrieval::{Bench, Dataset, ranker};
//! use oncue_search::Settings;
//!
//! let tools = r#"{"id": "1", "name": "send_mail", "description": "Sends an email"}
//! {"id": "2", "name": "read_file", "description": "Reads a file"}"#;
//! let queries = r#"{"id": "q", "query": "read a file", "relevant": ["2"], "lang": "en"}"#;
//!
//! let dataset = Dataset::parse("tiny", "dev", tools, queries)?;
//! let bench = Bench::new(&dataset, Settings::default());
//! let run = bench.run(&*ranker("keyword")?, &mut |_done| {});
//! assert_eq!(run.outcomes[0].ranks, [Some(1)]);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Limits
//!
//! A file of a data set may have 256 MiB. Ten hits are asked for each query, so MRR counts ranks up to ten.

mod bootstrap;
mod clock;
mod dataset;
mod measures;
mod rankers;
mod reasons;
mod report;
mod run;

pub use bootstrap::{Difference, RESAMPLES, SEED, difference, interval};
pub use clock::CLOCK;
pub use dataset::{Dataset, DatasetError, LabelledQuery, LabelledTool, UnknownId};
pub use measures::{Scores, mean};
pub use rankers::{DEFAULT_RANKER, UnknownRanker, WORDS_RANKER, ranker, ranker_names};
pub use reasons::{Missed, Reason};
pub use report::{Line, lines};
pub(crate) use run::ranks_of;
pub use run::{Bench, Outcome, Run};
