use oncue_agent::cache::{CacheUse, MissReason, PrefixCache};
use serde_json::{Value, json};

use super::{Bedrock, reply, stream};
use crate::anthropic::Sent;
use crate::{Asked, Fake, Piece, Refusal, Scripted, Wire};

const PATH: &str = "/model/anthropic.claude-opus-5-v1%3A0/converse";

const USED: CacheUse = CacheUse { read: 7, written: 5, uncached: 3, miss: None, missed: 0 };

fn asked(body: Value) -> Asked {
    let headers = vec![("authorization".to_owned(), "Bearer k".to_owned())];
    Asked { path: PATH.to_owned(), headers, body, ..Asked::default() }
}

fn hi() -> Asked {
    asked(json!({"messages": [{"role": "user", "content": [{"text": "Hi"}]}]}))
}

/// Puts events together as a client would.
fn reassembled(events: &[(&'static str, Value)]) -> Value {
    let mut content: Vec<Value> = Vec::new();
    let mut inputs: Vec<String> = Vec::new();
    let mut whole = json!({});
    let append = |field: &mut Value, more: &Value| {
        let before = field.as_str().unwrap_or_default().to_owned();
        *field = json!(before + more.as_str().unwrap());
    };
    for (kind, event) in events {
        let index = event["contentBlockIndex"].as_u64().unwrap_or_default() as usize;
        match *kind {
            "messageStart" => assert_eq!(event["role"], json!("assistant")),
            "contentBlockStart" => {
                assert_eq!(index, content.len());
                content.push(event["start"].clone());
                inputs.push(String::new());
            }
            "contentBlockDelta" => {
                if index == content.len() {
                    content.push(json!({}));
                    inputs.push(String::new());
                }
                let (name, delta) = event["delta"].as_object().unwrap().iter().next().unwrap();
                match name.as_str() {
                    "text" => append(&mut content[index]["text"], delta),
                    "toolUse" => inputs[index].push_str(delta["input"].as_str().unwrap()),
                    "reasoningContent" => {
                        let (name, more) = delta.as_object().unwrap().iter().next().unwrap();
                        append(
                            &mut content[index]["reasoningContent"]["reasoningText"][name],
                            more,
                        );
                    }
                    other => content[index][other] = delta.clone(),
                }
            }
            "contentBlockStop" => {
                if content[index].get("toolUse").is_some() {
                    content[index]["toolUse"]["input"] =
                        serde_json::from_str(&inputs[index]).unwrap();
                }
            }
            "messageStop" => whole["stopReason"] = event["stopReason"].clone(),
            "metadata" => {
                whole["usage"] = event["usage"].clone();
                whole["metrics"] = event["metrics"].clone();
            }
            other => panic!("{other}"),
        }
    }
    whole["output"] = json!({"message": {"role": "assistant", "content": content}});
    whole
}

#[test]
fn a_stream_put_together_is_the_plain_answer() {
    let pieces = vec![
        Piece::Reasoning("I should look for a tool.".to_owned()),
        Piece::Text("Ich suche… 검색합니다.".to_owned()),
        Piece::Call { name: "a".to_owned(), arguments: json!({"q": "x \"y\"", "n": [1, {}]}) },
        Piece::Call { name: "b".to_owned(), arguments: json!({}) },
        Piece::Opaque(json!({"beam": {"energy": 9}})),
    ];
    for scripted in [
        Scripted::Reply(pieces),
        Scripted::text("one"),
        Scripted::Refusal("I would rather not.".to_owned()),
        Scripted::CutOff(vec![Piece::Text("half of this".to_owned())]),
    ] {
        let reply = reply::reply(&hi(), &Sent::default(), &scripted, &USED, 4);
        assert_eq!(reassembled(&stream::events(&reply)), reply.value(), "{scripted:?}");
    }
}

#[test]
fn an_answer_says_why_it_ended_and_what_it_cost() {
    let answer = |scripted| Bedrock::default().answer(&hi(), &scripted, &USED, 4);
    let done = answer(Scripted::text("one"));
    assert_eq!(done["stopReason"], json!("end_turn"));
    assert_eq!(
        done["usage"],
        // `{"text":"one"}` has 14 bytes, 4 tokens.
        json!({
            "inputTokens": 3, "outputTokens": 4, "totalTokens": 19, "cacheReadInputTokens": 7,
            "cacheWriteInputTokens": 5, "cacheDetails": [{"ttl": "5m", "inputTokens": 5}],
        })
    );
    assert_eq!(answer(Scripted::call("a", json!({})))["stopReason"], json!("tool_use"));
    assert_eq!(answer(Scripted::Refusal("no".to_owned()))["stopReason"], json!("content_filtered"));
    let raw = Piece::RawCall { name: "a".to_owned(), arguments: "{\"q\":".to_owned() };
    let broken = answer(Scripted::Reply(vec![raw]));
    assert_eq!(broken["stopReason"], json!("malformed_tool_use"));
    assert_eq!(broken["output"]["message"]["content"][0]["toolUse"]["input"], json!({}));
}

#[test]
fn a_reply_that_is_cut_off_leaves_its_last_block_open() {
    let call = Piece::Call { name: "a".to_owned(), arguments: json!({"query": "rows"}) };
    let scripted = Scripted::CutOff(vec![call]);
    let reply = reply::reply(&hi(), &Sent::default(), &scripted, &USED, 4);
    let events = stream::events(&reply);
    assert!(events.iter().all(|(kind, _)| *kind != "contentBlockStop"));
    let inputs = events.iter().filter_map(|(_, e)| e["delta"]["toolUse"]["input"].as_str());
    // Half of the 16 characters of `{"query":"rows"}`.
    assert_eq!(inputs.collect::<String>(), r#"{"query""#);
    assert_eq!(reply.stop_reason, "max_tokens");
}

#[test]
fn marks_keep_what_stands_before_them() {
    let wire = Bedrock::default();
    let mut cache = PrefixCache::new(wire.cache_rules(&hi()));
    let point = || json!({"cachePoint": {"type": "default"}});
    // `{"text":"…"}` has 11 bytes around its text: 512 tokens.
    let system = |letter: &str| json!([{"text": letter.repeat(2_048 - 11)}, point()]);
    let mut send = |letter: &str, text: &str, choice: Value| {
        let spec = json!({"name": "a", "inputSchema": {"json": {"type": "object"}}});
        let asked = asked(json!({
            "system": system(letter),
            "toolConfig": {"tools": [{"toolSpec": spec}], "toolChoice": choice},
            "messages": [{"role": "user", "content": [{"text": text}, point()]}],
        }));
        wire.check(&asked).unwrap();
        let used = cache.send(&wire.prompt(&asked));
        (used.read, used.written, used.uncached, used.miss)
    };
    let auto = || json!({"auto": {}});
    // The tool is `{"toolSpec":{"name":"a","inputSchema":{"json":{"type":"object"}}}}`, 66 bytes, 17 tokens; a text of nine letters has 20 bytes, 5 tokens.
    assert_eq!(send("s", "nineteenx", auto()), (0, 534, 0, None));
    assert_eq!(send("s", "nineteenx", auto()), (534, 0, 0, None));
    assert_eq!(send("s", "ninetenth", auto()), (529, 5, 0, Some(MissReason::MessagesChanged)));
    let any = json!({"any": {}});
    assert_eq!(send("s", "ninetenth", any), (529, 5, 0, Some(MissReason::MessagesChanged)));
    assert_eq!(send("t", "ninetenth", auto()), (0, 534, 0, Some(MissReason::SystemChanged)));
}

#[test]
fn an_error_is_an_exception_in_a_header_and_in_streams() {
    let wire = Bedrock::default();
    let refusal = Refusal::new(429, "", "slow down");
    let headers = wire.error_headers(&refusal);
    assert_eq!(headers[0].0, "x-amzn-errortype");
    assert!(headers[0].1.starts_with("ThrottlingException:"));
    assert_eq!(wire.error(&refusal, 1), json!({"message": "slow down"}));
    let failure = crate::Failure { mid_stream: true, ..crate::Failure::of(429) };
    let frames = wire.stream(&hi(), &Scripted::Error(failure), &USED, 1);
    let last = String::from_utf8_lossy(frames.last().unwrap()).into_owned();
    assert!(last.contains(":exception-type") && last.contains("throttlingException"), "{last}");
}

async fn ask(fake: &Fake, path: &str, body: &Value) -> Value {
    let _ = rustls::crypto::ring::default_provider().install_default();
    let client = reqwest::Client::builder().no_proxy().build().unwrap();
    let request = client.post(format!("{}{path}", fake.url())).header("authorization", "Bearer k");
    let text = request.body(body.to_string()).send().await.unwrap().text().await.unwrap();
    serde_json::from_str(&text).unwrap()
}

#[tokio::test]
async fn the_demonstration_works_over_converse() {
    let fake = Fake::start(crate::wires()).unwrap().with_search_demo();
    let spec = |name: &str| json!({"toolSpec": {"name": name, "inputSchema": {"json": {"type": "object"}}}});
    let mut body = json!({
        "messages": [{"role": "user", "content": [{"text": "export my rows"}]}],
        "toolConfig": {"tools": [spec("tool_search")]},
    });
    let go_on = |body: &mut Value, answer: &Value, result: Value| {
        let message = answer["output"]["message"].clone();
        let id = message["content"][0]["toolUse"]["toolUseId"].clone();
        let result = json!({"toolResult": {"toolUseId": id, "content": [result]}});
        let messages = body["messages"].as_array_mut().unwrap();
        messages.push(message);
        messages.push(json!({"role": "user", "content": [result]}));
    };
    let first = ask(&fake, PATH, &body).await;
    go_on(&mut body, &first, json!({"json": {"tools": [{"name": "export"}]}}));
    body["toolConfig"]["tools"].as_array_mut().unwrap().push(spec("export"));
    let second = ask(&fake, PATH, &body).await;
    assert_eq!(second["output"]["message"]["content"][0]["toolUse"]["name"], json!("export"));
    go_on(&mut body, &second, json!({"text": "3 rows"}));
    let third = ask(&fake, PATH, &body).await;
    let text = &third["output"]["message"]["content"][0]["text"];
    assert_eq!(text, &json!("export answered: 3 rows"));
}

#[tokio::test]
async fn behind_the_door_stands_the_messages_api() {
    let fake = Fake::start(crate::wires()).unwrap();
    fake.push(Scripted::text("hello"));
    let path = PATH.replace("converse", "invoke");
    let body = json!({
        "anthropic_version": "bedrock-2023-05-31", "max_tokens": 10,
        "messages": [{"role": "user", "content": "Hi"}],
    });
    let answer = ask(&fake, &path, &body).await;
    assert_eq!(answer["content"][0]["text"], json!("hello"));
    let wrong = ask(&fake, &path, &json!({"messages": []})).await;
    assert_eq!(wrong, json!({"message": "max_tokens: Field required"}));
    let seen = fake.requests();
    assert_eq!(seen[1].refusal.as_ref().unwrap().kind, "ValidationException");
}
