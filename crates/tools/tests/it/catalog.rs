//! The catalog as a store: what is taken, what is refused, what the operations see.

use std::sync::Arc;

use oncue_decl::{Row, Tier};
use oncue_search::{Asked, Candidates, Explanation, Hit, Ranker};
use oncue_tools::{
    Catalog, CatalogError, Grants, Identity, Indexing, Options, SetAside, Tool, ToolPattern,
    ToolSearch, limits,
};

use crate::support::{catalog_of, hidden, inline, names, tool};

fn files() -> Catalog {
    catalog_of(vec![
        inline("read_file", "Reads a file"),
        hidden("write_file", "Writes a file"),
        hidden("slack_send", "Sends a message"),
        hidden("slack_list", "Lists channels"),
    ])
}

// founding: A1, A8
#[test]
fn searching_considers_discoverable_tools_only() {
    let catalog = files();
    assert_eq!(names(&catalog.search("file", 5)), ["write_file"]);
    assert_eq!(names(&catalog.search("read_file", 5)), ["write_file"]);
    assert_eq!(names(&catalog.search("message", 0)), Vec::<&str>::new());
    let selected = catalog.select(&["slack_list", "read_file", "nothing", "write_file"]);
    assert_eq!(names(&selected), ["slack_list", "write_file"]);
}

// founding: A7, A8
#[test]
fn a_required_word_is_in_the_name_and_the_others_rank() {
    let catalog = files();
    catalog.replace("mail", vec![hidden("send", "Sends a message by mail")]).unwrap();
    let check = |required: &str, ranking: &str, max: usize, expected: &[&str]| {
        let found = catalog.search_by_required(required, ranking, max);
        assert_eq!(names(&found), expected, "+{required} {ranking}");
    };
    check("slack", "message", 5, &["slack_send"]);
    check("slack", "channels", 5, &["slack_list"]);
    check("slack", "", 5, &["slack_list", "slack_send"]);
    check("slack", "xyzzy", 5, &["slack_list", "slack_send"]);
    check("slack", "", 1, &["slack_list"]);
    check("SLACK-s", "", 5, &["slack_send"]);
    check("send", "mail", 5, &["mail__send"]);
    check("mail", "", 5, &["mail__send"]);
    // In a description the word does not count, nor in the name of an inline tool.
    check("message", "", 5, &[]);
    check("read", "file", 5, &[]);
    check("file", "", 5, &["write_file"]);
    check("", "", 9, &["mail__send", "slack_list", "slack_send", "write_file"]);
    check("", "channels", 9, &["slack_list"]);
}

// founding: A8
#[test]
fn all_are_the_inline_ones_and_a_name_finds_any() {
    let catalog = files();
    assert_eq!(names(&catalog.find_all()), ["searchTools", "read_file"]);
    for name in ["searchTools", "read_file", "slack_send"] {
        assert_eq!(catalog.find_by_name(name).unwrap().exposed(), name);
    }
    assert!(catalog.find_by_name("slack").is_none());
}

// founding: A9
#[test]
fn the_functions_prefix_is_stripped_only_where_that_was_chosen() {
    let check = |strip_functions_prefix: bool, name: &str, expected: bool| {
        let options = Options { strip_functions_prefix, ..Options::default() };
        let catalog = Catalog::with_options(options);
        catalog.register_all(vec![hidden("Read", "Reads"), hidden("functions", "Lists")]).unwrap();
        assert_eq!(catalog.find_by_name(name).is_some(), expected, "{name:?}");
        assert_eq!(catalog.select(&[name]).len(), usize::from(expected), "{name:?}");
    };
    check(false, "Read", true);
    check(false, " Read\n", true);
    check(false, "functions.Read", false);
    check(true, "functions.Read", true);
    check(true, "Read", true);
    check(true, "functions", true);
    check(true, "functions.functions.Read", false);
}

#[test]
fn when_a_change_is_made_searchable_changes_nothing_of_what_is_found() {
    let of = |indexing| Catalog::with_options(Options { indexing, ..Options::default() });
    let (now, later) = (of(Indexing::WithChange), of(Indexing::WithSearch));
    // Source, its tools, and whether somebody searches before the next change.
    let changes: &[(&str, &[&str], bool)] = &[
        ("a", &["send_mail", "read_mail"], false),
        ("b", &["send_fax"], true),
        ("a", &["list_mail"], false),
        ("c", &["send_card", "send_mail"], false),
        ("b", &[], true),
        ("a", &["send_mail"], true),
        ("c", &[], true),
        ("a", &[], true),
    ];
    for (at, &(source, tools, is_searched)) in changes.iter().enumerate() {
        let tools = || tools.iter().map(|name| hidden(name, "Handles paper")).collect::<Vec<_>>();
        let older = later.snapshot();
        let before: Vec<String> = older.iter().map(|it| it.exposed().to_owned()).collect();
        for catalog in [&now, &later] {
            catalog.replace(source, tools()).unwrap();
        }
        if is_searched {
            for query in ["send", "mail", "paper"] {
                let found = later.search(query, 9);
                assert_eq!(names(&found), names(&now.search(query, 9)), "{at}: {query}");
            }
            assert_eq!(later.snapshot().index().len(), now.snapshot().index().len());
        }
        // A reader of the version before finds what was there then.
        let mut found: Vec<String> =
            older.search("paper", 9).iter().map(|it| it.exposed().to_owned()).collect();
        found.sort();
        let mut expected = before;
        expected.sort();
        assert_eq!(found, expected, "{at}");
    }
}

/// Orders by the length of names, whatever is asked.
struct Shortest;

impl Ranker for Shortest {
    fn name(&self) -> &'static str {
        "shortest"
    }

    fn rank<'a>(&self, _asked: Asked<'_>, candidates: &Candidates<'a>, max: usize) -> Vec<Hit<'a>> {
        let mut hits: Vec<Hit<'a>> = candidates.iter().collect();
        hits.sort_by_key(|hit| hit.document.row.name().len());
        hits.truncate(max);
        hits
    }

    fn explain(&self, _: Asked<'_>, _: &Candidates<'_>, _: &Hit<'_>) -> Explanation {
        Explanation::default()
    }
}

// founding: A5
#[test]
fn the_ranker_is_replaceable_and_sees_only_candidates() {
    let options = Options { ranker: Arc::new(Shortest), ..Options::default() };
    let catalog = Catalog::with_options(options);
    let tools = vec![hidden("ccc", ""), hidden("bb", ""), inline("a", ""), hidden("dddd", "")];
    catalog.register_all(tools).unwrap();
    assert_eq!(names(&catalog.search("anything", 2)), ["bb", "ccc"]);
}

fn refused(catalog: &Catalog, tool: Arc<dyn Tool>, expected: &str) {
    let before = catalog.snapshot();
    assert_eq!(catalog.register(tool).unwrap_err().to_string(), expected);
    assert!(Arc::ptr_eq(&before, &catalog.snapshot()), "a refused change changes nothing");
}

// founding: A17
#[test]
fn the_search_tool_cannot_be_hidden() {
    refused(
        &Catalog::new(),
        tool(Row::discoverable("ToolSearch", "Finds tools").with_tier(Tier::Loop)),
        "the search tool `ToolSearch` of the program is discoverable, so nothing could find it: declare it inline",
    );
    refused(
        &files(),
        Arc::new(ToolSearch::new()),
        "`ToolSearch` of the program is declared part of the loop, but `searchTools` of the program is the search tool already",
    );
    let error = files().replace("github", vec![Arc::new(ToolSearch::new())]).unwrap_err();
    assert_eq!(
        error.to_string(),
        "`ToolSearch` of `github` is declared part of the loop: only the program's own search tool is"
    );
}

#[test]
fn a_name_is_taken_once() {
    refused(
        &files(),
        hidden("write_file", "Writes again"),
        "duplicate tool `write_file` of the program: tools 3 and 6 of its list have this name; rename one of them",
    );
    let catalog = files();
    catalog.replace("a", vec![hidden("write_file", "Writes")]).unwrap();
    let twice = vec![hidden("x", ""), hidden("y", ""), hidden("x", "")];
    assert_eq!(
        catalog.replace("a", twice).unwrap_err().to_string(),
        "duplicate tool `x` of `a`: tools 1 and 3 of its list have this name; rename one of them"
    );
    assert!(catalog.find_by_name("a__write_file").is_some());
}

#[test]
fn one_bad_tool_does_not_cost_its_siblings() {
    let catalog = Catalog::new();
    // The two foreign names have one hash, and so one exposed name.
    let listed = [
        hidden("x", "1"),
        hidden("丑丷丞", ""),
        hidden("x", "2"),
        hidden("丢丅丫", ""),
        hidden("y", ""),
    ];
    let set_aside = catalog.replace_healthy("s", listed.to_vec()).unwrap();
    assert_eq!(names(catalog.snapshot().tools_of("s")), ["s__x", "s__y"]);
    assert_eq!(catalog.find_by_name("s__x").unwrap().row().description(), "1");
    let duplicate = CatalogError::Duplicate { tool: Identity::new("s", "x"), first: 1, second: 3 };
    assert_eq!(set_aside[1], SetAside { tool: Identity::new("s", "x"), why: duplicate });
    assert!(matches!(set_aside[0].why, CatalogError::Collision(_)));
    assert!(matches!(set_aside[2].why, CatalogError::Collision(_)));
    assert_eq!(set_aside.len(), 3);
    assert!(matches!(catalog.replace("s", listed.to_vec()), Err(CatalogError::Collision(_))));
}

#[test]
fn sources_and_catalogs_have_a_bound() {
    let many = (0..=limits::TOOLS_PER_SOURCE_MAX).map(|n| hidden(&format!("t{n}"), "")).collect();
    assert_eq!(
        Catalog::new().replace("s", many).unwrap_err().to_string(),
        "source `s` has 10001 tools, at most 10000 are taken"
    );
    let many = (0..=limits::TOOLS_MAX).map(|n| hidden(&format!("t{n}"), "")).collect();
    assert_eq!(
        Catalog::new().register_all(many).unwrap_err().to_string(),
        "the catalog would have 100001 tools, at most 100000 are taken"
    );
}

#[test]
fn removing_takes_exactly_what_was_named() {
    let catalog = files();
    catalog.replace("a", vec![hidden("x", "one"), hidden("y", "two")]).unwrap();
    assert!(catalog.remove("a", "x") && !catalog.remove("a", "x") && !catalog.remove("b", "y"));
    assert_eq!(names(catalog.snapshot().tools_of("a")), ["a__y"]);
    assert!(catalog.find_by_name("a__x").is_none());
    assert!(catalog.remove_source("a") && !catalog.remove_source("a"));
    assert_eq!(catalog.snapshot().sources().collect::<Vec<_>>(), [""]);
    assert_eq!(names(&catalog.search("two", 5)), Vec::<&str>::new());
    assert!(catalog.remove("", "slack_send"));
    assert_eq!(names(&catalog.search("message", 5)), Vec::<&str>::new());
}

#[test]
fn a_version_stays_as_it_was_and_shares_what_did_not_change() {
    let catalog = files();
    catalog.replace("a", vec![hidden("x", "one")]).unwrap();
    let before = catalog.snapshot();
    catalog.replace("b", vec![hidden("x", "two")]).unwrap();
    catalog.remove_source("");
    let after = catalog.snapshot();
    assert_eq!((before.len(), after.len()), (6, 2));
    assert_eq!(after.generation(), before.generation() + 2);
    assert_eq!(names(&before.search("message", 5)), ["slack_send"]);
    assert!(Arc::ptr_eq(&before.tools_of("a")[0], &after.tools_of("a")[0]));
}

// founding: A19
// case: C20
#[test]
fn hidden_tools_without_a_reachable_search_tool_are_an_error_before_the_start() {
    let catalog = Catalog::new();
    catalog
        .register_all(vec![hidden("export", ""), hidden("import", ""), inline("read", "")])
        .unwrap();
    let without = catalog.check(&Grants::all()).unwrap_err();
    assert_eq!(
        without.to_string(),
        "2 discoverable tools, such as `export` of the program, are out of reach without a search tool: register `ToolSearch`, or make them inline"
    );
    catalog.register(Arc::new(ToolSearch::new())).unwrap();
    assert_eq!(catalog.check(&Grants::all()), Ok(()));

    let denied = Grants::all().with_denied([ToolPattern::new("", "ToolSearch")]);
    assert_eq!(
        catalog.check(&denied).unwrap_err().to_string(),
        "2 discoverable tools, such as `export` of the program, are out of reach: the grants do not admit the search tool `ToolSearch` of the program; grant it, or make the tools inline"
    );
    let inline_only = Grants::all().with_tools([ToolPattern::named("read")]);
    assert_eq!(catalog.check(&inline_only), Ok(()));
}

/// Something beside the catalog that has tools to offer.
struct KnowledgeBase;

impl KnowledgeBase {
    fn offer(&self, catalog: &Catalog) -> Result<(), CatalogError> {
        catalog.register_all(vec![inline("ask_knowledge", "Answers from the knowledge base")])
    }
}

// founding: A23
#[test]
fn a_knowledge_base_registers_its_tools_inline() {
    let catalog = files();
    KnowledgeBase.offer(&catalog).unwrap();
    assert_eq!(names(&catalog.find_all()), ["searchTools", "read_file", "ask_knowledge"]);
    assert_eq!(names(&catalog.search("knowledge", 5)), Vec::<&str>::new());
}
