//! Words and meaning together: the default where a model has told what tools mean.
//!
//! | file | holds |
//! |---|---|
//! | `mod` | [`Hybrid`]: its weights, and the steps of a search |
//! | `near` | the tools whose meaning is closest |
//! | `blend` | one score of both |
//! | `apart` | room for tools that are not alike |

mod apart;
mod blend;
mod near;

use super::question::Question;
use super::top::top;
use super::{Bm25f, Hit, Ranker};
use crate::limits::SPREAD_HITS_MAX;
use crate::text::is_other_language;
use crate::{Asked, Candidates, Explanation};
use apart::apart;
use blend::{Blend, Scored};
use near::{Nearest, nearest};

/// Tools of each kind, best by words and closest by meaning, among which the best of both are looked for.
const POOL: usize = 60;

/// Tools beyond those asked for among which room is made for others.
const APART_POOL: usize = 7;

/// Ranks by words ([`Bm25f`]) and by meaning, each on a scale that means the same for every query.
///
/// A tool scores what it has of the query's words, over the square root of all that they are worth and times the square root of the share of it that any tool has, plus how many standard deviations its meaning is closer than that of most tools, times [`meaning_weight`](Self::meaning_weight).
/// So whichever side knows nothing says little: a query in another language has no words that tools share, and a name that no model has seen is close to nothing.
/// Ranks are not fused (reciprocal ranks were measured: where the model does not know the language, they harm).
///
/// A query that nothing fits finds nothing: the best tool must have enough of its words and its meaning together, or be close enough in meaning where the query is in a language of which tools share few words.
///
/// Where the query comes without meaning, or no tool has a vector of the same model, it ranks as [`Bm25f`] does.
///
/// A search looks at the vector of every candidate, so its cost grows with their number, by 20 to 60 ns each, the more the smaller their sources are (512 numbers, AVX-512).
#[derive(Clone, Debug, PartialEq)]
pub struct Hybrid {
    /// The ranking by words.
    pub lexical: Bm25f,
    /// What the words are worth.
    pub word_weight: f32,
    /// What one standard deviation of closeness is worth.
    pub meaning_weight: f32,
    /// How much of its score a tool loses that means the same as one before it, from 0 to 1; nothing in answers longer than [`SPREAD_HITS_MAX`].
    pub spread: f32,
    /// The cosine from which on two tools are alike.
    pub alike: f32,
    /// How many standard deviations closer than by chance a tool must be that shares no telling word with the query. By chance means: as the closest of as many tools is that have nothing to do with it.
    pub floor: f32,
    /// What the best tool must score, its meaning counted from chance, or none fits.
    pub fits: f32,
    /// How many standard deviations closer than by chance is enough for the best tool where the query is not in English, so that its words say little.
    pub fits_other: f32,
}

impl Default for Hybrid {
    /// The measured weights; `docs/retrieval.md` says on what they were fitted.
    fn default() -> Self {
        Self {
            lexical: Bm25f::default(),
            word_weight: 1.0,
            meaning_weight: 0.1,
            spread: 0.3,
            alike: 0.4,
            floor: -1.5,
            fits: 0.06,
            fits_other: -0.7,
        }
    }
}

impl Ranker for Hybrid {
    fn name(&self) -> &'static str {
        "hybrid"
    }

    fn reads_meaning(&self) -> bool {
        true
    }

    fn rank<'a>(&self, asked: Asked<'_>, candidates: &Candidates<'a>, max: usize) -> Vec<Hit<'a>> {
        let room = POOL.max(max.saturating_add(APART_POOL));
        let Some(near) = nearest(asked, candidates, room) else {
            return self.lexical.rank(asked, candidates, max);
        };
        let mut scored = self.scored(asked.text, candidates, &near, room);
        let parts = candidates.parts();
        if max <= SPREAD_HITS_MAX {
            scored.truncate(max.saturating_add(APART_POOL));
            scored = apart(parts, scored, max, self.spread, self.alike);
        }
        scored.truncate(max);
        let hit = |scored: Scored| {
            let hit = parts.get(scored.part)?.hit(scored.doc, scored.score as f32);
            Some(Hit { own: scored.own as f32, ..hit })
        };
        scored.into_iter().filter_map(hit).collect()
    }

    /// As it was found: looking at every vector again would tell nearly the same.
    fn own(&self, _: Asked<'_>, _: &Candidates<'_>, hit: &Hit<'_>) -> f32 {
        hit.own
    }

    fn explain(&self, asked: Asked<'_>, candidates: &Candidates<'_>, hit: &Hit<'_>) -> Explanation {
        let words = self.lexical.explain(asked, candidates, hit);
        let Some(near) = nearest(asked, candidates, 0) else {
            return words;
        };
        let question = Question::new(&self.lexical, asked.text, candidates);
        let blend = Blend::new(self, &question, &near, candidates.parts());
        let place = candidates.place_of(hit);
        let closeness = place.and_then(|(part, doc)| near.deviations(part, doc)).unwrap_or(0.0);
        let scale = blend.word_scale();
        let mut fields = words.fields;
        fields.iter_mut().for_each(|field| field.score *= scale as f32);
        let meaning = (closeness * f64::from(self.meaning_weight)) as f32;
        let score = fields.iter().map(|field| field.score).sum::<f32>() + meaning;
        Explanation { score, fields, meaning, ..words }
    }
}

impl Hybrid {
    /// Returns the tools that fit, best first: the `room` best by words and the `room` closest by meaning.
    fn scored(
        &self,
        text: &str,
        candidates: &Candidates<'_>,
        near: &Nearest,
        room: usize,
    ) -> Vec<Scored> {
        let parts = candidates.parts();
        let question = Question::new(&self.lexical, text, candidates);
        let blend = Blend::new(self, &question, near, parts);
        let by_words = top(parts, &blend.terms, room);
        let mut scored: Vec<Scored> = by_words.iter().map(|found| blend.of_found(found)).collect();
        let known: std::collections::HashSet<(usize, u32), fnv::FnvBuildHasher> =
            by_words.iter().map(|found| (found.part, found.doc)).collect();
        let by_meaning =
            near.found.iter().filter(|found| !known.contains(&(found.part, found.doc)));
        scored.extend(by_meaning.filter_map(|found| blend.of_near(found)));
        scored.sort_by(|left, right| blend.order(left, right));
        let fits = scored.first().is_some_and(|best| {
            let beyond = best.deviations - near.chance;
            let score = best.own - f64::from(self.meaning_weight) * near.chance;
            let is_close = beyond >= f64::from(self.fits_other);
            score >= f64::from(self.fits) || is_close && is_other_language(text)
        });
        if !fits {
            scored.clear();
        }
        scored
    }
}
