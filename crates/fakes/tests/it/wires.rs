//! Wires with one harness around them: which path is whose, streams in single bytes, refusals, waits, caches.

use std::time::Duration;

use oncue_fakes::{Chunks, Failure, Fake, Scripted, wires};
use serde_json::{Value, json};

/// What one wire is asked, and where its answer has the text.
struct Case {
    plain: &'static str,
    stream: &'static str,
    header: (&'static str, &'static str),
    body: Value,
    text: &'static str,
    stream_type: &'static str,
}

impl Case {
    /// The body that asks for a stream, or for none.
    fn asking(&self, streams: bool) -> Value {
        let mut body = self.body.clone();
        if self.plain == self.stream {
            body["stream"] = json!(streams);
        }
        body
    }
}

fn cases() -> [Case; 4] {
    let long = "x".repeat(8_000);
    let bearer = ("authorization", "Bearer k");
    let messages = json!([{ "role": "user", "content": long }]);
    [
        Case {
            plain: "/v1/chat/completions",
            stream: "/v1/chat/completions",
            header: bearer,
            body: json!({ "model": "gpt-5.6", "messages": messages }),
            text: "/choices/0/message/content",
            stream_type: "text/event-stream",
        },
        Case {
            plain: "/v1/responses",
            stream: "/v1/responses",
            header: bearer,
            body: json!({ "model": "gpt-5.6", "input": long }),
            text: "/output/0/content/0/text",
            stream_type: "text/event-stream",
        },
        Case {
            plain: "/v1beta/models/gemini-2.5-flash:generateContent",
            stream: "/v1beta/models/gemini-2.5-flash:streamGenerateContent?alt=sse",
            header: ("x-goog-api-key", "k"),
            body: json!({ "contents": [{ "role": "user", "parts": [{ "text": long }] }] }),
            text: "/candidates/0/content/parts/0/text",
            stream_type: "text/event-stream",
        },
        Case {
            plain: "/api/chat",
            stream: "/api/chat",
            header: ("x-none", "none"),
            body: json!({ "model": "qwen", "messages": messages }),
            text: "/message/content",
            stream_type: "application/x-ndjson",
        },
    ]
}

async fn post(fake: &Fake, case: &Case, path: &str, body: &Value) -> reqwest::Response {
    let _ = rustls::crypto::ring::default_provider().install_default();
    let client = reqwest::Client::builder().no_proxy().build().unwrap();
    let request = client.post(format!("{}{path}", fake.url()));
    request.header(case.header.0, case.header.1).body(body.to_string()).send().await.unwrap()
}

async fn json_of(response: reqwest::Response) -> Value {
    serde_json::from_str(&response.text().await.unwrap()).unwrap()
}

#[tokio::test]
async fn each_wire_answers_at_its_paths_plain_and_in_single_bytes() {
    for case in cases() {
        let fake = Fake::start(wires()).unwrap().with_chunks(Chunks::Bytes(1));
        fake.extend([Scripted::text("Hello."), Scripted::text("Hello.")]);
        let plain = json_of(post(&fake, &case, case.plain, &case.asking(false)).await).await;
        assert_eq!(plain.pointer(case.text), Some(&json!("Hello.")), "{plain}");
        let streamed = post(&fake, &case, case.stream, &case.asking(true)).await;
        assert_eq!(streamed.headers()["content-type"], case.stream_type);
        let text = streamed.text().await.unwrap();
        // Six characters are one fragment.
        assert!(text.contains("\"Hello.\""), "{text}");
        assert_eq!(fake.left(), 0);
    }
}

#[tokio::test]
async fn the_same_prompt_is_read_from_the_cache_except_at_ollama() {
    for case in cases() {
        let fake = Fake::start(wires()).unwrap();
        fake.extend([Scripted::text("Hello."), Scripted::text("Hello.")]);
        for _ in 0..2 {
            post(&fake, &case, case.plain, &case.asking(false)).await;
        }
        let [first, second] = [0, 1].map(|at| fake.requests()[at].cache);
        // 8,000 characters of text and less than 100 bytes around it.
        let prompt = first.written + first.uncached;
        assert!((2_000..2_025).contains(&prompt), "{}: {first:?}", case.plain);
        let is_cached = case.plain != "/api/chat";
        assert_eq!(second.read, if is_cached { prompt } else { 0 }, "{}", case.plain);
    }
}

#[tokio::test]
async fn a_failure_tells_how_long_to_wait_and_a_refusal_costs_nothing() {
    for case in cases() {
        let fake = Fake::start(wires()).unwrap();
        let wait = Some(Duration::from_secs(2));
        fake.push(Scripted::Error(Failure { retry_after: wait, ..Failure::of(429) }));
        let response = post(&fake, &case, case.plain, &json!({ "zzz": 1 })).await;
        assert_eq!(response.status().as_u16(), 400);
        assert_eq!(fake.left(), 1);
        let response = post(&fake, &case, case.plain, &case.asking(false)).await;
        assert_eq!(response.status().as_u16(), 429);
        assert_eq!(response.headers()["retry-after"], "2");
        assert!(json_of(response).await.get("error").is_some());
    }
}

#[tokio::test]
async fn a_failure_in_a_stream_comes_behind_its_beginning() {
    for case in cases() {
        let fake = Fake::start(wires()).unwrap();
        fake.push(Scripted::Error(Failure { mid_stream: true, ..Failure::of(503) }));
        let response = post(&fake, &case, case.stream, &case.asking(true)).await;
        assert_eq!(response.status().as_u16(), 200);
        let text = response.text().await.unwrap();
        let error = if case.plain == "/api/chat" { "\"error\":\"" } else { "\"error\":{" };
        let at = text.find(error).unwrap_or_else(|| panic!("{text}"));
        assert!(at > 50 && !text.contains("[DONE]"), "{text}");
    }
}
