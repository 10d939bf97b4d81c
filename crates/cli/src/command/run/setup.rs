//! From what was typed to an agent that is ready to work.

use std::io::Write;
use std::sync::Arc;

use oncue_agent::limits::CALL_TIME_DEFAULT;
use oncue_agent::{Agent, Disclosure, Model, Profile, TurnLimits};
use oncue_decl::{Row, Tier, discoverable, gated, inline};
use oncue_tools::{Catalog, Grants, Options, PlainTools, Tool};
use serde::Serialize;
use tokio::time::timeout;

use super::cassette::{Consent, Start, Tape};
use super::model::shown;
use super::profile::profile;
use super::tools::Toolbox;
use crate::args::{LimitArgs, Run};
use crate::command::gateway::Offered;
use crate::failure::Failure;
use crate::limits::{PROGRAM_TIME_MARGIN, RUN_VECTORS_TIME_MAX};
use crate::models;
use crate::text::printable;

/// What is run, for people and programs. Lives as long as the run.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub(super) struct About {
    /// The name by which people know the model; absent where only tools are checked.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) model: Option<String>,
    /// How found tools become visible to it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) disclosure: Option<Disclosure>,
    pub(super) tools: ToolsAbout,
    pub(super) profile: Profile,
}

/// The tools of a run, by name.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub(super) struct ToolsAbout {
    /// The files, or the demo.
    pub(super) sources: Vec<String>,
    pub(super) inline: Vec<String>,
    pub(super) discoverable: Vec<String>,
    pub(super) gated: Vec<String>,
}

impl About {
    pub(super) fn new(toolbox: &Toolbox, profile: Profile, model: Option<&dyn Model>) -> Self {
        let rows: Vec<Row> = toolbox.rows().cloned().collect();
        let offered = |is: fn(&Row) -> bool| -> Vec<String> {
            let offered = toolbox.offered.iter().filter(|it| is(it.tool.definition().row()));
            offered.map(|it| it.name.clone()).collect()
        };
        Self {
            model: model.map(|model| shown(model.name())),
            disclosure: model.map(Model::disclosure),
            tools: ToolsAbout {
                sources: toolbox.sources.clone(),
                inline: names(inline(&rows)),
                discoverable: [names(discoverable(&rows)), offered(|_| true)].concat(),
                gated: [names(gated(&rows)), offered(|row| row.tier() == Tier::Gated)].concat(),
            },
            profile,
        }
    }
}

fn names<'r>(rows: impl Iterator<Item = &'r Row>) -> Vec<String> {
    rows.map(|row| row.name().to_owned()).collect()
}

/// What a run goes by. A recording goes by what it recorded.
#[derive(Clone, Copy, Debug)]
pub(super) struct Rules {
    pub(super) profile: Profile,
    pub(super) limits: TurnLimits,
    pub(super) consent: Consent,
    /// Found tools stay callable for the session, not for the turn.
    pub(super) keeps_found: bool,
}

impl Rules {
    /// What was typed; `is_kept` says that the conversation goes on after the turn.
    pub(super) fn new(args: &Run, recorded: Option<&Start>, is_kept: bool) -> Self {
        Self {
            profile: profile(&args.profile, recorded.map(|start| start.profile)),
            limits: recorded.map_or_else(|| limits(&args.limits), |start| start.limits),
            consent: recorded.map_or_else(|| consent(args), |start| start.consent),
            keeps_found: recorded.map_or(is_kept, |start| start.keeps_found),
        }
    }
}

/// Events that nobody answers are no questions: without `--approve` and a file that keeps the turn, a program refuses.
fn consent(args: &Run) -> Consent {
    let (consent, can_wait) = (&args.consent, args.session.session.is_some());
    let is_unheard = args.output.json && consent.approve.is_none() && !can_wait;
    match (consent.yes, consent.deny_all || is_unheard) {
        (true, _) => Consent::Agreed,
        (false, true) => Consent::Refused,
        (false, false) => Consent::Asked,
    }
}

fn limits(args: &LimitArgs) -> TurnLimits {
    TurnLimits { steps: args.steps, calls: args.calls, tokens: args.tokens, time: args.time }
}

/// Returns the agent of these parts, and the name of its search tool where it has one; `embedder` names the model that tells what tools mean.
///
/// # Errors
///
/// The tools do not go together.
pub(super) async fn agent(
    model: Arc<dyn Model>,
    embedder: Option<&str>,
    toolbox: &Toolbox,
    rules: Rules,
    tape: &Tape,
    err: &mut dyn Write,
) -> Result<(Agent, Option<String>), Failure> {
    let call_time = CALL_TIME_DEFAULT.max(toolbox.time_max() + PROGRAM_TIME_MARGIN);
    let grants = match rules.consent {
        Consent::Agreed => Grants::all(),
        Consent::Asked | Consent::Refused => Grants::local(),
    };
    let has_hidden = toolbox.rows().any(|row| !row.is_inline()) || !toolbox.offered.is_empty();
    let model = tape.model(model);
    let tools = toolbox.tools.iter().map(|tool| tape.tool(Arc::clone(tool)));
    let (agent, search) = match has_hidden {
        true => {
            let search: Arc<dyn Tool> = Arc::new(rules.profile.search_tool());
            let name = search.definition().name().to_owned();
            // A recording goes by words, since it is replayed where there is no model.
            let embedder = match tape {
                Tape::None => models::embedder(embedder)?,
                Tape::Record(_) | Tape::Replay { .. } => None,
            };
            let options = Options { strip_functions_prefix: true, embedder, ..Options::default() };
            let catalog = Catalog::with_options(options);
            let tools = std::iter::once(search).chain(tools).collect();
            catalog.register_all(tools).map_err(Failure::input)?;
            for server in toolbox.offered.chunk_by(|left, right| left.source == right.source) {
                let Some(Offered { source, .. }) = server.first() else { continue };
                let tools = server.iter().map(|it| tape.tool(Arc::clone(&it.tool))).collect();
                // What of a server's tools cannot be used the gateway has set aside already.
                catalog.replace_healthy(source, tools).map_err(Failure::input)?;
            }
            embed(&catalog, err).await;
            let agent = Agent::new(model, Arc::new(catalog), grants).map_err(Failure::input)?;
            (agent, Some(name))
        }
        // Where nothing is hidden the model need not know of searching.
        false => (Agent::plain(model, PlainTools::new(tools.collect(), &grants)), None),
    };
    let agent =
        agent.with_limits(rules.limits).with_profile(rules.profile).with_call_time(call_time);
    Ok((agent, search))
}

/// Lets the model tell what the tools mean; what it does not tell in time is found by words alone.
async fn embed(catalog: &Catalog, err: &mut dyn Write) {
    let store = models::kept();
    let told = timeout(RUN_VECTORS_TIME_MAX, catalog.embed(&store, &mut |_, _| {})).await;
    let why = match told {
        Ok(Ok(_)) => return,
        Ok(Err(error)) => error.to_string(),
        Err(_) => {
            let seconds = RUN_VECTORS_TIME_MAX.as_secs();
            format!("the embedding model has not told within {seconds} s what the tools mean")
        }
    };
    // If that cannot be written there is nobody left to tell.
    let _ = writeln!(err, "warning: {}; words alone rank", printable(&why));
}
