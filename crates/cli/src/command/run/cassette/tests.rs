use std::path::Path;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use oncue_agent::conversation::{CallResult, Conversation, Item};
use oncue_agent::{Agent, Event, Model, Outcome, Profile, TurnEnd, TurnLimits};
use oncue_decl::{Row, Tier};
use oncue_tools::{
    Approval, Approver, Asking, BoxFuture, Grants, NoArguments, Output, PlainTools, TellModel,
    Tool, ToolError, propose, tool,
};
use serde_json::{Value, json};

use super::{Cassette, Consent, Played, Player, Start, Tape};
use crate::command::run::cost::Rates;
use crate::command::run::setup::Rules;

/// A model that makes these calls in one step and then answers, after it was overloaded once.
fn model(folder: &Path, calls: &[&str]) -> Arc<dyn Model> {
    let calls: Vec<Value> = calls
        .iter()
        .map(|name| json!({"part": "call", "id": name, "name": name, "arguments": "{}"}))
        .collect();
    let reply = |parts: Value| json!({"line": "reply", "reply": {"parts": parts, "finish": "done", "usage": {}}});
    let error =
        json!({"kind": "overloaded", "message": "busy", "retry_after_ms": 5_000, "status": 529});
    let lines = [
        json!({"line": "start", "version": 1, "model": "m"}),
        json!({"line": "failed", "error": error}),
        reply(calls.into()),
        reply(json!([{"part": "reasoning", "text": "Hm."}, {"part": "text", "text": "Done."}])),
    ];
    let text: String = lines.iter().map(|line| format!("{line}\n")).collect();
    let path = folder.join("model.jsonl");
    std::fs::write(&path, text).unwrap();
    Arc::new(Played::new(Arc::new(Player::lenient(Cassette::read(&path).unwrap())), None))
}

/// Tools that end in every way, and count how often they are run.
fn tools(runs: &Arc<Mutex<Vec<String>>>) -> Vec<Arc<dyn Tool>> {
    let silent = |name: &'static str| Row::inline(name, name).with_tier(Tier::Silent);
    let note = |name: &str| {
        let (runs, name) = (Arc::clone(runs), name.to_owned());
        move || runs.lock().unwrap().push(name.clone())
    };
    let (works, fails, hangs, asks) = (note("works"), note("fails"), note("hangs"), note("asks"));
    let acting: Arc<dyn Tool> =
        Arc::new(tool(Row::inline("asks", "asks"), async move |_, _: NoArguments| {
            asks();
            Ok("agreed")
        }));
    vec![
        Arc::new(tool(silent("works"), async move |_, _: NoArguments| {
            works();
            Ok(Output::from("text").and(json!({"a": [1.5, null]})))
        })),
        Arc::new(tool(silent("fails"), async move |_, _: NoArguments| {
            fails();
            "x".parse::<u8>().tell_model("It did not work. Call works.")?;
            Ok::<_, ToolError>("never")
        })),
        Arc::new(tool(silent("hangs"), async move |_, _: NoArguments| {
            hangs();
            std::future::pending::<()>().await;
            Ok("never")
        })),
        Arc::clone(&acting),
        Arc::new(propose(Row::inline("proposes", "proposes"), acting)),
    ]
}

struct Agrees;

impl Approver for Agrees {
    fn approve<'c>(&'c self, _: &'c Asking) -> BoxFuture<'c, Approval> {
        Box::pin(std::future::ready(Approval::Agreed))
    }
}

/// What a run gave: its events without times, its conversation, its end.
#[derive(Debug, PartialEq)]
struct Gave {
    events: Vec<Value>,
    conversation: Conversation,
    end: TurnEnd,
}

fn run(tape: &Arc<Tape>, model: Arc<dyn Model>, tools: Vec<Arc<dyn Tool>>, task: &str) -> Gave {
    let events: Arc<Mutex<Vec<Value>>> = Arc::default();
    let (heard, hearing) = (Arc::clone(&events), Arc::clone(tape));
    let listener = move |event: &Event| {
        hearing.hear(event);
        let mut event = serde_json::to_value(event).unwrap();
        let event_map = event.as_object_mut().unwrap();
        ["took", "took_ms", "pause_ms"].iter().for_each(|key| drop(event_map.shift_remove(*key)));
        heard.lock().unwrap().push(event);
    };
    let tools = tools.into_iter().map(|tool| tape.tool(tool)).collect();
    let plain = PlainTools::new(tools, &Grants::local());
    let agent = Agent::plain(tape.model(model), plain)
        .with_call_time(Duration::from_secs(60))
        .with_approver(Arc::new(Agrees))
        .with_listener(Arc::new(listener))
        .streaming();
    let agent = tape.people(agent);
    tape.turn(task);
    let mut builder = tokio::runtime::Builder::new_current_thread();
    let runtime = builder.enable_time().start_paused(true).build().unwrap();
    let mut session = agent.session();
    let end = runtime.block_on(session.turn(task)).unwrap();
    let events = std::mem::take(&mut *events.lock().unwrap());
    Gave { events, conversation: session.conversation().clone(), end }
}

fn start(model: &dyn Model) -> Start {
    let rules = Rules {
        profile: Profile::DEFAULT,
        limits: TurnLimits::default(),
        consent: Consent::Asked,
        keeps_found: false,
    };
    Start::new(model, Rates::default(), rules)
}

/// The model of a recording, as it is opened for a replay.
fn opened(tape: &Tape) -> Arc<dyn Model> {
    tape.opened().unwrap().model
}

#[test]
fn a_replay_gives_what_was_recorded_and_runs_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("rec.jsonl");
    let calls = ["works", "fails", "hangs", "asks", "proposes"];
    let runs: Arc<Mutex<Vec<String>>> = Arc::default();
    let model = model(folder.path(), &calls);
    let tape = Arc::new(Tape::record(&path, start(&*model)).unwrap());
    let recorded = run(&tape, model, tools(&runs), "do all");
    tape.finish().unwrap();
    assert_eq!(recorded.end, TurnEnd::Ended(Outcome::Answered { text: "Done.".to_owned() }));
    assert_eq!(std::mem::take(&mut *runs.lock().unwrap()), ["works", "fails", "hangs", "asks"]);

    let tape = Arc::new(Tape::replay(&path).unwrap());
    assert_eq!(tape.task().as_deref(), Some("do all"));
    let replayed = run(&tape, opened(&tape), tools(&runs), "do all");
    tape.finish().unwrap();
    assert_eq!(replayed, recorded);
    assert_eq!(*runs.lock().unwrap(), [""; 0]);

    let results = recorded.conversation.items.iter().find_map(|item| match item {
        Item::Results { results } => Some(results),
        _ => None,
    });
    let failed: Vec<bool> =
        results.unwrap().iter().map(|result: &CallResult| result.error.is_some()).collect();
    assert_eq!(failed, [false, true, true, false, false]);
}

#[test]
fn the_first_difference_is_told() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("rec.jsonl");
    let runs: Arc<Mutex<Vec<String>>> = Arc::default();
    let model = model(folder.path(), &["works"]);
    let tape = Arc::new(Tape::record(&path, start(&*model)).unwrap());
    run(&tape, model, tools(&runs), "do it");
    let recorded = std::fs::read_to_string(&path).unwrap();
    let told = |text: &str, task: &str| {
        std::fs::write(&path, text).unwrap();
        let tape = Arc::new(Tape::replay(&path).unwrap());
        run(&tape, opened(&tape), tools(&runs), task);
        match tape.finish() {
            Ok(()) => "nothing".to_owned(),
            Err(failure) => failure.error.root_cause().to_string(),
        }
    };
    assert_eq!(told(&recorded, "do it"), "nothing");
    assert_eq!(
        told(&recorded, "do that"),
        "request 1: item 1 (what the user said) is not what it was"
    );
    assert_eq!(
        told(&recorded.replace(r#"{"text":"text"}"#, r#"{"text":"other"}"#), "do it"),
        "request 3: item 3 (results of calls) is not what it was"
    );
    assert_eq!(
        told(
            &recorded.replace(
                "\"name\":\"works\",\"arguments\":\"{}\",\"came\"",
                "\"name\":\"works\",\"arguments\":\"{ }\",\"came\""
            ),
            "do it"
        ),
        "the call `works` of works has other arguments"
    );
    let lines: Vec<&str> = recorded.lines().collect();
    let without = |lines: &[&str]| lines.join("\n");
    let no_call: Vec<&str> =
        lines.iter().copied().filter(|line| !line.contains(r#""line":"call""#)).collect();
    assert_eq!(told(&without(&no_call), "do it"), "the call `works` of works was not recorded");
    assert_eq!(
        told(&without(&lines[..lines.len() - 1]), "do it"),
        "the recording is over, and request 3 is made"
    );
    let longer = format!("{recorded}{}\n", lines[lines.len() - 1]);
    assert_eq!(told(&longer, "do it"), "it ends after request 3, and 4 were recorded");
}

#[test]
fn a_recording_that_cannot_be_written_is_told() {
    let Ok(_) = std::fs::OpenOptions::new().write(true).open("/dev/full") else { return };
    let folder = tempfile::tempdir().unwrap();
    let model = model(folder.path(), &[]);
    let tape = Tape::record(Path::new("/dev/full"), start(&*model)).unwrap();
    let told = tape.finish().unwrap_err().error.to_string();
    assert_eq!(told, "failed to write the recording `/dev/full`");
}
