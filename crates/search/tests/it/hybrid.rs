//! Words and meaning together, with vectors written by hand.

use std::sync::Arc;

use oncue_decl::Row as Tool;
use oncue_search::rank::{Bm25f, Hybrid};
use oncue_search::{Admit, Asked, Document, Index, Meaning, Ranker, Row, Vectors, search};
use proptest::prelude::{prop_assert_eq, proptest};

use crate::catalog::{index, query, seen, sources};

fn tools(names: &[&'static str]) -> Vec<Arc<Document>> {
    names.iter().map(|&name| Arc::new(Document::new(Tool::inline(name, "")))).collect()
}

/// Three directions: money, weather, and what twenty other tools are about.
fn shop() -> Index {
    let rows = [[1.0, 0.0, 0.0], [0.9, 0.2, 0.0], [0.0, 1.0, 0.0]].map(|row| Row::of(&row));
    let others: Vec<Arc<Document>> =
        (0..20).map(|n| Arc::new(Document::new(Tool::inline(format!("other_{n}"), "")))).collect();
    Index::default()
        .replaced("shop", tools(&["refund", "invoice", "forecast"]))
        .with_vectors("shop", &Arc::new(Vectors::new("m", &rows)))
        .replaced("others", others)
        .with_vectors("others", &Arc::new(Vectors::new("m", &vec![Row::of(&[0.1, 0.1, 1.0]); 20])))
}

fn names<'a>(index: &'a Index, asked: Asked<'_>) -> Vec<&'a str> {
    let hits = search(asked, &index.candidates(Admit::All), &Hybrid::default(), 5);
    hits.iter().map(|hit| hit.document.row.name()).collect()
}

#[test]
fn what_shares_no_word_is_found_by_what_it_means() {
    let meaning = Meaning::new("m", &[], &[vec![0.95, 0.05, 0.0]]);
    let index = shop();
    let asked = Asked::from("get my money back").meaning(Some(&meaning));
    assert_eq!(names(&index, asked)[..2], ["refund", "invoice"]);
    assert_eq!(names(&index, "get my money back".into()), [""; 0]);
}

#[test]
fn the_closest_of_several_sentences_counts() {
    let index = shop();
    let both =
        Meaning::new("m", &[], &[vec![0.5, 0.5, 0.0], vec![1.0, 0.0, 0.0], vec![0.0, 1.0, 0.0]]);
    let asked = Asked::from("pay me back. and will it rain?").meaning(Some(&both));
    let found = names(&index, asked);
    assert_eq!(found[..2], ["forecast", "refund"], "both are met in full, and equals go by name");
}

#[test]
fn each_need_of_a_list_is_held_against_what_it_means_itself() {
    let index = shop();
    let query = "pay me back soon; will it rain today";
    let texts = Meaning::texts(query);
    assert_eq!(texts.len(), 3);
    // The whole points at the other tools, and its parts do not.
    let vectors = [vec![0.0, 0.0, 1.0], vec![1.0, 0.0, 0.0], vec![0.0, 1.0, 0.0]];
    let meaning = Meaning::new("m", &texts, &vectors);
    let found = names(&index, Asked::from(query).meaning(Some(&meaning)));
    assert_eq!(found[..2], ["refund", "forecast"]);
}

#[test]
fn vectors_of_another_model_or_width_are_not_held_against() {
    let index = shop();
    for (model, vector) in [("n", vec![1.0, 0.0, 0.0]), ("m", vec![1.0, 0.0])] {
        let meaning = Meaning::new(model, &[], &[vector]);
        let asked = Asked::from("money").meaning(Some(&meaning));
        assert_eq!(names(&index, asked), [""; 0]);
    }
    let empty = Meaning::new("m", &[], &[]);
    assert_eq!(names(&index, Asked::from("money").meaning(Some(&empty))), [""; 0]);
}

#[test]
fn words_outweigh_a_meaning_that_points_elsewhere() {
    let meaning = Meaning::new("m", &[], &[vec![0.0, 1.0, 0.0]]);
    let index = shop();
    let asked = Asked::from("invoice").meaning(Some(&meaning));
    assert_eq!(names(&index, asked)[0], "invoice");
}

#[test]
fn vectors_stay_until_their_source_is_replaced() {
    let index = shop();
    let others = |index: Index| {
        (0..40).fold(index, |index, n| index.replaced(&format!("s{n}"), tools(&["read", "write"])))
    };
    // Forty more sources merge segments more than once.
    let grown = others(index.clone());
    assert!(grown.segments() < 20);
    assert_eq!(grown.vectors("shop").map(|vectors| vectors.len()), Some(3));
    assert!(grown.replaced("shop", tools(&["refund"])).vectors("shop").is_none());
    // Vectors of another number of tools belong to another version.
    let two = Arc::new(Vectors::new("m", &[Row::of(&[1.0]), Row::of(&[1.0])]));
    assert!(
        index
            .replaced("shop", tools(&["refund"]))
            .with_vectors("shop", &two)
            .vectors("shop")
            .is_none()
    );
    assert!(index.with_vectors("nobody", &two).vectors("nobody").is_none());
}

#[test]
fn an_explanation_tells_words_from_meaning() {
    let meaning = Meaning::new("m", &[], &[vec![1.0, 0.0, 0.0]]);
    let index = shop();
    let candidates = index.candidates(Admit::All);
    let asked = Asked::from("refund").meaning(Some(&meaning));
    let ranker = Hybrid { spread: 0.0, ..Hybrid::default() };
    let hits = ranker.rank(asked, &candidates, 3);
    let why = ranker.explain(asked, &candidates, &hits[0]);
    assert_eq!(hits[0].document.row.name(), "refund");
    let words: f32 = why.fields.iter().map(|field| field.score).sum();
    assert!(words > 0.0 && why.meaning > 0.0);
    assert!((words + why.meaning - why.score).abs() < 1e-5);
    assert!((why.score - hits[0].own).abs() < 1e-3, "{} {}", why.score, hits[0].own);
}

/// A made-up vector for each text, the same every time.
fn vector(text: &str) -> Vec<f32> {
    let mut state =
        text.bytes().fold(7_u32, |state, byte| state.wrapping_mul(31) ^ u32::from(byte));
    let mut next = || {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (state >> 16) as f32 / 32_768.0 - 1.0
    };
    (0..8).map(|_| next()).collect()
}

fn told(index: &Index) -> Index {
    index.sources().into_iter().fold(index.clone(), |told, (source, documents)| {
        let rows: Vec<Row> =
            documents.iter().map(|document| Row::of(&vector(document.row.name()))).collect();
        told.with_vectors(source, &Arc::new(Vectors::new("m", &rows)))
    })
}

proptest! {
    // Without meaning there is one ranking by words, whatever is told of tools.
    #[test]
    fn without_meaning_it_ranks_by_words(sources in sources(), query in query()) {
        let index = told(&index(&sources));
        let candidates = index.candidates(Admit::All);
        let ours = Hybrid::default().rank((&query).into(), &candidates, 8);
        let words = Bm25f::default().rank((&query).into(), &candidates, 8);
        prop_assert_eq!(seen(&ours), seen(&words));
    }

    // Neither segments nor what was filtered out show in an answer.
    #[test]
    fn only_the_candidates_show(sources in sources(), query in query()) {
        let whole = told(&index(&sources));
        let meaning = Meaning::new("m", &[], &[vector(&query)]);
        let asked = Asked::from(&query).meaning(Some(&meaning));
        let ranker = Hybrid::default();
        let keep = |source: &str| source.len().is_multiple_of(2);
        let admit = |source: &str, _: &Document| keep(source);
        let filtered = seen(&ranker.rank(asked, &whole.candidates(Admit::Documents(&admit)), 8));
        let alone = whole.sources().into_iter().filter(|(source, _)| keep(source));
        let alone = alone.map(|(source, tools)| (Arc::from(source), tools.to_vec()));
        let alone = told(&Index::build(whole.settings().clone(), alone));
        prop_assert_eq!(&seen(&ranker.rank(asked, &alone.candidates(Admit::All), 8)), &filtered);
        let admission = whole.candidates(Admit::Documents(&admit)).admission();
        prop_assert_eq!(&seen(&ranker.rank(asked, &admission.candidates(), 8)), &filtered);
    }
}
