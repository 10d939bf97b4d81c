//! Foreign text of any kind: nothing panics, nothing is lost, nothing grows without bound.

use std::sync::Arc;

use oncue_decl::Row;
use oncue_search::rank::{Bm25f, Keyword};
use oncue_search::schema::each_part;
use oncue_search::text::analyze;
use oncue_search::{Admit, Document, Index, Query, Ranker, required, search};
use proptest::prelude::{any, prop_assert, proptest};

proptest! {
    #[test]
    fn every_text_is_a_query(text in any::<String>()) {
        let _ = Query::parse(&text);
        let _ = Query::parse(&format!("+{text}"));
        let _ = Query::parse(&format!("select:{text}"));
    }

    #[test]
    fn every_text_can_be_analysed(text in any::<String>()) {
        let analysis = analyze(&text);
        prop_assert!(analysis.terms.iter().all(|term| !term.text.is_empty()));
        prop_assert!(analysis.terms.iter().all(|term| term.stretch < analysis.stretches.len()));
    }

    #[test]
    fn every_text_is_a_schema_that_says_something_or_nothing(text in any::<String>()) {
        each_part(&text, &mut |_, _| {});
    }

    #[test]
    fn a_tool_of_any_name_is_found_by_it_in_every_spelling(name in "[\\p{L}\\p{N}_. -]{1,40}") {
        let key: String = name.chars().filter(|c| c.is_alphanumeric()).collect();
        let tools = ["read_file", "list_pods", &name].map(|name| {
            Arc::new(Document::new(Row::discoverable(name.to_owned(), "Does a thing")))
        });
        let index = Index::default().replaced("server", tools.to_vec());
        let candidates = index.candidates(Admit::All);
        for spelling in [name.clone(), name.to_uppercase(), name.replace(['_', ' '], "-"), format!("server__{name}")] {
            for ranker in [&Keyword as &dyn Ranker, &Bm25f::default()] {
                let hits = search(&spelling, &candidates, ranker, 3);
                // Upper case can make other letters (ŉ becomes ʼN), which no folding undoes.
                let same = spelling.to_lowercase().chars().filter(|c| c.is_alphanumeric()).collect::<String>().contains(&key.to_lowercase());
                prop_assert!(key.is_empty() || !same || hits[0].document.row.name() == name, "{spelling:?}");
            }
        }
    }
}

#[test]
fn a_query_of_a_megabyte_is_read_in_part() {
    let index = Index::default()
        .replaced("", vec![Arc::new(Document::new(Row::inline("read_file", "Reads a file")))]);
    let candidates = index.candidates(Admit::All);
    let long = format!("read {}", "x".repeat(500).repeat(2_000));
    for text in [&long, &"file ".repeat(200_000), &"🙂".repeat(250_000)] {
        let _ = search(text, &candidates, &Bm25f::default(), 5);
        let _ = required(text, text, &candidates, &Bm25f::default(), 5);
    }
    assert_eq!(
        search("file ".repeat(200_000).as_str(), &candidates, &Bm25f::default(), 5).len(),
        1
    );
}

#[test]
fn stuffing_a_description_does_not_buy_a_rank() {
    let honest = Row::inline("create_invoice", "Creates an invoice for a customer");
    let stuffed = Row::inline("helper", "invoice customer create ".repeat(2_000));
    let tools = [honest, stuffed].map(|row| Arc::new(Document::new(row)));
    let index = Index::default().replaced("", tools.to_vec());
    let hits =
        search("create invoice customer", &index.candidates(Admit::All), &Bm25f::default(), 2);
    assert_eq!(hits[0].document.row.name(), "create_invoice");
}

#[test]
fn a_word_that_every_tool_has_still_finds() {
    let tools = (0..5_000).map(|n| Row::inline(format!("mail_{n}"), "Handles mail"));
    let tools = tools.map(|row| Arc::new(Document::new(row))).collect();
    let index = Index::default().replaced("", tools);
    let hits = search("mail", &index.candidates(Admit::All), &Bm25f::default(), 5);
    let names: Vec<&str> = hits.iter().map(|hit| hit.document.row.name()).collect();
    assert_eq!(names, ["mail_0", "mail_1", "mail_10", "mail_100", "mail_1000"]);
}
