//! Several needs in one query: each has its share of the answer.

use std::sync::Arc;

use oncue_decl::Row;
use oncue_search::rank::Keyword;
use oncue_search::{Admit, Document, Hit, Index, search, search_needs};
use proptest::prelude::{prop, prop_assert, prop_assert_eq, proptest};

use crate::catalog::{index, query, sources};

fn names(text: &str, max: usize) -> Vec<String> {
    let all = ["mail_a", "mail_b", "mail_c", "file_a", "mail_file", "read_write"];
    let tool = |name: &'static str| Arc::new(Document::new(Row::discoverable(name, "")));
    let index = Index::default().replaced("", all.map(tool).to_vec());
    let hits = search(text, &index.candidates(Admit::All), &Keyword, max);
    hits.iter().map(|hit| hit.document.row.name().to_owned()).collect()
}

#[test]
fn the_best_of_each_need_comes_before_the_second_of_any() {
    assert_eq!(names("mail; file", 4), ["mail_a", "file_a", "mail_b", "mail_file"]);
    assert_eq!(names("file\nmail", 3), ["file_a", "mail_a", "mail_file"]);
    // What serves both is told once, and one need may have what the other does not use.
    assert_eq!(names("mail file; file", 3), ["mail_file", "file_a", "mail_a"]);
    assert_eq!(names("nothing; mail", 2), ["mail_a", "mail_b"]);
    assert_eq!(names("mail;", 2), ["mail_a", "mail_b"]);
    assert!(names(";", 2).is_empty());
}

proptest! {
    #[test]
    fn every_need_has_its_share_or_all_that_fits_it(
        sources in sources(), needs in prop::collection::vec(query(), 2..5), max in 1..9usize
    ) {
        let index = index(&sources);
        let candidates = index.candidates(Admit::All);
        let asked: Vec<&str> = needs.iter().map(String::as_str).collect();
        let place = |hit: &Hit<'_>| (hit.source.to_owned(), hit.position);
        let hits: Vec<_> = search_needs(&asked, &candidates, &Keyword, max).iter().map(place).collect();
        prop_assert!(hits.len() <= max);
        let mut distinct = hits.clone();
        distinct.sort();
        distinct.dedup();
        prop_assert_eq!(distinct.len(), hits.len());
        for need in asked.iter().copied() {
            let alone: Vec<_> = search(need, &candidates, &Keyword, max).iter().map(place).collect();
            for hit in alone.iter().take(max / asked.len()) {
                prop_assert!(hits.contains(hit), "{}", need);
            }
        }
        let list = asked.join("; ");
        let whole: Vec<_> = search(&list, &candidates, &Keyword, max).iter().map(place).collect();
        prop_assert_eq!(whole, hits);
    }
}
