//! What the fake says, as parts.

use serde_json::{Value, json};

use super::{model, signature, signs};
use crate::{Asked, Piece, Scripted, tokens};

/// One reply.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Said {
    /// The parts, texts not joined.
    pub parts: Vec<Value>,
    pub finish: &'static str,
    /// What the server says about the finish.
    pub message: Option<String>,
    /// Tokens of thoughts and of everything.
    pub tokens: (u64, u64),
}

/// What the parts depend on.
struct Voice {
    number: u64,
    signs: bool,
    shows_thoughts: bool,
}

impl Said {
    /// What is scripted, as request `number` has it said.
    pub(super) fn of(asked: &Asked, scripted: &Scripted, number: u64) -> Self {
        let thinking = &asked.body["generationConfig"]["thinkingConfig"];
        let voice = Voice {
            number,
            signs: signs(model(asked)),
            shows_thoughts: thinking["includeThoughts"] == true,
        };
        match scripted {
            Scripted::Reply(pieces) | Scripted::Broken { pieces, .. } => voice.whole(pieces),
            Scripted::CutOff(pieces) => voice.cut(pieces),
            Scripted::Refusal(text) => {
                Self { finish: "SAFETY", message: Some(text.clone()), ..Self::default() }
            }
            Scripted::Error(_) => Self::default(),
        }
    }
}

impl Voice {
    fn whole(&self, pieces: &[Piece]) -> Said {
        let mut said =
            Said { finish: "STOP", tokens: tokens::of_pieces(pieces), ..Said::default() };
        let is_call = |piece: &Piece| matches!(piece, Piece::Call { .. } | Piece::RawCall { .. });
        // Of calls the first is signed, of a reply without one its last text.
        let signed = pieces
            .iter()
            .position(is_call)
            .or_else(|| pieces.iter().rposition(|piece| matches!(piece, Piece::Text(_))));
        for (at, piece) in pieces.iter().enumerate() {
            match self.part(at, piece) {
                Ok(Some(mut part)) => {
                    if self.signs && signed == Some(at) {
                        let name = part["functionCall"]["name"].as_str().unwrap_or_default();
                        let signature = signature::sign(self.number, at, name);
                        part["thoughtSignature"] = json!(signature);
                    }
                    said.parts.push(part);
                }
                Ok(None) => {}
                Err(text) => {
                    said.finish = "MALFORMED_FUNCTION_CALL";
                    said.message = Some(format!("Malformed function call: {text}"));
                    break;
                }
            }
        }
        said
    }

    /// Returns a part, nothing where the client does not want to see it, or a call that is no object.
    fn part(&self, at: usize, piece: &Piece) -> Result<Option<Value>, String> {
        Ok(match piece {
            Piece::Text(text) => Some(json!({ "text": text })),
            Piece::Reasoning(text) => {
                self.shows_thoughts.then(|| json!({ "text": text, "thought": true }))
            }
            Piece::Call { name, arguments } => Some(self.call(at, name, arguments)),
            Piece::RawCall { name, arguments } => match serde_json::from_str(arguments) {
                Ok(object @ Value::Object(_)) => Some(self.call(at, name, &object)),
                _ => return Err(format!("{name}({arguments})")),
            },
            Piece::Opaque(value) => Some(value.clone()),
        })
    }

    /// Models that sign their calls also number them.
    fn call(&self, at: usize, name: &str, arguments: &Value) -> Value {
        let mut call = json!({ "name": name, "args": arguments });
        if self.signs {
            call["id"] = json!(format!("call-{}-{at}", self.number));
        }
        json!({ "functionCall": call })
    }

    fn cut(&self, pieces: &[Piece]) -> Said {
        let pieces = Piece::cut_off_between_calls(pieces);
        Said { finish: "MAX_TOKENS", ..self.whole(&pieces) }
    }
}
