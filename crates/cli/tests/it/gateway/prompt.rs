//! A person at a terminal is asked.

#![cfg(unix)]

use std::fs::{File, OpenOptions};
use std::io::Write;
use std::process::Stdio;

use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};

use super::{Place, SETTINGS};
use crate::oncue::Answer;

/// Runs the command with a terminal for its input, at which `line` is typed.
fn typed(place: &Place, args: &[&str], line: &str) -> Answer {
    let ours = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY).expect("a terminal");
    grantpt(&ours).expect("it is ours");
    unlockpt(&ours).expect("it opens");
    let name = ptsname(&ours, Vec::new()).expect("it has a name").into_string().expect("UTF-8");
    let theirs = OpenOptions::new().read(true).write(true).open(name).expect("its other end");
    let mut ours = File::from(ours);
    ours.write_all(line.as_bytes()).expect("typed");
    let mut command = place.command(args);
    command.stdin(theirs).stdout(Stdio::piped()).stderr(Stdio::piped());
    let output = command.spawn().and_then(|child| child.wait_with_output()).expect("it ends");
    let text = |bytes| place.without_paths(&String::from_utf8(bytes).expect("UTF-8"));
    Answer {
        code: output.status.code().expect("no signal"),
        out: text(output.stdout),
        err: text(output.stderr),
    }
}

#[test]
fn a_change_is_made_after_a_yes_and_nothing_else() {
    let place = Place::of(&[("project/oncue.toml", SETTINGS)]);
    let file = "ada/.cursor/mcp.json";
    for line in ["n\n", "\n", "maybe\n"] {
        let found = typed(&place, &["connect", "cursor"], line);
        assert_eq!(
            (found.code, found.err.as_str()),
            (5, "make this change? [y/N] nothing was changed\n")
        );
        assert!(found.out.contains("+    \"oncue\": {\n"), "it is shown first: {found:?}");
        assert_eq!(place.read(file), None);
    }
    let unseen = typed(&place, &["connect", "cursor", "--json"], "y\n");
    assert_eq!((unseen.code, place.read(file)), (5, None), "it would not be shown: {unseen:?}");
    let found = typed(&place, &["connect", "cursor"], "y\n");
    assert_eq!(found.code, 0, "{found:?}");
    assert!(
        found.err.starts_with(&format!("make this change? [y/N] wrote `{file}`\n")),
        "{found:?}"
    );
    assert!(place.read(file).is_some());
    let idle = typed(&place, &["connect", "cursor"], "");
    assert_eq!(
        (idle.code, idle.err.as_str()),
        (0, "`cursor` is connected already: `ada/.cursor/mcp.json`\n")
    );
    assert_eq!(typed(&place, &["disconnect", "cursor"], "Yes\n").code, 0);
    assert_eq!(place.read(file), None);
}
