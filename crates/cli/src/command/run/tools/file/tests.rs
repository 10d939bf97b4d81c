use std::path::Path;

use oncue_decl::{Tier, Visibility};
use oncue_tools::{Concurrency, Tool};

use super::parse;

fn faults(text: &str) -> String {
    match parse(text, Path::new("folder"), "tools.toml") {
        Ok(programs) => format!("{} tools", programs.len()),
        Err(failure) => {
            let mut told = Vec::new();
            failure.report(&mut anstream::StripStream::new(&mut told));
            String::from_utf8(told).unwrap()
        }
    }
}

/// A row that lacks nothing, with more lines.
fn row(more: &str) -> String {
    format!("[[tool]]\nname = \"it\"\ndescription = \"Does it\"\n{more}\n")
}

#[test]
fn a_row_says_what_the_catalog_needs() {
    let text = r#"
[[tool]]
name = "countLines"
description = " Counts lines "
command = ["wc", "-l", "--", "{path}"]
parameters = { path = "string" }

[[tool]]
name = "startExport"
title = "Export"
description = "Writes a table to a file"
keywords = ["csv", "download"]
discoverable = true
tier = "silent"
parallel = true
command = ["true"]
"#;
    let programs = parse(text, Path::new(""), "tools.toml").unwrap();
    let rows: Vec<_> = programs.iter().map(|program| program.definition().row()).collect();
    assert_eq!(
        (rows[0].description(), rows[0].tier(), rows[0].visibility()),
        ("Counts lines", Tier::Gated, Visibility::Inline)
    );
    assert_eq!((rows[1].title(), rows[1].tier()), ("Export", Tier::Silent));
    assert_eq!(rows[1].visibility(), Visibility::Discoverable);
    assert_eq!(rows[1].keywords().iter().collect::<Vec<_>>(), ["csv", "download"]);
    let concurrencies: Vec<_> = programs.iter().map(Tool::concurrency).collect();
    assert_eq!(concurrencies, [Concurrency::Sequential, Concurrency::Parallel]);
    assert_eq!(
        programs[1].definition().parameters().unwrap().get(),
        r#"{"type":"object","properties":{},"additionalProperties":false}"#
    );
    assert_eq!(faults(""), "0 tools");
}

#[test]
fn a_wrong_row_is_named_with_what_is_wrong_and_how_to_mend_it() {
    let keys = "the keys are listed in docs/run.md, under `tools files`";
    let first = "write the program first: command = [\"wc\", \"-l\", \"--\", \"{path}\"]";
    let cases = [
        ("commnd = [\"x\"]", "unknown field `commnd`, expected one of", keys),
        ("", "missing field `command`", keys),
        (
            "command = [\"x\"]\ntier = \"loud\"",
            "unknown variant `loud`, expected `silent` or `gated`",
            keys,
        ),
        ("command = [1]", "each element of `command` is a text or a list of texts", keys),
        (
            "command = [\"x\"]\nenv = { A = 1 }",
            "a value of `env` is a text, or `true` to pass on what this process has",
            keys,
        ),
        (
            "command = [\"x\"]\ntimeout = \"30\"",
            "`30` is no time such as \"30s\" or \"5m\": ",
            keys,
        ),
        ("command = []", "`command` names no program", first),
        ("command = [\" \"]", "`command` names no program", first),
        (
            "command = [\"{p}\"]\nparameters = { p = \"string\" }",
            "the program `{p}` has a place for an argument, and a model must not choose what is run",
            first,
        ),
        (
            "command = [\"x\", \"{q}\"]\nparameters = { p = \"string\" }",
            "`{q}` in `command` names no parameter",
            "declare it under `parameters`, use one of p, or write `{{q}}` for the text itself",
        ),
        (
            "command = [\"x\"]\nparameters = { p = \"string\" }",
            "parameter `p` goes nowhere",
            "put `{p}` into `command`, or give the program all of them: stdin = \"json\"",
        ),
        (
            "command = [\"x\"]\nstdin = \"json\"\nparameters = { type = \"object\", properties = { p = { type = \"text\" } } }",
            "parameters are no JSON Schema: ",
            "mend the schema under `[tool.parameters]`",
        ),
    ];
    for (more, what, hint) in cases {
        let told = faults(&format!("{}{}", row("command = [\"true\"]"), row(more)));
        let begin = format!("error: failed to read tools `tools.toml`: row 2 `it`: {what}");
        assert!(told.starts_with(&begin), "{more}: {told}");
        assert!(told.ends_with(&format!("\n\nhint: {hint}\n")), "{more}: {told}");
    }
}

#[test]
fn a_file_that_is_no_toml_is_told_with_its_line() {
    assert_eq!(
        faults("[[tool]]\nname = \"a\"\nname = \"b\"\n"),
        "error: failed to read tools `tools.toml`: line 3: duplicate key\n\n\
         hint: each tool is a table `[[tool]]` with at least `name`, `description` and `command`\n"
    );
    let told = faults("[[tools]]\nname = \"a\"\n");
    assert!(told.contains("line 1: unknown field `tools`, expected `tool`"), "{told}");
}
