//! A loop of one's own on genai's client: before each step it sends the list of that step, and the calls that come back run on the same registry.

use std::error::Error;

use genai::chat::{ChatMessage, ChatRequest, Tool, ToolCall, ToolResponse};
use genai::resolver::{AuthData, Endpoint};
use genai::{Client, ServiceTarget};
use oncue::{
    Activation, Catalog, Content, Entry, Finished, Grants, Registry, Requested, Step, ToolSet,
};
use oncue_bridges::{Server, User, catalog, story};
use serde_json::{Value, json};

const MODEL: &str = "gpt-4.1-mini";
const STEPS_MAX: usize = 8;

/// Runs one turn: from a question to the answer.
async fn turn(
    client: &Client,
    catalog: &Catalog,
    question: &str,
) -> Result<String, Box<dyn Error>> {
    // What the model has found so far, and what its caller may do.
    let (activation, grants) = (Activation::turn(), Grants::local());
    let mut registry = Registry::new(catalog, &activation, &grants);
    let mut chat = ChatRequest::from_user(question);
    for _ in 0..STEPS_MAX {
        chat = chat.with_tools(registry.visible().iter().map(|entry| declared(entry)));
        let answer = client.exec_chat(MODEL, chat.clone(), None).await?;
        let text = answer.first_text().unwrap_or_default().to_owned();
        let calls = answer.tool_calls().into_iter().map(requested).collect();
        let Some(message) = answer.into_assistant_message_for_tool_use() else {
            return Ok(text);
        };
        let finished = Step::new(&registry).with_approver(&User).run(calls).await;
        let results: Vec<ToolResponse> = finished.iter().map(result).collect();
        chat = chat.append_message(message).append_message(ChatMessage::from(results));
        // The next step sees what this one found, and what was registered meanwhile.
        registry = registry.step();
    }
    Err("the turn took too many steps".into())
}

/// Our tool in genai's form.
fn declared(entry: &Entry) -> Tool {
    let schema = entry.definition().parameters().map(|schema| serde_json::from_str(schema.get()));
    let none = || json!({"type": "object", "properties": {}});
    Tool::new(entry.exposed())
        .with_description(entry.row().description())
        .with_schema(schema.and_then(Result::ok).unwrap_or_else(none))
}

/// genai's call in our form.
fn requested(call: &ToolCall) -> Requested {
    // Arguments that are not JSON are kept as a text; what is wrong with them is ours to tell.
    let arguments = match &call.fn_arguments {
        Value::String(text) => text.clone(),
        arguments => arguments.to_string(),
    };
    Requested::new(call.call_id.as_str(), &call.fn_name, arguments)
}

/// Our result in genai's form, which is text; errors are written for the model, and name the next call.
fn result(done: &Finished) -> ToolResponse {
    let text = match &done.outcome {
        Ok(output) => output.content.iter().map(text_of).collect::<Vec<_>>().join("\n"),
        Err(error) => error.to_string(),
    };
    ToolResponse::new(done.id.as_str(), text).with_fn_name(&done.name)
}

fn text_of(piece: &Content) -> String {
    match piece {
        Content::Text(text) => text.clone(),
        Content::Json(value) => value.to_string(),
        Content::Image { media_type, bytes } => format!("[{media_type}, {} bytes]", bytes.len()),
        _ => "[a piece that cannot be shown]".to_owned(),
    }
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn Error>> {
    let server = Server::start(story::script())?;
    let endpoint = Endpoint::from_owned(server.url());
    let client = Client::builder()
        .with_service_target_resolver_fn(move |target: ServiceTarget| {
            Ok(ServiceTarget { endpoint, auth: AuthData::from_single("none"), ..target })
        })
        .build()?;

    let answer = turn(&client, &catalog()?, "Give me the orders as csv").await?;
    story::check(&answer, &server.asked()?);
    Ok(())
}
