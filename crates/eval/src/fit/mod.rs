//! The weights of [`Settings`](oncue_search::Settings) and [`Bm25f`](oncue_search::rank::Bm25f), or those by which [`Hybrid`](oncue_search::rank::Hybrid) blends words and meaning, fitted on labelled data sets, and how well they serve a set that took no part.
//!
//! Weights are chosen by coordinate descent over a coarse grid ([`Part::knobs`]): one weight after another takes the value with the best mean of recall within 5 hits and nDCG within 10, until a whole round changes nothing.
//! Every data set counts once, however many queries it has.
//! Each descent starts from the middle of the grid, not from the weights in use, which were fitted on the same sets.
//!
//! ```
//! use oncue_eval::fit::fit;
//! use oncue_eval::retrieval::Dataset;
//!
//! let set = |name: &str, word: &str| {
//!     let tools = format!(r#"{{"id": "1", "name": "{word}", "description": "Opens a window"}}"#);
//!     let queries = format!(r#"{{"id": "q", "query": "{word}", "relevant": ["1"], "lang": "en"}}"#);
//!     Dataset::parse(name, "dev", &tools, &queries)
//! };
//! let report = fit(&[set("mail", "send")?, set("files", "read")?], None, 1, &mut |_step| {})?;
//! // One fit on both, and one without each.
//! assert_eq!(report.fits.len(), 3);
//! assert_eq!(report.left_out[1].dataset, "files");
//! assert_eq!(report.left_out[1].recall_5, 1.0);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # What it is not
//!
//! The grid itself was drawn up by people who knew the sets, so a small part of the sets' knowledge is in every fit.

mod descent;
mod families;
mod measured;
mod report;
mod weights;

pub use report::{Fit, FitError, LeftOut, Report, Step, fit};
pub use weights::{Knob, Part, Weights};
