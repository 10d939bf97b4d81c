use oncue_decl::Row;
use oncue_search::rank::Bm25f;
use oncue_tools::Definition;
use serde_json::value::RawValue;

use super::{Finding, Kind, Report, lint, markdown};

/// A tool of a server, with a schema that nothing can be said about unless another is given.
fn tool(source: &str, name: &str, description: &str, schema: &str) -> (String, Definition) {
    let schema = Some(schema).filter(|schema| !schema.is_empty());
    let schema = schema.map(|schema| RawValue::from_string(schema.to_owned()).unwrap());
    let row = Row::discoverable(name.to_owned(), description.to_owned());
    (source.to_owned(), Definition::new(row, schema))
}

fn linted(tools: &[(String, Definition)]) -> Report {
    lint(tools.iter().map(|(source, tool)| (source.as_str(), tool)), &Bm25f::default())
}

fn told(findings: &[Finding]) -> Vec<String> {
    findings.iter().map(|finding| format!("{}: {}", finding.site, finding.kind)).collect()
}

fn check(tools: &[(&str, &str, &str)], expected: &[&str]) {
    let tools: Vec<_> =
        tools.iter().map(|(source, name, text)| tool(source, name, text, "{}")).collect();
    let report = linted(&tools);
    assert_eq!(told(&report.findings), expected, "{:#?}", report.findings);
    let backwards: Vec<_> = tools.iter().rev().cloned().collect();
    assert_eq!(linted(&backwards), report);
}

#[test]
fn a_sound_catalog_has_no_findings() {
    check(
        &[
            ("mail", "send_mail", "Sends a letter to one or several people"),
            ("files", "read_file", "Reads a text from disk"),
            ("", "weather", "Tells how warm it gets tomorrow"),
        ],
        &[],
    );
}

#[test]
fn a_name_without_letters_finds_nothing() {
    check(&[("a", "__", "Does something rare")], &["a/__: not-found-by-name"]);
}

#[test]
fn a_description_that_finds_others_is_told() {
    let clone = |n| format!("search_{n}");
    let mut tools: Vec<(String, Definition)> =
        (0..6).map(|n| tool("a", &clone(n), "Search the web", "{}")).collect();
    tools.push(tool("a", "zeta", "Search the web for pages, pictures and more", "{}"));
    let report = linted(&tools);
    // The six say the very same; only five of them can be among five hits.
    let kinds: Vec<_> = report.of(Kind::NotFoundByDescription).collect();
    assert_eq!(kinds.len(), 1, "{kinds:#?}");
    assert_eq!(kinds[0].others.len(), 5);
}

// founding: B2
#[test]
fn halves_of_a_pair_and_copies_are_near_duplicates() {
    let text = "a table of the current workspace in a new tab for the user";
    let act = format!("Opens {text}");
    let propose = format!("Proposes opening {text}");
    let tools = [
        tool("bench", "openTable", &act, "{}"),
        tool("bench", "proposeOpenTable", &propose, "{}"),
        tool("bench", "count_rows", "Counts how many rows a query would give", "{}"),
    ];
    let report = linted(&tools);
    assert_eq!(told(&report.findings), ["bench/proposeOpenTable: near-duplicate"]);
    assert_eq!(
        report.findings[0].message,
        "says the same as `bench/openTable` but for `proposes` here: say in both when to take which"
    );
}

#[test]
fn one_name_on_several_servers_is_told_on_each() {
    check(
        &[
            ("a", "search", "Looks through web pages of the world"),
            ("b", "Search", "Finds letters in your mailbox by sender"),
        ],
        &["a/search: shared-name", "b/Search: shared-name"],
    );
}

#[test]
fn one_name_in_two_spellings_of_one_server_is_told() {
    check(
        &[
            ("a", "list_items", "Gives every article of the shop"),
            ("a", "listItems", "Shows what the basket of a customer holds"),
        ],
        &["a/listItems: spelling-twins", "a/list_items: spelling-twins"],
    );
}

#[test]
fn descriptions_without_content_are_told() {
    check(
        &[
            ("a", "read_file", ""),
            ("b", "write_file", "Write file."),
            ("c", "ping", "Checks reachability"),
            ("d", "오늘날씨", "오늘의 기온을 알려줍니다"),
        ],
        &[
            "a/read_file: no-description",
            "b/write_file: description-repeats-name",
            "c/ping: short-description",
            "d/오늘날씨: name-changed",
        ],
    );
    check(
        &[("a", "alpha", "Runs the job of a user"), ("a", "beta", "Runs the job of a user")],
        &["a/alpha: shared-description", "a/beta: shared-description"],
    );
}

// case: C25, C26
#[test]
fn names_that_gluing_or_cutting_would_merge_do_not_collide() {
    let long = |verb: &str| format!("{verb}_{}", "of_a_very_long_family_name".repeat(4));
    let tools = [
        tool("acme_", "status", "Tells how the first machine is doing", "{}"),
        tool("acme", "_status", "Says whether another engine runs well", "{}"),
        tool("a__b", "c", "Counts sheep until somebody sleeps", "{}"),
        tool("a", "b__c", "Bakes bread with sourdough overnight", "{}"),
        tool("up", &long("get"), "Fetches one entry by its number", "{}"),
        tool("up", &long("delete"), "Removes some old record for good", "{}"),
        tool("базы", "x", "Queries rows with conditions", "{}"),
        tool("😀", "x", "Draws faces that smile or cry", "{}"),
        tool("café", "x", "Orders coffee and cake", "{}"),
        tool("cafe", "x", "Reserves chairs outside", "{}"),
    ];
    let report = linted(&tools);
    assert_eq!(report.of(Kind::NameCollision).count(), 0);
    let long_names: Vec<_> = report
        .of(Kind::NameChanged)
        .filter(|finding| finding.site.source == "up")
        .map(|finding| finding.message.rsplit_once(": ").unwrap().1)
        .collect();
    let get = "up__".len() + long("get").len();
    let delete = "up__".len() + long("delete").len();
    assert_eq!(
        long_names,
        [
            format!(
                "with its server in front it has {delete} characters, more than 48; shorten it"
            ),
            format!("with its server in front it has {get} characters, more than 48; shorten it"),
        ]
    );
}

/// Lints one tool with this schema and returns its kinds of findings.
fn schema(schema: &str) -> Vec<String> {
    let report = linted(&[tool("a", "spin", "Turns a wheel as often as asked", schema)]);
    report.findings.iter().map(|finding| finding.kind.to_string()).collect()
}

// case: C32
#[test]
fn schema_oddities_are_told_by_kind() {
    let values: Vec<String> = (0..51).map(|n| n.to_string()).collect();
    let long_enum =
        format!(r#"{{"properties":{{"a":{{"description":"A","enum":[{}]}}}}}}"#, values.join(","));
    let deep = format!("{}{{}}{}", r#"{"items":"#.repeat(12), "}".repeat(12));
    let cases = [
        ("", vec!["no-schema"]),
        (r#"{"type":"object","properties":{}}"#, vec![]),
        (r#"{"type":"string"}"#, vec!["schema-not-object"]),
        (r##"{"$ref":"#/$defs/x"}"##, vec!["reference-nowhere"]),
        (r##"{"allOf":[{"$ref":"#/$defs/a%20b"}],"$defs":{"a b":{}}}"##, vec![]),
        (
            r##"{"properties":{"a":{"$ref":"#here"}},"$defs":{"b":{"$anchor":"here","description":"B"}}}"##,
            vec![],
        ),
        (
            r##"{"properties":{"a":{"$ref":"#/$defs/b"}},"$defs":{"b":{"description":"B"}}}"##,
            vec![],
        ),
        (
            r#"{"properties":{"a":{"description":"A","$ref":"http://192.0.2.1/x"}}}"#,
            vec!["reference-outside"],
        ),
        (
            r#"{"properties":{"a":{"description":"A"}},"required":["a","b"]}"#,
            vec!["required-unknown"],
        ),
        (
            r#"{"properties":{"a":{"description":"A"}},"anyOf":[{"required":["a"]},{"required":["b"]}]}"#,
            vec![],
        ),
        (r#"{"required":["a"]}"#, vec!["required-unknown"]),
        (r#"{"properties":{"a":{},"b":{"description":" "}}}"#, vec!["parameters-undescribed"]),
        (r#"{"properties":{"a":{"anyOf":[{"type":"null"},{"description":"A"}]}}}"#, vec![]),
        (&deep, vec!["deep-schema"]),
        (&long_enum, vec!["long-enum"]),
        (r#"{"properties":{"a":{"description":"A","pattern":"(?=x)x"}}}"#, vec!["pattern-refused"]),
        (r#"{"patternProperties":{"(a)\\1":{}}}"#, vec!["pattern-refused"]),
        (r#"{"properties":{"a":{"description":"A","type":7}}}"#, vec!["schema-not-enforced"]),
    ];
    for (text, expected) in cases {
        assert_eq!(schema(text), expected, "{text}");
    }
}

// case: C32
#[test]
fn references_in_circles_end() {
    for text in [
        r##"{"properties":{"nodes":{"description":"N","items":{"properties":{"children":{"items":{"$ref":"#/properties/nodes/items"}}}}}}}"##,
        r##"{"$defs":{"A":{"$ref":"#/$defs/B"},"B":{"$ref":"#/$defs/A"}},"properties":{"a":{"description":"A","$ref":"#/$defs/A"}}}"##,
    ] {
        let kinds = schema(text);
        assert!(kinds.iter().all(|kind| kind == "schema-not-enforced"), "{kinds:?}");
    }
}

#[test]
fn a_heavy_definition_is_told_with_its_weight() {
    // 38 bytes of frame, 6 and 8,002 of quoted texts, 2 of schema: 8,048 bytes, 2,012 tokens.
    let tools = [tool("a", "spin", &"turn ".repeat(1_600), "{}")];
    let report = linted(&tools);
    assert_eq!(report.tokens, 2_012);
    assert_eq!(report.of(Kind::HeavyDefinition).count(), 1);
    assert_eq!(
        linted(&[tool("a", "spin", &"turn ".repeat(1_590), "{}")])
            .of(Kind::HeavyDefinition)
            .count(),
        0
    );
}

#[test]
fn kinds_are_listed_once_and_spelled_the_same_everywhere() {
    assert!(Kind::ALL.windows(2).all(|pair| pair[0] < pair[1]));
    for kind in Kind::ALL {
        assert_eq!(serde_json::to_string(&kind).unwrap(), format!("\"{kind}\""));
    }
}

#[test]
fn a_finding_as_json_names_the_tool_and_the_fix() {
    let report = linted(&[tool("a", "spin", "", "{}")]);
    assert_eq!(
        serde_json::to_value(&report.findings[0]).unwrap(),
        serde_json::json!({
            "source": "a",
            "tool": "spin",
            "kind": "no-description",
            "severity": "error",
            "message": "no description: say what it does and when to take it",
        })
    );
}

#[test]
fn the_summary_counts_what_the_report_holds() {
    let tools = [tool("a", "spin", "", "{}"), tool("b", "ping", "Checks reachability", "")];
    let text = markdown(&linted(&tools));
    assert!(text.starts_with("2 tools of 2 servers, about "), "{text}");
    assert!(text.contains("\n1 errors, 1 warnings, 1 notes.\n"), "{text}");
    assert!(text.contains("\n| no-description | error | 1 | 1 |\n"), "{text}");
    assert!(text.contains("\n- `b/ping`: no input schema"), "{text}");
    assert!(text.contains("\n| b | 1 | 17 | 0 | 1 | 1 |\n"), "{text}");
}

#[test]
fn no_tools_make_no_findings() {
    assert_eq!(linted(&[]), Report::default());
}
