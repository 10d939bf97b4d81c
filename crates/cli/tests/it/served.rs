//! `oncue run` against servers that stand in for those of vendors.

use std::fs;

use oncue_fakes::{Failure, Fake, Piece, Scripted, wires};
use serde_json::{Value, json};
use tokio::runtime::Runtime;

use crate::oncue::{Answer, Folder, answer, command, oncue};
use crate::run::steady;

/// What opens the servers.
const KEY: &str = "sk-oncue-test-0123456789";

/// The protocols with a model, and what stands behind the address of their servers.
const MESSAGES: (&str, &str) = ("messages:claude-opus-5", "");
const CHAT: (&str, &str) = ("chat:some-model", "/v1");
const PROTOCOLS: [(&str, &str); 3] = [MESSAGES, CHAT, ("responses:some-model", "/v1")];

/// A server that answers by a script.
struct Server {
    runtime: Runtime,
    fake: Fake,
}

impl Server {
    fn new(script: impl IntoIterator<Item = Scripted>) -> Self {
        let mut builder = tokio::runtime::Builder::new_multi_thread();
        let runtime = builder.worker_threads(1).enable_all().build().expect("a runtime");
        let fake = runtime.block_on(async { Fake::start(wires()) }).expect("a free port");
        fake.extend(script);
        Self { runtime, fake }
    }

    fn model(&self, (model, path): (&str, &str)) -> String {
        format!("{model}@{}{path}", self.fake.url())
    }

    fn stop(self) {
        self.runtime.block_on(self.fake.stop()).expect("it stops");
    }
}

fn run(args: &[&str]) -> Answer {
    let mut command = command(&["run"]);
    command.args(args).env("ONCUE_API_KEY", KEY);
    answer(command, b"")
}

fn search_and_refund() -> Vec<Scripted> {
    vec![
        Scripted::call("ToolSearch", json!({"query": "give money back"})),
        Scripted::Reply(vec![
            Piece::Text("I pay it back.".to_owned()),
            Piece::Call {
                name: "refundOrder".to_owned(),
                arguments: json!({"order": "1007", "reason": "lost"}),
            },
        ]),
        Scripted::text("Order 1007 is refunded."),
    ]
}

#[test]
fn a_tool_is_found_and_called_over_every_protocol() {
    for protocol in PROTOCOLS {
        for how in [&[][..], &["--no-stream"]] {
            let server = Server::new(search_and_refund());
            let model = server.model(protocol);
            let mut args = vec!["--model", &model, "--yes"];
            args.extend(how);
            args.push("Refund order 1007");
            let found = run(&args);
            assert_eq!(
                (found.code, found.out.as_str()),
                (0, "Order 1007 is refunded.\n"),
                "{protocol:?}: {found:?}"
            );
            for line in [
                "\nsearch  \"give money back\" → refundOrder, proposeRefund\nsay     I pay it back.\ncall    refundOrder ",
                "Order 1007 is refunded: 167.00 EUR. In the books: lost\ndone    ",
                "  3 steps  1 call  1 search  ",
            ] {
                assert!(found.err.contains(line), "{protocol:?}: {line}: {found:?}");
            }
            assert_eq!(server.fake.left(), 0);
            server.stop();
        }
    }
}

#[test]
fn what_was_recorded_of_a_server_is_replayed_without_it_and_holds_no_key() {
    for protocol in PROTOCOLS {
        let server = Server::new(search_and_refund());
        let folder = Folder::of(&[]);
        let (model, file) = (server.model(protocol), folder.path("rec.jsonl"));
        let recorded = run(&["--model", &model, "--yes", "--record", &file, "Refund order 1007"]);
        server.stop();
        let mut recorded = steady(recorded);
        assert_eq!(recorded.code, 0, "{protocol:?}: {recorded:?}");
        let text = fs::read_to_string(&file).expect("the recording");
        assert!(!text.contains(KEY) && !text.to_lowercase().contains("authorization"), "{text}");

        let warning = "warning: every call of a gated tool runs without asking (`--yes`)\n";
        recorded.err = recorded.err.replace(warning, "");
        let replayed = steady(oncue(&["run", "--replay", &file]));
        assert_eq!(replayed, recorded, "{protocol:?}");
    }
}

#[test]
fn a_server_that_fails_for_a_while_is_asked_again() {
    let server = Server::new([Scripted::Error(Failure::of(503)), Scripted::text("Here.")]);
    let model = server.model(CHAT);
    let found = run(&["--model", &model, "Hello"]);
    assert_eq!((found.code, found.out.as_str()), (0, "Here.\n"), "{found:?}");
    assert!(found.err.contains("\nretry   in "), "{found:?}");
    server.stop();
}

#[test]
fn a_server_that_cannot_be_asked_has_a_code_of_its_own() {
    let server = Server::new([Scripted::Error(Failure::of(401))]);
    let model = server.model(MESSAGES);
    let found = run(&["--model", &model, "--json", "Hello"]);
    assert_eq!(found.code, 7);
    assert!(
        found.err.starts_with("error: the model could not be asked: not authenticated: "),
        "{found:?}"
    );
    let last: Value =
        serde_json::from_str(found.out.lines().last().expect("a line")).expect("JSON");
    assert_eq!((&last["outcome"], &last["kind"]), (&"failed".into(), &"authentication".into()));
    assert_eq!(last["exit"], 7);
    assert!(!found.out.contains(KEY) && !found.err.contains(KEY));
    server.stop();

    // Nobody is there.
    let found = run(&["--model", "chat:m@http://127.0.0.1:1/v1", "--time", "1s", "Hello"]);
    assert!([6, 7].contains(&found.code), "{found:?}");
}

#[test]
fn what_is_told_once_and_how_tools_become_visible_reach_the_server() {
    let server = Server::new(search_and_refund());
    let model = server.model(MESSAGES);
    let found = run(&[
        "--model", &model, "--yes", "--disclosure", "by-value", "--system", "You keep a shop.",
        "Refund order 1007",
    ]);
    assert_eq!(found.code, 0, "{found:?}");
    let requests = server.fake.requests();
    for seen in &requests {
        assert!(seen.asked.body["system"].to_string().contains("You keep a shop."));
    }
    // The list of tools stays as it was; what was found stands in the conversation.
    let tools: Vec<&Value> = requests.iter().map(|seen| &seen.asked.body["tools"]).collect();
    assert_eq!(tools.len(), 3);
    assert!(tools.iter().all(|list| !list.to_string().contains("proposeRefund")), "{tools:?}");
    assert!(requests[1].asked.body["messages"].to_string().contains("proposeRefund"));
    server.stop();
}
