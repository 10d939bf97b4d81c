//! One turn for a request, until a tool that is no search has run.

use std::sync::{Arc, Mutex, PoisonError};

use oncue_agent::{Agent, Model, Outcome, Profile, TurnEnd, TurnLimits};
use oncue_tools::{
    Arguments, BoxFuture, CallContext, Cancel, Cancellation, Catalog, CatalogError, Definition,
    EmbedError, Embedder, Grants, Options, Output, Tool, ToolError, VectorStore,
};
use serde::Serialize;

use super::set::{CatalogFile, Kind, LabelledRequest};
use crate::limits::{FIRST_CALL_OUTPUT_TOKENS_MAX, FIRST_CALL_STEPS_MAX};

/// What a model did first.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum First {
    /// It called a tool, and the tool ran.
    Called {
        /// Which.
        tool: String,
    },
    /// It answered without a tool.
    Answered,
    /// Neither within the steps of the measurement.
    Neither,
}

/// What came of one request.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Verdict {
    /// Which request.
    pub id: String,
    /// Its catalog.
    pub catalog: String,
    /// Its kind.
    #[serde(skip)]
    pub kind: Kind,
    /// Its part.
    pub part: String,
    /// What the model did first.
    pub first: First,
    /// Whether that was right.
    pub is_right: bool,
    /// Whether it was a tool that is a sensible first call, and not the one that was needed.
    pub is_lookup: bool,
    /// Searches that were accepted, those of the loop included.
    pub searches: u32,
    /// Model calls.
    pub steps: u32,
    /// Tokens of prompts and replies.
    pub tokens: u64,
    /// Why the model could not be asked; such a request says nothing of the model.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub failed: Option<String>,
}

/// What a model is told once, on every rung.
const SYSTEM: &str = "You are an assistant with tools. When a tool does what the user asks, call it. When no tool is needed, answer in words.";

/// What is measured: who answers, in what language, with which help.
pub struct Setting<'s> {
    /// Who answers.
    pub model: &'s Arc<dyn Model>,
    /// The language of the requests.
    pub language: &'s str,
    /// How the loop helps.
    pub profile: Profile,
    /// Who tells what texts mean, and who remembers it; without, words alone rank.
    pub meaning: Option<(&'s Arc<dyn Embedder>, &'s dyn VectorStore)>,
}

/// Why nothing can be said of a request.
#[derive(Debug, thiserror::Error)]
pub enum MeasureError {
    /// The tools cannot stand together.
    #[error(transparent)]
    Catalog(#[from] CatalogError),
    /// What the tools mean is not told.
    #[error(transparent)]
    Embed(#[from] EmbedError),
}

/// Runs one request and says what came of it; nothing where the request has no text in the language.
///
/// # Errors
///
/// The tools cannot stand together, or the model that should tell what they mean is away.
pub async fn measure(
    setting: &Setting<'_>,
    catalog: &CatalogFile,
    request: &LabelledRequest,
) -> Result<Option<Verdict>, MeasureError> {
    let Setting { model, language, profile, meaning } = setting;
    let Some(text) = request.text.get(*language) else { return Ok(None) };
    let ran = Arc::new(Mutex::new(None));
    let cancel = Cancel::default();
    let embedder = meaning.map(|(embedder, _)| Arc::clone(embedder));
    let tools = Catalog::with_options(Options { embedder, ..Options::default() });
    tools.register(Arc::new(profile.search_tool()))?;
    let stubs = catalog.tools.iter().map(|definition| -> Arc<dyn Tool> {
        Arc::new(Stub {
            definition: definition.clone(),
            ran: Arc::clone(&ran),
            cancel: cancel.clone(),
        })
    });
    tools.register_all(stubs.collect())?;
    if let Some((_, store)) = meaning {
        tools.embed(*store, &mut |_, _| {}).await?;
    }
    let limits = TurnLimits { steps: FIRST_CALL_STEPS_MAX, ..TurnLimits::default() };
    let agent = Agent::new(Arc::clone(model), Arc::new(tools), Grants::all())?
        .with_system(SYSTEM)
        .with_profile(*profile)
        .with_limits(limits)
        .with_output_tokens_max(FIRST_CALL_OUTPUT_TOKENS_MAX)
        .with_temperature(0.0);
    let mut session = agent.session().with_cancel(cancel);
    let end = session.turn(text.as_str()).await?;
    let called = ran.lock().unwrap_or_else(PoisonError::into_inner).take();
    let first = match (called, &end) {
        (Some(tool), _) => First::Called { tool },
        (None, TurnEnd::Ended(Outcome::Answered { .. } | Outcome::Truncated { .. })) => {
            First::Answered
        }
        (None, _) => First::Neither,
    };
    let is = |names: &[String]| matches!(&first, First::Called { tool } if names.contains(tool));
    let meter = session.activation().meter();
    Ok(Some(Verdict {
        id: request.id.clone(),
        catalog: request.catalog.clone(),
        kind: request.kind,
        part: request.part.clone(),
        is_right: match request.kind {
            Kind::None => first == First::Answered,
            Kind::Hidden | Kind::Inline => is(&request.tools),
        },
        is_lookup: is(&request.lookups),
        searches: meter.searches(),
        steps: replies(&session),
        tokens: meter.tokens(),
        failed: match &end {
            TurnEnd::Ended(failed @ Outcome::Failed { .. }) => Some(failed.to_string()),
            _ => None,
        },
        first,
    }))
}

/// Returns how often the model replied in the session.
fn replies(session: &oncue_agent::Session<'_>) -> u32 {
    use oncue_agent::conversation::{Author, Item};
    let items = &session.conversation().items;
    let replies =
        items.iter().filter(|item| matches!(item, Item::Reply(said) if said.by == Author::Model));
    u32::try_from(replies.count()).unwrap_or(u32::MAX)
}

/// A tool that does nothing but end the turn.
struct Stub {
    definition: Definition,
    ran: Arc<Mutex<Option<String>>>,
    cancel: Cancel,
}

impl Tool for Stub {
    fn definition(&self) -> &Definition {
        &self.definition
    }

    fn call<'a>(
        &'a self,
        _ctx: &'a CallContext<'a>,
        _arguments: Arguments,
    ) -> BoxFuture<'a, Result<Output, ToolError>> {
        let mut ran = self.ran.lock().unwrap_or_else(PoisonError::into_inner);
        ran.get_or_insert_with(|| self.definition.name().to_owned());
        self.cancel.fire(Cancellation::Withdrawn);
        Box::pin(std::future::ready(Ok(Output::from("done"))))
    }
}
