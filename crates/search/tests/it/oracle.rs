//! The index against scores worked out tool by tool, without it.

use oncue_search::rank::Bm25f;
use oncue_search::{Admit, Hit, Ranker, Share};
use proptest::prelude::{prop, prop_assert, prop_assert_eq, proptest};

use crate::catalog::{index, query, seen, sources};

/// Impacts are kept in 16 bits; a score of up to six terms may be off by about six halves of one.
const ROUNDING: f32 = 1e-3;

proptest! {
    #[test]
    fn the_best_hits_are_those_of_an_exhaustive_scan(sources in sources(), query in query()) {
        let index = index(&sources);
        let candidates = index.candidates(Admit::All);
        let ranker = Bm25f { spread: 0.0, ..Bm25f::default() };
        let hits = ranker.rank((&query).into(), &candidates, 5);
        let mut scores: Vec<f32> =
            candidates.iter().map(|hit| ranker.explain((&query).into(), &candidates, &hit).score).collect();
        scores.sort_by(|left, right| right.total_cmp(left));
        scores.retain(|&score| score > 0.0);
        scores.truncate(5);
        prop_assert_eq!(hits.len(), scores.len());
        for (hit, score) in hits.iter().zip(scores) {
            prop_assert!((hit.score - score).abs() < ROUNDING, "{} {}", hit.score, score);
            let own = ranker.explain((&query).into(), &candidates, hit).score;
            prop_assert!((hit.score - own).abs() < ROUNDING, "{} {}", hit.score, own);
        }
    }

    // Long answers are kept and ordered in another way than short ones.
    #[test]
    fn a_long_answer_begins_like_a_short_one(sources in sources(), query in query()) {
        let index = index(&sources);
        let candidates = index.candidates(Admit::All);
        let ranker = Bm25f { spread: 0.0, ..Bm25f::default() };
        let long = seen(&ranker.rank((&query).into(), &candidates, 1_000));
        let short = seen(&ranker.rank((&query).into(), &candidates, 4));
        prop_assert_eq!(&long[..long.len().min(4)], &short);
    }

    #[test]
    fn an_explanation_adds_up_and_leaves_no_word_out(sources in sources(), query in query()) {
        let index = index(&sources);
        let candidates = index.candidates(Admit::All);
        let ranker = Bm25f::default();
        for hit in ranker.rank((&query).into(), &candidates, 3) {
            let explanation = ranker.explain((&query).into(), &candidates, &hit);
            let sum: f32 = explanation.fields.iter().map(|field| field.score).sum();
            prop_assert!((sum - explanation.score).abs() < ROUNDING);
            for word in query.split(' ') {
                let matched = explanation.fields.iter().any(|field| field.words.iter().any(|w| w == word));
                let listed = |words: &[String]| words.iter().any(|w| word.contains(w.as_str()));
                prop_assert!(matched || listed(&explanation.missing) || listed(&explanation.ignored)
                    || explanation.fields.iter().any(|field| listed(&field.words)), "{word}");
            }
        }
    }

    // What a caller may not see must not show in anything, not even in how rare a word is.
    #[test]
    fn hidden_tools_leave_no_trace_in_an_answer(sources in sources(), query in query(), odd in 0..2usize) {
        let ranker = Bm25f::default();
        let all = index(&sources);
        let kept: Vec<&str> =
            sources.iter().map(|(id, _)| id.as_str()).skip(odd).step_by(2).collect();
        let alone = index(&sources.iter().filter(|(id, _)| kept.contains(&id.as_str())).cloned().collect());
        let expected = seen(&ranker.rank((&query).into(), &alone.candidates(Admit::All), 8));
        let by_source = all.candidates(Admit::Sources(&kept));
        prop_assert_eq!(&seen(&ranker.rank((&query).into(), &by_source, 8)), &expected);
        let says = |source: &str, _: &_| kept.contains(&source);
        let by_tool = all.candidates(Admit::Documents(&says));
        prop_assert_eq!(&seen(&ranker.rank((&query).into(), &by_tool, 8)), &expected);
        // Of the sources that are kept every second one is said to be so tool by tool.
        let share = |source: &str| match kept.iter().position(|id| *id == source) {
            None => Share::Nothing,
            Some(at) => if at % 2 == 0 { Share::All } else { Share::Some },
        };
        let by_share = all.candidates(Admit::Shares { share: &share, says: &says });
        prop_assert_eq!(&seen(&ranker.rank((&query).into(), &by_share, 8)), &expected);
        let narrowed = all.candidates(Admit::All).narrowed(&|hit| kept.contains(&hit.source));
        prop_assert_eq!(&seen(&ranker.rank((&query).into(), &narrowed, 8)), &expected);
        prop_assert_eq!(&seen(&ranker.rank((&query).into(), &by_tool.admission().candidates(), 8)), &expected);
    }

    // Also where tools are dead, places are named twice or name nothing, and the index is gone.
    #[test]
    fn tools_taken_out_one_by_one_are_as_if_never_admitted(
        sources in sources(), query in query(), taken in prop::collection::vec((0..7usize, 0..6u32), 0..12)
    ) {
        let first = sources[0].1.iter().rev().cloned().collect();
        let index = index(&sources).replaced("server0", first);
        let taken: Vec<(String, u32)> =
            taken.into_iter().map(|(n, position)| (format!("server{n}"), position)).collect();
        let places = |hits: Vec<Hit<'_>>| -> Vec<(String, u32)> {
            hits.iter().map(|hit| (hit.source.to_owned(), hit.position)).collect()
        };
        let all = index.candidates(Admit::All);
        let rest = all.without(taken.iter().map(|(id, position)| (&**id, *position)));
        let mut expected = places(all.iter().collect());
        expected.retain(|place| !taken.contains(place));
        prop_assert_eq!(places(rest.iter().collect()), expected);
        prop_assert_eq!(rest.len(), rest.iter().count());

        let ranker = Bm25f::default();
        let narrowed =
            all.narrowed(&|hit| !taken.iter().any(|(id, at)| *id == hit.source && *at == hit.position));
        let expected = seen(&ranker.rank((&query).into(), &narrowed, 8));
        prop_assert_eq!(&seen(&ranker.rank((&query).into(), &rest, 8)), &expected);
        let admission = rest.admission();
        drop(index);
        prop_assert_eq!(&seen(&ranker.rank((&query).into(), &admission.candidates(), 8)), &expected);
    }
}
