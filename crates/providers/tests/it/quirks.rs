//! Servers that speak OpenAI's protocols less well, one quirk each.

use oncue_agent::conversation::{Call, Part};
use oncue_agent::{Disclosure, Reply};
use oncue_fakes::{Chat, Fake, Piece, Quirk, Responses, Scripted};
use oncue_providers::{Endpoint, Protocol};
use oncue_tools::CallId;
use serde_json::json;

use crate::session::{Heard, Session};

/// Asks a server with this quirk for two calls, whole and streamed, and returns the one reply that both are.
async fn replied(quirk: Quirk, is_lenient: bool) -> Reply {
    let fake = Fake::start([Box::new(Chat::openai().with(quirk)) as _]).unwrap();
    let endpoint = Endpoint::new(Protocol::Chat, format!("{}/v1", fake.url()), "gpt-4.1")
        .with_lenient_calls(is_lenient)
        .with_header("authorization", "Bearer sk-test");
    let mut session = Session::new(endpoint.open().unwrap());
    session.say("Read both.");
    let read = |table: &str| Piece::Call {
        name: "readTable".to_owned(),
        arguments: json!({"table": table}),
    };
    let reply = Scripted::Reply(vec![read("a"), read("b")]);
    fake.extend([reply.clone(), reply]);
    let whole = session.ask(None).await.unwrap();
    let streamed = session.ask(Some(&Heard::default())).await.unwrap();
    for seen in fake.requests() {
        assert_eq!(seen.refusal, None);
    }
    assert_eq!(calls(&whole).len(), calls(&streamed).len(), "{quirk:?}");
    for (one, other) in calls(&whole).iter().zip(calls(&streamed)) {
        // What a server makes up for a name is another thing each time.
        assert!(one.name == other.name || quirk == Quirk::NameSuffix, "{one:?} {other:?}");
        assert_eq!(one.arguments, other.arguments, "{quirk:?}");
    }
    whole
}

fn calls(reply: &Reply) -> Vec<Call> {
    let calls = reply.parts.iter().filter_map(|part| match part {
        Part::Call(call) => Some(call.clone()),
        _ => None,
    });
    calls.collect()
}

#[tokio::test]
async fn calls_are_read_as_they_are_meant() {
    let (a, b) = (r#"{"table":"a"}"#, r#"{"table":"b"}"#);
    for quirk in [
        Quirk::FunctionsPrefix,
        Quirk::ObjectArguments,
        Quirk::KimiIds,
        Quirk::IdMissing,
        Quirk::IdDuplicated,
        Quirk::NullContent,
        Quirk::FinishStop,
    ] {
        let reply = replied(quirk, false).await;
        let read: Vec<(String, String)> =
            calls(&reply).into_iter().map(|call| (call.name, call.arguments)).collect();
        let expected = [a, b].map(|arguments| ("readTable".to_owned(), arguments.to_owned()));
        assert_eq!(read, expected, "{quirk:?}");
    }
    // What was never offered keeps its name, and the loop answers with near ones.
    for call in calls(&replied(Quirk::NameSuffix, false).await) {
        assert!(call.name.starts_with("readTable") && call.name != "readTable", "{call:?}");
    }
    let arguments = |reply: &Reply| -> Vec<String> {
        calls(reply).into_iter().map(|call| call.arguments).collect()
    };
    assert_eq!(arguments(&replied(Quirk::EmptyArguments, false).await), ["", ""]);
    let more = arguments(&replied(Quirk::UnknownArgument, false).await);
    assert!(more.iter().all(|text| text.starts_with(r#"{"table":"#)), "{more:?}");
    let echoed = arguments(&replied(Quirk::SchemaEchoed, true).await);
    assert!(echoed.iter().all(|text| text.contains("properties")), "{echoed:?}");
}

#[tokio::test]
async fn a_lenient_endpoint_finds_calls_in_text_and_takes_glued_ones_apart() {
    for quirk in [Quirk::FencedCalls, Quirk::GluedCalls] {
        let found = calls(&replied(quirk, true).await);
        let read: Vec<(&str, &str)> =
            found.iter().map(|call| (call.name.as_str(), call.arguments.as_str())).collect();
        let expected = [r#"{"table":"a"}"#, r#"{"table":"b"}"#].map(|text| ("readTable", text));
        assert_eq!(read, expected, "{quirk:?}");
    }
    // Without leave, text is text.
    assert_eq!(calls(&replied(Quirk::FencedCalls, false).await), []);
}

#[tokio::test]
async fn missing_ids_are_left_to_the_loop() {
    let ids: Vec<CallId> =
        calls(&replied(Quirk::IdMissing, false).await).into_iter().map(|call| call.id).collect();
    assert_eq!(ids, [CallId::new(""), CallId::new("")]);
}

#[tokio::test]
async fn arguments_may_come_whole_at_their_end() {
    let fake = Fake::start([Box::new(Responses::openai().with_whole_arguments()) as _]).unwrap();
    let endpoint = Endpoint::new(Protocol::Responses, format!("{}/v1", fake.url()), "gpt-5.4")
        .with_disclosure(Disclosure::ClientSearch)
        .with_header("authorization", "Bearer sk-test");
    let mut session = Session::new(endpoint.open().unwrap());
    session.say("Read a.");
    fake.push(Scripted::call("readTable", json!({"table": "a"})));
    let reply = session.ask(Some(&Heard::default())).await.unwrap();
    assert_eq!(calls(&reply)[0].arguments, r#"{"table":"a"}"#);
}
