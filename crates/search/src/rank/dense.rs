//! Ranking by meaning alone: what words are held against.

use super::{Hit, Hybrid, Ranker};
use crate::{Asked, Candidates, Explanation};

/// Ranks by how close tools are in meaning, and by nothing else; it finds something for every query.
///
/// It is there to measure what [`Hybrid`] makes of words and meaning together. Without meaning it finds nothing.
#[derive(Clone, Debug, PartialEq)]
pub struct Dense(Hybrid);

impl Default for Dense {
    fn default() -> Self {
        Self(Hybrid {
            word_weight: 0.0,
            meaning_weight: 1.0,
            spread: 0.0,
            floor: f32::NEG_INFINITY,
            fits: f32::NEG_INFINITY,
            ..Hybrid::default()
        })
    }
}

impl Ranker for Dense {
    fn name(&self) -> &'static str {
        "dense"
    }

    fn reads_meaning(&self) -> bool {
        true
    }

    fn rank<'a>(&self, asked: Asked<'_>, candidates: &Candidates<'a>, max: usize) -> Vec<Hit<'a>> {
        if asked.meaning.is_none() {
            return Vec::new();
        }
        self.0.rank(asked, candidates, max)
    }

    fn explain(&self, asked: Asked<'_>, candidates: &Candidates<'_>, hit: &Hit<'_>) -> Explanation {
        self.0.explain(asked, candidates, hit)
    }
}
