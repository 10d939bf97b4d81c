//! Rankers: one trait, one file each.

use std::cmp::Ordering;
use std::sync::Arc;

use crate::text::squashed;
use crate::{Asked, Candidates, Document, Explanation};

mod bm25f;
mod dense;
mod hybrid;
mod keyword;
mod question;
mod spread;
mod top;

pub use bm25f::Bm25f;
pub use dense::Dense;
pub use hybrid::Hybrid;
pub use keyword::Keyword;

/// Orders candidates by how well they fit what is asked.
///
/// A ranker never decides what the candidates are and never learns what becomes of its hits.
/// For one question and one set of candidates the answer is always the same, ties included.
pub trait Ranker: Send + Sync {
    /// The name under which the ranker is chosen and reported, such as `bm25f`.
    fn name(&self) -> &'static str;

    /// Says whether it makes use of what the question means; otherwise nobody need ask a model.
    fn reads_meaning(&self) -> bool {
        false
    }

    /// Returns at most `max` candidates that fit what is asked, best first; empty where none does.
    fn rank<'a>(&self, asked: Asked<'_>, candidates: &Candidates<'a>, max: usize) -> Vec<Hit<'a>>;

    /// Returns what `hit`, which was found among some of the candidates, scores by itself among all of them.
    fn own(&self, asked: Asked<'_>, candidates: &Candidates<'_>, hit: &Hit<'_>) -> f32 {
        self.explain(asked, candidates, hit).score
    }

    /// Returns why `hit`, one of the candidates, scores as it does for what is asked.
    fn explain(&self, asked: Asked<'_>, candidates: &Candidates<'_>, hit: &Hit<'_>) -> Explanation;
}

/// A candidate that fits, where it comes from and how well it fits.
#[derive(Clone, Copy, Debug)]
pub struct Hit<'a> {
    /// The id of the source (an upstream, or the program itself) that owns the tool.
    pub source: &'a str,
    /// The tool's place among the tools of its source, from 0.
    pub position: u32,
    /// The tool.
    pub document: &'a Arc<Document>,
    /// How well it fits, given the hits before it; comparable within one answer only.
    pub score: f32,
    /// How well it fits by itself, whatever stands before it.
    pub own: f32,
    /// Whether the query spells the tool's name.
    pub exact: bool,
}

impl Hit<'_> {
    /// Orders hits of equal score: by name, then source, then place, so that no order of registration shows.
    pub(crate) fn tie_break(&self, other: &Self) -> Ordering {
        let names = self.document.row.name().cmp(other.document.row.name());
        let sources = || self.source.cmp(other.source);
        names.then_with(sources).then_with(|| self.position.cmp(&other.position))
    }

    /// Says whether the tool's name, with or without its source's id in front, has the letters and digits of `key`.
    pub(crate) fn is_spelled(&self, key: &str) -> bool {
        let name = squashed(self.document.row.name());
        name == key || key.strip_suffix(&*name).is_some_and(|id| squashed(self.source) == id)
    }

    pub(crate) fn is_same_tool(&self, other: &Self) -> bool {
        self.position == other.position && self.source == other.source
    }
}
