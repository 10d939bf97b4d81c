//! BM25F over the index: the lexical default.

use super::question::Question;
use super::spread::spread;
use super::top::{Found, UNIT, Weighted, top};
use super::{Hit, Ranker};
use crate::explain::{Explanation, Field, FieldScore};
use crate::index::{IMPACT_WHOLE, TermCounts};
use crate::limits::{QUERY_BYTES_MAX, SPREAD_HITS_MAX, head};
use crate::text::{Analysis, Stems, analyze, is_praise};
use crate::{Asked, Candidates};

/// Tools beyond those asked for among which room is made for other needs.
const SPREAD_POOL: usize = 5;

/// Ranks by BM25F (Robertson, Zaragoza: *The Probabilistic Relevance Framework: BM25 and Beyond*, 2009, section 3.6).
///
/// A term is worth its inverse document frequency among the candidates times its saturated, field-weighted, length-discounted count, which the index holds ([`Settings`](crate::Settings)).
/// Verbs that are used for one another (delete, remove) count a little for each other.
/// A tool that shares only generic words (get, list, new …) or words common in the whole catalog with a query that says more does not fit, so a query that nothing fits finds nothing.
///
/// The cost of a search grows with the postings of the query's rarer terms, not with the catalog.
#[derive(Clone, Debug, PartialEq)]
pub struct Bm25f {
    /// How much a number is worth beside a word, from 0 to 1.
    pub number_weight: f32,
    /// How much a lone character of a script without spaces is worth beside a pair, from 0 to 1.
    pub single_weight: f32,
    /// How much a whole identifier is worth beside its parts.
    pub whole_weight: f32,
    /// How much a verb that stands for another is worth beside the verb itself, in a query of few words.
    pub verb_weight: f32,
    /// The number of terms from which on standing verbs are worth less and less.
    pub verb_words: f32,
    /// How much of a term's worth earlier hits of the same answer use up, from 0 to 1; nothing in answers longer than [`SPREAD_HITS_MAX`].
    pub spread: f32,
    /// The share of the catalog beyond which a word tells nothing, from 0 to 1.
    pub common_share: f32,
}

impl Default for Bm25f {
    /// The measured weights; `docs/retrieval.md` says on what they were fitted.
    fn default() -> Self {
        Self {
            number_weight: 0.3,
            single_weight: 0.5,
            whole_weight: 0.5,
            verb_weight: 0.4,
            verb_words: 5.0,
            spread: 0.3,
            common_share: 0.5,
        }
    }
}

impl Ranker for Bm25f {
    fn name(&self) -> &'static str {
        "bm25f"
    }

    fn rank<'a>(&self, asked: Asked<'_>, candidates: &Candidates<'a>, max: usize) -> Vec<Hit<'a>> {
        let text = asked.text;
        let question = Question::new(self, text, candidates);
        let terms: Vec<Weighted> = question.terms.iter().map(|asked| asked.weighted).collect();
        let parts = candidates.parts();
        let hits = if max <= SPREAD_HITS_MAX {
            let pool = top(parts, &terms, if max == 0 { 0 } else { max + SPREAD_POOL });
            spread(parts, &terms, pool, max, f64::from(self.spread))
        } else {
            let found = top(parts, &terms, max).into_iter();
            found.map(|found| (found, f64::from(found.sum) / f64::from(IMPACT_WHOLE))).collect()
        };
        let hit = |(found, worth): (Found, f64)| {
            let own = f64::from(found.sum) / f64::from(IMPACT_WHOLE);
            let hit = parts.get(found.part)?.hit(found.doc, worth as f32 / UNIT);
            Some(Hit { own: own as f32 / UNIT, ..hit })
        };
        hits.into_iter().filter_map(hit).collect()
    }

    fn explain(&self, asked: Asked<'_>, candidates: &Candidates<'_>, hit: &Hit<'_>) -> Explanation {
        let text = asked.text;
        let question = Question::new(self, text, candidates);
        let counts = TermCounts::of(hit.source, hit.document, &mut Stems::default());
        let settings = candidates.settings();
        let mut scores = [0.0; Field::ALL.len()];
        let mut words: [Vec<usize>; Field::ALL.len()] = Default::default();
        for asked in &question.terms {
            let Some(count) = counts.counts.get(&asked.weighted.term) else { continue };
            let parts: FieldParts =
                std::array::from_fn(|at| settings.part(at, count, &counts.lengths));
            let whole: f32 = parts.iter().sum();
            let score =
                asked.weighted.weight as f32 / UNIT * settings.impact(count, &counts.lengths);
            let stretch = asked.stretch;
            for (at, part) in parts.iter().enumerate().filter(|&(_, &part)| part > 0.0) {
                scores[at] += score * part / whole;
                if !words[at].contains(&stretch) {
                    words[at].push(stretch);
                }
            }
        }
        let fits = question.fits(|asked| counts.counts.contains_key(&asked.weighted.term));
        let scores = if fits { scores } else { FieldParts::default() };
        explanation(text, scores, &words)
    }
}

type FieldParts = [f32; Field::ALL.len()];

/// Puts scores and matched stretches, each a place a field, into words of `text`.
fn explanation(
    text: &str,
    scores: FieldParts,
    words: &[Vec<usize>; Field::ALL.len()],
) -> Explanation {
    let Analysis { terms, stretches } = analyze(head(text, QUERY_BYTES_MAX));
    let typed = |places: &[usize]| -> Vec<String> {
        places.iter().filter_map(|&at| stretches.get(at).cloned()).collect()
    };
    let mut found: Vec<usize> = words.iter().flatten().copied().collect();
    found.sort_unstable();
    let has_terms =
        |at: &usize| terms.iter().any(|term| term.stretch == *at && !is_praise(&term.text));
    let (asked, ignored): (Vec<usize>, Vec<usize>) = (0..stretches.len()).partition(has_terms);
    let missing: Vec<usize> =
        asked.into_iter().filter(|at| found.binary_search(at).is_err()).collect();
    let fields = Field::ALL.into_iter().zip(scores).zip(words);
    let fields = fields.filter(|(_, places)| !places.is_empty());
    Explanation {
        score: scores.iter().sum(),
        fields: fields
            .map(|((field, score), places)| FieldScore { field, score, words: typed(places) })
            .collect(),
        meaning: 0.0,
        missing: typed(&missing),
        ignored: typed(&ignored),
    }
}
