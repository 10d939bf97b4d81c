//! What the fake says.

use serde_json::{Map, Value, json};

use crate::{Piece, Scripted, tokens};

/// One reply.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Said {
    pub content: String,
    /// Thoughts, where the request wants them.
    pub thinking: Option<String>,
    pub calls: Vec<Value>,
    /// Fields of the message that readers may not know.
    pub further: Map<String, Value>,
    pub finish: &'static str,
    /// Tokens of everything.
    pub tokens: u64,
}

impl Said {
    /// What is scripted. A refusal is a text like any other here.
    pub(super) fn of(body: &Value, scripted: &Scripted) -> Self {
        match scripted {
            Scripted::Reply(pieces) | Scripted::Broken { pieces, .. } => Self::whole(body, pieces),
            Scripted::CutOff(pieces) => Self::cut(body, pieces),
            Scripted::Refusal(text) => Self::whole(body, &[Piece::Text(text.clone())]),
            Scripted::Error(_) => Self::default(),
        }
    }

    fn whole(body: &Value, pieces: &[Piece]) -> Self {
        let (_, tokens) = tokens::of_pieces(pieces);
        let mut said = Self { finish: "stop", tokens, ..Self::default() };
        let thinks = body["think"] == true || body["think"].is_string();
        for piece in pieces {
            match piece {
                Piece::Text(text) => said.content.push_str(text),
                Piece::Reasoning(text) if thinks => {
                    said.thinking.get_or_insert_default().push_str(text);
                }
                Piece::Reasoning(_) => {}
                Piece::Call { name, arguments } => said.calls.push(call(name, arguments)),
                Piece::RawCall { name, arguments } => match serde_json::from_str(arguments) {
                    Ok(object @ Value::Object(_)) => said.calls.push(call(name, &object)),
                    // What the server cannot read as a call it passes on as text.
                    _ => said.content.push_str(&format!(
                        "{{\"name\": {}, \"arguments\": {arguments}}}",
                        json!(name)
                    )),
                },
                Piece::Opaque(Value::Object(fields)) => said.further.extend(fields.clone()),
                Piece::Opaque(other) => {
                    said.further.insert("opaque".to_owned(), other.clone());
                }
            }
        }
        said
    }

    fn cut(body: &Value, pieces: &[Piece]) -> Self {
        let pieces = Piece::cut_off_between_calls(pieces);
        Self { finish: "length", ..Self::whole(body, &pieces) }
    }
}

/// A call: no id, the name before the arguments.
fn call(name: &str, arguments: &Value) -> Value {
    json!({ "function": { "name": name, "arguments": arguments } })
}
