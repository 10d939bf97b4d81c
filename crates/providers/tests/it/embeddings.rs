//! Embedding models behind real connections to strict stand-ins for their servers.

use std::time::Duration;

use oncue_fakes::{Embeddings, Failure, Fake, OllamaEmbed, Piece, Scripted, Wire};
use oncue_providers::{EmbeddingEndpoint, EmbeddingProtocol, EndpointEmbedder, Key};
use oncue_tools::Embedder;
use serde_json::{Value, json};
use tokio::time;

/// A server of OpenAI that answers every request, after what a test has pushed.
fn openai() -> Fake {
    started(Embeddings::openai())
}

fn started(wire: impl Wire) -> Fake {
    let wire: Box<dyn Wire> = Box::new(wire);
    Fake::start([wire]).unwrap().with_responder(|_| vectors())
}

/// The vectors of the texts.
fn vectors() -> Scripted {
    Scripted::Reply(Vec::new())
}

/// These vectors, whatever the texts are.
fn answering(data: Value) -> Scripted {
    Scripted::Reply(vec![Piece::Opaque(data)])
}

fn failing(status: u16) -> Scripted {
    Scripted::Error(Failure::of(status))
}

fn small(fake: &Fake) -> EmbeddingEndpoint {
    let url = format!("{}/v1", fake.url());
    EmbeddingEndpoint::new(EmbeddingProtocol::Embeddings, url, "text-embedding-3-small")
        .with_key(Key::new("sk-secret").unwrap())
        .with_dimensions(4)
}

fn open(endpoint: EmbeddingEndpoint) -> EndpointEmbedder {
    endpoint.open().unwrap()
}

async fn reason(embedder: &EndpointEmbedder, texts: &[&str]) -> String {
    embedder.embed(texts).await.unwrap_err().reason
}

/// What each request asked for, as a number of texts.
fn sizes(fake: &Fake) -> Vec<usize> {
    let input = |body: &Value| body["input"].as_array().map_or(0, Vec::len);
    fake.requests().iter().map(|seen| input(&seen.asked.body)).collect()
}

#[tokio::test]
async fn vectors_come_in_the_order_of_the_texts_whatever_the_server_does() {
    let fake = openai();
    let embedder = open(small(&fake));
    // The fake answers in reverse. "a" is 97, which is 1 of 4; "b" is 2.
    let told = embedder.embed(&["a", "b", " "]).await.unwrap();
    assert_eq!(told[..2], [vec![0.0, 1.0, 0.0, 0.0], vec![0.0, 0.0, 1.0, 0.0]]);
    let seen = &fake.requests()[0].asked;
    assert_eq!(seen.path, "/v1/embeddings");
    assert_eq!(seen.header("authorization"), Some("Bearer sk-secret"));
    let expected = json!({
        "model": "text-embedding-3-small",
        "input": ["a", "b", "."],
        "encoding_format": "float",
        "dimensions": 4,
    });
    assert_eq!(seen.body, expected, "a text without words is sent as a full stop");
}

#[tokio::test]
async fn many_texts_go_in_several_requests() {
    let fake = openai();
    let embedder = open(small(&fake));
    let texts: Vec<String> = (0..70).map(|number| format!("text {number}")).collect();
    let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
    let told = embedder.embed(&texts).await.unwrap();
    assert_eq!(sizes(&fake), [32, 32, 6]);
    for (text, vector) in texts.iter().zip(&told).step_by(23) {
        assert_eq!(&embedder.embed(&[text]).await.unwrap()[0], vector, "{text}");
    }
    assert!(embedder.embed(&[]).await.unwrap().is_empty());
}

#[tokio::test]
async fn ollama_is_spoken_to_in_its_own_protocol() {
    let fake = started(OllamaEmbed::new());
    let lookup = |_: &str| None;
    let name = format!("ollama:nomic-embed-text@{}/v1", fake.url());
    let embedder = open(EmbeddingEndpoint::parse(&name, lookup).unwrap());
    assert_eq!(embedder.width(), 0, "nobody has said so yet");
    embedder.embed(&["a"]).await.unwrap();
    assert_eq!(embedder.width(), 768);
    embedder.embed_query(&["a"]).await.unwrap();
    let bodies: Vec<Value> = fake.requests().into_iter().map(|seen| seen.asked.body).collect();
    let body = |text: &str| json!({ "model": "nomic-embed-text", "input": [text] });
    assert_eq!(bodies, [body("search_document: a"), body("search_query: a")]);
    assert_eq!(fake.requests()[0].asked.path, "/api/embed");
}

#[tokio::test]
async fn the_name_of_the_vectors_tells_all_that_makes_them() {
    let fake = openai();
    let named = |endpoint: EmbeddingEndpoint| open(endpoint).model().to_owned();
    let url = fake.url();
    let model = format!("text-embedding-3-small@{url}/v1");
    assert_eq!(named(small(&fake)), format!("{model}?dimensions=4"));
    assert_eq!(named(small(&fake).with_dimensions(5)), format!("{model}?dimensions=5"));
    let prefixed = small(&fake).with_prefixes("q: ", "p: ");
    assert_eq!(named(prefixed), format!("{model}?dimensions=4&passage=p: "));
}

fn waiting(status: u16, seconds: u64) -> Scripted {
    let retry_after = Some(Duration::from_secs(seconds));
    Scripted::Error(Failure { status, retry_after, ..Failure::default() })
}

#[tokio::test]
async fn what_passes_is_asked_again() {
    let fake = openai();
    // A body that breaks off after ten bytes.
    fake.push(Scripted::Broken { pieces: Vec::new(), bytes: 10 });
    fake.extend([waiting(429, 0), waiting(500, 0)]);
    let told = open(small(&fake)).embed(&["a"]).await.unwrap();
    assert_eq!(told, [[0.0, 1.0, 0.0, 0.0]]);
    assert_eq!(fake.requests().len(), 4);
}

#[tokio::test]
async fn a_server_that_wants_a_long_pause_is_left_alone_for_as_long() {
    let fake = openai();
    fake.push(waiting(429, 90));
    let embedder = open(small(&fake));
    let told = reason(&embedder, &["a"]).await;
    assert!(told.starts_with("rate limited: "), "{told}");
    let query = embedder.embed_query(&["a"]).await.unwrap_err();
    assert_eq!(query.reason, format!("{told}; it is asked again in 90 s"));
    assert_eq!(fake.requests().len(), 1);
}

#[tokio::test]
async fn what_does_not_pass_is_told_at_once() {
    let fake = openai();
    let url = fake.url();
    let without_key = EmbeddingEndpoint::new(
        EmbeddingProtocol::Embeddings,
        format!("{url}/v1"),
        "text-embedding-3-small",
    );
    let told = reason(&open(without_key), &["a"]).await;
    assert!(told.starts_with("not authenticated: You didn't provide an API key."), "{told}");
    let other = EmbeddingEndpoint::new(EmbeddingProtocol::Embeddings, url, "none");
    let told = reason(&open(other.with_key(Key::new("sk-secret").unwrap())), &["a"]).await;
    let expected = "not found: The model `none` does not exist or you do not have access to it.";
    assert_eq!(told, expected);
    assert_eq!(fake.requests().len(), 2);

    let ollama = started(OllamaEmbed::new());
    let none = EmbeddingEndpoint::new(EmbeddingProtocol::Ollama, ollama.url(), "none");
    let told = reason(&open(none), &["a"]).await;
    assert_eq!(told, "not found: model \"none\" not found, try pulling it first");
}

#[tokio::test]
async fn an_answer_that_is_none_is_refused_with_what_is_wrong() {
    let one = |embedding: Value| json!({ "index": 0, "embedding": embedding });
    let two = |embedding: Value| json!({ "index": 1, "embedding": embedding });
    let cases = [
        (json!([one(json!([1, 0, 0, 0]))]), "2 texts were answered with 1 vectors"),
        (
            json!([one(json!([1, 0, 0, 0])), two(json!([1, 0, 0]))]),
            "a vector of 3 numbers where 4 are wanted",
        ),
        (json!([one(json!([1, 0, 0, 0])), two(json!([0, 0, 0, 0]))]), "a vector of zeros"),
        (
            json!([one(json!([1, 0, 0, 0])), one(json!([1, 0, 0, 0]))]),
            "vectors whose indexes are not those of the texts",
        ),
    ];
    for (data, wrong) in cases {
        let fake = openai();
        fake.push(answering(data));
        let told = reason(&open(small(&fake)), &["a", "b"]).await;
        assert_eq!(told, format!("the server answered {wrong}"));
        assert_eq!(fake.requests().len(), 1, "it would answer the same again: {wrong}");
    }
    let fake = openai();
    let packed = json!([one(json!("AAAA"))]);
    fake.push(answering(packed));
    let told = reason(&open(small(&fake)), &["a"]).await;
    assert!(told.starts_with("malformed answer: JSON of another form"), "{told}");
}

#[tokio::test]
async fn vectors_are_brought_to_length_1() {
    let fake = openai();
    fake.push(answering(json!([{ "index": 0, "embedding": [3, 0, 4, 0] }])));
    let told = open(small(&fake)).embed(&["a"]).await.unwrap();
    assert_eq!(told, [[0.6, 0.0, 0.8, 0.0]]);
}

#[tokio::test]
async fn a_server_that_changes_its_width_is_refused() {
    let fake = started(OllamaEmbed::new());
    let endpoint = EmbeddingEndpoint::new(EmbeddingProtocol::Ollama, fake.url(), "all-minilm");
    let embedder = open(endpoint);
    embedder.embed(&["a"]).await.unwrap();
    fake.push(answering(json!([[1.0, 0.0]])));
    let told = reason(&embedder, &["a"]).await;
    assert_eq!(told, "the server answered a vector of 2 numbers where 384 are wanted");
}

#[tokio::test]
async fn a_query_that_was_asked_lately_is_not_asked_again() {
    let fake = openai();
    let embedder = open(small(&fake));
    let first = embedder.embed_query(&["a", "b"]).await.unwrap();
    assert_eq!(embedder.embed_query(&["b"]).await.unwrap(), first[1..]);
    assert_eq!(embedder.clone().embed_query(&["a", "b"]).await.unwrap(), first);
    assert_eq!(sizes(&fake), [2]);
}

#[tokio::test]
async fn after_a_failure_queries_do_not_wait_until_it_is_worth_trying() {
    let fake = openai();
    fake.push(failing(503));
    let embedder = open(small(&fake));
    let ask = async || embedder.embed_query(&["a"]).await;
    let first = ask().await.unwrap_err().reason;
    assert!(first.starts_with("overloaded: ") || first.starts_with("unavailable: "), "{first}");
    let second = ask().await.unwrap_err().reason;
    assert_eq!(second, format!("{first}; it is asked again in 5 s"));
    assert_eq!(fake.requests().len(), 1, "a query is asked once");
    time::pause();
    time::advance(Duration::from_secs(5)).await;
    time::resume();
    assert_eq!(ask().await.unwrap(), [[0.0, 1.0, 0.0, 0.0]]);
    assert_eq!(fake.requests().len(), 2);
}

/// A server that takes a connection and says nothing until it is told to.
async fn slow() -> (String, tokio::sync::oneshot::Sender<()>, tokio::task::JoinHandle<()>) {
    use tokio::io::{AsyncReadExt, AsyncWriteExt};

    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://{}", listener.local_addr().unwrap());
    let (go, goes) = tokio::sync::oneshot::channel();
    let served = tokio::spawn(async move {
        let (mut stream, _) = listener.accept().await.unwrap();
        let mut buffer = [0; 4_096];
        let _ = stream.read(&mut buffer).await.unwrap();
        goes.await.unwrap();
        let body = r#"{"data": [{"index": 0, "embedding": [1, 0, 0, 0]}]}"#;
        let head = "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\nconnection: close";
        let answer = format!("{head}\r\ncontent-length: {}\r\n\r\n{body}", body.len());
        stream.write_all(answer.as_bytes()).await.unwrap();
        stream.shutdown().await.unwrap();
    });
    (url, go, served)
}

#[tokio::test]
async fn a_query_waits_no_longer_than_its_time_and_what_comes_late_serves_the_next() {
    let (url, go, served) = slow().await;
    let endpoint = EmbeddingEndpoint::new(EmbeddingProtocol::Embeddings, url, "m")
        .with_query_time(Duration::from_millis(50));
    let embedder = open(endpoint);
    let told = embedder.embed_query(&["a"]).await.unwrap_err();
    assert_eq!(told.reason, "no answer within 0.05 s");
    let told = embedder.embed_query(&["b"]).await.unwrap_err();
    assert_eq!(told.reason, "no answer within 0.05 s; it is asked again in 5 s");
    go.send(()).unwrap();
    served.await.unwrap();
    // The answer is on its way; nothing else is asked meanwhile.
    let late = async {
        loop {
            match embedder.embed_query(&["a"]).await {
                Ok(vectors) => break vectors,
                Err(_) => tokio::task::yield_now().await,
            }
        }
    };
    let late = time::timeout(Duration::from_secs(10), late).await.unwrap();
    assert_eq!(late, [[1.0, 0.0, 0.0, 0.0]]);
}

#[tokio::test]
async fn a_server_that_is_away_is_named_and_not_waited_for() {
    let fake = openai();
    let endpoint = small(&fake);
    let name = endpoint.name().to_owned();
    fake.stop().await.unwrap();
    let embedder = open(endpoint);
    let begun = time::Instant::now();
    let told = embedder.embed(&["a"]).await.unwrap_err();
    assert_eq!(told.model, name);
    assert!(told.reason.starts_with("unavailable: "), "{told}");
    assert!(begun.elapsed() < Duration::from_millis(500), "nobody there is not asked again");
    assert!(!told.to_string().contains("sk-secret"));
}
