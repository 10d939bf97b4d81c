//! A conversation with an agent: turn after turn, with what waits and what was found.

use std::collections::BTreeSet;

use oncue_tools::{
    Activation, ActivationRecord, ActivationScope, Approval, CallId, Cancel, CatalogError, Dropped,
    Grants, Identity, Output,
};
use serde::{Deserialize, Serialize};

use crate::agent::Source;
use crate::conversation::{Conversation, Item};
use crate::runner::{self, Turning};
use crate::{Agent, Disclosure, Outcome, Question, Rules, Run, Usage};

/// A conversation with an agent. Lives as long as the conversation, and longer where it is stored.
///
/// Dropping the future of a turn leaves a session that can go on: what was running counts as called off.
pub struct Session<'a> {
    pub(crate) agent: &'a Agent,
    /// What the session may do; the agent's grants, or less in a fork.
    grants: Grants,
    /// What was said, while no turn is under way.
    conversation: Conversation,
    /// The turn that is under way or waits.
    run: Option<Run>,
    /// What may be called: of the turn under way, else of the one before.
    activation: Activation,
    /// Whether `activation` is a fork's, which its first turn takes as it is.
    is_fresh: bool,
    /// Everything that was ever found in the conversation, for what to say of what it has lost since.
    found: BTreeSet<Identity>,
    /// What requests of the session have in common, for caches that are told apart by a key.
    key: Option<String>,
    cancel: Cancel,
}

/// How a turn came to rest.
#[derive(Clone, Debug, PartialEq)]
pub enum TurnEnd {
    /// It has ended.
    Ended(Outcome),
    /// It waits for a person: answer each question, then resume.
    Waiting(Vec<Question>),
}

/// A session as it is stored.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SessionRecord {
    /// What was said, while no turn is under way.
    pub conversation: Conversation,
    /// The turn that is under way or waits.
    pub run: Option<Run>,
    /// What may be called.
    pub activation: ActivationRecord,
    /// Everything that was ever found.
    pub found: BTreeSet<Identity>,
    /// The key of the session's caches.
    pub key: Option<String>,
}

impl Agent {
    /// Returns a new session.
    #[must_use]
    pub fn session(&self) -> Session<'_> {
        let activation = match self.scope {
            Some(ActivationScope::Session) => Activation::session(),
            _ => Activation::turn(),
        };
        Session {
            agent: self,
            grants: self.grants().clone(),
            conversation: Conversation::default(),
            run: None,
            activation,
            is_fresh: false,
            found: BTreeSet::new(),
            key: None,
            cancel: Cancel::default(),
        }
    }

    /// Returns the session that `record` describes, and recorded tools that are of no use now; what is gone or no longer granted stays out of sight.
    #[must_use]
    pub fn restore(&self, record: SessionRecord) -> (Session<'_>, Vec<(Identity, Dropped)>) {
        let (activation, dropped) = match &self.source {
            Source::Catalog { catalog, .. } => {
                Activation::restore(record.activation, &catalog.snapshot())
            }
            Source::Plain(_) => (Activation::turn(), Vec::new()),
        };
        let session = Session {
            conversation: record.conversation,
            run: record.run,
            activation,
            found: record.found,
            key: record.key,
            ..self.session()
        };
        (session, dropped)
    }

    /// Returns the session of a fork: an activation of its own, the grants of the agent within those of the parent.
    pub(crate) fn fork_session(&self, activation: Activation, outer: &Grants) -> Session<'_> {
        let grants = self.grants().clone().inside(outer);
        Session { grants, activation, is_fresh: true, ..self.session() }
    }
}

impl<'a> Session<'a> {
    /// Returns the session with a conversation that was held before.
    #[must_use]
    pub fn with_conversation(self, conversation: Conversation) -> Self {
        Self { conversation, ..self }
    }

    /// Returns the session with what its requests have in common, for caches that are told apart by a key.
    #[must_use]
    pub fn with_key(self, key: impl Into<String>) -> Self {
        Self { key: Some(key.into()), ..self }
    }

    /// Returns the session with a handle that calls its turns off.
    #[must_use]
    pub fn with_cancel(self, cancel: Cancel) -> Self {
        Self { cancel, ..self }
    }

    /// Runs one turn on a user's input. A turn that still waits is called off.
    ///
    /// # Errors
    ///
    /// There are tools to be found, and no search tool any more that the grants admit.
    pub async fn turn(&mut self, input: impl Into<Output>) -> Result<TurnEnd, CatalogError> {
        self.call_off();
        if let Source::Catalog { catalog, .. } = &self.agent.source {
            catalog.check(&self.grants)?;
        }
        self.activation = self.next_activation();
        let conversation = std::mem::take(&mut self.conversation);
        self.run = Some(Run::begin(conversation, input.into().content, self.rules()));
        Ok(self.drive().await)
    }

    /// Takes what a person says about a call that waits; false where nothing was asked about it.
    pub fn answer(&mut self, id: &CallId, answer: Approval) -> bool {
        self.run.as_mut().is_some_and(|run| run.on_answer(id, answer))
    }

    /// Goes on with a turn that waits or was interrupted; `None` where there is none.
    ///
    /// Calls that were running when a turn was dropped are not run again, since nobody knows what they did; the model reads so.
    pub async fn resume(&mut self) -> Option<TurnEnd> {
        self.run.as_mut()?.on_interruption(self.activation.meter());
        Some(self.drive().await)
    }

    /// Replaces the conversation by a shorter one that the host has made of it.
    ///
    /// What was found stays callable as far as the model still sees it; a call of the rest is answered with how to load it again.
    /// A turn that waits is called off.
    pub fn shorten(&mut self, items: Vec<Item>) {
        self.call_off();
        self.remember_found();
        self.conversation.items = items;
        self.conversation.mend();
    }

    /// Returns what was said so far.
    #[must_use]
    pub fn conversation(&self) -> &Conversation {
        self.run.as_ref().map_or(&self.conversation, Run::conversation)
    }

    /// Returns what the turn under way has used; nothing where there is none.
    #[must_use]
    pub fn usage(&self) -> Usage {
        self.run.as_ref().map(Run::usage).unwrap_or_default()
    }

    /// Returns what may be called: in the turn under way, else in the one before.
    #[must_use]
    pub const fn activation(&self) -> &Activation {
        &self.activation
    }

    /// Returns the session as it is stored.
    #[must_use]
    pub fn record(&self) -> SessionRecord {
        SessionRecord {
            conversation: self.conversation.clone(),
            run: self.run.clone(),
            activation: self.activation.record(),
            found: self.found.clone(),
            key: self.key.clone(),
        }
    }

    /// Ends a turn that is under way, and keeps what was said.
    fn call_off(&mut self) {
        if let Some(mut run) = self.run.take() {
            run.stop(Outcome::Cancelled);
            self.conversation = run.into_conversation();
        }
    }

    async fn drive(&mut self) -> TurnEnd {
        let Some(run) = &mut self.run else { return TurnEnd::Ended(Outcome::Cancelled) };
        let end = runner::drive(Turning {
            agent: self.agent,
            grants: &self.grants,
            run,
            activation: &mut self.activation,
            key: self.key.as_deref(),
            cancel: &self.cancel,
        });
        let end = end.await;
        if matches!(end, TurnEnd::Ended(_))
            && let Some(run) = self.run.take()
        {
            self.conversation = run.into_conversation();
            self.remember_found();
        }
        end
    }

    fn remember_found(&mut self) {
        self.found.extend(self.conversation.loaded().into_iter().map(|loaded| loaded.tool.clone()));
    }

    fn rules(&self) -> Rules {
        let search = match &self.agent.source {
            Source::Catalog { catalog, .. } => {
                catalog.snapshot().search_tool().map(|tool| tool.exposed().to_owned())
            }
            Source::Plain(_) => None,
        };
        Rules {
            limits: self.agent.limits,
            profile: self.agent.profile,
            search,
            can_narrow: self.agent.model.can_narrow(),
        }
    }

    /// Returns the activation of the turn that begins.
    fn next_activation(&mut self) -> Activation {
        let keeps = self.agent.model.disclosure().keeps_found();
        if std::mem::take(&mut self.is_fresh) {
            return std::mem::replace(&mut self.activation, Activation::turn());
        }
        match (self.agent.scope, &self.agent.source) {
            (Some(ActivationScope::Session), _) => self.activation.next_turn(),
            (None, Source::Catalog { catalog, .. }) if keeps => {
                let snapshot = catalog.snapshot();
                let (replayed, _) = Activation::replay(self.found.iter().cloned(), &snapshot);
                let disclosure = self.agent.model.disclosure();
                replayed.retaining(&visible(&self.conversation, disclosure, &snapshot))
            }
            _ => Activation::turn(),
        }
    }
}

/// Returns the found tools that the model still sees as they are.
pub(crate) fn visible(
    conversation: &Conversation,
    disclosure: Disclosure,
    snapshot: &oncue_tools::Snapshot,
) -> Vec<Identity> {
    let is_shown_as_it_is = |loaded: &&crate::conversation::Loaded| match disclosure {
        // A reference stands for whatever the list of the request says.
        Disclosure::ByReference | Disclosure::Mask | Disclosure::Append => true,
        Disclosure::ByValue | Disclosure::ClientSearch => snapshot
            .tool(loaded.tool.source(), loaded.tool.name())
            .is_some_and(|entry| loaded.is_of(entry)),
    };
    let loaded = conversation.loaded().into_iter();
    loaded.filter(is_shown_as_it_is).map(|loaded| loaded.tool.clone()).collect()
}
