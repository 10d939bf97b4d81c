//! rig's own agent and loop with oncue's tools: a hook gives rig's tool server the list of each step, and every call runs on our registry.
//!
//! An agent is built for each turn, since its tool server holds what that turn has found; the model and the catalog are shared.

use std::error::Error;
use std::sync::Arc;

use oncue::{
    Activation, Catalog, Content, Entry, ErrorKind, Grants, Output, Registry, Requested, Step,
    ToolError, ToolSet,
};
use oncue_bridges::{Server, User, catalog, story};
use rig_agent::AgentBuilder;
use rig_agent::agent::{
    AgentHook, CompletionCallAction, CompletionCallEvent, HookContext, InvalidToolCallAction,
    InvalidToolCallContext, InvalidToolCallReason,
};
use rig_agent::tool::server::{ToolServer, ToolServerHandle};
use rig_core::message::{ImageMediaType, MimeType, ToolName, ToolResultContent};
use rig_core::providers::openai::{OpenAIConfig, Route};
use rig_core::tool::{DynamicTool, ToolErrorKind, ToolExecutionError, ToolOutput};
use rig_core::{DynModel, operation::Completion};
use serde_json::{Value, json};

const MODEL: &str = "gpt-4.1-mini";
const STEPS_MAX: usize = 8;

/// What lives from a question to the answer: what the model has found so far, and what its caller may do.
struct Turn {
    catalog: Arc<Catalog>,
    activation: Activation,
    grants: Grants,
}

impl Turn {
    /// Returns the view of now; what a search found a moment ago is in it.
    fn registry(&self) -> Registry<'_> {
        Registry::new(&self.catalog, &self.activation, &self.grants)
    }

    /// Runs one call that rig has read.
    async fn call(&self, name: &str, arguments: Value) -> Result<ToolOutput, ToolExecutionError> {
        let registry = self.registry();
        let call = Requested::new("", name, arguments.to_string());
        let done = Step::new(&registry).with_approver(&User).call(call).await;
        done.outcome.map(shown).map_err(|error| failed(&error))
    }
}

/// Keeps rig's list equal to ours, and answers for names that are not in it.
struct Disclosure {
    turn: Arc<Turn>,
    tools: ToolServerHandle,
}

impl Disclosure {
    fn refresh(&self) -> Result<(), Box<dyn Error>> {
        let (listed, visible) = (self.tools.snapshot(), self.turn.registry().visible());
        for name in listed.names().filter(|name| visible.iter().all(|tool| tool.exposed() != *name))
        {
            self.tools.remove_tool(name);
        }
        // What was found last comes last, so what a provider has cached of the list stays good.
        for entry in visible.iter().filter(|entry| !listed.contains(entry.exposed())) {
            self.tools.add_dynamic_tool(declared(&self.turn, entry)?);
        }
        Ok(())
    }
}

impl AgentHook for Disclosure {
    /// Runs before each model call, and before rig reads its list.
    async fn on_completion_call(
        &self,
        _: &HookContext,
        _: CompletionCallEvent<'_>,
    ) -> CompletionCallAction {
        match self.refresh() {
            Ok(()) => CompletionCallAction::continue_run(),
            Err(error) => CompletionCallAction::stop(error.to_string()),
        }
    }

    /// Without an answer rig would end the run.
    async fn on_invalid_tool_call(
        &self,
        _: &HookContext,
        call: &InvalidToolCallContext,
    ) -> Option<InvalidToolCallAction> {
        if call.reason != InvalidToolCallReason::UnknownTool {
            return None;
        }
        let listed = |entry: &Entry| call.allowed_tools.iter().any(|name| name == entry.exposed());
        Some(match self.turn.registry().resolve(&call.tool_name) {
            Ok(entry) if listed(&entry) => InvalidToolCallAction::repair(entry.exposed()),
            Ok(entry) => InvalidToolCallAction::skip(format!("Call {} again.", entry.exposed())),
            Err(unresolved) => InvalidToolCallAction::skip(unresolved.to_string()),
        })
    }
}

/// Our tool in rig's form.
fn declared(turn: &Arc<Turn>, entry: &Entry) -> Result<DynamicTool, Box<dyn Error>> {
    let schema = match entry.definition().parameters() {
        Some(schema) => serde_json::from_str(schema.get())?,
        None => json!({"type": "object", "properties": {}}),
    };
    let (turn, name) = (Arc::clone(turn), ToolName::new(entry.exposed())?);
    let called = name.clone();
    Ok(DynamicTool::new(name, entry.row().description(), schema, move |arguments| {
        let (turn, name) = (Arc::clone(&turn), called.clone());
        Box::pin(async move { turn.call(name.as_str(), arguments).await })
    }))
}

/// Our result in rig's form.
fn shown(output: Output) -> ToolOutput {
    let pieces = output.content.into_iter().map(|piece| match piece {
        Content::Text(text) => ToolResultContent::text(text),
        Content::Json(value) => ToolResultContent::json(value),
        Content::Image { media_type, bytes } => {
            let media_type = ImageMediaType::from_mime_type(&media_type);
            ToolResultContent::image_raw(bytes, media_type, None)
        }
        _ => ToolResultContent::text("[a piece that cannot be shown]"),
    });
    // rig refuses a result of no pieces, which is no error to us.
    ToolOutput::content(pieces.collect()).unwrap_or_else(|_| ToolOutput::text(""))
}

/// Our error in rig's form: the cause for the operator, and for the model the text that names the next call.
fn failed(error: &ToolError) -> ToolExecutionError {
    let kind = match error.kind() {
        ErrorKind::UnknownTool => ToolErrorKind::NotFound,
        ErrorKind::Arguments => ToolErrorKind::InvalidArgs,
        ErrorKind::Denied | ErrorKind::Refused | ErrorKind::Undecided => {
            ToolErrorKind::PermissionDenied
        }
        ErrorKind::TimedOut => ToolErrorKind::Timeout,
        ErrorKind::Cancelled => ToolErrorKind::Cancelled,
        _ => ToolErrorKind::Other,
    };
    ToolExecutionError::new(kind, error.operator().to_string())
        .with_retryable(error.kind().is_retryable())
        .with_model_feedback(error.to_string())
}

/// Runs one turn: from a question to the answer.
async fn turn(
    model: DynModel<Completion>,
    catalog: &Arc<Catalog>,
    question: &str,
) -> Result<String, Box<dyn Error>> {
    let (activation, grants) = (Activation::turn(), Grants::local());
    let turn = Arc::new(Turn { catalog: Arc::clone(catalog), activation, grants });
    let tools = ToolServer::new().run();
    let hook = Disclosure { turn, tools: tools.clone() };
    let agent = AgentBuilder::new(model).tool_server_handle(tools).add_hook(hook).build();
    let answer = agent.prompt(question).max_turns(STEPS_MAX).await?;
    Ok(answer.output())
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn Error>> {
    let server = Server::start(story::script())?;
    let provider = OpenAIConfig::new("none").with_base_url(server.url()).with_route(Route::Chat);
    let model = provider.client().completion(MODEL).into();

    let answer = turn(model, &Arc::new(catalog()?), "Give me the orders as csv").await?;
    story::check(&answer, &server.asked()?);
    Ok(())
}
