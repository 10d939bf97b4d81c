//! `oncue token` and `oncue audit`.

use std::fs;

use crate::oncue::{Answer, Folder, oncue};

/// Runs a command on a state of its own.
fn on(folder: &Folder, args: &[&str]) -> Answer {
    let state = folder.path("state");
    let mut all = args.to_vec();
    all.extend(["--state-dir", &state]);
    oncue(&all)
}

fn empty() -> Folder {
    Folder::of(&[])
}

#[test]
fn a_token_is_printed_once_and_listed_without_itself() {
    let folder = empty();
    let made = on(&folder, &["token", "create", "ci", "--expires", "30d"]);
    assert_eq!(made.code, 0, "{made:?}");
    let token = made.out.strip_suffix('\n').expect("one line");
    assert!(token.starts_with("oncue_") && token.len() == 49, "{token}");
    assert!(!made.err.contains(token) && made.err.contains("`ci`"), "{made:?}");
    let list = on(&folder, &["token", "list"]);
    assert!(list.out.contains(&format!("{}…", &token[..10])), "{list:?}");
    assert!(!list.out.contains(token));
    let json = on(&folder, &["token", "list", "--json"]).json();
    let row = &json["tokens"][0];
    assert_eq!(
        (&json["version"], &row["principal"], &row["scope"], &row["state"]),
        (&1.into(), &"ci".into(), &"read".into(), &"valid".into())
    );
    for file in fs::read_dir(folder.path("state")).expect("made") {
        let bytes = fs::read(file.expect("a file").path()).expect("readable");
        assert!(!String::from_utf8_lossy(&bytes).contains(&token[10..]));
    }
}

#[test]
fn a_token_is_revoked_by_its_id() {
    let folder = empty();
    let made = on(&folder, &["token", "create", "ci", "--scope", "write", "--json"]).json();
    assert_eq!(made["scope"], "write");
    let id = made["id"].as_str().expect("an id");
    for _ in 0..2 {
        let revoked = on(&folder, &["token", "revoke", id]);
        assert_eq!((revoked.code, &*revoked.out), (0, ""), "{revoked:?}");
    }
    let again = on(&folder, &["token", "revoke", id, "--json"]).json();
    assert_eq!((&again["was_already"], &again["id"]), (&serde_json::json!(true), &made["id"]));
    let json = on(&folder, &["token", "list", "--json"]).json();
    assert_eq!(json["tokens"][0]["state"], "revoked");
    let unknown = on(&folder, &["token", "revoke", "0"]);
    assert_eq!(unknown.code, 1);
    assert!(unknown.err.contains("hint: see the ids: oncue token list"), "{unknown:?}");
}

#[test]
fn what_cannot_be_made_is_refused() {
    let folder = empty();
    let cases: [(&[&str], i32); 5] = [
        (&["token", "create", " "], 2),
        (&["token", "create", "ci", "--scope", "all"], 2),
        (&["token", "create", "ci", "--expires", "soon"], 2),
        (&["token", "create", "ci", "--expires", "0s"], 2),
        (&["token", "create", "ci", "--expires", "9000y"], 2),
    ];
    for (args, code) in cases {
        assert_eq!(on(&folder, args).code, code, "{args:?}");
    }
    assert_eq!(on(&folder, &["token", "list", "--json"]).json()["tokens"], serde_json::json!([]));
}

#[test]
fn damaged_tokens_are_told_with_what_to_do() {
    let folder = Folder::of(&[("state/tokens.json", b"{ torn")]);
    for args in [&["token", "list"][..], &["token", "create", "ci"]] {
        let failed = on(&folder, args);
        assert_eq!((failed.code, &*failed.out), (3, ""), "{failed:?}");
        assert!(failed.err.contains("hint: nobody is let in meanwhile"), "{failed:?}");
    }
    assert_eq!(fs::read(folder.path("state/tokens.json")).expect("kept"), b"{ torn");
}

#[test]
fn the_settings_name_the_folder() {
    let folder = Folder::of(&[("oncue.toml", b"state_dir = \"kept\"\naudit = false\n")]);
    let config = folder.path("oncue.toml");
    let made = oncue(&["token", "create", "ci", "--config", &config]);
    assert_eq!(made.code, 0, "{made:?}");
    assert!(fs::exists(folder.path("kept/tokens.json")).expect("readable"));
    assert!(!fs::exists(folder.path("kept/audit.jsonl")).expect("readable"), "it is off");
}

#[test]
fn changes_of_tokens_are_recorded_and_tampering_is_found() {
    let folder = empty();
    let id = on(&folder, &["token", "create", "ci", "--json"]).json()["id"].clone();
    on(&folder, &["token", "revoke", id.as_str().expect("an id")]);
    let whole = on(&folder, &["audit", "verify"]);
    assert_eq!((whole.code, &*whole.out), (0, ""), "{whole:?}");
    // The beginning, a creation and a revocation.
    assert!(whole.err.starts_with("3 records in 1 file: whole; record 3 has the digest "));
    let file = folder.path("state/audit.jsonl");
    let text = fs::read_to_string(&file).expect("UTF-8");
    fs::write(&file, text.replace("token_created", "token_removed")).expect("written");
    let found = on(&folder, &["audit", "verify"]);
    assert_eq!(
        (found.code, found.out),
        (1, format!("{file}:2: record 2 is not what was written\n"))
    );
    let alone = oncue(&["audit", "verify", &file, "--json"]);
    assert_eq!(alone.code, 1);
    let json = alone.json();
    assert_eq!((&json["whole"], &json["records"]), (&false.into(), &3.into()));
    let fault = &json["faults"][0];
    assert_eq!((&fault["line"], &fault["kind"]), (&2.into(), &"changed".into()));
}
