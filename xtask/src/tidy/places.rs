//! What may be written in one place only.

use super::{Finding, rust};
use crate::tree::File;

/// Every place after the first where one is allowed.
fn beyond_one(all: Vec<Finding>) -> Vec<Finding> {
    match all.len() {
        0 | 1 => Vec::new(),
        _ => all,
    }
}

/// Activation is written at one call site, inside ToolSearch.
pub(super) fn activation_has_one_call_site(files: &[File]) -> Vec<Finding> {
    let mut all = Vec::new();
    for (file, source) in rust(files).filter(|(file, _)| is_product(file)) {
        for line in source.lines_with(".activate(") {
            if !file.is_test_line(line) {
                all.push(Finding::new(
                    file,
                    line,
                    "one of several calls of `activate`: one may be",
                ));
            }
        }
    }
    beyond_one(all)
}

/// The name of the search tool is written once, in its row; and nobody asks whether a name is a certain literal.
pub(super) fn tool_names_are_literals_in_rows_only(files: &[File]) -> Vec<Finding> {
    let mut search_tool = Vec::new();
    let mut found = Vec::new();
    for (file, source) in rust(files).filter(|(file, _)| is_product(file)) {
        let of_product = |line: usize| !file.is_test_line(line);
        for literal in source.strings.iter().filter(|literal| of_product(literal.line)) {
            if literal.text == "ToolSearch" {
                let what = "the search tool's name is written more than once: use that of its row";
                search_tool.push(Finding::new(file, literal.line, what));
            }
        }
        for (at, line) in file.text.lines().enumerate().filter(|&(at, _)| of_product(at + 1)) {
            if compares_a_name_with_a_literal(line) {
                let what = "a name is compared with a literal: make it a column of the row";
                found.push(Finding::new(file, at + 1, what));
            }
        }
    }
    found.extend(beyond_one(search_tool));
    found
}

fn compares_a_name_with_a_literal(line: &str) -> bool {
    let code = line.trim_start();
    if code.starts_with("//") {
        return false;
    }
    ["==", "!="].iter().any(|sign| {
        code.match_indices(sign).any(|(at, _)| {
            let (before, after) = code.split_at(at);
            let before = before.trim_end().trim_end_matches("()").trim_end_matches(".as_str");
            let after = after.trim_start_matches(['=', '!']).trim_start();
            let word = before.rsplit(|c: char| !c.is_alphanumeric() && c != '_').next();
            matches!(word, Some("name" | "tool_name"))
                && after.starts_with('"')
                && !after.starts_with("\"\"")
        })
    })
}

/// The library crates and the binary, without their tests.
fn is_product(file: &File) -> bool {
    file.path.starts_with("crates/") && file.path.contains("/src/") && !file.is_test()
}

#[cfg(test)]
mod tests {
    use super::{activation_has_one_call_site, tool_names_are_literals_in_rows_only};
    use crate::tidy::lines;

    const PATH: &str = "crates/tools/src/x.rs";

    #[test]
    fn a_second_call_of_activate_is_found() {
        let once =
            "fn f() { a.activate(x); }\n#[cfg(test)]\nmod tests { fn g() { a.activate(y); } }";
        assert_eq!(lines(activation_has_one_call_site, PATH, once), [0_usize; 0]);
        let twice = "fn f() { a.activate(x); }\nfn g() { b.activate(y) }";
        assert_eq!(lines(activation_has_one_call_site, PATH, twice), [1, 2]);
    }

    #[test]
    fn the_search_tool_is_named_once() {
        let rule = tool_names_are_literals_in_rows_only;
        assert_eq!(
            lines(rule, PATH, "/// \"ToolSearch\"\nconst N: &str = \"ToolSearch\";"),
            [0_usize; 0]
        );
        let twice = "const N: &str = \"ToolSearch\";\nconst M: &str = \"ToolSearch\";";
        assert_eq!(lines(rule, PATH, twice), [1, 2]);
        assert_eq!(lines(rule, "crates/tools/tests/it/x.rs", twice), [0_usize; 0]);
    }

    #[test]
    fn names_are_not_compared_with_literals() {
        let rule = tool_names_are_literals_in_rows_only;
        let text = "if row.name() == \"export\" {}\nif name == \"\" {}\nif kind == \"x\" {}\n// name == \"x\"\nif tool_name != \"y\" {}";
        assert_eq!(lines(rule, PATH, text), [1, 5]);
    }
}
