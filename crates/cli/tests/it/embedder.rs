//! Ranking by the meaning that a model behind an endpoint tells.
//!
//! To the stand-in two texts mean the same whose words have the same letters, so that `funder` finds what says `refund` and shares no word with it.

use oncue_fakes::{Embeddings, Fake, Scripted, Wire, wires};
use serde_json::{Value, json};
use tokio::runtime::Runtime;

use crate::oncue::{Answer, Folder, answer, command};

const TOOLS: &str = r#"{"tools": [
    {"name": "refund_charge", "description": "Return an amount to the customer."},
    {"name": "list_customers", "description": "List people."},
    {"name": "create_invoice", "description": "Write a bill."},
    {"name": "forecast", "description": "Tell about rain."}
]}"#;

const QUERIES: &str = r#"{"id": "q1", "query": "funder", "relevant": ["1"], "lang": "en"}"#;

const LABELLED: &str = r#"{"id": "1", "name": "refund_charge", "description": "Return an amount to the customer."}
{"id": "2", "name": "forecast", "description": "Tell about rain."}
{"id": "3", "name": "create_invoice", "description": "Write a bill."}"#;

/// Servers that run as long as this lives.
pub(crate) struct Served {
    runtime: Runtime,
}

impl Served {
    pub(crate) fn new() -> Self {
        let mut builder = tokio::runtime::Builder::new_multi_thread();
        Self { runtime: builder.worker_threads(1).enable_all().build().expect("a runtime") }
    }

    /// Starts an embedding model that answers everything.
    pub(crate) fn embeddings(&self) -> Fake {
        let wire: Box<dyn Wire> = Box::new(Embeddings::local("letters", 512));
        let fake = self.runtime.block_on(async { Fake::start([wire]) }).expect("a free port");
        fake.with_responder(|_| Scripted::Reply(Vec::new()))
    }

    /// Starts a chat model that answers by a script.
    fn chat(&self, script: impl IntoIterator<Item = Scripted>) -> Fake {
        let fake = self.runtime.block_on(async { Fake::start(wires()) }).expect("a free port");
        fake.extend(script);
        fake
    }

    pub(crate) fn stop(&self, fake: Fake) {
        self.runtime.block_on(fake.stop()).expect("it stops");
    }
}

/// Returns the name of the model that a fake serves.
pub(crate) fn name(fake: &Fake) -> String {
    format!("embeddings:letters@{}/v1", fake.url())
}

/// Returns what each request asked for.
pub(crate) fn inputs(fake: &Fake) -> Vec<Value> {
    fake.requests().into_iter().map(|seen| seen.asked.body["input"].clone()).collect()
}

fn folder() -> Folder {
    Folder::of(&[
        ("shop.json", TOOLS.as_bytes()),
        ("set/tools.jsonl", LABELLED.as_bytes()),
        ("set/queries.dev.jsonl", QUERIES.as_bytes()),
    ])
}

/// Runs the command with a place of its own for what models have told.
fn run(folder: &Folder, args: &[&str]) -> Answer {
    let mut command = command(args);
    command.env("ONCUE_MODELS", folder.path("models")).env("ONCUE_API_KEY", "sk-oncue-test");
    answer(command, b"")
}

fn search(folder: &Folder, query: &str, embedder: &str) -> Answer {
    let catalog = folder.path("shop.json");
    run(folder, &["search", query, "--catalog", &catalog, "--embedder", embedder, "--json"])
}

#[test]
fn what_shares_no_word_is_found_and_tools_are_asked_about_once() {
    let (served, folder) = (Served::new(), folder());
    let fake = served.embeddings();
    let found = search(&folder, "funder", &name(&fake));
    let json = found.json();
    assert_eq!((found.code, &json["ranker"]), (0, &json!("hybrid")), "{found:?}");
    assert_eq!(json["hits"][0]["name"], "refund_charge", "{found:?}");
    assert_eq!(search(&folder, "funder", "none").json()["matching"], 0, "words find nothing");
    search(&folder, "refund a charge", &name(&fake));
    let asked = inputs(&fake);
    let tools = json!([
        "refund charge. Return an amount to the customer.",
        "list customers. List people.",
        "create invoice. Write a bill.",
        "forecast. Tell about rain."
    ]);
    assert_eq!(asked, [tools, json!(["funder"]), json!(["refund a charge"])]);
    let (catalog, name) = (folder.path("shop.json"), name(&fake));
    let why = run(&folder, &["explain", "funder", "--catalog", &catalog, "--embedder", &name]);
    assert!(why.out.contains("refund_charge"), "{why:?}");
}

#[test]
fn a_model_that_is_away_is_named_and_words_rank() {
    let (served, folder) = (Served::new(), folder());
    let fake = served.embeddings();
    let name = name(&fake);
    let shown = name.trim_start_matches("embeddings:").to_owned();
    served.stop(fake);
    let found = search(&folder, "refund a charge", &name);
    let json = found.json();
    assert_eq!((found.code, &json["ranker"]), (0, &json!("bm25f")), "{found:?}");
    assert_eq!(json["hits"][0]["name"], "refund_charge");
    let warning = format!("warning: the embedding model `{shown}` gave no vectors: unavailable: ");
    assert!(found.err.starts_with(&warning), "{found:?}");
    assert!(found.err.contains("; words alone rank\n"), "{found:?}");
}

#[test]
fn a_measurement_goes_by_the_model_or_not_at_all() {
    let (served, folder) = (Served::new(), folder());
    let fake = served.embeddings();
    let (set, name) = (folder.path("set"), name(&fake));
    let eval = || {
        let args = ["eval", "retrieval", &set, "--embedder", &name, "--ranker", "hybrid"];
        run(&folder, &[&args[..], &["--split", "dev", "--json"]].concat())
    };
    let found = eval();
    let line: Value = serde_json::from_str(found.out.lines().next().unwrap_or_default())
        .unwrap_or_else(|error| panic!("{error}: {found:?}"));
    assert_eq!((found.code, line["recall@5"].as_f64()), (0, Some(1.0)), "{found:?}");
    served.stop(fake);
    let found = eval();
    assert_eq!((found.code, found.out.as_str()), (3, ""), "{found:?}");
    assert!(found.err.contains("gave no vectors"), "{found:?}");
}

#[test]
fn a_run_searches_by_what_is_meant() {
    let (served, folder) = (Served::new(), folder());
    let fake = served.embeddings();
    let chat = served.chat([
        Scripted::call("ToolSearch", json!({ "query": "funder" })),
        Scripted::text("Found."),
    ]);
    let model = format!("chat:some-model@{}/v1", chat.url());
    let args = ["run", "--model", &model, "--embedder", &name(&fake), "Who pays?"];
    let found = run(&folder, &args);
    assert_eq!((found.code, found.out.as_str()), (0, "Found.\n"), "{found:?}");
    let search = found.err.lines().find(|line| line.starts_with("search  \"funder\" → "));
    assert!(search.is_some_and(|found| found.contains("refundOrder")), "{found:?}");
    assert_eq!(inputs(&fake).last(), Some(&json!(["funder"])));
}

#[test]
fn names_that_are_none_are_answered_with_what_to_type() {
    let folder = folder();
    let found = search(&folder, "refund", "word2vec");
    assert_eq!(found.code, 2, "{found:?}");
    let known =
        "use one of use-multilingual, none, or VENDOR:MODEL, embeddings:MODEL@URL or onnx:PATH";
    assert!(found.err.contains(known), "{found:?}");
    let found = search(&folder, "refund", "messages:m@http://127.0.0.1:1");
    assert_eq!(found.code, 3, "{found:?}");
    assert!(found.err.contains("`messages` has no embedding models"), "{found:?}");
    let found = search(&folder, "refund", &format!("onnx:{}", folder.path("no-model")));
    assert_eq!(found.code, 3, "{found:?}");
    let told = match cfg!(feature = "onnx") {
        true => "no-model` cannot be read",
        false => "--features onnx",
    };
    assert!(found.err.contains(told), "{found:?}");
}
