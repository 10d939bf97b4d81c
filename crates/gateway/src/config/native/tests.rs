use std::path::Path;
use std::time::Duration;

use oncue_decl::{Row, Scope, Tier};
use oncue_tools::{Grants, PrincipalName};

use super::parse;
use crate::config::{ConfigError, HttpKind, Mode, Settings, Transport, UpstreamId};
use crate::limits::{
    ANSWER_BYTES_MAX, ANSWER_BYTES_MIN, COUNT_MAX, MESSAGE_BYTES_MAX, TIMEOUT_SECONDS_MAX,
    UPSTREAMS_MAX,
};

fn settings(text: &str) -> Settings {
    let home = Path::new("/h/ada");
    parse(Path::new("conf/oncue.toml"), text, Some(home)).unwrap().settings
}

/// The faults of a text, without its file.
fn faults(text: &str) -> Vec<String> {
    let Err(ConfigError::Wrong(faults)) = parse(Path::new("f"), text, None) else {
        panic!("no faults in {text}")
    };
    let shown = faults.iter().map(|fault| fault.to_string());
    shown.map(|fault| fault.strip_prefix("f:").unwrap().to_owned()).collect()
}

#[test]
fn an_empty_file_is_the_defaults() {
    assert_eq!(settings(""), Settings::default());
    let defaults = Settings::default();
    assert_eq!((defaults.answer_bytes, defaults.name_chars), (3_200, 48));
    assert_eq!((defaults.mode, defaults.has_audit), (Mode::Auto, true));
}

#[test]
fn an_upstream_is_a_program_or_an_address() {
    let settings = settings(
        r#"
[upstream.files]
command = "npx"
args = ["-y", "server"]
env = { ROOT = "/srv", TOKEN = "${FILES_TOKEN}" }
inherit = ["NODE_*"]
cwd = "here"
hidden = ["delete_*"]
only = []
timeouts = { call = "2m", idle = "10m" }

[upstream.files.tool.read]
rename = "readFile"
keywords = ["open"]
tier = "silent"

[upstream."far away"]
url = "https://far.example/mcp"
headers = { Authorization = "Bearer ${FAR}" }
transport = "sse"
enabled = false
namespaced = false
"#,
    );
    let [files, far] = settings.upstreams.as_slice() else { panic!() };
    let Transport::Stdio(stdio) = &files.transport else { panic!() };
    assert_eq!(stdio.program(), "npx");
    assert_eq!(stdio.env.keys().collect::<Vec<_>>(), ["ROOT", "TOKEN"]);
    assert_eq!(stdio.cwd.as_ref().unwrap().exposed(|_| "".into()), "conf/here");
    assert!(files.tools.hides("read"), "an empty `only` leaves nothing");
    assert_eq!(files.timeouts.call, Some(Duration::from_secs(120)));
    assert_eq!(files.tools.tools["read"].tier, Some(Tier::Silent));
    assert_eq!(files.tools.tools["read"].rename.as_deref(), Some("readFile"));
    let Transport::Http(http) = &far.transport else { panic!() };
    assert_eq!((http.kind, far.is_enabled, far.is_namespaced), (HttpKind::Sse, false, false));
    assert_eq!(far.id, UpstreamId::parse("far away").unwrap());
    assert_eq!((far.origin.place.line, far.origin.place.column), (17, 11));
}

#[test]
fn a_misspelt_key_is_named_with_the_one_that_was_meant() {
    assert_eq!(
        faults("[upstream.a]\ncomand = \"x\"\n"),
        [
            "1:11: `upstream.a` has neither `command` nor `url`; give it the program to run or the address to reach",
            "2:1: `upstream.a.comand` is no key; did you mean `command`?",
        ]
    );
    assert_eq!(
        faults("[http]\nport = 1\n"),
        [
            "2:1: `http.port` is no key; the keys here are `bind`, `allowed_hosts`, `allowed_origins`"
        ]
    );
    assert_eq!(
        faults("mode = \"serch\""),
        ["1:8: `mode` is one of \"auto\", \"search\", \"dynamic\", \"passthrough\""]
    );
}

#[test]
fn every_fault_is_told_with_its_place() {
    let text = r#"answer_bytes = "many"
[upstream.a]
command = "x"
url = "https://a.example"
[upstream.b]
url = "b.example"
[upstream.c]
command = "x"
headers = {}
[upstream.d]
command = "x"
env = { A = "${B" }
[upstream." e"]
command = "x"
[[grant]]
tools = ["delete"]
"#;
    let places: Vec<String> =
        faults(text).iter().map(|fault| fault.split(": ").next().unwrap().to_owned()).collect();
    assert_eq!(places, ["1:16", "4:7", "6:7", "9:11", "12:7", "13:11", "15:1", "16:9"]);
    assert_eq!(
        faults("a = "),
        ["1:5: not TOML: string values must be quoted, expected literal string"]
    );
}

#[test]
fn keywords_are_words_that_people_say() {
    let of = |keywords: &str| {
        format!("[upstream.a]\ncommand = \"x\"\n[upstream.a.tool.t]\nkeywords = {keywords}\n")
    };
    let read = settings(&of(r#"["money back", " charge-back ", "환불"]"#));
    let tool = &read.upstreams[0].tools.tools["t"];
    assert_eq!(tool.keywords, ["money back", "charge-back", "환불"]);
    let list = |words: &[String]| format!("{words:?}");
    let words = |count: usize, chars: usize| -> Vec<String> {
        (0..count).map(|at| format!("{at:0chars$}")).collect()
    };
    assert_eq!(
        settings(&of(&list(&words(32, 32)))).upstreams[0].tools.tools["t"].keywords.len(),
        32
    );
    let key = "`upstream.a.tool.t.keywords`";
    for (keywords, what) in [
        ("\"refund\"".to_owned(), "must be a list, here it is a text"),
        ("[7]".to_owned(), "must be a text, here it is a number"),
        ("[\"a\", \" \"]".to_owned(), "has an empty word; write what people say for the tool"),
        (r#"["a\nb"]"#.to_owned(), "has a word with a control character; write it in one line"),
        ("[\"Cash\", \"cash\"]".to_owned(), "has `cash` twice"),
        (list(&words(33, 2)), "has more than 32 words; keep those that people say"),
        (
            list(&words(1, 65)),
            "has a word of more than 64 characters; a keyword is a word or two; longer text is a description",
        ),
        (list(&words(17, 64)), "has more than 1024 bytes of words; a search reads no more of them"),
    ] {
        let found = faults(&of(&keywords));
        let key = if keywords == "[7]" { "`upstream.a.tool.t.keywords[0]`" } else { key };
        let place = if keywords == "[7]" { "4:13" } else { "4:12" };
        assert_eq!(found, [format!("{place}: {key} {what}")], "{keywords}");
    }
}

#[test]
fn numbers_and_times_have_bounds() {
    let is_good = |text: &str| parse(Path::new("f"), text, None).is_ok();
    for (bytes, expected) in [
        (ANSWER_BYTES_MIN - 1, false),
        (ANSWER_BYTES_MIN, true),
        (ANSWER_BYTES_MAX, true),
        (ANSWER_BYTES_MAX + 1, false),
    ] {
        assert_eq!(is_good(&format!("answer_bytes = {bytes}")), expected, "{bytes}");
    }
    for (seconds, expected) in
        [(0, false), (1, true), (TIMEOUT_SECONDS_MAX, true), (TIMEOUT_SECONDS_MAX + 1, false)]
    {
        let text = format!("[timeouts]\ncall = \"{seconds}s\"");
        assert_eq!(is_good(&text), expected, "{seconds}");
    }
    assert!(!is_good("answer_bytes = 1000.5") && !is_good("[limits]\ncalls = 0"));
    assert!(!is_good("name_chars = 39") && is_good("name_chars = 40"));
    let many = |count: usize| {
        let files = vec!["\"a\""; count].join(",");
        is_good(&format!("[import]\nfiles = [{files}]"))
    };
    assert!(many(crate::limits::IMPORTS_MAX) && !many(crate::limits::IMPORTS_MAX + 1));
}

#[test]
fn a_file_has_so_many_upstreams_and_no_more() {
    let of = |count: usize| {
        let upstreams = (0..count).map(|at| format!("[upstream.u{at}]\ncommand = \"x\"\n"));
        parse(Path::new("f"), &upstreams.collect::<String>(), None)
    };
    for count in [UPSTREAMS_MAX - 1, UPSTREAMS_MAX] {
        assert_eq!(of(count).unwrap().settings.upstreams.len(), count);
    }
    assert!(of(UPSTREAMS_MAX + 1).is_err());
}

#[test]
fn every_limit_that_can_be_asked_for_is_bounded() {
    let is_good = |key: &str, number: usize| {
        parse(Path::new("f"), &format!("[limits]\n{key} = {number}\n"), None).is_ok()
    };
    for key in super::keys::LIMITS.keys {
        let most = if key.name.ends_with("bytes") { MESSAGE_BYTES_MAX } else { COUNT_MAX };
        let numbers = [0, 1, most - 1, most, most + 1];
        let found = numbers.map(|number| is_good(key.name, number));
        assert_eq!(found, [false, true, true, true, false], "{}", key.name);
    }
}

#[test]
fn two_tools_cannot_get_one_name() {
    let text = "[upstream.a]\ncommand = \"x\"\n[upstream.a.tool.b]\nrename = \"z\"\n[upstream.a.tool.c]\nrename = \"z\"\n";
    assert_eq!(
        faults(text),
        ["6:10: `upstream.a.tool.c.rename` is the new name of another tool too"]
    );
}

// case: C59
#[test]
fn a_grant_is_an_intersection_and_an_empty_list_is_nothing() {
    let settings = settings(
        r#"
[[grant]]
principal = "ci-*"
upstreams = ["github"]
tools = ["github/list_*", "slack/send"]
denied = ["*/list_secrets"]
[[grant]]
principal = "nobody"
tools = []
[[grant]]
principal = "*"
scope = "write"
"#,
    );
    let granted = |name: &str| settings.grants_of(&PrincipalName::parse(name).unwrap());
    let row = |name: &str| {
        Row::discoverable(name.to_owned(), "").with_exposure(oncue_decl::Exposure::ReadOnly)
    };
    let sees = |grants: &Grants, upstream: &str, tool: &str| grants.may_see(upstream, &row(tool));
    let ci = granted("ci-main").unwrap();
    assert!(sees(&ci, "github", "list_issues"));
    assert!(!sees(&ci, "github", "list_secrets") && !sees(&ci, "github", "get_issue"));
    assert!(!sees(&ci, "slack", "send"), "a row of a tool grants no upstream");
    assert!(!sees(&granted("nobody").unwrap(), "github", "list_issues"));
    assert!(sees(&granted("eve").unwrap(), "github", "get_issue"));
    assert_eq!(
        settings.grants.iter().map(|row| row.scope).collect::<Vec<_>>(),
        [Scope::Read, Scope::Read, Scope::Write]
    );
    let none = Settings::default();
    assert!(none.grants_of(&PrincipalName::parse("eve").unwrap()).is_none());
}
