//! Search over the tools of a catalog: query grammar, text analysis, an index, and rankers.
//!
//! ```
//! use std::sync::Arc;
//! use oncue_decl::Row;
//! use oncue_search::{Admit, Document, Index, rank::Bm25f, search};
//!
//! let tool = |name: &'static str, does: &'static str| Arc::new(Document::new(Row::discoverable(name, does)));
//! let index = Index::default()
//!     .replaced("mail", vec![tool("send_mail", "Sends a message to somebody")])
//!     .replaced("crm", vec![tool("create_invoice", "Bills a customer"), tool("list_invoices", "")]);
//!
//! let candidates = index.candidates(Admit::All);
//! let hits = search("bill the customer", &candidates, &Bm25f::default(), 5);
//! assert_eq!(hits[0].document.row.name(), "create_invoice");
//! // A query that nothing fits finds nothing.
//! assert!(search("translate a poem", &candidates, &Bm25f::default(), 5).is_empty());
//! ```
//!
//! # What holds for every ranker
//!
//! - A tool whose name the query spells, in any case and with any separators, comes first ([`search()`]).
//! - Of a source's tools for one thing the one goes first whose name does what is asked; one that deletes goes behind the others where nobody asks to delete.
//! - No source crowds out others that fit as well: of five hits at most two are its own while tools of others score three quarters of the best or more.
//! - A ranker sees only [`Candidates`], which are already filtered; tools that are filtered out leave no trace in an answer.
//! - One index, one query and one ranker give one answer; ties are ordered, and neither the order of registration nor the history of an index shows.
//!
//! # What it is not
//!
//! The crate does no IO, reads no clock, draws no random numbers, keeps no globals and never awaits; it builds for `wasm32`.
//! It does not decide who may call a tool, nor what becomes of a hit.
//! It holds no model of meaning: where one has made vectors of tools and query, [`rank::Hybrid`] ranks by them too; without them a query and a tool that share no word do not meet.
//!
//! # Cost
//!
//! A query asks each segment of the index for each of its terms and then reads the postings of the rarer ones, so it grows slower than the catalog.
//! Segments grow with the logarithm of the number of tools.
//! Replacing a source costs the analysis of its own tools.
//! `cargo bench -p oncue-eval` measures all of it; `docs/speed.md` has figures.
//!
//! # Map
//!
//! | module | holds |
//! |---|---|
//! | `asked` | [`Asked`]: what a ranker is asked: words, and what they mean |
//! | `query` | [`Query`]: what was typed, as one of three questions |
//! | [`text`] | text to terms: folding, identifiers, stems, scripts without spaces |
//! | [`schema`] | the words of an input schema, bounded |
//! | `index` | [`Index`]: immutable segments, replaced as sources change; as bytes |
//! | `candidates` | [`Candidates`]: what a ranker may see |
//! | `vectors` | [`Vectors`], [`Meaning`]: what tools and queries mean, as a model has told |
//! | [`rank`] | the trait [`Ranker`] and its implementations |
//! | `search` | [`search()`], [`required()`] and [`held_back()`]: what holds above any ranker |
//! | `needs` | [`needs()`] and [`search_needs()`]: a query that is a list |
//! | `siblings` | which of a source's tools for one thing goes first |
//! | `slots` | how many places of an answer one source may take |
//! | `differences` | [`differences()`]: what tells like hits apart |
//! | `explain` | [`Explanation`]: why a tool scores as it does |
//! | [`limits`] | every bound |

mod asked;
mod candidates;
mod differences;
mod document;
mod explain;
mod index;
pub mod limits;
mod needs;
mod query;
pub mod rank;
pub mod schema;
mod search;
mod settings;
mod siblings;
mod slots;
pub mod text;
mod vectors;

pub use asked::Asked;
pub use candidates::{Admission, Admit, Candidates, Share};
pub use differences::{Apart, differences};
pub use document::Document;
pub use explain::{Explanation, Field, FieldScore};
pub use index::{BytesError, Index};
pub use needs::{needs, search_needs};
pub use query::Query;
pub use rank::{Hit, Ranker};
pub use search::{held_back, required, search};
pub use settings::{FieldCounts, FieldWeight, Settings};
pub use vectors::{Meaning, Row, Vectors, passage};
