//! What the founding documents say of ranking, with scores worked out by hand.

use std::sync::Arc;

use oncue_decl::Row;
use oncue_search::rank::{Bm25f, Keyword};
use oncue_search::{
    Admit, Asked, Candidates, Document, Explanation, Hit, Index, Ranker, required, search,
};
use serde_json::value::RawValue;

fn tool(name: &str, description: &str, schema: Option<&str>) -> Arc<Document> {
    let row = Row::discoverable(name.to_owned(), description.to_owned());
    let schema = schema.map(|text| RawValue::from_string(text.to_owned()).unwrap());
    Arc::new(Document { row, schema })
}

fn names<'a>(hits: &[Hit<'a>]) -> Vec<&'a str> {
    hits.iter().map(|hit| hit.document.row.name()).collect()
}

fn check(query: &str, tool: Arc<Document>, expected: f32) {
    let index = Index::default().replaced("", vec![tool]);
    let hits = Keyword.rank(query.into(), &index.candidates(Admit::All), 5);
    let score = hits.first().map_or(0.0, |hit| hit.score);
    assert!((score - expected).abs() < 1e-6, "{query:?}: {score}, expected {expected}");
}

// founding: A6
#[test]
fn the_founding_score_is_a_weighted_share_of_the_words_found() {
    let schema = r#"{"properties": {"channel_id": {"description": "Where to post"}, "n": 7}}"#;
    let send = || tool("send-slack_Message", "Posts a text to a channel", Some(schema));
    // `send` and `slack` of two words in the name.
    check("SEND slack", send(), 0.5);
    // `send_slack` is two words too.
    check("send_slack", send(), 0.5);
    // Substrings count: `mess` in the name, `post` in description (Posts) and parameters (post).
    check("mess post", send(), 0.5 / 2.0 + 0.35 / 2.0 + 0.15 / 2.0);
    // `channel` in the description, `channel` and `id` in the parameters, none in the name.
    check("channel-id", send(), 0.35 / 2.0 + 0.15);
    // A repeated word counts as often as it is said: `a` is in all three, `zz` nowhere.
    check("a a zz", send(), (0.5 + 0.35 + 0.15) * 2.0 / 3.0);
    check("zz", send(), 0.0);
    check("", send(), 0.0);
}

// founding: A6
#[test]
fn a_tool_without_readable_properties_is_ranked_by_the_rest() {
    for schema in [None, Some("{}"), Some("[]"), Some(r#"{"properties": ["read"]}"#), Some("true")]
    {
        check("read", tool("read", "Reads", schema), 0.5 + 0.35);
    }
}

// founding: A6
#[test]
fn founding_ties_keep_the_order_of_the_catalog_and_zeros_are_left_out() {
    let tools = ["b_read", "z", "a_read", "c_read"].map(|name| tool(name, "", None));
    let index = Index::default().replaced("", tools.to_vec());
    let candidates = index.candidates(Admit::All);
    assert_eq!(names(&Keyword.rank("read".into(), &candidates, 5)), ["b_read", "a_read", "c_read"]);
    assert_eq!(names(&Keyword.rank("read".into(), &candidates, 2)), ["b_read", "a_read"]);
}

// founding: A7
#[test]
fn a_required_word_filters_names_and_takes_no_part_in_ranking() {
    let tools = [
        tool("slack_list", "Lists what others send, and lets you send", None),
        tool("slack-send", "Posts", None),
        tool("mail_send", "Sends mail through slack", None),
    ];
    let index = Index::default().replaced("", tools.to_vec());
    let candidates = index.candidates(Admit::All);
    for ranker in [&Keyword as &dyn Ranker, &Bm25f::default()] {
        let find = |word, ranking| names(&required(word, ranking, &candidates, ranker, 5));
        // By the founding weights: name 0.5 against description 0.35.
        assert_eq!(find("Slack", "send"), ["slack-send", "slack_list"]);
        // The required word filters by name, not by what the tool says.
        assert!(!find("slack", "mail").contains(&"mail_send"));
        // An empty required word admits every tool, an empty ranking orders by name.
        assert_eq!(find("", "mail")[0], "mail_send");
        assert_eq!(find("slack", ""), ["slack-send", "slack_list"]);
        assert_eq!(find("", ""), ["mail_send", "slack-send", "slack_list"]);
        assert_eq!(find("k_s", "send"), ["slack-send"]);
        assert!(find("fax", "send").is_empty());
    }
}

/// Longest name first: a ranker of somebody's own.
struct Longest;

impl Ranker for Longest {
    fn name(&self) -> &'static str {
        "longest"
    }

    fn rank<'a>(&self, _text: Asked<'_>, candidates: &Candidates<'a>, max: usize) -> Vec<Hit<'a>> {
        let mut hits: Vec<Hit<'a>> = candidates.iter().collect();
        hits.sort_by_key(|hit| std::cmp::Reverse(hit.document.row.name().len()));
        hits.truncate(max);
        hits
    }

    fn explain(&self, _: Asked<'_>, _: &Candidates<'_>, _: &Hit<'_>) -> Explanation {
        Explanation::default()
    }
}

// founding: A5, A18
#[test]
fn any_ranker_orders_what_it_is_given_and_nothing_else() {
    let tools = ["a", "bbb", "cc", "hidden_tool"].map(|name| tool(name, "", None));
    let index = Index::default().replaced("", tools.to_vec());
    let admitted = |_: &str, tool: &Document| tool.row.name() != "hidden_tool";
    let candidates = index.candidates(Admit::Documents(&admitted));
    assert_eq!(names(&search("x", &candidates, &Longest, 2)), ["bbb", "cc"]);
    // A spelled name comes first whatever the ranker says, and never twice.
    assert_eq!(names(&search("cc", &candidates, &Longest, 3)), ["cc", "bbb", "a"]);
    assert!(search("hidden_tool", &candidates, &Longest, 5).iter().all(|hit| !hit.exact));
}
