//! What a file must begin with, and what the first file of a crate may hold.

use super::{Finding, rust};
use crate::tree::File;

/// A file is a room: its first line says what lives in it. The tests of a file, beside it, need none.
pub(super) fn files_say_what_lives_in_them(files: &[File]) -> Vec<Finding> {
    rust(files)
        .filter(|(file, _)| !is_ui_case(&file.path) && !file.path.ends_with("/tests.rs"))
        .filter(|(file, _)| !file.text.starts_with("//! "))
        .map(|(file, _)| Finding::new(file, 1, "begin with a `//!` line that says what lives here"))
        .collect()
}

/// Programs that must not compile belong to the test that compiles them.
fn is_ui_case(path: &str) -> bool {
    path.contains("/tests/fail/") || path.contains("/tests/ui/")
}

/// The first file of a crate holds documentation, modules and exports.
pub(super) fn lib_holds_no_logic(files: &[File]) -> Vec<Finding> {
    const LOGIC: [&str; 11] = [
        "fn", "struct", "enum", "union", "trait", "impl", "const", "static", "type", "macro_rules",
        "unsafe",
    ];
    let mut found = Vec::new();
    for (file, source) in rust(files).filter(|(file, _)| file.path.ends_with("/src/lib.rs")) {
        for token in &source.tokens {
            if LOGIC.contains(&token.text.as_str()) && !file.is_test_line(token.line) {
                let what = format!("`{}` in lib.rs: move it to a module", token.text);
                found.push(Finding::new(file, token.line, what));
            }
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::{files_say_what_lives_in_them, lib_holds_no_logic};
    use crate::tidy::lines;

    #[test]
    fn a_file_without_a_first_line_is_found() {
        let rule = files_say_what_lives_in_them;
        assert_eq!(lines(rule, "crates/a/src/b.rs", "//! What lives here.\n"), [0_usize; 0]);
        assert_eq!(lines(rule, "crates/a/src/b.rs", "use x;\n//! Late.\n"), [1]);
        assert_eq!(lines(rule, "crates/a/tests/fail/b.rs", "fn main() {}\n"), [0_usize; 0]);
    }

    #[test]
    fn logic_in_lib_is_found() {
        let rule = lib_holds_no_logic;
        let clean = "//! A fn.\n#![no_std]\nextern crate alloc;\nmod a;\npub use a::{b, C};\n";
        assert_eq!(lines(rule, "crates/a/src/lib.rs", clean), [0_usize; 0]);
        assert_eq!(lines(rule, "crates/a/src/lib.rs", "mod a;\npub fn b() {}\n"), [2]);
        assert_eq!(lines(rule, "crates/a/src/b.rs", "fn b() {}\n"), [0_usize; 0]);
    }
}
