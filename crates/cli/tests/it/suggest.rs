//! `oncue lint --suggest`.

use serde_json::json;

use crate::oncue::{Answer, Folder, oncue};

/// Two tools that people ask for in other words, and one of which a list knows nothing.
const CATALOG: &[u8] = br#"{"name": "getImage", "description": "Gets it", "server": "art"}
{"name": "list.invoices", "description": "All of them", "server": "shop"}
{"name": "frobnicate", "description": "Does it", "server": "shop"}"#;

fn suggest(args: &[&str]) -> Answer {
    let folder = Folder::of(&[("tools.jsonl", CATALOG)]);
    let path = folder.path("tools.jsonl");
    let mut all = vec!["lint", &path, "--suggest"];
    all.extend(args);
    oncue(&all)
}

#[test]
fn words_are_proposed_with_their_reasons() {
    let found = suggest(&["--markdown"]);
    assert_eq!(found.code, 0, "{found:?}");
    assert_eq!(
        found.out,
        "| tool | keyword | why |\n| --- | --- | --- |\n\
         | art/getImage | picture | people say it for `image` in its name |\n\
         | art/getImage | photo | people say it for `image` in its name |\n\
         | art/getImage | photograph | people say it for `image` in its name |\n\
         | shop/list.invoices | bill | people say it for `invoices` in its name |\n"
    );
    assert!(found.err.starts_with("4 keywords for 2 tools of 3; "), "{found:?}");
    assert!(found.err.contains("oncue model install"), "{found:?}");
}

#[test]
fn proposals_as_settings_are_read_by_the_gateway() {
    let found = suggest(&["--toml"]);
    assert_eq!(
        found.out,
        "# picture: people say it for `image` in its name\n\
         # photo: people say it for `image` in its name\n\
         # photograph: people say it for `image` in its name\n\
         [upstream.art.tool.getImage]\n\
         keywords = [\"picture\", \"photo\", \"photograph\"]\n\
         \n\
         # bill: people say it for `invoices` in its name\n\
         [upstream.shop.tool.\"list.invoices\"]\n\
         keywords = [\"bill\"]\n"
    );
    let upstreams = "[upstream.art]\nurl = \"http://127.0.0.1:9/\"\n\
         [upstream.shop]\nurl = \"http://127.0.0.1:8/\"\n";
    let settings = format!("{upstreams}{}", found.out);
    let folder = Folder::of(&[("oncue.toml", settings.as_bytes())]);
    let checked = oncue(&["check", &folder.path("oncue.toml"), "--json"]);
    assert_eq!(checked.code, 0, "{checked:?}");
    let upstreams = &checked.json()["upstreams"];
    assert_eq!(
        [&upstreams[0]["overrides"], &upstreams[1]["overrides"]],
        [&json!(["changed getImage"]), &json!(["changed list.invoices"])]
    );
}

#[test]
fn json_has_the_words_that_a_tool_has_and_lacks() {
    let found = suggest(&["--json"]).json();
    assert_eq!((&found["version"], &found["model"]), (&json!(1), &json!(null)));
    assert_eq!(
        found["tools"][1],
        json!({
            "source": "shop",
            "tool": "list.invoices",
            "keywords": [],
            "proposals": [{
                "keyword": "bill",
                "origin": "list",
                "stands_for": "invoices",
                "in_name": true,
                "reason": "people say it for `invoices` in its name",
            }],
        })
    );
    assert_eq!(found["tools"].as_array().map(Vec::len), Some(2));
}

#[test]
fn settings_are_printed_for_proposals_alone() {
    assert_eq!(oncue(&["lint", "--toml"]).code, 2);
    assert_eq!(suggest(&["--toml", "--json"]).code, 2);
}
