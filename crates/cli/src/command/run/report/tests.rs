use std::time::Duration;

use oncue_agent::conversation::Author;
use oncue_agent::{
    Event, Limit, Loss, MissReason, ModelErrorKind, Outcome, Profile, Question, TurnEnd, Usage,
};
use oncue_tools::limits::SEARCHES_PER_TURN_MAX;
use oncue_tools::{Approval, CallId, Chip, Content, ErrorKind, Identity};
use serde_json::{Value, json};

use super::{Json, Report, Trace, View};
use crate::command::run::cost::Rates;
use crate::command::run::setup::{About, ToolsAbout};
use crate::exit::Exit;

const VIEW: View =
    View { is_quiet: false, is_verbose: false, is_live: false, is_terminal: false, columns: 60 };

fn about() -> About {
    let names = |names: &[&str]| names.iter().map(|&name| name.to_owned()).collect();
    About {
        model: Some("vendor:model".to_owned()),
        disclosure: Some(oncue_agent::Disclosure::Append),
        tools: ToolsAbout {
            sources: names(&["a.toml", "demo"]),
            inline: names(&["readTable"]),
            discoverable: names(&["startExport", "dropTable"]),
            gated: names(&["dropTable"]),
        },
        profile: Profile::DEFAULT,
    }
}

/// Returns what stands on standard output and on standard error.
fn traced(view: View, events: &[Event], end: &TurnEnd) -> (String, String) {
    let (mut out, mut err) = (Vec::new(), Vec::new());
    {
        let mut err = anstream::StripStream::new(&mut err);
        let search = Some("ToolSearch".to_owned());
        let mut trace = Trace::new(&mut out, &mut err, view, Rates::default(), search);
        trace.begin(&about()).unwrap();
        events.iter().for_each(|event| trace.hear(event).unwrap());
        trace.end(end, Exit::Ok).unwrap();
    }
    (String::from_utf8(out).unwrap(), String::from_utf8(err).unwrap())
}

fn id(text: &str) -> CallId {
    CallId::new(text)
}

fn calling(call: &str, name: &str, arguments: &str) -> Event {
    Event::Calling {
        id: id(call),
        name: name.to_owned(),
        arguments: arguments.to_owned(),
        by: Author::Model,
    }
}

fn called(call: &str, name: &str, content: Vec<Content>, error: Option<ErrorKind>) -> Event {
    let operator = error.map(|_| "failed: the disk is full".to_owned());
    let took_ms = Some(1_234);
    Event::Called { id: id(call), name: name.to_owned(), content, error, operator, took_ms }
}

fn replied(text: &str, calls: usize) -> Event {
    let usage = Usage { uncached: 1_000, output: 5, ..Usage::default() };
    Event::Replied { text: text.to_owned(), calls, usage, cache_miss: None }
}

fn ended(outcome: Outcome) -> Event {
    let usage = Usage { uncached: 1_000, cache_read: 20_000, cache_write: 0, output: 500 };
    Event::Ended { outcome, steps: 2, usage, took: Duration::from_millis(4_200) }
}

fn answered() -> Outcome {
    Outcome::Answered { text: "There it is.".to_owned() }
}

/// A turn in which a tool is found, asked about and called.
fn events() -> Vec<Event> {
    let question = Question {
        description: "Gives money back".to_owned(),
        id: id("c2"),
        tool: Identity::own("dropTable"),
        name: "dropTable".to_owned(),
        arguments: r#"{"table": "orders"}"#.to_owned(),
        reason: "the tool asks before it acts".to_owned(),
    };
    let found = r#"{"functions":[{"name":"dropTable"},{"name":"startExport"}]}"#;
    vec![
        Event::StepStarted { step: 1, tools: 2, narrowed: vec![] },
        Event::Reasoning { text: "Hm.\n".to_owned() },
        Event::Text { text: "Let me ".to_owned() },
        Event::Text { text: "look.".to_owned() },
        replied("Let me look.", 1),
        calling("c1", "ToolSearch", r#"{"query": "remove a table"}"#),
        called("c1", "ToolSearch", vec![found.into()], None),
        Event::Activated { names: vec!["dropTable".to_owned()], tools: vec![] },
        Event::StepStarted { step: 2, tools: 4, narrowed: vec!["dropTable".to_owned()] },
        replied("", 2),
        calling("c2", "dropTable", "{\"table\":\n  \"orders\"}"),
        calling(
            "c3",
            "readTable",
            r#"{"table":"a table with a very long name, longer than a line"}"#,
        ),
        Event::Asked { question },
        Event::Answered { id: id("c2"), answer: Approval::Refused(Some("not today".to_owned())) },
        called("c2", "dropTable", vec!["It may not.\nAsk again.".into()], Some(ErrorKind::Refused)),
        called(
            "c3",
            "readTable",
            vec![json!([1]).into(), Content::image("image/png", [0; 9])],
            None,
        ),
        Event::Retrying {
            kind: ModelErrorKind::Overloaded,
            message: "too much\nto do".to_owned(),
            attempts: 1,
            pause_ms: 500,
        },
        Event::Text { text: "There it is.".to_owned() },
        replied("There it is.", 0),
        ended(answered()),
    ]
}

#[test]
fn the_trace_is_compact_and_the_answer_stands_apart() {
    let (out, err) = traced(VIEW, &events(), &TurnEnd::Ended(answered()));
    assert_eq!(out, "There it is.\n");
    assert_eq!(
        err,
        r#"start   vendor:model  1 tool, 2 to be found  a.toml, demo
say     Let me look.
search  "remove a table" → dropTable, startExport
call    dropTable {"table": "orders"}
call    readTable {"table":"a table with a very long name,…
ask     dropTable {"table": "orders"}
  no    not today
  fail  dropTable  1.2 s  It may not.  (+1 line)
  ok    readTable  1.2 s  [1]  (+1 line)
retry   in 500 ms: overloaded: too much to do
done    4.2 s  2 steps  2 calls  1 search  prompts worth 3,000 uncached  1,000 uncached + 20,000 read + 0 written + 500 out
"#
    );
}

#[test]
fn a_quiet_run_shows_the_answer_alone() {
    let view = View { is_quiet: true, ..VIEW };
    let found = traced(view, &events(), &TurnEnd::Ended(answered()));
    assert_eq!(found, ("There it is.\n".to_owned(), String::new()));
}

#[test]
fn a_verbose_run_shows_everything() {
    let view = View { is_verbose: true, columns: 200, ..VIEW };
    let (_, err) = traced(view, &events(), &TurnEnd::Ended(answered()));
    assert_eq!(
        err,
        r#"start   vendor:model  1 tool, 2 to be found  a.toml, demo
step    1  2 tools
think
        Hm.
say
        Let me look.
tokens  1,000 uncached + 0 read + 0 written + 5 out
search  "remove a table" → dropTable, startExport
step    2  4 tools, held to dropTable
tokens  1,000 uncached + 0 read + 0 written + 5 out
call    dropTable {"table": "orders"}
call    readTable {"table":"a table with a very long name, longer than a line"}
ask     dropTable {"table": "orders"}
        the tool asks before it acts
  no    not today
  fail  dropTable  1.2 s
        It may not.
        Ask again.
        (failed: the disk is full)
  ok    readTable  1.2 s
        [1]
        [image/png, 9 bytes]
retry   in 500 ms: overloaded: too much to do
tokens  1,000 uncached + 0 read + 0 written + 5 out
done    4.2 s  2 steps  2 calls  1 search  prompts worth 3,000 uncached  1,000 uncached + 20,000 read + 0 written + 500 out
"#
    );
}

#[test]
fn text_that_is_shown_live_is_shown_once() {
    let view = View { is_live: true, is_terminal: true, ..VIEW };
    let (out, err) = traced(view, &events(), &TurnEnd::Ended(answered()));
    assert_eq!(out, "Let me look.\nThere it is.\n");
    assert!(!err.contains("say"), "{err}");
    // What was streamed before a retry counts for nothing, and the reply comes whole.
    let events = [
        Event::Text { text: "Ther".to_owned() },
        Event::Retrying {
            kind: ModelErrorKind::Interrupted,
            message: "gone".to_owned(),
            attempts: 1,
            pause_ms: 1_500,
        },
        replied("There it is.", 0),
        ended(answered()),
    ];
    let (out, _) = traced(view, &events, &TurnEnd::Ended(answered()));
    assert_eq!(out, "Ther\nThere it is.\n");
}

#[test]
fn foreign_text_cannot_steer_the_terminal_and_a_pipe_gets_it_as_it_is() {
    let text = "a\u{1b}[2J\tb\r\n".to_owned();
    let events = [
        calling("c1", "x\u{1b}[2J", "\u{202e}{}"),
        called("c1", "x", vec!["\u{9b}y".into()], None),
        Event::Chip {
            chip: Chip {
                label: "\u{7}".to_owned(),
                tool: Identity::own("x"),
                arguments: String::new(),
            },
        },
        ended(Outcome::Answered { text: text.clone() }),
    ];
    let end = TurnEnd::Ended(answered());
    let (out, err) = traced(VIEW, &events, &end);
    assert_eq!(out, text);
    let hidden = ['\u{1b}', '\u{202e}', '\u{9b}', '\u{7}'];
    assert!(!err.contains(hidden), "{err:?}");
    let (out, _) = traced(View { is_terminal: true, ..VIEW }, &events, &end);
    assert_eq!(out, "a�[2J\tb\n");
}

#[test]
fn progress_is_shown_where_it_is_news() {
    let report = |done: f64, total: Option<f64>| Event::Progress {
        id: id("c1"),
        done,
        total,
        message: format!("page {done}"),
    };
    let steps = [1.0, 2.0, 10.0, 11.0, 12.0, 99.0, 100.0];
    let events: Vec<Event> = steps.iter().map(|&done| report(done, Some(100.0))).collect();
    let (_, err) = traced(VIEW, &events, &TurnEnd::Ended(answered()));
    let told: Vec<&str> = err.lines().skip(1).collect();
    assert_eq!(
        told,
        [
            "  …       1 %  page 1",
            "  …      11 %  page 11",
            "  …      99 %  page 99",
            "  …     100 %  page 100"
        ]
    );
    let (_, err) = traced(VIEW, &[report(3.0, None)], &TurnEnd::Ended(answered()));
    assert!(err.ends_with("\n  …     3  page 3\n"), "{err}");
}

#[test]
fn every_end_has_its_word() {
    let text = || "part".to_owned();
    let ends = [
        (Outcome::EmptyFinish, "empty", ""),
        (Outcome::Truncated { text: text() }, "cut", "part\n"),
        (Outcome::Refused { text: text() }, "refused", "part\n"),
        (Outcome::Limit { limit: Limit::Time }, "limit", ""),
        (Outcome::ContextFull, "full", ""),
        (Outcome::Failed { kind: ModelErrorKind::Quota, message: text() }, "failed", ""),
        (Outcome::Cancelled, "off", ""),
    ];
    for (outcome, word, expected) in ends {
        let (out, err) = traced(VIEW, &[ended(outcome)], &TurnEnd::Ended(answered()));
        assert_eq!(out, expected);
        assert!(
            err.lines().nth(1).unwrap().starts_with(&format!("{word:<8}4.2 s  2 steps")),
            "{err}"
        );
    }
}

#[test]
fn what_the_cache_lost_is_told() {
    let usage = Usage::default();
    let cache_miss = Some(MissReason::ToolsChanged);
    let events =
        [Event::Replied { text: String::new(), calls: 1, usage, cache_miss }, Event::Nudged];
    let (_, err) = traced(VIEW, &events, &TurnEnd::Ended(answered()));
    assert!(
        err.ends_with("\ncache   miss: tools_changed\nnudge   the reply was empty, the model is asked once more\n"),
        "{err}"
    );
}

#[test]
fn what_a_vendor_cannot_be_told_is_told_in_short() {
    let loss =
        |place: &str| Loss { place: place.to_owned(), what: "`pattern` left out".to_owned() };
    let events = [Event::Lost { losses: vec![loss("a.x"), loss("b.y")] }];
    let lost = |view| {
        let (_, err) = traced(view, &events, &TurnEnd::Ended(answered()));
        err.lines().skip(1).collect::<Vec<_>>().join("\n")
    };
    assert_eq!(lost(VIEW), "lost    a.x: `pattern` left out  (+1 with `--verbose`)");
    let verbose = View { is_verbose: true, ..VIEW };
    assert_eq!(lost(verbose), "lost    a.x: `pattern` left out\nlost    b.y: `pattern` left out");
}

#[test]
fn json_has_a_line_for_each_thing() {
    let mut out = Vec::new();
    {
        let mut json = Json::new(&mut out, Rates::default());
        json.begin(&about()).unwrap();
        json.hear(&calling("c1", "readTable", "{}")).unwrap();
        json.hear(&ended(answered())).unwrap();
        json.end(&TurnEnd::Ended(answered()), Exit::Ok).unwrap();
        json.end(&TurnEnd::Waiting(vec![]), Exit::Waits).unwrap();
    }
    let text = String::from_utf8(out).unwrap();
    let lines: Vec<Value> = text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(
        lines,
        [
            json!({
                "event": "started", "version": 1, "oncue": env!("CARGO_PKG_VERSION"),
                "model": "vendor:model", "disclosure": "append",
                "tools": {
                    "sources": ["a.toml", "demo"], "inline": ["readTable"],
                    "discoverable": ["startExport", "dropTable"], "gated": ["dropTable"]
                },
                "profile": {
                    "preload": 0, "names_chars": 0, "narrows": false, "collapses": false,
                    "recovers": false, "insists": false, "is_short_on_repeats": false, "searches": SEARCHES_PER_TURN_MAX
                }
            }),
            json!({"event": "calling", "id": "c1", "name": "readTable", "arguments": "{}", "by": "model"}),
            json!({
                "event": "ended", "outcome": "answered", "text": "There it is.", "steps": 2,
                "usage": {"uncached": 1_000, "cache_read": 20_000, "cache_write": 0, "output": 500},
                "took_ms": 4_200, "cost": {"input_tokens": 3_000}
            }),
            json!({"event": "finished", "outcome": "answered", "text": "There it is.", "exit": 0}),
            json!({"event": "finished", "outcome": "waiting", "questions": [], "exit": 5}),
        ]
    );
}
