//! An agent: a model, tools, and how the two are brought together. Lives as long as the process; sessions borrow it.

use std::sync::Arc;
use std::time::Duration;

use oncue_tools::{
    ActivationScope, Approver, Catalog, CatalogError, Grants, Hook, PlainTools, ToolSet,
};

use crate::limits::{CALL_TIME_DEFAULT, MODEL_TIME_DEFAULT};
use crate::{Listener, Model, Profile, StepHook, TurnLimits};

/// An agent.
///
/// ```
/// # use oncue_agent::{Agent, Model};
/// # use oncue_tools::{Catalog, CatalogError, Grants, ToolSearch};
/// # use std::sync::Arc;
/// # fn agent(model: Arc<dyn Model>) -> Result<Agent, CatalogError> {
/// let catalog = Catalog::new();
/// catalog.register(Arc::new(ToolSearch::new()))?;
/// let agent = Agent::new(model, Arc::new(catalog), Grants::local())?
///     .with_system("You keep the books of a small shop.");
/// # Ok(agent)
/// # }
/// ```
#[derive(Clone)]
pub struct Agent {
    pub(crate) model: Arc<dyn Model>,
    pub(crate) source: Source,
    /// What the model is told once.
    pub(crate) system: Arc<str>,
    pub(crate) limits: TurnLimits,
    pub(crate) profile: Profile,
    /// For how long found tools stay callable; absent: for as long as the model sees them.
    pub(crate) scope: Option<ActivationScope>,
    pub(crate) hooks: Vec<Arc<dyn Hook>>,
    pub(crate) step_hooks: Vec<Arc<dyn StepHook>>,
    pub(crate) consent: Consent,
    pub(crate) listener: Option<Arc<dyn Listener>>,
    pub(crate) is_streaming: bool,
    pub(crate) model_time: Duration,
    pub(crate) call_time: Duration,
    pub(crate) output_tokens_max: Option<u32>,
    pub(crate) temperature: Option<f32>,
}

/// Where the tools of an agent come from.
#[derive(Clone)]
pub(crate) enum Source {
    /// Some are seen, the others are found.
    Catalog { catalog: Arc<Catalog>, grants: Grants },
    /// All are seen.
    Plain(Arc<PlainTools>),
}

/// Who agrees to a call that needs a person's consent.
#[derive(Clone)]
pub(crate) enum Consent {
    /// The turn stops and waits, stored if need be.
    Waiting,
    /// Somebody asks at once.
    Live(Arc<dyn Approver>),
    /// Nobody: what has to be asked is refused.
    Nobody,
}

impl Agent {
    /// An agent whose model finds tools in `catalog`, as far as `grants` allow.
    ///
    /// # Errors
    ///
    /// There are tools to be found, and no search tool that the grants admit.
    pub fn new(
        model: Arc<dyn Model>,
        catalog: Arc<Catalog>,
        grants: Grants,
    ) -> Result<Self, CatalogError> {
        catalog.check(&grants)?;
        Ok(Self::of(model, Source::Catalog { catalog, grants }))
    }

    /// An agent whose model sees all its tools, and knows of no searching.
    #[must_use]
    pub fn plain(model: Arc<dyn Model>, tools: PlainTools) -> Self {
        Self::of(model, Source::Plain(Arc::new(tools)))
    }

    fn of(model: Arc<dyn Model>, source: Source) -> Self {
        Self {
            model,
            source,
            system: Arc::from(""),
            limits: TurnLimits::default(),
            profile: Profile::DEFAULT,
            scope: None,
            hooks: Vec::new(),
            step_hooks: Vec::new(),
            consent: Consent::Waiting,
            listener: None,
            is_streaming: false,
            model_time: MODEL_TIME_DEFAULT,
            call_time: CALL_TIME_DEFAULT,
            output_tokens_max: None,
            temperature: None,
        }
    }

    /// Returns the agent with what its model is told once.
    #[must_use]
    pub fn with_system(self, system: impl Into<Arc<str>>) -> Self {
        Self { system: system.into(), ..self }
    }

    /// Returns the agent with other bounds for its turns.
    #[must_use]
    pub fn with_limits(self, limits: TurnLimits) -> Self {
        Self { limits, ..self }
    }

    /// Returns the agent with what its model needs so that tools are found.
    ///
    /// The search tool in the catalog should be [`Profile::search_tool`]'s.
    #[must_use]
    pub fn with_profile(self, profile: Profile) -> Self {
        Self { profile, ..self }
    }

    /// Returns the agent with found tools that stay callable for a turn or a session, whatever the model sees of them.
    ///
    /// Without this they stay callable for as long as the model sees them: where its endpoint shows what was found in the conversation, that is as long as the search is in the conversation; elsewhere it is the turn.
    #[must_use]
    pub fn with_activation(self, scope: ActivationScope) -> Self {
        Self { scope: Some(scope), ..self }
    }

    /// Returns the agent with one more hook around each call; hooks stand around each other in the order in which they were added.
    #[must_use]
    pub fn with_hook(mut self, hook: Arc<dyn Hook>) -> Self {
        self.hooks.push(hook);
        self
    }

    /// Returns the agent with one more hook around each step.
    #[must_use]
    pub fn with_step_hook(mut self, hook: Arc<dyn StepHook>) -> Self {
        self.step_hooks.push(hook);
        self
    }

    /// Returns the agent with somebody who asks a person at once; without, a turn that needs consent stops and waits.
    #[must_use]
    pub fn with_approver(self, approver: Arc<dyn Approver>) -> Self {
        Self { consent: Consent::Live(approver), ..self }
    }

    /// Returns the agent as one where nobody can be asked: what needs consent is refused.
    #[must_use]
    pub fn with_nobody_to_ask(self) -> Self {
        Self { consent: Consent::Nobody, ..self }
    }

    /// Returns the agent with somebody who hears what happens.
    #[must_use]
    pub fn with_listener(self, listener: Arc<dyn Listener>) -> Self {
        Self { listener: Some(listener), ..self }
    }

    /// Returns the agent with streamed replies; without a listener there is nobody to hear them.
    #[must_use]
    pub fn streaming(self) -> Self {
        Self { is_streaming: true, ..self }
    }

    /// Returns the agent with another length for one reply of the model.
    #[must_use]
    pub fn with_model_time(self, model_time: Duration) -> Self {
        Self { model_time, ..self }
    }

    /// Returns the agent with another length for one call of a tool.
    #[must_use]
    pub fn with_call_time(self, call_time: Duration) -> Self {
        Self { call_time, ..self }
    }

    /// Returns the agent with a longest reply, in tokens.
    #[must_use]
    pub fn with_output_tokens_max(self, tokens: u32) -> Self {
        Self { output_tokens_max: Some(tokens), ..self }
    }

    /// Returns the agent with how freely its model chooses words, from 0.
    #[must_use]
    pub fn with_temperature(self, temperature: f32) -> Self {
        Self { temperature: Some(temperature), ..self }
    }

    /// Returns the model.
    #[must_use]
    pub fn model(&self) -> &Arc<dyn Model> {
        &self.model
    }

    pub(crate) fn grants(&self) -> &Grants {
        match &self.source {
            Source::Catalog { grants, .. } => grants,
            Source::Plain(tools) => tools.grants(),
        }
    }

    pub(crate) fn tell(&self, event: impl FnOnce() -> crate::Event) {
        if let Some(listener) = &self.listener {
            listener.hear(&event());
        }
    }
}
