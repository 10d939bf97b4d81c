use serde_json::{Value, json};

use super::{Embeddings, OllamaEmbed};
use crate::{Asked, Scripted, Wire};

fn asked(body: Value, key: Option<&str>) -> Asked {
    let headers = key.map(|key| ("authorization".to_owned(), format!("Bearer {key}")));
    Asked { headers: headers.into_iter().collect(), body, ..Asked::default() }
}

fn refused(wire: &dyn Wire, body: Value) -> (u16, String) {
    let refusal = wire.check(&asked(body, Some("k"))).unwrap_err();
    (refusal.status, refusal.message)
}

fn answer(wire: &dyn Wire, body: Value) -> Value {
    let asked = asked(body, Some("k"));
    wire.check(&asked).unwrap();
    wire.answer(&asked, &Scripted::Reply(Vec::new()), &Default::default(), 1)
}

const SMALL: &str = "text-embedding-3-small";

#[test]
fn openai_answers_in_any_order_with_indexes() {
    // "a" is 97, which is 1 of 4; "b" is 2.
    let body = json!({ "model": SMALL, "input": ["a", "b"], "dimensions": 4 });
    let told = answer(&Embeddings::openai(), body.clone());
    assert_eq!(told["data"][0]["index"], 1);
    assert_eq!(told["data"][0]["embedding"], json!([0.0, 0.0, 1.0, 0.0]));
    assert_eq!(told["data"][1]["index"], 0);
    assert_eq!(told["data"][1]["embedding"], json!([0.0, 1.0, 0.0, 0.0]));
    assert_eq!(told["usage"], json!({ "prompt_tokens": 2, "total_tokens": 2 }));
    let mut packed = body;
    packed["encoding_format"] = json!("base64");
    packed["input"] = json!("a");
    packed["dimensions"] = json!(2);
    // 97 is 1 of 2: four zero bytes, then 1.0, which is 0x3f800000.
    let told = answer(&Embeddings::openai(), packed);
    assert_eq!(told["data"][0]["embedding"], "AAAAAAAAgD8=");
}

#[test]
fn openai_refuses_what_it_does_not_take() {
    let openai = Embeddings::openai();
    let invalid = "'$.input' is invalid. Please check the API reference: https://platform.openai.com/docs/api-reference.";
    let cases = [
        (json!({ "model": SMALL, "input": [] }), 400, invalid),
        (json!({ "model": SMALL, "input": ["a", ""] }), 400, invalid),
        (json!({ "model": SMALL, "input": "" }), 400, invalid),
        (json!({ "model": SMALL }), 400, "Missing required parameter: 'input'."),
        (json!({ "input": "a" }), 400, "Missing required parameter: 'model'."),
        (
            json!({ "model": "m", "input": "a" }),
            404,
            "The model `m` does not exist or you do not have access to it.",
        ),
        (
            json!({ "model": SMALL, "input": vec!["a"; 2_049] }),
            400,
            "Invalid 'input': array too long. Expected an array with maximum length 2048, but got an array with length 2049 instead.",
        ),
        (
            json!({ "model": "text-embedding-ada-002", "input": "a", "dimensions": 3 }),
            400,
            "This model does not support specifying dimensions.",
        ),
        (
            json!({ "model": SMALL, "input": "a", "dimensions": 1_537 }),
            400,
            "Invalid value for 'dimensions' = 1537. Must be less than or equal to 1536.",
        ),
        (json!({ "model": SMALL, "input": "a", "x": 1 }), 400, "Unknown parameter: 'x'."),
        (
            // 32,769 bytes are 8,193 tokens.
            json!({ "model": SMALL, "input": "a".repeat(32_769) }),
            400,
            "This model's maximum context length is 8192 tokens, however you requested 8193 tokens (8193 in your prompt; 0 for the completion). Please reduce your prompt; or completion length.",
        ),
        (
            // 300 texts of 1,001 tokens.
            json!({ "model": SMALL, "input": vec!["a".repeat(4_001); 300] }),
            400,
            "Requested 300300 tokens, max 300000 tokens per request",
        ),
    ];
    for (body, status, message) in cases {
        assert_eq!(refused(&openai, body), (status, message.to_owned()));
    }
    let without_key = asked(json!({ "model": SMALL, "input": "a" }), None);
    assert_eq!(openai.check(&without_key).unwrap_err().status, 401);
    let local = Embeddings::local("bge-m3", 8);
    let without_key = asked(json!({ "model": "bge-m3", "input": "a" }), None);
    assert_eq!(local.check(&without_key), Ok(()));
}

#[test]
fn ollama_answers_in_order_and_refuses_what_it_does_not_have() {
    let ollama = OllamaEmbed::new();
    let body = json!({ "model": "all-minilm:latest", "input": ["a", "b"], "dimensions": 4 });
    let told = answer(&ollama, body);
    assert_eq!(told["embeddings"], json!([[0.0, 1.0, 0.0, 0.0], [0.0, 0.0, 1.0, 0.0]]));
    let whole = answer(&ollama, json!({ "model": "nomic-embed-text", "input": "a" }));
    assert_eq!(whole["embeddings"][0].as_array().map(Vec::len), Some(768));
    let cases = [
        (json!({ "input": "a" }), 400, "model is required"),
        (json!({ "model": "m", "input": "a" }), 404, "model \"m\" not found, try pulling it first"),
        (json!({ "model": "all-minilm" }), 400, "invalid input type"),
        (json!({ "model": "all-minilm", "input": [1] }), 400, "invalid input type"),
        (
            json!({ "model": "all-minilm", "input": [] }),
            400,
            "strict fake: `input` has nothing in it",
        ),
        (
            json!({ "model": "all-minilm", "input": "a", "dimensions": 400 }),
            400,
            "strict fake: `dimensions` of 400 are not between 1 and 384",
        ),
        (
            json!({ "model": "all-minilm", "prompt": "a" }),
            400,
            "strict fake: the server knows no `prompt` and would read over it",
        ),
    ];
    for (body, status, message) in cases {
        assert_eq!(refused(&ollama, body), (status, message.to_owned()));
    }
}
