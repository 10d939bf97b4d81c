//! Requests and answers of both protocols. Pure.

use oncue_agent::ModelError;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::chat::error;
use crate::models::EmbeddingProtocol;

/// A request of either protocol; what is absent is left to the server.
#[derive(Serialize)]
struct Body<'b> {
    model: &'b str,
    input: &'b [String],
    #[serde(skip_serializing_if = "Option::is_none")]
    encoding_format: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    dimensions: Option<usize>,
}

/// An answer of either protocol.
#[derive(Deserialize)]
pub(super) struct Answer {
    /// Of `OpenAI`'s.
    data: Option<Vec<Datum>>,
    /// Of Ollama's.
    embeddings: Option<Vec<Vec<f32>>>,
    /// Instead of both, although the status is a success.
    error: Option<Value>,
}

#[derive(Deserialize)]
struct Datum {
    index: Option<usize>,
    embedding: Vec<f32>,
}

/// What is wrong with an answer.
pub(super) enum Wrong {
    /// It is an error.
    Error(ModelError),
    /// It is not what the protocol says.
    Form(String),
}

impl EmbeddingProtocol {
    /// Returns the address below which requests go: Ollama's other protocols are below `/v1`, and this one is not.
    pub(super) fn base(self, base_url: &str) -> &str {
        match self {
            Self::Embeddings => base_url,
            Self::Ollama => base_url.strip_suffix("/v1").unwrap_or(base_url),
        }
    }

    /// Returns the path of a request.
    pub(super) fn path(self) -> &'static str {
        match self {
            Self::Embeddings => "/embeddings",
            Self::Ollama => "/api/embed",
        }
    }

    /// Returns the body of a request.
    pub(super) fn body(
        self,
        model: &str,
        input: &[String],
        dimensions: Option<usize>,
    ) -> Result<Vec<u8>, serde_json::Error> {
        let encoding_format = match self {
            Self::Embeddings => Some("float"),
            Self::Ollama => None,
        };
        serde_json::to_vec(&Body { model, input, encoding_format, dimensions })
    }
}

/// Reads an answer that is no success.
pub(super) fn refusal(status: u16, headers: &[(String, String)], body: &[u8]) -> ModelError {
    error::of_answer(status, headers, body)
}

/// Returns the vectors of an answer in the order of the texts.
pub(super) fn vectors(answer: Answer) -> Result<Vec<Vec<f32>>, Wrong> {
    match answer {
        Answer { data: Some(data), .. } => ordered(data).map_err(Wrong::Form),
        Answer { embeddings: Some(vectors), .. } => Ok(vectors),
        Answer { error: Some(error), .. } => {
            let answer = serde_json::json!({ "error": error });
            let wrong = || Wrong::Form("an error without a word".to_owned());
            Err(error::within(&answer).map_or_else(wrong, Wrong::Error))
        }
        Answer { .. } => Err(Wrong::Form("an answer without vectors".to_owned())),
    }
}

/// Brings vectors into the order that their indexes say; those of an answer without any stand as they came.
fn ordered(data: Vec<Datum>) -> Result<Vec<Vec<f32>>, String> {
    if data.iter().all(|datum| datum.index.is_none()) {
        return Ok(data.into_iter().map(|datum| datum.embedding).collect());
    }
    let mut slots: Vec<Option<Vec<f32>>> = data.iter().map(|_| None).collect();
    for datum in data {
        let slot = datum.index.and_then(|index| slots.get_mut(index));
        let slot = slot.filter(|slot| slot.is_none());
        *slot.ok_or("vectors whose indexes are not those of the texts")? = Some(datum.embedding);
    }
    Ok(slots.into_iter().flatten().collect())
}

#[cfg(test)]
mod tests {
    use super::{Wrong, vectors};
    use crate::models::EmbeddingProtocol::{Embeddings, Ollama};

    fn read(answer: &str) -> Result<Vec<Vec<f32>>, String> {
        vectors(serde_json::from_str(answer).unwrap()).map_err(|wrong| match wrong {
            Wrong::Error(error) => error.to_string(),
            Wrong::Form(what) => what,
        })
    }

    #[test]
    fn each_protocol_has_its_own_request() {
        let texts = ["a".to_owned(), "b".to_owned()];
        let body = |protocol: super::EmbeddingProtocol, dimensions| {
            String::from_utf8(protocol.body("m", &texts, dimensions).unwrap()).unwrap()
        };
        assert_eq!(
            body(Embeddings, Some(3)),
            r#"{"model":"m","input":["a","b"],"encoding_format":"float","dimensions":3}"#
        );
        assert_eq!(body(Ollama, None), r#"{"model":"m","input":["a","b"]}"#);
        assert_eq!(Ollama.base("http://h:1/v1"), "http://h:1");
        assert_eq!(Embeddings.base("http://h:1/v1"), "http://h:1/v1");
    }

    #[test]
    fn vectors_are_put_in_the_order_of_the_texts() {
        let data = r#"{"data": [{"index": 1, "embedding": [2]}, {"index": 0, "embedding": [1]}]}"#;
        assert_eq!(read(data), Ok(vec![vec![1.0], vec![2.0]]));
        let unnumbered = r#"{"data": [{"embedding": [2]}, {"embedding": [1]}]}"#;
        assert_eq!(read(unnumbered), Ok(vec![vec![2.0], vec![1.0]]));
        assert_eq!(read(r#"{"embeddings": [[1, 0.5]]}"#), Ok(vec![vec![1.0, 0.5]]));
    }

    #[test]
    fn indexes_that_name_no_order_are_refused() {
        for indexes in ["0,0", "1,2", "0,null"] {
            let (left, right) = indexes.split_once(',').unwrap();
            let data = format!(
                r#"{{"data": [{{"index": {left}, "embedding": [1]}}, {{"index": {right}, "embedding": [1]}}]}}"#
            );
            let wrong = "vectors whose indexes are not those of the texts";
            assert_eq!(read(&data).unwrap_err(), wrong, "{indexes}");
        }
    }

    #[test]
    fn an_answer_without_vectors_says_why() {
        assert_eq!(read("{}").unwrap_err(), "an answer without vectors");
        assert_eq!(
            read(r#"{"error": {"message": "no", "code": 429}}"#).unwrap_err(),
            "rate limited: no"
        );
        assert_eq!(read(r#"{"error": "no"}"#).unwrap_err(), "unavailable: no");
    }
}
