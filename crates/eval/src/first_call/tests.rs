//! The measurement over a model that follows a script.

use std::collections::VecDeque;
use std::fs;
use std::path::Path;
use std::sync::{Arc, Mutex};

use oncue_agent::conversation::{Call, Part};
use oncue_agent::{Listen, Model, ModelError, Profile, Reply, Request};
use oncue_tools::{BoxFuture, CallId, EmbedError, Embedder, NoStore};

use super::*;

struct Scripted {
    replies: Mutex<VecDeque<Reply>>,
}

impl Scripted {
    fn model(replies: Vec<Reply>) -> Arc<dyn Model> {
        Arc::new(Self { replies: Mutex::new(replies.into()) })
    }
}

impl Model for Scripted {
    fn name(&self) -> &str {
        "scripted"
    }

    fn can_narrow(&self) -> bool {
        true
    }

    fn reply<'a>(
        &'a self,
        _: &'a Request<'a>,
        _: Option<&'a dyn Listen>,
    ) -> BoxFuture<'a, Result<Reply, ModelError>> {
        let next = self.replies.lock().expect("no panic under the lock").pop_front();
        Box::pin(std::future::ready(Ok(next.expect("a reply is left"))))
    }
}

fn calls(name: &str, arguments: &str) -> Reply {
    let call =
        Call { id: CallId::default(), name: name.to_owned(), arguments: arguments.to_owned() };
    Reply { parts: vec![Part::Call(call)], ..Reply::default() }
}

fn says(text: &str) -> Reply {
    Reply { parts: vec![Part::Text { text: text.to_owned() }], ..Reply::default() }
}

const CATALOG: &str = r#"{"catalog":"shop","about":"a shop","tools":[
    {"visibility":"inline","search":true,"definition":{"name":"find","description":"finds"}},
    {"visibility":"inline","definition":{"name":"listOrders","description":"Lists orders","inputSchema":{"type":"object","properties":{"month":{"type":"integer"}},"required":["month"]}}},
    {"visibility":"hidden","keywords":["csv"],"definition":{"name":"startExport","description":"Exports a table"}}]}"#;

const REQUESTS: &str = r#"{"id":"1","catalog":"shop","kind":"hidden","part":"dev","tools":["startExport"],"lookups":["listOrders"],"text":{"en":"csv please"}}
{"id":"2","catalog":"shop","kind":"inline","part":"test","tools":["listOrders"],"text":{"en":"orders of May"}}
{"id":"3","catalog":"shop","kind":"none","part":"dev","text":{"en":"hello"}}
{"id":"4","catalog":"shop","kind":"hidden","part":"dev","tools":["startExport"],"text":{"ko":"내보내 줘"}}
"#;

fn write(folder: &Path, requests: &str) -> Result<RequestSet, SetError> {
    fs::create_dir_all(folder.join("catalogs")).expect("a folder");
    fs::write(folder.join("catalogs/shop.json"), CATALOG).expect("a file");
    fs::write(folder.join("requests.jsonl"), requests).expect("a file");
    RequestSet::read(folder)
}

fn set() -> RequestSet {
    let folder = tempfile::tempdir().expect("a folder");
    write(folder.path(), REQUESTS).expect("a set")
}

fn run(at: usize, profile: Profile, replies: Vec<Reply>) -> Verdict {
    let set = set();
    let request = &set.requests[at];
    let model = Scripted::model(replies);
    let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build();
    let setting = Setting { model: &model, language: "en", profile, meaning: None };
    let measured = measure(&setting, &set.catalogs[&request.catalog], request);
    runtime.expect("a runtime").block_on(measured).expect("a catalog").expect("a text")
}

fn called(tool: &str) -> First {
    First::Called { tool: tool.to_owned() }
}

#[test]
fn the_first_tool_that_runs_counts_and_a_search_is_none() {
    let found = vec![
        calls("ToolSearch", r#"{"query":"csv"}"#),
        calls("startExport", "{}"),
        says("never asked"),
    ];
    let verdict = run(0, Profile::DEFAULT, found);
    assert_eq!((verdict.first, verdict.is_right), (called("startExport"), true));
    assert_eq!((verdict.searches, verdict.steps), (1, 2));

    let verdict = run(0, Profile::DEFAULT, vec![calls("listOrders", r#"{"month":5}"#)]);
    assert_eq!((verdict.first, verdict.is_right), (called("listOrders"), false));
    assert!(verdict.is_lookup);
}

/// Knows of exports, in two languages.
struct Exports;

impl Embedder for Exports {
    fn model(&self) -> &str {
        "exports"
    }

    fn width(&self) -> usize {
        2
    }

    fn embed<'a>(
        &'a self,
        texts: &'a [&'a str],
    ) -> BoxFuture<'a, Result<Vec<Vec<f32>>, EmbedError>> {
        let is_export = |text: &str| text.contains("Export") || text.contains("내보내");
        let vector = |text: &&str| if is_export(text) { vec![1.0, 0.0] } else { vec![0.0, 1.0] };
        Box::pin(std::future::ready(Ok(texts.iter().map(vector).collect())))
    }
}

#[test]
fn a_request_in_another_language_is_searched_for_by_its_meaning() {
    let set = set();
    let embedder: Arc<dyn Embedder> = Arc::new(Exports);
    let is_right = |meaning| {
        let model = Scripted::model(vec![calls("startExport", "{}"), says("no such tool")]);
        let profile = Profile { preload: 3, ..Profile::DEFAULT };
        let setting = Setting { model: &model, language: "ko", profile, meaning };
        let measured = measure(&setting, &set.catalogs["shop"], &set.requests[3]);
        let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build();
        let verdict = runtime.expect("a runtime").block_on(measured).expect("a catalog");
        verdict.expect("a text").is_right
    };
    assert!(!is_right(None), "no word of it stands in the tools");
    assert!(is_right(Some((&embedder, &NoStore))));
}

#[test]
fn a_call_that_is_refused_did_not_run() {
    let bad = vec![calls("listOrders", "{}"), calls("listOrders", r#"{"month":5}"#)];
    let verdict = run(1, Profile::DEFAULT, bad);
    assert_eq!((verdict.first, verdict.is_right, verdict.steps), (called("listOrders"), true, 2));
    let hidden = vec![calls("startExport", "{}"), says("I can not")];
    let verdict = run(0, Profile::DEFAULT, hidden);
    assert_eq!((verdict.first, verdict.is_right), (First::Answered, false));
    let recovered = Profile { recovers: true, ..Profile::DEFAULT };
    let verdict = run(0, recovered, vec![calls("startExport", "{}")]);
    assert!(verdict.is_right);
}

#[test]
fn a_request_that_needs_no_tool_is_right_when_none_runs() {
    assert!(run(2, Profile::DEFAULT, vec![says("hi")]).is_right);
    assert!(!run(2, Profile::DEFAULT, vec![calls("listOrders", r#"{"month":1}"#)]).is_right);
    let nothing = run(2, Profile::DEFAULT, vec![says(""), says("")]);
    assert_eq!((nothing.first, nothing.is_right), (First::Neither, false));
}

#[test]
fn labels_that_cannot_be_right_are_refused() {
    let folder = tempfile::tempdir().expect("a folder");
    for (wrong, why) in [
        (REQUESTS.replace("startExport", "gone"), "`shop` has no tool `gone`"),
        (REQUESTS.replace(r#""kind":"hidden""#, r#""kind":"inline""#), "not what a request"),
        (REQUESTS.replace(r#""catalog":"shop""#, r#""catalog":"x""#), "no catalog `x`"),
        (REQUESTS.replace(r#""kind":"none""#, r#""kind":"hidden""#), "only requests of kind"),
    ] {
        let error = write(folder.path(), &wrong).expect_err("wrong").to_string();
        assert!(error.contains(why), "{error}");
    }
}

#[test]
fn a_memory_answers_what_was_asked_before_and_nothing_else() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("memory.jsonl");
    let set = set();
    // Returns with what came how many replies were not asked for, of one that there is.
    let ask = |request: usize| {
        let scripted = Arc::new(Scripted { replies: Mutex::new([says("hi")].into()) });
        let memory = Memory::open(Arc::<Scripted>::clone(&scripted), &path).expect("a memory");
        let model: Arc<dyn Model> = Arc::new(memory);
        let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build();
        let request = &set.requests[request];
        let setting =
            Setting { model: &model, language: "en", profile: Profile::DEFAULT, meaning: None };
        let measured = measure(&setting, &set.catalogs[&request.catalog], request);
        let verdict = runtime.expect("a runtime").block_on(measured).expect("a catalog");
        let left = scripted.replies.lock().expect("no panic under the lock").len();
        (verdict.expect("a text").first, left)
    };
    assert_eq!(ask(2), (First::Answered, 0));
    fs::OpenOptions::new()
        .append(true)
        .open(&path)
        .and_then(|mut file| std::io::Write::write_all(&mut file, b"{\"request\":1,\"rep"))
        .expect("a file");
    assert_eq!(ask(2), (First::Answered, 1));
    assert_eq!(ask(1), (First::Answered, 0));
    assert_eq!(ask(2), (First::Answered, 1));
}

#[test]
fn shares_and_their_intervals() {
    // Wilson's interval by hand for 8 of 10: (0.49016, 0.94331).
    let (low, high) = Share { count: 8, of: 10 }.interval();
    assert!((low - 49.016).abs() < 0.01 && (high - 94.331).abs() < 0.01, "{low} {high}");
    let (low, high) = Share { count: 0, of: 20 }.interval();
    assert!(low.abs() < 1e-9 && (high - 16.11).abs() < 0.01, "{low} {high}");
    let verdicts = [
        run(0, Profile::DEFAULT, vec![calls("listOrders", r#"{"month":5}"#)]),
        run(0, Profile { preload: 3, ..Profile::DEFAULT }, vec![calls("startExport", "{}")]),
        run(2, Profile::DEFAULT, vec![says("hi")]),
    ];
    let summary = summarize(&verdicts);
    assert_eq!(summary[&Kind::Hidden].right, Share { count: 1, of: 2 });
    assert_eq!(summary[&Kind::Hidden].lookup, Share { count: 1, of: 2 });
    assert_eq!(summary[&Kind::None].right.percent(), 100.0);
}
