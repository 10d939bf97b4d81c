//! A query, weighed among candidates. Lives as long as one search.

use super::Bm25f;
use super::top::{HEAVIEST, UNIT, Weighted};
use crate::Candidates;
use crate::index::{TermId, term_id};
use crate::limits::{QUERY_BYTES_MAX, QUERY_TERMS_MAX, head};
use crate::text::{
    Phrase, Sort, each_placed_term, is_generic, is_praise, lowered_stretches, may_have_phrase,
    phrase,
};

/// The distinct terms of a query with their weights.
pub(super) struct Question {
    pub(super) terms: Vec<Asked>,
    worth: u32,
    worth_met: u32,
}

/// One distinct term of a query.
pub(super) struct Asked {
    pub(super) weighted: Weighted,
    /// The word or identifier that it comes from first, as its place among the stretches of the text.
    pub(super) stretch: usize,
}

impl Question {
    pub(super) fn new(ranker: &Bm25f, text: &str, candidates: &Candidates<'_>) -> Self {
        let mut known = known_terms(text, candidates);
        if known.len() > QUERY_TERMS_MAX {
            known.sort_by_key(|term| term.with);
            known.truncate(QUERY_TERMS_MAX);
        }
        let words = known.iter().filter(|term| term.sort != Sort::Verbs).count();
        let verb_weight = ranker.verb_weight * (ranker.verb_words / words as f32).min(1.0);
        let asked = |term: &Known| {
            let worth = match term.sort {
                Sort::Word => 1.0,
                Sort::Pair if term.is_single => ranker.single_weight,
                Sort::Pair => 1.0,
                Sort::Number => ranker.number_weight,
                Sort::Whole => ranker.whole_weight,
                Sort::Verbs => verb_weight,
            };
            let weight = (idf(candidates.len(), term.with) * worth * UNIT).round() as u32;
            // A word that every tool has is worth next to nothing, but it still finds.
            let weight = weight.clamp(1, HEAVIEST);
            let is_telling = ranker.is_telling(term, candidates.len());
            Asked {
                weighted: Weighted { term: term.id, weight, is_telling },
                stretch: term.stretch,
            }
        };
        let worth = |term: &Known| (term.sort != Sort::Verbs).then(|| asked(term).weighted.weight);
        let of = |terms: &mut dyn Iterator<Item = &Known>| terms.filter_map(worth).sum::<u32>();
        let all = of(&mut known.iter());
        let met = of(&mut known.iter().filter(|term| term.with > 0));
        Self { terms: known.iter().map(asked).collect(), worth: all, worth_met: met }
    }

    /// Returns what the words are worth together, verbs that stand for others left out: the score of a tool that had each of them to the full.
    pub(super) fn worth(&self) -> f64 {
        f64::from(self.worth) / f64::from(UNIT)
    }

    /// Returns the part of that which some candidate has.
    pub(super) fn worth_met(&self) -> f64 {
        f64::from(self.worth_met) / f64::from(UNIT)
    }

    /// Says whether a tool fits that has the terms at the places for which `has` says yes.
    pub(super) fn fits_at(&self, has: impl Fn(usize) -> bool) -> bool {
        let mut telling =
            (0..).zip(&self.terms).filter(|(_, asked)| asked.weighted.is_telling).peekable();
        telling.peek().is_none() || telling.any(|(at, _)| has(at))
    }

    /// Says whether a tool that has the terms for which `has` says yes fits at all.
    ///
    /// A tool that shares no more than generic words with a query that says something else besides does not.
    pub(super) fn fits(&self, has: impl Fn(&Asked) -> bool) -> bool {
        let mut telling = self.terms.iter().filter(|asked| asked.weighted.is_telling).peekable();
        telling.peek().is_none() || telling.any(has)
    }
}

/// A distinct term of a query, before it is weighed.
struct Known {
    id: TermId,
    sort: Sort,
    stretch: usize,
    /// In how many of the candidates it occurs.
    with: usize,
    /// Whether almost any tool could say it; of a group of verbs, whether its verb is such a word.
    is_generic: bool,
    /// Whether it is a lone character of a script without spaces: mostly the stem of a verb, whose ending follows in another script or was taken off.
    is_single: bool,
}

fn known_terms(text: &str, candidates: &Candidates<'_>) -> Vec<Known> {
    let mut known: Vec<Known> = Vec::new();
    let mut is_verb_generic = false;
    let text = head(text, QUERY_BYTES_MAX);
    let phrase = may_have_phrase(text).then(|| phrase(&lowered_stretches(text))).flatten();
    if let Some(Phrase { group, stretches }) = &phrase {
        let id = term_id(group);
        known.push(Known {
            id,
            sort: Sort::Word,
            stretch: stretches.first().copied().unwrap_or_default(),
            with: candidates.frequency(id),
            is_generic: true,
            is_single: false,
        });
    }
    let is_phrase =
        |at: usize| phrase.as_ref().is_some_and(|phrase| phrase.stretches.contains(&at));
    each_placed_term(text, &mut |text, sort, stretch| {
        if is_praise(text) || is_phrase(stretch) {
            return;
        }
        if sort == Sort::Word {
            is_verb_generic = is_generic(text);
        }
        let id = term_id(text);
        if !known.iter().any(|other| other.id == id) {
            known.push(Known {
                id,
                sort,
                stretch,
                with: candidates.frequency(id),
                is_generic: is_verb_generic && matches!(sort, Sort::Word | Sort::Verbs),
                is_single: sort == Sort::Pair && text.chars().nth(1).is_none(),
            });
        }
    });
    known
}

/// Catalogs smaller than this say nothing about which words are common.
const COMMON_TOOLS_MIN: usize = 200;

impl Bm25f {
    /// Says whether a tool, one of `all`, may fit because of `term`.
    fn is_telling(&self, term: &Known, all: usize) -> bool {
        let is_common =
            all >= COMMON_TOOLS_MIN && term.with as f32 > self.common_share * all as f32;
        match term.sort {
            Sort::Number => false,
            Sort::Pair => !term.is_single && !is_common,
            Sort::Whole => !is_common,
            Sort::Word => !term.is_generic && !is_common,
            // A group tells what its verb tells, however common the group is.
            Sort::Verbs => !term.is_generic,
        }
    }
}

/// The inverse document frequency of a term that `with` of `all` tools have; never negative (Robertson, Zaragoza 2009, section 3.1, with 1 added to the fraction as Lucene does).
fn idf(all: usize, with: usize) -> f32 {
    let (all, with) = (all as f32, with as f32);
    libm::logf(1.0 + (all - with + 0.5) / (with + 0.5))
}
