//! What is done over a connection: all that is offered is listed, called, read and got.

use std::collections::HashMap;
use std::error::Error;
use std::time::Duration;

use oncue_mcp::http::mirrors;
use oncue_mcp::{CallError, Connection, List, Listener, Members, Patience, Raw};
use serde_json::value::RawValue;
use serde_json::{Value, json};

use crate::ToolCall;
use crate::answers::{answer, filled};

/// Entries of a list that are looked at, in entries.
const ENTRIES: usize = 1_000;
/// How often a call may ask before it must answer.
const ROUNDS: usize = 5;
const PATIENCE: Patience =
    Patience { quiet: Duration::from_secs(10), total: Duration::from_secs(20) };

type Done = Result<(), Box<dyn Error>>;

/// Goes through all that the server offers; `wanted` are calls with arguments of their own.
pub(crate) async fn all(connection: &Connection, wanted: &[ToolCall]) -> Done {
    tools(connection, wanted).await?;
    let able = |name| connection.server().can(name);
    if able("resources") {
        for resource in entries(connection, List::Resources).await? {
            let params = json!({ "uri": resource["uri"] });
            tell("resources/read", ask(connection, "resources/read", &params).await);
        }
    }
    if able("prompts") {
        for prompt in entries(connection, List::Prompts).await? {
            let params = json!({ "name": prompt["name"] });
            tell("prompts/get", ask(connection, "prompts/get", &params).await);
        }
    }
    Ok(())
}

/// Lists the tools, whether the server says that it has some or not, and calls those that can be called.
async fn tools(connection: &Connection, wanted: &[ToolCall]) -> Done {
    let mut headers = HashMap::new();
    let mut calls = Vec::new();
    for tool in entries(connection, List::Tools).await? {
        let name = tool["name"].as_str().unwrap_or_default().to_owned();
        // What wants an impossible header is not to be called.
        let Ok(mirrors) = mirrors(&tool["inputSchema"]) else { continue };
        headers.insert(name.clone(), mirrors);
        let own: Vec<ToolCall> = wanted.iter().filter(|call| call.name == name).cloned().collect();
        match own.is_empty() {
            true => {
                let arguments = filled(&tool["inputSchema"]);
                calls.push(ToolCall { name, arguments });
            }
            false => calls.extend(own),
        }
    }
    connection.peer().transport().mirror(headers);
    for call in calls {
        let params = json!({ "name": call.name, "arguments": call.arguments });
        tell(&call.name, ask(connection, "tools/call", &params).await);
    }
    Ok(())
}

async fn entries(connection: &Connection, list: List) -> Result<Vec<Value>, Box<dyn Error>> {
    let listed = connection.list(list, ENTRIES).await?;
    Ok(listed.entries.iter().filter_map(|raw| serde_json::from_str(raw.get()).ok()).collect())
}

/// Asks until there is an answer: what the server asks in between is answered with the next try.
async fn ask(connection: &Connection, method: &str, params: &Value) -> Result<Raw, Box<dyn Error>> {
    let first: Members = serde_json::from_value(params.clone())?;
    let mut params = first.clone();
    for _ in 0..ROUNDS {
        let listener = Listener::new(|_| {});
        let result = connection.call(method, params, PATIENCE, Some(listener)).await?;
        let members = Members::of(Some(&result))?;
        if members.read::<String>("resultType").as_deref() != Some("input_required") {
            return Ok(result);
        }
        params = first.clone();
        params.set("inputResponses", &responses(members.get("inputRequests"))?)?;
        if let Some(state) = members.get("requestState") {
            params.put("requestState", state.to_owned());
        }
    }
    Err(Box::new(CallError::Unreadable("it asks again and again".to_owned())))
}

fn responses(requests: Option<&RawValue>) -> Result<Members, serde_json::Error> {
    let mut responses = Members::new();
    for (name, request) in Members::of(requests)?.iter() {
        let request = Members::of(Some(request))?;
        let method: String = request.read("method").unwrap_or_default();
        if let Some(answer) = answer(&method, request.get("params")) {
            responses.set(name, &answer)?;
        }
    }
    Ok(responses)
}

/// What a server refuses is told and is no reason to stop.
fn tell(what: &str, outcome: Result<Raw, Box<dyn Error>>) {
    match outcome {
        Ok(result) => println!("{what}: {result}"),
        Err(error) => println!("{what}: error: {error}"),
    }
}
