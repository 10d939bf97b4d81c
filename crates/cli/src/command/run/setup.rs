//! From what was typed to an agent that is ready to work.

use std::sync::Arc;

use oncue_agent::limits::CALL_TIME_DEFAULT;
use oncue_agent::{Agent, Disclosure, Listener, Model, Profile, TurnLimits};
use oncue_decl::{Row, discoverable, gated, inline};
use oncue_tools::{Catalog, Grants, Options, PlainTools, Tool};
use serde::Serialize;

use super::texts;
use super::tools::Toolbox;
use crate::args::{LimitArgs, Run};
use crate::failure::Failure;
use crate::limits::PROGRAM_TIME_MARGIN;

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
        Self {
            model: model.map(|model| model.name().to_owned()),
            disclosure: model.map(Model::disclosure),
            tools: ToolsAbout {
                sources: toolbox.sources.clone(),
                inline: names(inline(&rows)),
                discoverable: names(discoverable(&rows)),
                gated: names(gated(&rows)),
            },
            profile,
        }
    }
}

fn names<'r>(rows: impl Iterator<Item = &'r Row>) -> Vec<String> {
    rows.map(|row| row.name().to_owned()).collect()
}

/// Returns the agent that was asked for, and the name of its search tool where it has one.
///
/// # Errors
///
/// What the model is told once cannot be read, or the tools do not go together.
pub(super) fn agent(
    args: &Run,
    model: Arc<dyn Model>,
    toolbox: Toolbox,
    profile: Profile,
    listener: Arc<dyn Listener>,
) -> Result<(Agent, Option<String>), Failure> {
    let system = args.system.as_deref().map(texts::system).transpose()?;
    let call_time = CALL_TIME_DEFAULT.max(toolbox.time_max() + PROGRAM_TIME_MARGIN);
    let grants = match args.consent.yes {
        true => Grants::all(),
        false => Grants::local(),
    };
    let has_hidden = toolbox.rows().any(|row| !row.is_inline());
    let (agent, search) = match has_hidden {
        true => {
            let search: Arc<dyn Tool> = Arc::new(profile.search_tool());
            let name = search.definition().name().to_owned();
            let catalog = Catalog::with_options(Options {
                strip_functions_prefix: true,
                ..Options::default()
            });
            let tools = std::iter::once(search).chain(toolbox.tools).collect();
            catalog.register_all(tools).map_err(Failure::input)?;
            let agent = Agent::new(model, Arc::new(catalog), grants).map_err(Failure::input)?;
            (agent, Some(name))
        }
        // Where nothing is hidden the model need not know of searching.
        false => {
            let tools = PlainTools::new(toolbox.tools, &grants);
            (Agent::plain(model, tools), None)
        }
    };
    let mut agent = agent
        .with_limits(limits(&args.limits))
        .with_profile(profile)
        .with_call_time(call_time)
        .with_listener(listener);
    if let Some(system) = system {
        agent = agent.with_system(system);
    }
    if !args.output.no_stream {
        agent = agent.streaming();
    }
    if args.consent.deny_all {
        agent = agent.with_nobody_to_ask();
    }
    Ok((agent, search))
}

fn limits(args: &LimitArgs) -> TurnLimits {
    TurnLimits { steps: args.steps, calls: args.calls, tokens: args.tokens, time: args.time }
}
