//! How servers that speak the protocol less well bend an answer. Each was seen in the wild.

use serde_json::{Map, Value, json};

use super::said::{Call, Said};
use crate::{Asked, read};

/// One way to get the protocol wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[non_exhaustive]
pub enum Quirk {
    /// Names of called tools begin with `functions.`.
    FunctionsPrefix,
    /// Dots in names of called tools become underscores; the server takes names with dots.
    DotsReplaced,
    /// Names of called tools end in something made up.
    NameSuffix,
    /// Arguments are a JSON object instead of a text.
    ObjectArguments,
    /// Arguments are an empty text.
    EmptyArguments,
    /// Arguments are the schema of the arguments.
    SchemaEchoed,
    /// Arguments hold one that no schema has.
    UnknownArgument,
    /// Two calls come as one whose arguments are both, end to end.
    GluedCalls,
    /// Ids are `functions.NAME:INDEX`, as Kimi writes them.
    KimiIds,
    /// Calls have no id.
    IdMissing,
    /// All calls have the id of the first.
    IdDuplicated,
    /// Calls stand as fenced JSON in the text.
    FencedCalls,
    /// The text is null whatever was said.
    NullContent,
    /// The reply ends with `stop` although it calls.
    FinishStop,
}

impl Quirk {
    /// Every quirk, in the order in which they apply.
    pub const ALL: [Self; 14] = [
        Self::FunctionsPrefix,
        Self::DotsReplaced,
        Self::NameSuffix,
        Self::ObjectArguments,
        Self::EmptyArguments,
        Self::SchemaEchoed,
        Self::UnknownArgument,
        Self::GluedCalls,
        Self::KimiIds,
        Self::IdMissing,
        Self::IdDuplicated,
        Self::FencedCalls,
        Self::NullContent,
        Self::FinishStop,
    ];

    /// Bends what the server says to request `number`.
    pub(super) fn bend(self, said: &mut Said, asked: &Asked, number: u64) {
        match self {
            Self::GluedCalls => glue(said),
            Self::FencedCalls => fence(said),
            Self::NullContent => said.content = None,
            Self::FinishStop => said.finish = "stop",
            Self::IdDuplicated => {
                let first = said.calls.first().and_then(|call| call.id.clone());
                said.calls.iter_mut().for_each(|call| call.id.clone_from(&first));
            }
            _ => {
                for (index, call) in said.calls.iter_mut().enumerate() {
                    self.bend_call(call, index, asked, number);
                }
            }
        }
    }

    fn bend_call(self, call: &mut Call, index: usize, asked: &Asked, number: u64) {
        match self {
            Self::FunctionsPrefix => call.name = format!("functions.{}", call.name),
            Self::DotsReplaced => call.name = call.name.replace('.', "_"),
            Self::NameSuffix => call.name = format!("{}_{:x}", call.name, 0x00a1_b2c3 + number),
            Self::ObjectArguments => {
                let object = arguments(call).map(Value::Object);
                call.arguments = object.unwrap_or_else(|| call.arguments.clone());
            }
            Self::EmptyArguments => call.arguments = json!(""),
            Self::SchemaEchoed => {
                call.arguments = json!(schema(asked, &call.name).to_string());
            }
            Self::UnknownArgument => {
                if let Some(mut object) = arguments(call) {
                    object.insert("requires_approval".to_owned(), json!(false));
                    call.arguments = json!(Value::Object(object).to_string());
                }
            }
            Self::KimiIds => call.id = Some(format!("functions.{}:{index}", call.name)),
            Self::IdMissing => call.id = None,
            _ => {}
        }
    }
}

/// Returns the arguments as an object, where they are one.
fn arguments(call: &Call) -> Option<Map<String, Value>> {
    serde_json::from_str(call.arguments.as_str()?).ok()
}

/// Returns the schema that the request gives for the tool.
fn schema(asked: &Asked, name: &str) -> Value {
    let tools = read::list(&asked.body["tools"]);
    let tool = tools.iter().find(|tool| tool["function"]["name"] == name);
    let schema = tool.map(|tool| tool["function"]["parameters"].clone());
    schema.unwrap_or_else(|| json!({ "type": "object", "properties": {} }))
}

fn glue(said: &mut Said) {
    if said.calls.len() < 2 {
        return;
    }
    let second = said.calls.remove(1);
    if let Some(first) = said.calls.first_mut() {
        let texts = [&first.arguments, &second.arguments].map(|text| text.as_str().unwrap_or(""));
        first.arguments = json!(texts.concat());
    }
}

fn fence(said: &mut Said) {
    if said.calls.is_empty() {
        return;
    }
    for call in said.calls.drain(..) {
        let text = call.arguments.as_str().unwrap_or_default();
        let arguments = serde_json::from_str(text).unwrap_or_else(|_| call.arguments.clone());
        let fenced = json!({ "name": call.name, "arguments": arguments });
        let content = said.content.get_or_insert_default();
        content.push_str(&format!("```json\n{fenced}\n```\n"));
    }
    if said.finish == "tool_calls" {
        said.finish = "stop";
    }
}
