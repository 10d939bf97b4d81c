//! What a catalog may be, and what becomes of one that is broken.

use std::process::Command;

use crate::oncue::{Answer, CATALOG, Folder, answer, fed, on, oncue};

const SEARCH: [&str; 2] = ["search", "mail"];

fn search(name: &str, catalog: &[u8]) -> Answer {
    on(name, catalog, &SEARCH)
}

#[test]
fn a_missing_file_is_told_with_its_path() {
    let found = oncue(&["search", "mail", "--catalog", "nowhere/tools.json"]);
    assert_eq!(
        found,
        Answer {
            code: 3,
            out: String::new(),
            err: "error: failed to read catalog `nowhere/tools.json`: No such file or directory (os error 2)\n\n\
                  hint: check the path, or leave out `--catalog` to use the embedded catalog\n"
                .into(),
        }
    );
}

#[test]
fn a_folder_without_catalogs_is_told() {
    let folder = Folder::of(&[("notes.txt", b"hello")]);
    let path = folder.path("");
    let found = oncue(&["search", "mail", "--catalog", &path]);
    assert_eq!(found.code, 3);
    assert_eq!(
        found.err,
        format!(
            "error: no *.json or *.jsonl file in `{path}`\n\nhint: name a catalog file; see what is there: ls '{path}'\n"
        )
    );
}

#[test]
fn a_file_that_is_no_catalog_is_an_error_that_names_it() {
    let cases: [(&str, &[u8], &str); 6] = [
        ("a.json", b"hello", "not JSON at line 1, column 1"),
        ("b.json", b"", "the catalog is empty"),
        ("c.json", b"{\"tools\": 7}", "no list of tools"),
        ("d.json", b"{\"tools\": []}", "the catalog lists no tools"),
        ("e.jsonl", b"\xff\xfe\x00", "UTF-16"),
        ("f.json", b"{\"tools\": [{\"name\": 7}]}", "no tool could be read"),
    ];
    for (name, catalog, expected) in cases {
        let found = search(name, catalog);
        assert_eq!((found.code, found.out.as_str()), (3, ""), "{name}: {found:?}");
        assert!(found.err.starts_with("error: "), "{name}: {found:?}");
        assert!(found.err.contains(expected), "{name}: {found:?}");
        assert!(found.err.contains("\n\nhint: "), "{name}: {found:?}");
    }
}

// case: C35
#[test]
fn one_broken_tool_is_set_aside_and_its_siblings_are_searched() {
    let catalog = br#"{"tools": [
        {"name": "send_mail", "description": "Sends a mail", "inputSchema": {"type": "object"}},
        {"name": 7, "description": "Sends a mail"},
        {"name": "read_mail", "description": "Reads a mail", "inputSchema": {"type": "object"}}
    ]}"#;
    let found = search("box.json", catalog);
    assert_eq!(found.code, 0, "{found:?}");
    for name in ["box/send_mail", "box/read_mail"] {
        assert!(found.out.contains(name), "{found:?}");
    }
    assert!(
        found.err.starts_with("warning: 1 item set aside: box.json tool 2: the name is a number"),
        "{found:?}"
    );
}

#[test]
fn of_two_equal_names_of_one_server_the_first_is_searched() {
    let catalog = br#"{"name": "send", "description": "mail first"}
{"name": "send", "description": "mail second"}
{"name": "post", "description": "mail third"}"#;
    let found = search("tools.jsonl", catalog);
    assert!(found.out.contains("mail first") && found.out.contains("mail third"), "{found:?}");
    assert!(!found.out.contains("mail second"), "{found:?}");
    assert!(
        found.err.starts_with("warning: 1 item set aside: tools.jsonl line 2 `send`: "),
        "{found:?}"
    );
}

// case: C32
#[test]
fn schemas_without_end_cost_at_most_their_tool() {
    let deep = format!("{}{}", "{\"items\":".repeat(10_000), "{}".to_owned() + &"}".repeat(10_000));
    let catalog = format!(
        r##"{{"name": "cycle", "description": "mail", "input_schema": {{"properties": {{"nodes": {{"items": {{"$ref": "#/properties/nodes"}}}}}}}}}}
{{"name": "itself", "description": "mail", "input_schema": {{"$ref": "#"}}}}
{{"name": "away", "description": "mail", "input_schema": {{"$ref": "http://127.0.0.1:9/x"}}}}
{{"name": "deep", "description": "mail", "input_schema": {deep}}}
{{"name": "healthy", "description": "mail"}}"##
    );
    let found = search("tools.jsonl", catalog.as_bytes());
    for name in ["tools/cycle", "tools/itself", "tools/away", "tools/healthy"] {
        assert!(found.out.contains(name), "{found:?}");
    }
    assert!(found.err.contains("tools.jsonl line 4 `deep`: "), "{found:?}");
}

#[test]
fn many_set_aside_tools_take_one_line_unless_all_are_asked_for() {
    let mut catalog = String::from("{\"name\": \"send_mail\", \"description\": \"mail\"}\n");
    for _ in 0..9 {
        catalog.push_str("{\"name\": \"\", \"description\": \"mail\"}\n");
    }
    let found = search("tools.jsonl", catalog.as_bytes());
    let first = found.err.lines().next().expect("a line");
    assert!(first.starts_with("warning: 9 items set aside: tools.jsonl line 2"), "{found:?}");
    assert!(first.ends_with("; … (all with `--verbose`)"), "{found:?}");
    let found = on("tools.jsonl", catalog.as_bytes(), &["search", "mail", "--verbose"]);
    assert_eq!(found.err.lines().filter(|line| line.starts_with("  tools.jsonl line")).count(), 9);
}

// case: C29
#[test]
fn equal_names_live_side_by_side_under_different_servers_only() {
    let folder = Folder::of(&[
        ("a.json", br#"{"tools": [{"name": "send", "description": "mail", "inputSchema": {}}]}"#),
        ("b.json", br#"{"tools": [{"name": "send", "description": "mail", "inputSchema": {}}]}"#),
        (
            "c.json",
            br#"{"server": "b", "tools": [{"name": "send", "description": "mail", "inputSchema": {}}]}"#,
        ),
    ]);
    let found = oncue(&["search", "mail", "--catalog", &folder.path("")]);
    assert!(found.out.contains("a/send") && found.out.contains("b/send"), "{found:?}");
    assert!(found.err.ends_with("2 of 2 matching, 2 tools searched\n"), "{found:?}");
    assert!(found.err.contains("c.json tool 1 `send`: `b` has a tool of this name already"));
}

#[test]
fn bytes_that_are_no_text_cost_only_their_tool() {
    let mut catalog = CATALOG.as_bytes().to_vec();
    catalog.extend(b"{\"name\": \"caf\xe9\", \"description\": \"mail\"}\n");
    let found = search("tools.jsonl", &catalog);
    assert_eq!(found.code, 0, "{found:?}");
    assert!(found.out.contains("web/send_mail"), "{found:?}");
    assert!(found.err.contains("tools.jsonl line 5: invalid UTF-8"), "{found:?}");
}

#[test]
fn a_broken_file_of_a_folder_costs_only_itself() {
    let folder = Folder::of(&[
        ("broken.json", b"{"),
        ("good.jsonl", CATALOG.as_bytes()),
        ("ignored.txt", b"mail"),
    ]);
    let found = oncue(&["search", "mail", "--catalog", &folder.path("")]);
    assert_eq!(found.code, 0, "{found:?}");
    assert!(found.out.contains("web/send_mail"), "{found:?}");
    assert!(found.err.contains("broken.json: not JSON"), "{found:?}");
    let alone = oncue(&["search", "mail", "--catalog", &folder.path("broken.json")]);
    assert_eq!(alone.code, 3, "{alone:?}");
}

#[test]
fn standard_input_is_a_catalog_too() {
    let found = fed(&["search", "mail", "--catalog", "-"], CATALOG.as_bytes());
    assert!(found.out.contains("web/send_mail"), "{found:?}");
    assert_eq!(found.code, 0);
    let found = fed(&["search", "mail", "--catalog", "-"], b"");
    assert_eq!(found.code, 3);
    assert!(found.err.starts_with("error: failed to read catalog `standard input`: "), "{found:?}");
}

#[test]
fn several_catalogs_are_searched_as_one() {
    let folder = Folder::of(&[
        ("one.jsonl", CATALOG.as_bytes()),
        ("two.json", br#"{"tools": [{"name": "post", "description": "mail", "inputSchema": {}}]}"#),
    ]);
    let (one, two) = (folder.path("one.jsonl"), folder.path("two.json"));
    let found = oncue(&["search", "mail", "--catalog", &one, "--catalog", &two]);
    assert!(found.err.ends_with("2 of 2 matching, 5 tools searched\n"), "{found:?}");
}

/// A line of 100 MB among good ones costs neither them nor more than a few times its own size.
#[cfg(target_os = "linux")]
#[test]
fn a_line_of_100_megabytes_is_set_aside_within_bounded_memory() {
    /// Address space of the command, in KiB: its file, once, and room to work.
    const ADDRESS_SPACE_KIB: u32 = 320 * 1024;

    let mut catalog = CATALOG.as_bytes().to_vec();
    catalog.extend(b"{\"name\": \"huge\", \"description\": \"");
    catalog.resize(catalog.len() + 100_000_000, b'x');
    catalog.extend(b"\"}\n{\"name\": \"after\", \"description\": \"mail after it\"}\n");
    let folder = Folder::of(&[("tools.jsonl", &catalog)]);
    let script = format!("ulimit -v {ADDRESS_SPACE_KIB}; exec \"$0\" \"$@\"");
    let mut command = Command::new("sh");
    command.args(["-c", &script, env!("CARGO_BIN_EXE_oncue"), "search", "mail"]);
    command.args(["--catalog", &folder.path("tools.jsonl")]);
    let found = answer(command, b"");
    assert_eq!(found.code, 0, "{found:?}");
    for name in ["web/send_mail", "tools/after"] {
        assert!(found.out.contains(name), "{found:?}");
    }
    assert!(found.err.contains("line 5: the line has 100000035 bytes"), "{found:?}");
}
