//! Each rule over rows, by the smallest list that breaks it and the text that says so.

use oncue_decl::{Declaration, Exposure, Fault, Row, check};

const SEARCH: &str = "ToolSearch";

fn search_tool() -> Row {
    Row::declare(SEARCH, "Finds tools").part_of_loop().inline()
}

fn tool(name: &'static str) -> Declaration {
    Row::declare(name, "Does something")
}

fn broken(rows: &[Row], expected: &Fault, message: &str) {
    assert_eq!(check(rows, SEARCH), std::slice::from_ref(expected), "{message}");
    assert_eq!(expected.to_string(), message);
}

// founding: B6
#[test]
fn two_rows_of_one_name_are_a_fault_whatever_their_case_and_separators() {
    let message = |name: &str| {
        format!(
            "duplicate name `{name}`: names must differ in more than case, `-` and `_`; rename one of the rows"
        )
    };
    for second in ["read_file", "read-file", "Read_File"] {
        let rows = [tool("read_file").inline(), tool(second).inline()];
        broken(&rows, &Fault::DuplicateName(second.into()), &message(second));
    }
    assert_eq!(check(&[tool("read_file").inline(), tool("readfile").inline()], SEARCH), []);
}

// founding: B6
#[test]
fn a_name_is_one_to_64_plain_characters() {
    let longest = "a".repeat(64);
    let too_long = "a".repeat(65);
    for name in ["a", "A-Z_0-9", longest.as_str()] {
        assert_eq!(check(&[Row::inline(name.to_owned(), "Does it")], SEARCH), [], "{name}");
    }
    for name in ["", "with space", "a.b", "a/b", "é", too_long.as_str()] {
        broken(
            &[Row::inline(name.to_owned(), "Does it")],
            &Fault::IllegalName(name.to_owned()),
            &format!("illegal name `{name}`: use 1 to 64 of `A-Z a-z 0-9 _ -`"),
        );
    }
}

// founding: B6
#[test]
fn a_row_says_what_its_tool_does() {
    for description in ["", " \n"] {
        broken(
            &[Row::inline("a", description)],
            &Fault::NoDescription("a".into()),
            "`a` has no description: say what it does",
        );
    }
}

// founding: B1, B6
#[test]
fn a_discoverable_row_has_words_to_find_it_by() {
    let bad: [&[&str]; 3] = [&[], &[""], &[" "]];
    for words in bad {
        broken(
            &[
                search_tool(),
                Row::discoverable("a", "Does it").with_keywords(words.iter().copied()),
            ],
            &Fault::NoKeywords("a".into()),
            "`a` is discoverable without keywords: add the words people use for it, or make it inline",
        );
    }
    let found = tool("a").keywords(&["", "word"]).discoverable();
    assert_eq!(check(&[search_tool(), found], SEARCH), []);
}

// founding: B7, B8
#[test]
fn a_gated_row_is_never_exposed_as_if_it_only_read() {
    broken(
        &[tool("a").exposure(Exposure::ReadOnly).inline()],
        &Fault::GatedReadOnly("a".into()),
        "`a` is gated but exposed read-only: expose it as staged or full, or make it silent",
    );
    assert_eq!(check(&[tool("a").silent().exposure(Exposure::ReadOnly).inline()], SEARCH), []);
}

// founding: B7
#[test]
fn discoverable_rows_need_the_search_tool() {
    broken(
        &[tool("a").keywords(&["word"]).discoverable()],
        &Fault::NoSearchTool(SEARCH.into()),
        "no row `ToolSearch`: discoverable rows are out of reach without the search tool; add its row",
    );
    assert_eq!(check(&[tool("a").inline()], SEARCH), []);
    assert_eq!(check(&[], SEARCH), []);
}

// founding: A17, B7
#[test]
fn the_search_tool_is_inline_and_the_one_part_of_the_loop() {
    broken(
        &[Row::declare(SEARCH, "Finds tools").keywords(&["find"]).part_of_loop().discoverable()],
        &Fault::SearchToolHidden(SEARCH.into()),
        "the search tool `ToolSearch` is discoverable: declare it inline",
    );
    broken(
        &[Row::declare(SEARCH, "Finds tools").silent().inline()],
        &Fault::SearchToolOutsideLoop(SEARCH.into()),
        "the search tool `ToolSearch` is not part of the loop: declare it `part_of_loop()`",
    );
    broken(
        &[search_tool(), tool("a").part_of_loop().inline()],
        &Fault::LoopRowIsNotSearch("a".into()),
        "`a` is declared part of the loop but is not the search tool: make it silent or gated",
    );
}

// founding: B2
#[test]
fn the_partner_of_a_pair_is_in_the_list() {
    broken(
        &[tool("open").acts_where_proposes("proposeOpen").inline()],
        &Fault::PartnerMissing { name: "open".into(), partner: "proposeOpen".into() },
        "`open` names the partner `proposeOpen`, which no row has",
    );
}

// founding: B2
#[test]
fn the_partner_names_the_row_back_with_the_opposite_role() {
    let fault = |name: &str, partner: &str| Fault::PairOneSided {
        name: name.into(),
        partner: partner.into(),
    };
    let message =
        "`open` names the partner `propose`, which does not name it back with the opposite role";
    let open = tool("open").acts_where_proposes("propose").inline();
    broken(&[open.clone(), tool("propose").inline()], &fault("open", "propose"), message);
    let same_role = tool("propose").acts_where_proposes("open").inline();
    assert_eq!(
        check(&[open.clone(), same_role], SEARCH),
        [fault("open", "propose"), fault("propose", "open")]
    );
    let another = tool("propose").proposes_where_acts("close").inline();
    let close = tool("close").acts_where_proposes("propose").inline();
    broken(&[open, another, close], &fault("open", "propose"), message);
}

// founding: B2
#[test]
fn a_proposal_needs_no_wider_scope_than_its_act() {
    let pair = |act: Exposure, propose: Exposure| {
        [
            tool("open").exposure(act).acts_where_proposes("propose").silent().inline(),
            tool("propose").exposure(propose).proposes_where_acts("open").silent().inline(),
        ]
    };
    broken(
        &pair(Exposure::Staged, Exposure::Full),
        &Fault::ProposalOutranksAct { name: "propose".into(), partner: "open".into() },
        "`propose` only proposes what `open` does, but needs a wider scope: give it the same exposure or a narrower one",
    );
    for (act, propose) in [
        (Exposure::Full, Exposure::Staged),
        (Exposure::Staged, Exposure::Staged),
        (Exposure::Excluded, Exposure::Staged),
        (Exposure::Full, Exposure::Excluded),
    ] {
        assert_eq!(check(&pair(act, propose), SEARCH), [], "{act:?} {propose:?}");
    }
}

#[test]
fn every_fault_is_told_in_row_order() {
    let rows = [Row::discoverable("a b", ""), Row::inline("A B", "Does it")];
    assert_eq!(
        check(&rows, SEARCH),
        [
            Fault::IllegalName("a b".into()),
            Fault::NoDescription("a b".into()),
            Fault::NoKeywords("a b".into()),
            Fault::IllegalName("A B".into()),
            Fault::DuplicateName("A B".into()),
            Fault::NoSearchTool(SEARCH.into()),
        ]
    );
}
