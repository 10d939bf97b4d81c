//! How much of a file is read, and how long that takes at the most.

use std::time::Instant;

use super::*;

/// Reads `tool` between two good ones and returns why it was set aside.
fn reason(tool: &str) -> Option<Reason> {
    let listing = read(format!("[{A},{tool},{B}]").as_bytes(), "here").unwrap();
    assert_eq!(listing.len() + listing.set_aside.len(), 3);
    listing.set_aside.into_iter().next().map(|tool| tool.reason)
}

#[test]
fn every_bound_holds_at_the_limit_and_not_beyond() {
    fn check(limit: usize, tool: impl Fn(usize) -> String, beyond: Reason) {
        assert_eq!(reason(&tool(limit - 1)), None);
        assert_eq!(reason(&tool(limit)), None);
        assert_eq!(reason(&tool(limit + 1)), Some(beyond));
    }
    check(
        128,
        |n| format!(r#"{{"name":"{}"}}"#, "é".repeat(n)),
        Reason::NameTooLong { chars: 129 },
    );
    check(
        32 * 1024,
        |n| format!(r#"{{"name":"x","description":"{}"}}"#, "d".repeat(n)),
        Reason::DescriptionTooLong { bytes: 32 * 1024 + 1 },
    );
    check(
        256 * 1024,
        |n| format!(r#"{{"name":"x","inputSchema":{{"x":"{}"}}}}"#, "s".repeat(n - 8)),
        Reason::SchemaTooLarge { bytes: 256 * 1024 + 1 },
    );
    check(
        32,
        |n| {
            format!(
                r#"{{"name":"x","inputSchema":{}{}}}"#,
                r#"{"a":"#.repeat(n - 1) + "{",
                "}".repeat(n)
            )
        },
        Reason::SchemaTooDeep { depth: 33 },
    );
    check(
        4_000,
        |n| {
            format!(r#"{{"name":"x","inputSchema":{{"anyOf":[{}]}}}}"#, vec!["{}"; n - 1].join(","))
        },
        Reason::TooManySubschemas { objects: 4_001 },
    );
    check(
        2_000,
        |n| format!(r#"{{"name":"x","inputSchema":{{"enum":[{}]}}}}"#, vec!["1"; n].join(",")),
        Reason::TooManyEnumValues { values: 2_001 },
    );
    check(
        64,
        |n| format!(r#"{{"name":"x","_meta":{}{}}}"#, "[".repeat(n - 1), "]".repeat(n - 1)),
        Reason::TooDeep { depth: 65 },
    );
    check(
        1024 * 1024,
        |n| format!(r#"{{"name":"x","_meta":"{}"}}"#, "m".repeat(n - 23)),
        Reason::TooLarge { bytes: 1024 * 1024 + 1 },
    );
}

#[test]
fn a_title_too_long_to_be_one_costs_the_title_only() {
    for (chars, kept) in [(127, true), (128, true), (129, false)] {
        let title = "é".repeat(chars);
        let file = json!([{"name": "x", "title": title, "inputSchema": {}}]).to_string();
        let listing = read(file.as_bytes(), "here").unwrap();
        assert_eq!(listing.sources[0].tools[0].definition.row().title() == title, kept);
        assert_eq!(listing.notes.len(), usize::from(!kept));
    }
}

#[test]
fn the_tool_after_the_last_admitted_one_is_set_aside() {
    let mut file = String::new();
    for n in 0..TOOLS_PER_SOURCE_MAX + 2 {
        writeln!(file, r#"{{"name":"t{n}"}}"#).unwrap();
    }
    let listing = read(file.as_bytes(), "here").unwrap();
    assert_eq!(listing.len(), 10_000);
    let reasons: Vec<_> = listing.set_aside.iter().map(|tool| &tool.reason).collect();
    assert_eq!(reasons, [&Reason::SourceFull, &Reason::SourceFull]);
    assert_eq!((listing.notes.len(), listing.unrecorded), (10_000, 0));
}

#[test]
fn records_are_bounded_and_the_rest_is_counted() {
    let file = format!("[{A}{}]", ",0".repeat(RECORDS_MAX + 5));
    let listing = read(file.as_bytes(), "here").unwrap();
    assert_eq!((listing.len(), listing.set_aside.len(), listing.unrecorded), (1, RECORDS_MAX, 5));
}

#[test]
fn a_message_or_line_beyond_its_bound_is_not_looked_at() {
    let blank = " ".repeat(MESSAGE_BYTES_MAX - 2 - A.len());
    check(format!("[{A}{blank}]"), &["here/a"]);
    refused(format!("[{A} {blank}]"), &IngestError::TooLong { bytes: MESSAGE_BYTES_MAX + 1 });
    let bytes = 100 * 1024 * 1024;
    let long = "x".repeat(bytes);
    check(
        format!("{A}\n{long}\n{B}\n"),
        &["here/a", "here/b", "- line 2: the line has 104857600 bytes, more than 8388608"],
    );
    check(
        format!("{long}\n{A}\n"),
        &["here/a", "- line 1: the line has 104857600 bytes, more than 8388608"],
    );
    refused(&long, &IngestError::TooLong { bytes });
}

// case: C32
#[test]
fn references_in_circles_load_and_endless_nesting_is_set_aside() {
    let finite = [
        r##"{"properties":{"nodes":{"items":{"properties":{"children":{"items":{"$ref":"#/properties/nodes/items"}}}}}}}"##,
        r##"{"$defs":{"A":{"$ref":"#/$defs/B"},"B":{"$ref":"#/$defs/A"}},"$ref":"#/$defs/A"}"##,
        r##"{"$ref":"#"}"##,
        r##"{"$ref":"http://192.0.2.1/schema.json"}"##,
    ];
    for schema in finite {
        let file = format!(r#"[{{"name":"x","inputSchema":{schema}}},{A}]"#);
        let listing = read(file.as_bytes(), "here").unwrap();
        assert_eq!(told(&listing), ["here/x", "here/a"]);
        assert_eq!(listing.sources[0].tools[0].definition.parameters().unwrap().get(), schema);
    }
    for depth in [10_000, 100_000] {
        let nested = format!("{}{{}}{}", r#"{"items":"#.repeat(depth), "}".repeat(depth));
        let deep = format!(r#"{{"name":"x","inputSchema":{nested}}}"#);
        let expected = match depth {
            10_000 => Reason::TooDeep { depth: 10_002 },
            _ => Reason::TooDeep { depth: 100_002 },
        };
        assert_eq!(reason(&deep), Some(expected));
    }
}

// case: C32
#[test]
fn no_tool_takes_longer_than_five_milliseconds() {
    let half = SCHEMA_BYTES_MAX / 2;
    let worst = [
        format!(r#"{{"name":"x","inputSchema":{}{}}}"#, "[".repeat(half), "]".repeat(half)),
        format!(r#"{{"name":"x","inputSchema":{{"enum":[{}0]}}}}"#, "0,".repeat(half - 9)),
        format!(r#"{{"name":"x","inputSchema":{{"a":"{}"}}}}"#, r"\n".repeat(half - 9)),
        format!(r#"{{"name":"x","inputSchema":{{{}"b":0}}}}"#, r#""a":0,"#.repeat(half / 3 - 9)),
    ];
    for tool in worst {
        let listed = format!("[{tool}]");
        // The best of several runs, since other programs share the machine. A debug build is many times slower; there
        // the bound only tells linear from quadratic time, which would take minutes.
        let fastest = (0..5).map(|_| {
            let begin = Instant::now();
            let _ = read(listed.as_bytes(), "here");
            begin.elapsed()
        });
        let bound_ms = if cfg!(debug_assertions) { 1_000 } else { 5 };
        let fastest = fastest.min().unwrap();
        assert!(fastest.as_millis() < bound_ms, "{fastest:?} for {}", &tool[..40]);
    }
}
