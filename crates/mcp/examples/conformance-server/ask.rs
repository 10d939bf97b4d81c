//! Questions in both eras: a session is asked, and in the newer era the result asks.

use oncue_mcp::server::Context;
use oncue_mcp::{CallError, Members, Raw, RpcError, code};
use serde_json::value::to_raw_value;
use serde_json::{Map, Value, json};

/// One question.
pub(crate) struct Question {
    /// What the answer to it is called.
    pub(crate) key: &'static str,
    method: &'static str,
    params: Value,
}

/// What came of questions.
pub(crate) enum Asked {
    /// All are answered, by their keys.
    Answers(Map<String, Value>),
    /// The client is to ask again with the answers.
    Later(Value),
}

impl Question {
    pub(crate) fn form(key: &'static str, message: &str, schema: &Value) -> Self {
        let params = json!({ "message": message, "requestedSchema": schema });
        Self { key, method: "elicitation/create", params }
    }

    pub(crate) fn model(key: &'static str, prompt: &str, tokens: u32) -> Self {
        let content = json!({ "type": "text", "text": prompt });
        let messages = json!([{ "role": "user", "content": content }]);
        let params = json!({ "messages": messages, "maxTokens": tokens });
        Self { key, method: "sampling/createMessage", params }
    }

    pub(crate) fn roots(key: &'static str) -> Self {
        Self { key, method: "roots/list", params: json!({}) }
    }

    /// Says what the client must be able to do.
    fn needs(&self) -> &'static str {
        match self.method {
            "sampling/createMessage" => "sampling",
            "roots/list" => "roots",
            _ => "elicitation",
        }
    }
}

/// Returns the schema of a form of texts that are all required.
pub(crate) fn texts(names: &[&str]) -> Value {
    let properties: Map<String, Value> =
        names.iter().map(|name| ((*name).to_owned(), json!({ "type": "string" }))).collect();
    json!({ "type": "object", "properties": properties, "required": names })
}

/// Asks, or finds the answers in the request.
pub(crate) async fn ask(
    questions: &[Question],
    state: Option<String>,
    params: &Members,
    context: &Context,
) -> Result<Asked, RpcError> {
    let mut answers = Map::new();
    if context.session.is_some() {
        for question in questions {
            require(question.needs(), context)?;
            let params = to_raw_value(&question.params).map_err(|_| RpcError::internal())?;
            let answer = context.ask(question.method, Some(params)).await.map_err(told)?;
            answers.insert(question.key.to_owned(), value(&answer)?);
        }
        return Ok(Asked::Answers(answers));
    }
    let given = Members::of(params.get("inputResponses")).unwrap_or_default();
    let mut missing = Map::new();
    for question in questions {
        match given.read::<Value>(question.key).filter(Value::is_object) {
            Some(answer) => {
                answers.insert(question.key.to_owned(), answer);
            }
            None => {
                require(question.needs(), context)?;
                let request = json!({ "method": question.method, "params": question.params });
                missing.insert(question.key.to_owned(), request);
            }
        }
    }
    if missing.is_empty() {
        return Ok(Asked::Answers(answers));
    }
    let mut result = json!({ "resultType": "input_required", "inputRequests": missing });
    if let Some(state) = state {
        result["requestState"] = Value::from(state);
    }
    Ok(Asked::Later(result))
}

/// Refuses a client that lacks a capability.
pub(crate) fn require(capability: &str, context: &Context) -> Result<(), RpcError> {
    if context.caller.client.can(capability) {
        return Ok(());
    }
    let why = format!("Missing required client capability: {capability}");
    let needed = json!({ "requiredCapabilities": { capability: {} } });
    Err(RpcError::new(code::MISSING_CLIENT_CAPABILITY, why).with_data(&needed))
}

fn value(raw: &Raw) -> Result<Value, RpcError> {
    serde_json::from_str(raw.get()).map_err(|_| RpcError::internal())
}

fn told(error: CallError) -> RpcError {
    match error {
        CallError::Rpc(error) => error,
        error => RpcError::new(code::INTERNAL_ERROR, error.to_string()),
    }
}
