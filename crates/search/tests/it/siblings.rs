//! Tools of one source for the same thing: the one that does what is asked goes first.

use std::sync::Arc;

use oncue_decl::Row;
use oncue_search::rank::{Bm25f, Keyword};
use oncue_search::{Admit, Document, Index, Ranker, search};
use proptest::prelude::{prop_assert_eq, proptest};

use crate::catalog::{index, query, sources};

fn names(sources: &[(&str, &[&str])], ranker: &dyn Ranker, text: &str, max: usize) -> Vec<String> {
    let tool = |name: &&str| Arc::new(Document::new(Row::discoverable((*name).to_owned(), "")));
    let index = sources.iter().fold(Index::default(), |index, (id, names)| {
        index.replaced(id, names.iter().map(tool).collect())
    });
    let hits = search(text, &index.candidates(Admit::All), ranker, max);
    hits.iter().map(|hit| hit.document.row.name().to_owned()).collect()
}

const FLAGS: &[(&str, &[&str])] = &[("a", &["delete_flag", "read_flag", "update_flag"])];

#[test]
fn what_deletes_is_first_only_where_deleting_is_asked() {
    // Under the keyword score all three have the one word of their names, in the order of the catalog.
    let first = |text| names(FLAGS, &Keyword, text, 3).remove(0);
    assert_eq!(first("flag of mine"), "read_flag");
    assert_eq!(first("which flag is on"), "read_flag");
    assert_eq!(first("change flag to on"), "update_flag");
    assert_eq!(first("throw flag away"), "delete_flag");
    assert_eq!(first("flag no longer wanted"), "delete_flag");
}

#[test]
fn the_first_of_one_hit_is_the_first_of_five() {
    assert_eq!(names(FLAGS, &Keyword, "change flag to on", 1), ["update_flag"]);
    assert!(names(FLAGS, &Keyword, "change flag to on", 0).is_empty());
}

#[test]
fn tools_for_other_things_and_of_other_sources_keep_their_places() {
    let mixed: &[(&str, &[&str])] =
        &[("a", &["create_flag", "update_flag_owner"]), ("b", &["update_flag"])];
    let found = names(mixed, &Keyword, "change flag to on", 3);
    assert_eq!(found, ["create_flag", "update_flag_owner", "update_flag"]);
    // A spelled name is what is asked, whatever it does.
    assert_eq!(names(FLAGS, &Keyword, "delete flag", 3)[0], "delete_flag");
}

#[test]
fn a_verb_of_several_words_finds_what_one_verb_names() {
    let lists: &[(&str, &[&str])] = &[("a", &["create_list", "copy_list", "remove_list"])];
    for text in ["get rid of the list", "throw the list away", "take the list off"] {
        assert_eq!(names(lists, &Bm25f::default(), text, 3)[0], "remove_list", "{text}");
    }
    assert_eq!(names(lists, &Bm25f::default(), "make a list", 3)[0], "create_list");
    let taken: &[(&str, &[&str])] = &[("a", &["take_screenshot"])];
    assert_eq!(names(taken, &Bm25f::default(), "take a screenshot", 3), ["take_screenshot"]);
}

proptest! {
    #[test]
    fn an_order_among_siblings_adds_and_loses_nothing(sources in sources(), query in query()) {
        let index = index(&sources);
        let candidates = index.candidates(Admit::All);
        let ranker = Bm25f { spread: 0.0, ..Bm25f::default() };
        let place = |hit: &oncue_search::Hit<'_>| (hit.source.to_owned(), hit.position);
        let all: Vec<_> = search(&query, &candidates, &ranker, 101).iter().map(place).collect();
        let mut some: Vec<_> = search(&query, &candidates, &ranker, 100).iter().map(place).collect();
        let mut all = all[..all.len().min(100)].to_vec();
        all.sort();
        some.sort();
        prop_assert_eq!(all, some);
    }
}
