//! Tools and prompts that ask the client first.

use oncue_mcp::server::Context;
use oncue_mcp::{Members, RpcError};
use serde_json::{Map, Value, json};

use crate::ask::{Asked, Question, ask, require, texts};
use crate::content::{says, text};
use crate::service::Fixture;

impl Fixture {
    /// Calls a tool that asks first; nothing where there is no such tool.
    pub(crate) async fn call_asking(
        &self,
        name: &str,
        params: &Members,
        context: &Context,
    ) -> Result<Option<Value>, RpcError> {
        let arguments = Members::of(params.get("arguments")).unwrap_or_default();
        let given = |name: &str| arguments.read::<String>(name).unwrap_or_default();
        let questions = match name {
            "test_sampling" => vec![Question::model("response", &given("prompt"), 100)],
            "test_elicitation" => {
                vec![Question::form("response", &given("message"), &texts(&["username", "email"]))]
            }
            "test_elicitation_sep1034_defaults" => {
                vec![Question::form("response", "Please review", &with_defaults())]
            }
            "test_elicitation_sep1330_enums" => {
                vec![Question::form("response", "Please choose", &with_choices())]
            }
            "test_streaming_elicitation" | "test_input_required_result_elicitation" => {
                vec![Question::form("user_name", "What is your name?", &texts(&["name"]))]
            }
            "test_input_required_result_sampling" => {
                vec![Question::model("capital_question", "What is the capital of France?", 100)]
            }
            "test_input_required_result_list_roots" => vec![Question::roots("client_roots")],
            "test_input_required_result_capabilities" => able(context),
            "test_missing_capability" => {
                require("sampling", context)?;
                return Ok(Some(says("The client can sample")));
            }
            "test_input_required_result_multi_round" => {
                return self.in_rounds(params, context).await.map(Some);
            }
            _ => return self.call_with_state(name, params, context).await,
        };
        let asked = ask(&questions, None, params, context).await?;
        Ok(Some(match asked {
            Asked::Answers(answers) => says(&format!("Answered: {}", Value::from(answers))),
            Asked::Later(result) => result,
        }))
    }

    /// Calls a tool that wants its state back with the answers.
    async fn call_with_state(
        &self,
        name: &str,
        params: &Members,
        context: &Context,
    ) -> Result<Option<Value>, RpcError> {
        let questions = match name {
            "test_input_required_result_request_state"
            | "test_input_required_result_tampered_state" => vec![confirm()],
            "test_input_required_result_multiple_inputs" => vec![
                Question::form("user_name", "What is your name?", &texts(&["name"])),
                Question::model("greeting", "Generate a greeting", 50),
                Question::roots("client_roots"),
            ],
            _ => return Ok(None),
        };
        if let Some(state) = params.read::<String>("requestState")
            && self.seal.opened(&state)? != name
        {
            return Err(RpcError::invalid_params(
                "Invalid params: `requestState` is of another tool",
            ));
        }
        let asked = ask(&questions, Some(self.seal.sealed(name)), params, context).await?;
        Ok(Some(match asked {
            Asked::Answers(answers) => says(&format!("state-ok: {}", Value::from(answers))),
            Asked::Later(result) => result,
        }))
    }

    /// Asks for a name, and then for a colour.
    async fn in_rounds(&self, params: &Members, context: &Context) -> Result<Value, RpcError> {
        let first = Question::form("step1", "Step 1: What is your name?", &texts(&["name"]));
        let second =
            Question::form("step2", "Step 2: What is your favorite color?", &texts(&["color"]));
        let state = match params.read::<String>("requestState") {
            Some(state) => self.seal.opened(&state)?,
            None => String::new(),
        };
        let name = match state.strip_prefix("named ") {
            Some(name) => name.to_owned(),
            None => {
                let state = Some(self.seal.sealed("unnamed"));
                match ask(&[first], state, params, context).await? {
                    Asked::Answers(answers) => name_of(&answers),
                    Asked::Later(result) => return Ok(result),
                }
            }
        };
        let state = Some(self.seal.sealed(&format!("named {name}")));
        Ok(match ask(&[second], state, params, context).await? {
            Asked::Answers(answers) => says(&format!("{name}: {}", Value::from(answers))),
            Asked::Later(result) => result,
        })
    }

    /// Gets the prompt that asks first.
    pub(crate) async fn prompt_asking(
        &self,
        params: &Members,
        context: &Context,
    ) -> Result<Value, RpcError> {
        let question = Question::form(
            "user_context",
            "What context should the prompt use?",
            &texts(&["context"]),
        );
        Ok(match ask(&[question], None, params, context).await? {
            Asked::Answers(answers) => {
                let words = format!("Context: {}", Value::from(answers));
                json!({ "messages": [{ "role": "user", "content": text(&words) }] })
            }
            Asked::Later(result) => result,
        })
    }
}

fn name_of(answers: &Map<String, Value>) -> String {
    let name = answers.get("step1").and_then(|answer| answer.pointer("/content/name"));
    name.and_then(Value::as_str).unwrap_or("nobody").to_owned()
}

/// What a client can be asked, and nothing else.
fn able(context: &Context) -> Vec<Question> {
    let questions = [
        ("elicitation", Question::form("name", "What is your name?", &texts(&["name"]))),
        ("sampling", Question::model("greeting", "Generate a greeting", 50)),
    ];
    let client = &context.caller.client;
    questions.into_iter().filter(|(need, _)| client.can(need)).map(|(_, it)| it).collect()
}

fn confirm() -> Question {
    let schema = json!({ "type": "object", "properties": { "ok": { "type": "boolean" } }, "required": ["ok"] });
    Question::form("confirm", "Please confirm", &schema)
}

/// A form with a default in each kind of field (SEP-1034).
fn with_defaults() -> Value {
    json!({ "type": "object", "required": [], "properties": {
        "name": { "type": "string", "default": "John Doe" },
        "age": { "type": "integer", "default": 30 },
        "score": { "type": "number", "default": 95.5 },
        "status": { "type": "string", "enum": ["active", "inactive", "pending"], "default": "active" },
        "verified": { "type": "boolean", "default": true },
    }})
}

/// A form with each kind of choice (SEP-1330).
fn with_choices() -> Value {
    let titled = |word: &str| {
        json!([
            { "const": "value1", "title": format!("First {word}") },
            { "const": "value2", "title": format!("Second {word}") },
            { "const": "value3", "title": format!("Third {word}") },
        ])
    };
    json!({ "type": "object", "required": [], "properties": {
        "untitledSingle": { "type": "string", "enum": ["option1", "option2", "option3"] },
        "titledSingle": { "type": "string", "oneOf": titled("Option") },
        "legacyEnum": {
            "type": "string",
            "enum": ["opt1", "opt2", "opt3"],
            "enumNames": ["Option One", "Option Two", "Option Three"],
        },
        "untitledMulti": {
            "type": "array",
            "items": { "type": "string", "enum": ["option1", "option2", "option3"] },
        },
        "titledMulti": { "type": "array", "items": { "anyOf": titled("Choice") } },
    }})
}
