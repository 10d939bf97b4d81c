//! What the core leaves out on purpose: vendors, and forgetting by the clock.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use oncue_tools::ActivationScope;

use crate::support::{Scripted, agent, calls, catalog, hidden, results, says};

/// Words of vendors and of their protocols, split so that no rule finds them here.
const VENDORS: [(&str, &str); 22] = [
    ("ant", "hropic"),
    ("azu", "re"),
    ("bed", "rock"),
    ("cha", "tgpt"),
    ("cla", "ude"),
    ("coh", "ere"),
    ("dee", "pseek"),
    ("gem", "ini"),
    ("goo", "gle"),
    ("gpt", ""),
    ("lla", "ma"),
    ("mis", "tral"),
    ("oll", "ama"),
    ("ope", "nai"),
    ("ope", "nrouter"),
    ("qwe", "n"),
    ("ver", "tex"),
    ("all", "owed_tools"),
    ("cac", "he_control"),
    ("def", "er_loading"),
    ("too", "l_reference"),
    ("too", "l_search_output"),
];

fn sources(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.file_stem().is_some_and(|stem| stem == "tests") {
            // What tests feed to the core is not the core.
            continue;
        } else if path.is_dir() {
            found.extend(sources(&path));
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            found.push(path);
        }
    }
    found
}

/// Returns the words of vendors in a text.
fn vendors(text: &str) -> Vec<String> {
    let text = text.to_lowercase();
    let words: Vec<&str> =
        text.split(|sign: char| !sign.is_ascii_alphanumeric() && sign != '_').collect();
    let vendors = VENDORS.map(|(head, tail)| format!("{head}{tail}"));
    vendors.into_iter().filter(|vendor| words.contains(&vendor.as_str())).collect()
}

// founding: A22
#[test]
fn the_core_speaks_of_no_vendor() {
    assert_eq!(vendors("a Qwen-like `tool_reference`"), ["qwen", "tool_reference"]);
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
    for part in ["agent/src", "tools/src", "search/src", "decl/src"] {
        let files = sources(&root.join(part));
        assert!(!files.is_empty());
        // One table there has who reads which names, and nothing of how.
        for file in files.iter().filter(|file| !file.ends_with("names/rules.rs")) {
            let found = vendors(&fs::read_to_string(file).unwrap());
            assert!(found.is_empty(), "{}: {found:?}", file.display());
        }
    }
}

// founding: A22
#[tokio::test(start_paused = true)]
async fn nothing_that_was_found_goes_stale_by_the_clock() {
    let moves = vec![
        calls(&[("ToolSearch", r#"{"query":"select:a"}"#)]),
        says("found"),
        calls(&[("a", "{}")]),
        says("called"),
    ];
    let model = Scripted::new(moves);
    let agent = agent(&model, &catalog(vec![hidden("a", "")]));
    let agent = agent.with_activation(ActivationScope::Session);
    let mut session = agent.session();
    session.turn("find").await.unwrap();
    tokio::time::advance(Duration::from_secs(10 * 365 * 24 * 60 * 60)).await;
    session.turn("call").await.unwrap();
    assert_eq!(results(&Arc::clone(&model).seen()[3].items), ["a"]);
}
