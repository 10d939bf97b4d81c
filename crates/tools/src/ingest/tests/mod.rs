//! What is read of a file, what is set aside, and what is refused.

mod bounds;

use std::fmt::Write;

use proptest::prelude::*;
use serde_json::json;

use super::*;
use crate::limits::TOOLS_PER_SOURCE_MAX;

/// What a listing says, as lines: `server/name`, then the set-aside tools, then the notes.
fn told(listing: &Listing) -> Vec<String> {
    let mut lines: Vec<String> = listing
        .tools()
        .map(|(server, tool)| format!("{server}/{}", tool.definition.name()))
        .collect();
    lines.extend(listing.set_aside.iter().map(|tool| format!("- {tool}")));
    lines.extend(listing.notes.iter().map(|note| format!("~ {note}")));
    lines
}

fn check(file: impl AsRef<[u8]>, expected: &[&str]) {
    let file = file.as_ref();
    let listing = read(file, "here");
    let listing = listing.unwrap_or_else(|error| panic!("{error}: {:?}", file.escape_ascii()));
    assert_eq!(told(&listing), expected);
}

/// Which byte of a fault the JSON parser names is its own affair.
fn without_column(lines: &[String]) -> Vec<String> {
    let cut = |line: &String| match line.split_once(" at column ") {
        Some((head, tail)) => {
            format!("{head}{}", tail.trim_start_matches(|c: char| c.is_ascii_digit()))
        }
        None => line.clone(),
    };
    lines.iter().map(cut).collect()
}

fn refused(file: impl AsRef<[u8]>, expected: &IngestError) {
    let file = file.as_ref();
    let shown = file.get(..80).unwrap_or(file).escape_ascii();
    assert_eq!(read(file, "here").err().as_ref(), Some(expected), "{shown}");
}

const A: &str = r#"{"name":"a","inputSchema":{}}"#;
const B: &str = r#"{"name":"b","inputSchema":{}}"#;

#[test]
fn every_form_gives_the_same_tools() {
    check(format!(r#"{{"tools":[{A},{B}]}}"#), &["here/a", "here/b"]);
    check(
        format!(r#"{{"jsonrpc":"2.0","id":1,"result":{{"tools":[{A},{B}]}}}}"#),
        &["here/a", "here/b"],
    );
    check(format!("[{A},{B}]"), &["here/a", "here/b"]);
    check(format!(" \n[\n{A},\n{B}\n]\n\n"), &["here/a", "here/b"]);
    check(format!("{A}\n{B}"), &["here/a", "here/b"]);
    check(format!("\u{feff}{A}\r\n\r\n{B}\r\n"), &["here/a", "here/b"]);
    check(format!("\u{feff}[{A}]"), &["here/a"]);
    check(A, &["here/a"]);
    check(format!(r#"{{"server":"up","tools":[{A}]}}"#), &["up/a"]);
    check(
        format!(
            "{{\"server\":\"up\",\"tools\":[{A}]}}\n{{\"server\":\"down\",\"tools\":[{A}]}}\n[{B}]"
        ),
        &["up/a", "down/a", "here/b"],
    );
    check(r#"{"tools":[]}"#, &[]);
    check("[]", &[]);
}

#[test]
fn a_line_names_its_server_and_a_list_cannot() {
    let tool = r#"{"id":"set/a","name":"a","input_schema":{},"server":"up"}"#;
    let listing = read(tool.as_bytes(), "here").unwrap();
    assert_eq!(told(&listing), ["up/a"]);
    assert_eq!(listing.sources[0].tools[0].id.as_deref(), Some("set/a"));
    check(format!(r#"{{"tools":[{tool}]}}"#), &["here/a"]);
    check(
        r#"{"name":"a","input_schema":{},"server":7}"#,
        &[
            "here/a",
            "~ line 1, `a`: the server id is ignored: it is not a name of 1 to 128 characters",
        ],
    );
}

#[test]
fn a_catalog_file_tells_about_its_server() {
    let file = format!(
        r#"{{"server":"up","package":"@up/mcp","version":"1.2","license":"MIT","instructions":"Ask first.","tools":[{A}]}}"#
    );
    let listing = read(file.as_bytes(), "here").unwrap();
    let source = &listing.sources[0];
    let package = Package { name: "@up/mcp".into(), version: "1.2".into(), licence: "MIT".into() };
    assert_eq!(source.package.as_ref(), Some(&package));
    assert_eq!(source.instructions, "Ask first.");
}

// case: C31
#[test]
fn a_definition_is_kept_byte_for_byte() {
    let schema = r##"{ "type":"object", "additionalProperties":false, "x-foo":1e2,
        "properties":{"z":{"$ref":"#/$defs/z"},"a":{"maximum":123456789012345678901234567890,"default":null}},
        "$defs":{"z":{"type":"object","required":["한글"],"properties":{"한글":{"const":"\u00e9"}}}} }"##;
    let tool = format!(r#"{{ "name":"t\u0061g", "inputSchema":{schema}, "x-more": [1 ,2] }}"#);
    for file in [format!(r#"{{"tools":[ {tool} ]}}"#), tool.replace('\n', " ")] {
        let listing = read(file.as_bytes(), "here").unwrap();
        let definition = &listing.sources[0].tools[0].definition;
        let as_in_file = |text: &str| {
            if file.contains('\n') { text.to_owned() } else { text.replace('\n', " ") }
        };
        assert_eq!(definition.name(), "tag");
        assert_eq!(definition.parameters().unwrap().get(), as_in_file(schema));
        assert_eq!(definition.raw().unwrap().get(), as_in_file(&tool));
    }
}

#[test]
fn the_label_is_the_title_or_else_the_annotated_one() {
    fn check(parts: &str, expected: &str) {
        let file = format!(r#"[{{"name":"a","inputSchema":{{}},{parts}}}]"#);
        let listing = read(file.as_bytes(), "here").unwrap();
        assert_eq!(listing.sources[0].tools[0].definition.row().title(), expected, "{parts}");
    }
    check(r#""title":"T","annotations":{"title":"A"}"#, "T");
    check(r#""annotations":{"readOnlyHint":true,"title":"A"}"#, "A");
    check(r#""annotations":{}"#, "");
    check(r#""title":null,"annotations":"title""#, "");
}

// case: C35
#[test]
fn odd_tools_are_reported_one_by_one_and_the_rest_live() {
    let mut tools: Vec<_> = (1..=15)
        .map(|n| json!({"name": format!("t{n}"), "inputSchema": {"type": "object"}}))
        .collect();
    tools.push(json!({"name": "bad_output", "inputSchema": {}, "outputSchema": {"$id": "x", "description": "…"}}));
    tools.push(json!({"name": "bad_notes", "inputSchema": {}, "annotations": "yes"}));
    tools.push(json!({"name": "no_input"}));
    tools.push(json!({"name": "t3", "inputSchema": {}}));
    let listing = read(json!({ "tools": tools }).to_string().as_bytes(), "here").unwrap();
    assert_eq!(listing.len(), 18);
    assert_eq!(
        told(&listing)[18..],
        [
            "- tool 19, `t3`: the same server lists this name at tool 3 already",
            "~ tool 16, `bad_output`: the output schema is ignored: it has no `type`",
            "~ tool 17, `bad_notes`: the annotations are ignored: they are a string, not an object",
            "~ tool 18, `no_input`: no input schema: taken as a tool whose arguments are unknown",
        ]
    );
}

// case: C35
#[test]
fn a_bad_tool_is_set_aside_with_its_place_name_and_reason() {
    let cases = [
        ("7", "- tool 2: the tool is a number, not an object"),
        ("null", "- tool 2: the tool is null, not an object"),
        ("[]", "- tool 2: the tool is an array, not an object"),
        ("nope", "- tool 2: not JSON: expected ident"),
        ("{}", "- tool 2: no name"),
        (r#"{"name":null}"#, "- tool 2: no name"),
        (r#"{"name":" "}"#, "- tool 2, ` `: no name"),
        (r#"{"name":["x"]}"#, "- tool 2: the name is an array, not a string"),
        (r#"{"name":"x\ny"}"#, "- tool 2, `x\\ny`: the name has a control character (U+000A)"),
        (r#"{"name":"\ud800"}"#, "- tool 2: the name has an escape that stands for no character"),
        (r#"{"name":"x","name":"y"}"#, "- tool 2, `x`: `name` is there twice"),
        (
            r#"{"name":"x","description":5}"#,
            "- tool 2, `x`: the description is a number, not a string",
        ),
        (
            r#"{"name":"x","inputSchema":"{}"}"#,
            "- tool 2, `x`: the input schema is a string, not an object",
        ),
        (
            r#"{"name":"x","inputSchema":true}"#,
            "- tool 2, `x`: the input schema is a boolean, not an object",
        ),
        (
            r#"{"name":"x","inputSchema":{},"input_schema":{}}"#,
            "- tool 2, `x`: `inputSchema` is there twice",
        ),
        (r#"{"name":"x","inputSchema":{'a':1}}"#, "- tool 2, `x`: not JSON: key must be a string"),
        (
            r#"{"name":"x","description":"a	b"}"#,
            "- tool 2, `x`: not JSON: control character (\\u0000-\\u001F) found while parsing a string",
        ),
        (r#"{"name":"x","description":"\q"}"#, "- tool 2, `x`: not JSON: invalid escape"),
        (r#"{"name":"x",}"#, "- tool 2, `x`: not JSON: key must be a string"),
    ];
    for (bad, expected) in cases {
        let listing = read(format!("[{A},{bad},{B}]").as_bytes(), "here").unwrap();
        assert_eq!(without_column(&told(&listing)), ["here/a", "here/b", expected]);
        let in_lines = expected.replacen("tool 2", "line 2", 1);
        if bad != "[]" {
            let listing = read(format!("{A}\n{bad}\n{B}\n").as_bytes(), "here").unwrap();
            assert_eq!(without_column(&told(&listing)), ["here/a", "here/b", &in_lines]);
        }
    }
}

#[test]
fn invalid_utf8_costs_one_tool_and_names_the_byte() {
    let bad = b"{\"name\":\"\xff\"}";
    let listed = [b"[", A.as_bytes(), b",", bad, b"]"].concat();
    let at = 1 + A.len() + 1 + 9;
    check(&listed, &["here/a", &format!("- tool 2: invalid UTF-8 at byte {at}")]);
    let lines = [A.as_bytes(), b"\n", bad, b"\n\xfe\xfd\n", B.as_bytes()].concat();
    let second = A.len() + 1 + 9;
    let third = A.len() + 1 + bad.len() + 1;
    check(
        &lines,
        &[
            "here/a",
            "here/b",
            &format!("- line 2: invalid UTF-8 at byte {second}"),
            &format!("- line 3: invalid UTF-8 at byte {third}"),
        ],
    );
    refused(b"caf\xe9\nth\xe9\n", &IngestError::NotUtf8 { offset: 3 });
}

#[test]
fn a_broken_line_loses_only_itself() {
    check(
        format!("{{\"name\":\"x\n{A}\n"),
        &["here/a", "- line 1: not JSON at column 10: EOF while parsing a string"],
    );
    check(
        format!("{A}\n{{\"result\":{{}}}}\n{{\"error\":{{\"message\":\"no\"}},\"result\":null}}\n"),
        &[
            "here/a",
            "- line 2: no list of tools: an object without `tools`",
            "- line 3: no list of tools: an error answer: no",
        ],
    );
}

#[test]
fn a_file_that_is_no_catalog_is_refused_with_the_reason() {
    let not_json = |line, column, expected: &str| IngestError::NotJson {
        line,
        column,
        expected: expected.into(),
    };
    let no_tools = |found: &str| IngestError::NoTools { found: found.into() };
    refused("", &IngestError::Empty);
    refused(" \r\n\t", &IngestError::Empty);
    refused("\u{feff}", &IngestError::Empty);
    refused(b"\xff\xfe[\0]\0", &IngestError::WideEncoding);
    refused("hello world\nmore text\n", &not_json(1, 1, "an object"));
    refused("[workspace]\nmembers = []\n\n[lints]\n", &not_json(1, 1, "an object"));
    refused("hello", &not_json(1, 1, "an object or an array"));
    refused("\n\n  hello world", &not_json(3, 3, "an object"));
    refused("[1, 2", &not_json(1, 6, "a closing bracket"));
    refused(format!("{{\"tools\":[\n{A},\n{B}\n"), &not_json(4, 1, "a closing bracket"));
    refused(format!("[{A} {B}]"), &not_json(1, A.len() + 3, "`,` or a closing bracket"));
    refused("{\n\"tools\":[]}\n{\n\"tools\":[]}\n", &not_json(3, 1, "the end of the file"));
    refused("{}", &no_tools("an object without `tools`"));
    refused(r#"{"tools":{"a":1}}"#, &no_tools("`tools` is an object"));
    refused(r#"{"result":{"tools":null}}"#, &no_tools("`tools` is null"));
    refused(
        r#"{"jsonrpc":"2.0","id":1,"error":{"code":-32601,"message":"no\nsuch method"}}"#,
        &IngestError::Refusal { message: "no such method".into() },
    );
}

#[test]
fn a_list_with_further_pages_says_so() {
    check(
        format!(r#"{{"tools":[{A}],"nextCursor":""}}"#),
        &[
            "here/a",
            "~ whole file: the list has further pages (`nextCursor`) that are not in this file",
        ],
    );
    check(format!(r#"{{"tools":[{A}],"nextCursor":null}}"#), &["here/a"]);
}

#[test]
fn of_equal_names_the_first_is_kept() {
    check(
        format!("{A}\n{B}\n{A}\n"),
        &["here/a", "here/b", "- line 3, `a`: the same server lists this name at line 1 already"],
    );
    check(format!(r#"{{"server":"up","tools":[{A}]}}{}[{A}]"#, '\n'), &["up/a", "here/a"]);
}

#[test]
fn names_stay_apart_by_server_case_and_separator() {
    check(
        r#"[{"name":"a_b","inputSchema":{}},{"name":"A_b","inputSchema":{}},{"name":"a-b","inputSchema":{}}]"#,
        &["here/a_b", "here/A_b", "here/a-b"],
    );
}

proptest! {
    #[test]
    fn reading_is_total_and_repeatable(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
        let told_twice = [(); 2].map(|()| read(&bytes, "here").map(|listing| told(&listing)));
        prop_assert_eq!(&told_twice[0], &told_twice[1]);
    }

    #[test]
    fn siblings_survive_any_text_in_their_midst(bad in "[a-z0-9\"\\\\{}\\[\\],: \u{e9}]{0,60}") {
        let file = format!("{A}\n{bad}\n{B}\n");
        if let Ok(listing) = read(file.as_bytes(), "here") {
            let told = told(&listing);
            prop_assert!(told.contains(&"here/a".to_owned()), "{told:?}");
            prop_assert!(told.contains(&"here/b".to_owned()), "{told:?}");
        } else {
            prop_assert!(false, "refused: {bad}");
        }
    }
}
