//! What the fake says, before it is written as a message or as chunks.

use serde_json::{Map, Value, json};

use crate::{Piece, Scripted, tokens};

/// One reply.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Said {
    pub content: Option<String>,
    pub refusal: Option<String>,
    /// Thoughts, where the server shows them.
    pub reasoning: Option<String>,
    pub calls: Vec<Call>,
    /// Fields of the message that readers may not know.
    pub further: Map<String, Value>,
    pub finish: &'static str,
    /// Tokens of thoughts and of everything.
    pub tokens: (u64, u64),
}

/// One call.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Call {
    pub id: Option<String>,
    pub name: String,
    /// A text, unless the server errs.
    pub arguments: Value,
}

impl Said {
    /// What is scripted, as request `number` has it said.
    pub(super) fn of(scripted: &Scripted, number: u64) -> Self {
        match scripted {
            Scripted::Reply(pieces) | Scripted::Broken { pieces, .. } => {
                Self::whole(pieces, number)
            }
            Scripted::CutOff(pieces) => Self::cut(pieces, number),
            Scripted::Refusal(text) => Self {
                refusal: Some(text.clone()),
                finish: "stop",
                tokens: (0, tokens::tokens(text.len())),
                ..Self::default()
            },
            Scripted::Error(_) => Self::default(),
        }
    }

    fn whole(pieces: &[Piece], number: u64) -> Self {
        let mut said = Self { tokens: tokens::of_pieces(pieces), ..Self::default() };
        for piece in pieces {
            match piece {
                Piece::Text(text) => said.content.get_or_insert_default().push_str(text),
                Piece::Reasoning(text) => said.reasoning.get_or_insert_default().push_str(text),
                Piece::Call { name, arguments } => said.call(name, arguments.to_string(), number),
                Piece::RawCall { name, arguments } => said.call(name, arguments.clone(), number),
                Piece::Opaque(Value::Object(fields)) => said.further.extend(fields.clone()),
                Piece::Opaque(other) => {
                    said.further.insert("opaque".to_owned(), other.clone());
                }
            }
        }
        said.finish = if said.calls.is_empty() { "stop" } else { "tool_calls" };
        said
    }

    fn call(&mut self, name: &str, arguments: String, number: u64) {
        self.calls.push(Call {
            id: Some(format!("call_{number}_{}", self.calls.len())),
            name: name.to_owned(),
            arguments: Value::String(arguments),
        });
    }

    fn cut(pieces: &[Piece], number: u64) -> Self {
        Self { finish: "length", ..Self::whole(&Piece::cut_off(pieces), number) }
    }
}

impl Call {
    /// Returns the call as it stands in a message.
    pub(super) fn value(&self) -> Value {
        let mut call = json!({ "type": "function", "function": { "name": self.name, "arguments": self.arguments } });
        if let (Some(id), Some(fields)) = (&self.id, call.as_object_mut()) {
            fields.insert("id".to_owned(), json!(id));
        }
        call
    }
}
