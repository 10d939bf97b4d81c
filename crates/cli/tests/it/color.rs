//! Colours: none unless a terminal or the user asks for them, and never against NO_COLOR.

use crate::oncue::{CATALOG, Folder, answer, command};

fn out(args: &[&str], env: &[(&str, &str)]) -> String {
    let folder = Folder::of(&[("tools.jsonl", CATALOG.as_bytes())]);
    let path = folder.path("tools.jsonl");
    let mut command = command(&["search", "mail", "--catalog", &path]);
    command.args(args).envs(env.iter().copied());
    answer(command, b"").out
}

#[test]
fn colours_need_a_terminal_or_a_request() {
    let check = |args: &[&str], env: &[(&str, &str)], expected: bool| {
        assert_eq!(out(args, env).contains('\u{1b}'), expected, "{args:?} {env:?}");
    };
    let (force, refuse) = (("CLICOLOR_FORCE", "1"), ("NO_COLOR", "1"));
    check(&[], &[], false);
    check(&[], &[force], true);
    check(&[], &[force, refuse], false);
    check(&["--color", "always"], &[refuse], true);
    check(&["--color", "never"], &[force], false);
    check(&["--json", "--color", "always"], &[], false);
}
