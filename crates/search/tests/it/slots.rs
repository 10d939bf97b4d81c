//! No source crowds out others that fit as well.

use std::collections::HashMap;
use std::sync::Arc;

use oncue_decl::Row;
use oncue_search::rank::{Bm25f, Keyword};
use oncue_search::{Admit, Document, Index, Ranker, held_back, search};
use proptest::prelude::{prop_assert, proptest};

use crate::catalog::{index, query, sources};

/// An index of sources whose tools have these names and no descriptions.
fn named(sources: &[(&str, &[&str])]) -> Index {
    let tool = |name: &&str| Arc::new(Document::new(Row::discoverable((*name).to_owned(), "")));
    sources.iter().fold(Index::default(), |index, (id, names)| {
        index.replaced(id, names.iter().map(tool).collect())
    })
}

fn check(sources: &[(&str, &[&str])], max: usize, expected: &[&str]) {
    let index = named(sources);
    let hits = search("mail", &index.candidates(Admit::All), &Keyword, max);
    let found: Vec<String> =
        hits.iter().map(|hit| format!("{}/{}", hit.source, hit.document.row.name())).collect();
    assert_eq!(found, expected, "of {max}");
}

/// Every name has the one word of the query, so the keyword score of each is 0.5, in the order of the catalog.
const CROWD: &[(&str, &[&str])] = &[
    ("a", &["mail_1", "mail_2", "mail_3", "mail_4", "mail_5", "mail_6"]),
    ("b", &["mail_7", "mail_8", "mail_9"]),
    ("c", &["mail_10"]),
];

#[test]
fn what_is_over_a_share_goes_for_others_that_fit_as_well() {
    // Of five places two are a share; the lowest go first.
    check(CROWD, 5, &["a/mail_1", "a/mail_2", "b/mail_7", "b/mail_8", "c/mail_10"]);
    // Two fifths of three, rounded up, are two; of ten, four, and there are no more others than four.
    check(CROWD, 3, &["a/mail_1", "a/mail_2", "b/mail_7"]);
    let ten = ["a/mail_1", "a/mail_2", "a/mail_3", "a/mail_4", "a/mail_5", "a/mail_6", "b/mail_7"];
    check(CROWD, 10, &[&ten[..], &["b/mail_8", "b/mail_9", "c/mail_10"]].concat());
}

#[test]
fn a_source_alone_and_a_short_answer_have_no_shares() {
    check(&CROWD[..1], 5, &["a/mail_1", "a/mail_2", "a/mail_3", "a/mail_4", "a/mail_5"]);
    check(CROWD, 2, &["a/mail_1", "a/mail_2"]);
}

#[test]
fn others_that_fit_less_than_three_quarters_as_well_take_no_place() {
    // Of four words in the name each is worth an eighth, and all are worth a half.
    let ask = |other: &'static str| -> Vec<String> {
        let crowd: &[&str] = &["send_new_mail_now_1", "send_new_mail_now_2", "send_new_mail_now_3"];
        let index = named(&[("a", crowd), ("b", &[other, "unlike"])]);
        let hits = search("send new mail now", &index.candidates(Admit::All), &Keyword, 3);
        hits.iter().map(|hit| hit.source.to_owned()).collect()
    };
    assert_eq!(ask("send_new_mail"), ["a", "a", "b"]);
    assert_eq!(ask("send_mail"), ["a", "a", "a"]);
}

#[test]
fn a_spelled_name_keeps_its_place() {
    let index = named(&[("a", &["mail", "mail_2", "mail_3"]), ("b", &["mail_4"])]);
    let hits = search("mail", &index.candidates(Admit::All), &Keyword, 3);
    let names: Vec<&str> = hits.iter().map(|hit| hit.document.row.name()).collect();
    assert_eq!(names, ["mail", "mail_2", "mail_4"]);
}

#[test]
fn a_source_of_many_tools_does_not_hide_the_others() {
    let many: Vec<String> = (0..60).map(|n| format!("mail_{n:02}")).collect();
    let many: Vec<&str> = many.iter().map(String::as_str).collect();
    let found = |text| {
        let index = named(&[("a", &many), ("b", &["z_mail"])]);
        let hits = search(text, &index.candidates(Admit::All), &Keyword, 5);
        hits.last().map(|hit| hit.document.row.name().to_owned())
    };
    assert_eq!(found("mail").as_deref(), Some("z_mail"));
}

#[test]
fn what_is_held_back_can_be_told() {
    let index = named(CROWD);
    let candidates = index.candidates(Admit::All);
    let held = held_back("mail", &candidates, &Keyword, 5);
    let names: Vec<&str> = held.iter().map(|hit| hit.document.row.name()).collect();
    assert_eq!(names, ["mail_3", "mail_4", "mail_5"]);
    assert!(held_back("mail", &candidates, &Keyword, 2).is_empty());
}

#[test]
fn praise_earns_nothing() {
    let tools =
        [("plain", "Finds places to eat"), ("praised", "Always the best, better than others")];
    let tool = |(name, does): (&'static str, &'static str)| {
        Arc::new(Document::new(Row::inline(name, does)))
    };
    let index = Index::default().replaced("", tools.map(tool).to_vec());
    let candidates = index.candidates(Admit::All);
    let hits = search("the best places, always", &candidates, &Bm25f::default(), 5);
    let names: Vec<&str> = hits.iter().map(|hit| hit.document.row.name()).collect();
    assert_eq!(names, ["plain"]);
    let why = Bm25f::default().explain("the best places, always".into(), &candidates, &hits[0]);
    assert_eq!(why.ignored, ["the", "best", "always"]);
}

proptest! {
    #[test]
    fn over_its_share_is_only_what_nothing_else_could_take(sources in sources(), query in query()) {
        let index = index(&sources);
        let candidates = index.candidates(Admit::All);
        for ranker in [&Keyword as &dyn Ranker, &Bm25f { spread: 0.0, ..Bm25f::default() }] {
            let hits = search(&query, &candidates, ranker, 5);
            let mut counts: HashMap<&str, usize> = HashMap::new();
            for hit in hits.iter().filter(|hit| !hit.exact) {
                *counts.entry(hit.source).or_default() += 1;
            }
            if counts.values().all(|&count| count <= 2) || hits.iter().any(|hit| hit.exact) {
                continue;
            }
            let all = ranker.rank((&query).into(), &candidates, 20);
            for hit in all.iter().filter(|hit| hit.score >= 0.76 * all[0].score) {
                let is_known = hits
                    .iter()
                    .any(|known| (known.source, known.position) == (hit.source, hit.position));
                let has_share = counts.get(hit.source).is_some_and(|&count| count >= 2);
                prop_assert!(is_known || has_share, "{} is left out of {query:?}", hit.document.row.name());
            }
        }
    }
}
