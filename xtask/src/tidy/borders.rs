//! What may not be named outside its room.

use super::{Finding, rust};
use crate::tree::File;

/// What `search` must not touch: the outside world, clocks, randomness, threads and anything that outlives a call.
const IMPURE: [&str; 22] = [
    "std::fs", "std::io", "std::net", "std::os", "std::time", "std::env", "std::thread",
    "std::process", "std::sync::mpsc", "Instant::now", "SystemTime", "RandomState",
    "thread_local!", "static mut", "OnceLock", "LazyLock", "OnceCell", "LazyCell", "async fn",
    "async move", ".await", "println!",
];

/// Places of `search` that may, each with its reason.
const IMPURE_FOR_A_REASON: &[(&str, &str, &str)] = &[];

/// `search` decides and does nothing else; what it answers depends on its arguments alone.
pub(super) fn search_is_pure(files: &[File]) -> Vec<Finding> {
    let mut found = Vec::new();
    for (file, source) in rust(files) {
        if !file.path.starts_with("crates/search/src/") {
            continue;
        }
        for word in IMPURE {
            let excused = IMPURE_FOR_A_REASON
                .iter()
                .any(|&(path, what, _)| path == file.path && what == word);
            let mut lines = source.lines_with(word);
            lines.extend(in_grouped_import(source, word));
            for line in lines.into_iter().filter(|&line| !excused && !file.is_test_line(line)) {
                found.push(Finding::new(file, line, format!("`search` is pure: `{word}` is not")));
            }
        }
    }
    found
}

/// The lines on which `use std::{…}` names the module of `std::module`.
fn in_grouped_import(source: &crate::source::Source, path: &str) -> Vec<usize> {
    let Some(module) = path.strip_prefix("std::").filter(|rest| !rest.contains(':')) else {
        return Vec::new();
    };
    let mut lines = Vec::new();
    let mut depth = 0_usize;
    let starts = source.lines_with("std::{");
    for pair in source.tokens.windows(2) {
        let [before, token] = pair else { continue };
        match token.text.as_str() {
            "{" if depth > 0 || starts.contains(&token.line) && before.text == ":" => depth += 1,
            "}" => depth = depth.saturating_sub(1),
            text if depth == 1 && text == module && matches!(before.text.as_str(), "{" | ",") => {
                lines.push(token.line);
            }
            _ => {}
        }
    }
    lines
}

/// The names of model vendors and of the protocol's SDK, and the folders that may say them.
const VENDORS: [(&str, &[&str]); 5] = [
    ("anthropic", &["crates/fakes/", "crates/providers/"]),
    ("openai", &["bridges/", "crates/fakes/", "crates/providers/"]),
    ("gemini", &["crates/fakes/", "crates/providers/"]),
    ("bedrock", &["crates/fakes/", "crates/providers/", "workbench/"]),
    ("rmcp", &["crates/mcp/"]),
];

/// Rooms beside documentation and data that name vendors, each with its reason.
const VENDORS_FOR_A_REASON: [(&str, &str); 15] = [
    ("crates/tools/src/names/", "how long a name may be is a table with one row a reader"),
    ("Cargo.lock", "made by cargo"),
    ("Cargo.toml", "declares the protocol's SDK for the one crate that names it"),
    ("crates/cli/Cargo.toml", "hands a feature of the providers on"),
    ("crates/gateway/src/clients/", "one of the clients has the name of its model"),
    ("crates/gateway/src/config/foreign/", "and so has the form of its file"),
    ("crates/oncue/src/lib.rs", "lists the features, one of which has the name"),
    ("crates/oncue/Cargo.toml", "hands a feature of the providers on"),
    ("xtask/founding.toml", "the founding text names a vendor"),
    ("xtask/clients/", "plays the models of the clients of vendors"),
    ("xtask/rivals/", "asks the clients of vendors"),
    ("xtask/src/clients/", "starts the clients of vendors"),
    ("xtask/src/rivals.rs", "starts the clients of vendors"),
    ("xtask/src/stage/mod.rs", "checks include what the providers keep behind a feature"),
    ("xtask/src/tidy/", "the rules name what they look for"),
];

fn may_name_vendors(path: &str) -> bool {
    path.ends_with(".md")
        || super::words::is_data(path)
        || VENDORS_FOR_A_REASON.iter().any(|(room, _)| path.starts_with(room))
}

/// Vendor words stay where a vendor's protocol is spoken.
pub(super) fn vendor_words_stay_at_the_edge(files: &[File]) -> Vec<Finding> {
    let mut found = Vec::new();
    for file in files.iter().filter(|file| !may_name_vendors(&file.path)) {
        for (at, line) in file.text.lines().enumerate() {
            let line = line.to_lowercase();
            for (vendor, rooms) in VENDORS {
                if line.contains(vendor) && !rooms.iter().any(|room| file.path.starts_with(room)) {
                    let what = format!("`{vendor}` belongs in {}", rooms.join(" or "));
                    found.push(Finding::new(file, at + 1, what));
                }
            }
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::{search_is_pure, vendor_words_stay_at_the_edge};
    use crate::tidy::lines;

    #[test]
    fn search_must_not_reach_outside() {
        let path = "crates/search/src/rank/x.rs";
        let text = "use std::fs;\nfn f() { std::time::Instant::now(); }\n\
            static mut X: u8 = 0;\nasync fn g() {}\nuse std::{fmt, env};\nuse std::{a::{thread}, b};\n";
        let mut found = lines(search_is_pure, path, text);
        found.sort_unstable();
        assert_eq!(found, [1, 2, 2, 3, 4, 5]);
    }

    #[test]
    fn tests_and_other_crates_may() {
        let test = "#[cfg(test)]\nmod tests {\n    use std::fs;\n}\n";
        assert_eq!(lines(search_is_pure, "crates/search/src/x.rs", test), [0_usize; 0]);
        assert_eq!(lines(search_is_pure, "crates/cli/src/x.rs", "use std::fs;"), [0_usize; 0]);
        assert_eq!(
            lines(search_is_pure, "crates/search/src/x.rs", "// std::fs \nuse std::fmt;"),
            [0_usize; 0]
        );
    }

    #[test]
    fn vendors_are_named_at_the_edge_only() {
        let text = "let a = 1;\nlet b = \"OpenAI\";\n";
        assert_eq!(lines(vendor_words_stay_at_the_edge, "crates/tools/src/x.rs", text), [2]);
        assert_eq!(
            lines(vendor_words_stay_at_the_edge, "crates/providers/src/x.rs", text),
            [0_usize; 0]
        );
        assert_eq!(lines(vendor_words_stay_at_the_edge, "docs/x.md", text), [0_usize; 0]);
    }
}
