//! Words that may not stay in the tree.

use super::{Finding, rust};
use crate::tree::File;

/// Text that others wrote, kept as it is.
pub(super) fn is_data(path: &str) -> bool {
    const FOLDERS: [&str; 6] = ["data", "corpus", "cassettes", "regressions", "seeds", "snapshots"];
    path.split('/').any(|part| FOLDERS.contains(&part))
}

/// No unfinished code, no ignored test, no bare allow, no task without an issue.
pub(super) fn nothing_is_left_open(files: &[File]) -> Vec<Finding> {
    const CODE: [(&str, &str); 6] = [
        ("todo!", "unfinished code"),
        ("unimplemented!", "unfinished code"),
        ("dbg!", "a debugging aid"),
        ("#[ignore", "an ignored test: assert what happens today and say why it is wrong"),
        ("#[allow(", "a bare allow: use `#[expect(lint, reason = …)]`"),
        ("#![allow(", "a bare allow: use `#![expect(lint, reason = …)]`"),
    ];
    let mut found = Vec::new();
    for (file, source) in rust(files) {
        for (code, what) in CODE {
            let lines = source.lines_with(code);
            found.extend(lines.into_iter().map(|line| Finding::new(file, line, what)));
        }
        for comment in &source.comments {
            let has = |word| comment.text.split(|c: char| !c.is_alphanumeric()).any(|w| w == word);
            if (has("TODO") || has("FIXME") || has("XXX")) && !names_an_issue(&comment.text) {
                let what = "a task without the number of its issue, such as `#12`";
                found.push(Finding::new(file, comment.line, what));
            }
        }
    }
    found
}

fn names_an_issue(text: &str) -> bool {
    text.split('#').skip(1).any(|rest| rest.starts_with(|c: char| c.is_ascii_digit()))
}

/// No line ends with white space, and a file ends with one line end.
pub(super) fn lines_end_clean(files: &[File]) -> Vec<Finding> {
    let mut found = Vec::new();
    for file in files.iter().filter(|file| !is_data(&file.path)) {
        for (at, line) in file.text.split('\n').enumerate() {
            if line.ends_with([' ', '\t', '\r']) {
                found.push(Finding::new(file, at + 1, "white space at the end of the line"));
            }
        }
        if !file.text.is_empty() && (!file.text.ends_with('\n') || file.text.ends_with("\n\n")) {
            found.push(Finding::new(file, 0, "the file must end with one line end"));
        }
    }
    found
}

/// Folders and hosts that exist on one machine, and words about how the project is worked on. Split, so that this list does not find itself.
const MACHINE: [(&str, &str); 15] = [
    ("/wo", "rk/"),
    ("/fa", "rm/"),
    ("/ro", "ot/"),
    ("/ho", "me/"),
    ("/Us", "ers/"),
    ("../sha", "red"),
    ("index.cra", "tes.io"),
    ("static.cra", "tes.io"),
    ("py", "pi.org"),
    ("pythonho", "sted.org"),
    ("npm", "js.org"),
    ("npm", "js.com"),
    ("deb.deb", "ian.org"),
    ("work", "place"),
    ("work", "tree"),
];

/// The tree says nothing of the machine it was written on.
pub(super) fn no_machine_is_named(files: &[File]) -> Vec<Finding> {
    let words: Vec<String> = MACHINE.iter().map(|(head, tail)| format!("{head}{tail}")).collect();
    let mut found = Vec::new();
    for file in files.iter().filter(|file| !is_data(&file.path)) {
        for (at, line) in file.text.lines().enumerate() {
            for word in words.iter().filter(|word| line.contains(word.as_str())) {
                found.push(Finding::new(file, at + 1, format!("`{word}` names a machine")));
            }
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::{lines_end_clean, no_machine_is_named, nothing_is_left_open};
    use crate::tidy::lines;

    #[test]
    fn what_is_left_open_is_found() {
        for text in [
            "fn f() { todo!() }",
            "fn f() { unimplemented!(\"x\") }",
            "fn f() { dbg!(1); }",
            "#[ignore]\nfn f() {}",
            "#[ignore = \"slow\"]\nfn f() {}",
            "#[allow(dead_code)]\nfn f() {}",
            "#![allow(dead_code)]",
            "// TODO: later",
            "// FIXME later",
        ] {
            assert_eq!(lines(nothing_is_left_open, "a.rs", text), [1], "{text}");
        }
        for text in [
            "#[expect(dead_code, reason = \"x\")]\nfn f() {}",
            "// TODO(#12): later",
            "const S: &str = \"todo!()\";",
            "// the word todo! in a comment",
        ] {
            assert_eq!(lines(nothing_is_left_open, "a.rs", text), [0_usize; 0], "{text}");
        }
    }

    #[test]
    fn white_space_at_the_end_is_found() {
        assert_eq!(lines(lines_end_clean, "a.md", "a\nb\n"), [0_usize; 0]);
        assert_eq!(lines(lines_end_clean, "a.md", "a \nb\t\nc\r\n"), [1, 2, 3]);
        assert_eq!(lines(lines_end_clean, "a.md", "a"), [0]);
        assert_eq!(lines(lines_end_clean, "a.md", "a\n\n"), [0]);
        assert_eq!(lines(lines_end_clean, "corpus/a.toml", "a "), [0_usize; 0]);
    }

    #[test]
    fn machines_are_found() {
        let path = format!("x = \"{}{}x\"\n", "/wo", "rk/");
        assert_eq!(lines(no_machine_is_named, "a.toml", &path), [1]);
        let host = format!("x\nsee {}{}\n", "py", "pi.org");
        assert_eq!(lines(no_machine_is_named, "a.md", &host), [2]);
        assert_eq!(lines(no_machine_is_named, "a.md", "/usr/bin/rustc\n"), [0_usize; 0]);
    }
}
