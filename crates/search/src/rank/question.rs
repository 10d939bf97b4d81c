//! A query, weighed among candidates. Lives as long as one search.

use super::Bm25f;
use super::top::{HEAVIEST, UNIT, Weighted};
use crate::Candidates;
use crate::index::{TermId, term_id};
use crate::limits::{QUERY_BYTES_MAX, QUERY_TERMS_MAX, head};
use crate::text::{Analysis, Sort, Term, analyze, is_generic};

/// The terms of a query with their weights.
pub(super) struct Question {
    pub(super) analysis: Analysis,
    /// The distinct terms.
    pub(super) terms: Vec<Asked>,
}

/// One distinct term of a query.
pub(super) struct Asked {
    pub(super) weighted: Weighted,
    /// The place of its first occurrence in the analysis.
    pub(super) first: usize,
}

impl Question {
    pub(super) fn new(ranker: &Bm25f, text: &str, candidates: &Candidates<'_>) -> Self {
        let analysis = analyze(head(text, QUERY_BYTES_MAX));
        let mut known: Vec<Known> = Vec::with_capacity(analysis.terms.len());
        for (first, term) in analysis.terms.iter().enumerate() {
            let id = term_id(&term.text);
            if !known.iter().any(|other| other.id == id) {
                known.push(Known { id, first, with: candidates.frequency(id) });
            }
        }
        if known.len() > QUERY_TERMS_MAX {
            known.sort_by_key(|term| term.with);
            known.truncate(QUERY_TERMS_MAX);
        }
        let words = known.iter().filter(|known| analysis.terms[known.first].sort != Sort::Verbs);
        let verb_weight = ranker.verb_weight * (ranker.verb_words / words.count() as f32).min(1.0);
        let mut terms = Vec::with_capacity(known.len());
        for Known { id, first, with } in &known {
            let term = &analysis.terms[*first];
            let worth = match term.sort {
                Sort::Word => 1.0,
                Sort::Pair if is_single(term) => ranker.single_weight,
                Sort::Pair => 1.0,
                Sort::Number => ranker.number_weight,
                Sort::Whole => ranker.whole_weight,
                Sort::Verbs => verb_weight,
            };
            let is_telling = ranker.is_telling(term, *with, candidates.len(), &analysis);
            let weight = (idf(candidates.len(), *with) * worth * UNIT).round() as u32;
            // A word that every tool has is worth next to nothing, but it still finds.
            let weight = weight.clamp(1, HEAVIEST);
            terms.push(Asked {
                weighted: Weighted { term: *id, weight, is_telling },
                first: *first,
            });
        }
        Self { analysis, terms }
    }

    /// Says whether a tool that has the terms for which `has` says yes fits at all.
    ///
    /// A tool that shares no more than generic words with a query that says something else besides does not.
    pub(super) fn fits(&self, has: impl Fn(&Asked) -> bool) -> bool {
        let mut telling = self.terms.iter().filter(|asked| asked.weighted.is_telling).peekable();
        telling.peek().is_none() || telling.any(has)
    }
}

struct Known {
    id: TermId,
    first: usize,
    with: usize,
}

/// Catalogs smaller than this say nothing about which words are common.
const COMMON_TOOLS_MIN: usize = 200;

impl Bm25f {
    /// Says whether a tool may fit because of `term`, which `with` of `all` tools have.
    fn is_telling(&self, term: &Term, with: usize, all: usize, analysis: &Analysis) -> bool {
        let is_common = all >= COMMON_TOOLS_MIN && with as f32 > self.common_share * all as f32;
        match term.sort {
            Sort::Number => false,
            Sort::Pair if is_single(term) => false,
            Sort::Pair | Sort::Whole => !is_common,
            Sort::Word => !is_common && !is_generic(&term.text),
            // A group tells what its verb tells.
            Sort::Verbs => {
                let verb =
                    |other: &&Term| other.stretch == term.stretch && other.sort == Sort::Word;
                !analysis.terms.iter().filter(verb).any(|verb| is_generic(&verb.text))
            }
        }
    }
}

/// A lone character is mostly the stem of a verb, whose ending follows in another script or was taken off.
fn is_single(term: &Term) -> bool {
    term.sort == Sort::Pair && term.text.chars().nth(1).is_none()
}

/// The inverse document frequency of a term that `with` of `all` tools have; never negative (Robertson, Zaragoza 2009, section 3.1, with 1 added to the fraction as Lucene does).
fn idf(all: usize, with: usize) -> f32 {
    let (all, with) = (all as f32, with as f32);
    libm::logf(1.0 + (all - with + 0.5) / (with + 0.5))
}
