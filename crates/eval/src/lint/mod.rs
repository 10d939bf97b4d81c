//! Findings about the tools of a catalog: will each be found, told apart, called rightly, and at what cost.
//!
//! ```
//! use oncue_decl::Row;
//! use oncue_eval::lint::{Kind, lint};
//! use oncue_search::rank::Bm25f;
//! use oncue_tools::Definition;
//!
//! let tools = [
//!     Definition::new(Row::inline("read_file", "Reads a text file from disk"), None),
//!     Definition::new(Row::inline("fetch", ""), None),
//! ];
//! let report = lint(tools.iter().map(|tool| ("files", tool)), &Bm25f::default());
//! let kinds: Vec<_> = report.findings.iter().map(|found| (&*found.site.tool, found.kind)).collect();
//! assert_eq!(kinds, [
//!     ("fetch", Kind::NoDescription), ("fetch", Kind::NoSchema), ("read_file", Kind::NoSchema),
//! ]);
//! ```
//!
//! # What it is not
//!
//! A finding is no verdict on whether a catalog may be used: severities and exit codes are the caller's to act on.
//! Nothing is fetched, and no model is asked.

mod descriptions;
mod findability;
mod finding;
mod names;
mod near;
mod report;
mod schema;
mod subject;
mod suggest;
mod tokens;

use oncue_search::Ranker;
use oncue_tools::Definition;

pub use finding::{Finding, Kind, Severity, Site};
pub use report::{Report, SourceSum, Weight, markdown};
pub use suggest::{Origin, Proposal, Step, suggest};
pub use tokens::tokens;

use subject::Subjects;

/// Returns what is to be said about `tools`, each given with the id of its server; `ranker` decides what is found.
///
/// The answer does not depend on the order of the tools.
pub fn lint<'t>(
    tools: impl IntoIterator<Item = (&'t str, &'t Definition)>,
    ranker: &dyn Ranker,
) -> Report {
    let subjects = Subjects::new(tools);
    let mut findings = Vec::new();
    findability::check(&subjects, ranker, &mut findings);
    near::check(&subjects, &mut findings);
    names::check(&subjects, &mut findings);
    descriptions::check(&subjects, &mut findings);
    schema::check(&subjects, &mut findings);
    tokens::check(&subjects, &mut findings);
    Report::new(&subjects, findings)
}

#[cfg(test)]
mod tests;
