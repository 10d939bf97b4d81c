//! BM25F over the index: the lexical default.

use super::top::{Weighted, top};
use super::{Hit, Ranker};
use crate::explain::{Explanation, Field, FieldScore};
use crate::index::{TermCounts, TermId, term_id};
use crate::limits::{QUERY_BYTES_MAX, QUERY_TERMS_MAX, head};
use crate::settings::FieldCounts;
use crate::text::{Sort, Stems, Term, analyze};
use crate::{Candidates, Settings};

/// Fractions of a unit of weight: weights are integers, so that sums are exact.
const WEIGHT_UNITS: f32 = 4_096.0;

/// Ranks by BM25F (Robertson, Zaragoza: *The Probabilistic Relevance Framework: BM25 and Beyond*, 2009, section 3.6).
///
/// A term is worth its inverse document frequency among the candidates times its saturated, field-weighted, length-discounted count, which the index holds.
/// A tool that has more of what was asked for is preferred, and a tool that has too little of it does not fit.
#[derive(Clone, Debug)]
pub struct Bm25f {
    /// How much a number is worth beside a word, from 0 to 1.
    pub number_weight: f32,
    /// How much a pair of characters is worth beside a word, from 0 to 1.
    pub pair_weight: f32,
    /// How much a whole identifier is worth beside its parts.
    pub whole_weight: f32,
    /// How much covering little of the query costs; 0 nothing.
    pub coverage_power: f32,
    /// The share of a query's weight that a tool must cover to fit at all.
    pub coverage_min: f32,
    /// The number of rare words that are enough to fit, however long the query.
    pub words_enough: f32,
}

impl Default for Bm25f {
    fn default() -> Self {
        Self {
            number_weight: 0.3,
            pair_weight: 0.6,
            whole_weight: 1.0,
            coverage_power: 0.5,
            coverage_min: 0.3,
            words_enough: 1.0,
        }
    }
}

impl Ranker for Bm25f {
    fn name(&self) -> &'static str {
        "bm25f"
    }

    fn rank<'a>(&self, text: &str, candidates: &Candidates<'a>, max: usize) -> Vec<Hit<'a>> {
        let question = Question::new(self, text, candidates);
        let weighted: Vec<Weighted> = question.terms.iter().map(|term| term.weighted).collect();
        let hits = top(candidates.parts(), &weighted, max, &|sum, set| question.value(sum, set));
        let unit = WEIGHT_UNITS * f32::from(u16::MAX);
        hits.into_iter().map(|(value, hit)| Hit { score: value as f32 / unit, ..hit }).collect()
    }

    fn explain(&self, text: &str, candidates: &Candidates<'_>, hit: &Hit<'_>) -> Explanation {
        let _ = (text, candidates, hit);
        Explanation::default()
    }
}

/// A query, weighed among candidates.
struct Question {
    terms: Vec<Asked>,
    /// The mass of all terms.
    mass: f32,
    /// The mass that a tool must have.
    mass_min: f32,
    coverage_power: f32,
}

/// One distinct term of a query.
struct Asked {
    weighted: Weighted,
    /// What the term counts for in covering the query.
    mass: f32,
    /// The terms that are covered where this one is: a whole identifier covers its parts.
    implies: u64,
}

impl Question {
    fn new(ranker: &Bm25f, text: &str, candidates: &Candidates<'_>) -> Self {
        let analysis = analyze(head(text, QUERY_BYTES_MAX));
        let mut known: Vec<(&Term, TermId, f32)> = Vec::new();
        for term in &analysis.terms {
            let id = term_id(&term.text);
            if !known.iter().any(|&(_, other, _)| other == id) {
                known.push((term, id, idf(candidates.len(), candidates.frequency(id))));
            }
        }
        if known.len() > QUERY_TERMS_MAX {
            known.sort_by(|left, right| right.2.total_cmp(&left.2));
            known.truncate(QUERY_TERMS_MAX);
        }
        let terms: Vec<Asked> = known.iter().map(|row| ranker.asked(*row, &known)).collect();
        let mass: f32 = terms.iter().map(|term| term.mass).sum();
        let enough = ranker.words_enough * idf(candidates.len(), 0);
        let mass_min = (ranker.coverage_min * mass).min(enough);
        Self { terms, mass, mass_min, coverage_power: ranker.coverage_power }
    }

    fn value(&self, sum: u64, set: u64) -> Option<f64> {
        let mut covered = set;
        for (bit, term) in self.terms.iter().enumerate() {
            if set & (1 << bit) != 0 {
                covered |= term.implies;
            }
        }
        let mass: f32 = self
            .terms
            .iter()
            .enumerate()
            .filter(|(bit, _)| covered & (1 << bit) != 0)
            .map(|(_, term)| term.mass)
            .sum();
        if mass < self.mass_min || mass <= 0.0 {
            return None;
        }
        let share = (mass / self.mass).min(1.0);
        Some(sum as f64 * f64::from(libm::powf(share, self.coverage_power)))
    }
}

impl Bm25f {
    fn asked(&self, (term, id, idf): (&Term, TermId, f32), all: &[(&Term, TermId, f32)]) -> Asked {
        let (worth, counts) = match term.sort {
            Sort::Word => (1.0, true),
            Sort::Number => (self.number_weight, true),
            Sort::Pair => (self.pair_weight, true),
            // A whole identifier is covered through its parts, unless those are stop words.
            Sort::Whole => (self.whole_weight, !siblings(term, all).any(|_| true)),
        };
        let mut implies = 0;
        if term.sort == Sort::Whole {
            siblings(term, all).for_each(|bit| implies |= 1 << bit);
        }
        let weight = (idf * worth * WEIGHT_UNITS).round() as u32;
        let mass = if counts { idf * worth } else { 0.0 };
        Asked { weighted: Weighted { term: id, weight }, mass, implies }
    }
}

/// The other terms of the stretch that `term` comes from.
fn siblings(term: &Term, all: &[(&Term, TermId, f32)]) -> impl Iterator<Item = usize> {
    let (stretch, text) = (term.stretch, term.text.clone());
    all.iter()
        .enumerate()
        .filter(move |(_, (other, ..))| other.stretch == stretch && other.text != text)
        .map(|(bit, _)| bit)
}

/// The inverse document frequency of a term that `with` of `all` tools have, as Lucene smooths it so that it stays positive.
fn idf(all: usize, with: usize) -> f32 {
    let (all, with) = (all as f32, with as f32);
    libm::logf(1.0 + (all - with + 0.5) / (with + 0.5))
}

#[expect(dead_code, reason = "filled in with explain")]
fn fields(_: &Settings, _: &FieldCounts, _: &mut Stems, _: TermCounts) -> Vec<FieldScore> {
    let _ = Field::ALL;
    Vec::new()
}
