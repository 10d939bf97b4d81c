//! The loop as a state machine without IO: what it has heard decides what to do next.
//!
//! [`Run::next`] says what to do, and the `on_…` methods take what came of it.
//! Nothing here waits, reads a clock or draws a random number, and the whole state can be stored between any two calls.
//!
//! | file | holds |
//! |---|---|
//! | `mod` | [`Run`], [`Next`] |
//! | `calls` | the calls of a step: ready, asked about, done |
//! | `ids` | which ids of calls are taken |
//! | `reply` | what a reply leads to |
//! | `insist` | tools that a reply names and does not call |
//! | `results` | what results lead to |
//! | `repeats` | calls that failed before in the same way |
//! | `outcome` | how a turn ends ([`Outcome`]), and what bounds it ([`TurnLimits`]) |

mod calls;
mod ids;
mod insist;
mod outcome;
mod repeats;
mod reply;
mod results;

#[cfg(test)]
mod tests;

use std::borrow::Cow;
use std::time::Duration;

use oncue_tools::{Approval, CallId, Content, Identity, Meter, ToolSet};
use serde::{Deserialize, Serialize};

pub use calls::{Ended, Question, Ready};
pub use outcome::{Limit, Outcome, TurnLimits};

use calls::{Calls, Search};
use ids::Ids;
use repeats::Failures;

use crate::conversation::{Conversation, Item};
use crate::limits::PRELOAD_QUERY_BYTES_MAX;
use crate::{Choice, Profile, Usage};

/// One turn, from a user's input to its outcome. Lives as long as the turn, and longer where it is stored.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Run {
    /// What was said, this turn included.
    conversation: Conversation,
    /// What the turn goes by.
    rules: Rules,
    /// What it is doing.
    phase: Phase,
    /// Model calls so far.
    steps: u32,
    /// Tokens that this turn's own requests used.
    usage: Usage,
    /// Tokens that the turn used with its forks.
    tokens: u64,
    /// Time so far, waiting for people excepted.
    elapsed: Duration,
    /// Whether the model was asked once more after it had said nothing.
    is_nudged: bool,
    /// Whether the model was asked once to make the call that it only named.
    #[serde(default)]
    has_insisted: bool,
    /// Whether calls were refused since the turn has used up its calls.
    is_out_of_calls: bool,
    /// Requests of the present step that failed.
    attempts: u32,
    /// What the next step may call alone; empty for everything.
    narrowed: Vec<String>,
    /// Calls that failed.
    failures: Failures,
    /// The ids of all calls.
    #[serde(skip)]
    ids: Ids,
}

/// What a turn goes by, fixed at its beginning.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Rules {
    /// How much it may use.
    pub limits: TurnLimits,
    /// What the model needs.
    pub profile: Profile,
    /// The exposed name of the search tool, where there is one.
    pub search: Option<String>,
    /// Whether the endpoint can be held to some of the tools.
    pub can_narrow: bool,
}

/// What a turn is doing.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Phase {
    /// Asking the model, after a pause where there is one.
    Asking { pause: Option<Duration> },
    /// Searching in the model's place; the pair goes to `at`, and then the turn goes on.
    Searching { search: Search, at: usize, then: Box<Phase> },
    /// Running the calls of a reply.
    Calling { calls: Calls },
    /// Nothing more.
    Ended { outcome: Outcome },
}

/// What to do next.
#[derive(Clone, Debug, PartialEq)]
pub enum Next<'r> {
    /// Wait this long, then say [`Run::on_pause`].
    Pause(Duration),
    /// Ask the model, then say [`Run::on_reply`] or [`Run::on_model_error`].
    Model {
        /// Which step of the turn this is, from 1.
        step: u32,
        /// What the model may call.
        choice: Choice<'r>,
    },
    /// Run these calls, all of one step, and say [`Run::on_ended`].
    Calls(Vec<Ready<'r>>),
    /// Ask a person, and say [`Run::on_answer`] for each; the turn may be stored until then.
    Person(Vec<&'r Question>),
    /// Nothing: this is how the turn ended.
    Finish(&'r Outcome),
}

impl Run {
    /// The turn that begins with a user's `input`.
    ///
    /// Where the profile preloads, it begins with a search for the words of the input.
    #[must_use]
    pub fn begin(mut conversation: Conversation, input: Vec<Content>, rules: Rules) -> Self {
        let words = words(&input);
        conversation.items.push(Item::User { content: input });
        let at = conversation.items.len();
        let asking = Phase::Asking { pause: None };
        let phase = match &rules.search {
            Some(name) if rules.profile.preload > 0 && !words.is_empty() => {
                let id = conversation.fresh_id();
                let search = Search::preload(id, name, &words, rules.profile.preload);
                Phase::Searching { search, at, then: Box::new(asking) }
            }
            _ => asking,
        };
        Self {
            conversation,
            rules,
            phase,
            steps: 0,
            usage: Usage::default(),
            tokens: 0,
            elapsed: Duration::ZERO,
            is_nudged: false,
            has_insisted: false,
            is_out_of_calls: false,
            attempts: 0,
            narrowed: Vec::new(),
            failures: Failures::default(),
            ids: Ids::default(),
        }
    }

    /// Returns what to do next; asking changes nothing.
    #[must_use]
    pub fn next(&self) -> Next<'_> {
        match &self.phase {
            Phase::Asking { pause: Some(pause) } => Next::Pause(*pause),
            Phase::Asking { pause: None } => Next::Model {
                step: self.steps + 1,
                choice: match self.narrowed.as_slice() {
                    [] => Choice::Free,
                    names => Choice::Among(Cow::Borrowed(names)),
                },
            },
            Phase::Searching { search, .. } => Next::Calls(vec![search.ready()]),
            Phase::Calling { calls } => match calls.ready() {
                ready if ready.is_empty() => Next::Person(calls.questions()),
                ready => Next::Calls(ready),
            },
            Phase::Ended { outcome } => Next::Finish(outcome),
        }
    }

    /// Takes the time that has passed in the turn so far, waiting for people excepted.
    pub fn on_time(&mut self, elapsed: Duration) {
        self.elapsed = elapsed;
        if matches!(self.phase, Phase::Asking { .. }) {
            self.hold_limits();
        }
    }

    /// The pause is over.
    pub fn on_pause(&mut self) {
        if let Phase::Asking { pause } = &mut self.phase {
            *pause = None;
        }
    }

    /// Takes what a person says about the call `id`; an answer to a question that was not asked is not taken.
    pub fn on_answer(&mut self, id: &CallId, answer: Approval) -> bool {
        match &mut self.phase {
            Phase::Calling { calls } => calls.answer(id, answer),
            _ => false,
        }
    }

    /// Ends the turn from outside; what was running is answered, so that the conversation can go on.
    pub fn stop(&mut self, outcome: Outcome) {
        let phase = std::mem::replace(&mut self.phase, Phase::Ended { outcome });
        match phase {
            Phase::Calling { calls } => {
                let results = calls.called_off();
                self.conversation.items.push(Item::Results { results });
            }
            ended @ Phase::Ended { .. } => self.phase = ended,
            // A search in the model's place is in the conversation only with its result.
            Phase::Asking { .. } | Phase::Searching { .. } => {}
        }
    }

    /// Replaces the conversation by a shorter one that the host has made of it, before the next request.
    ///
    /// Calls without results and results without calls are left out.
    pub fn on_compaction(&mut self, items: Vec<Item>) {
        self.conversation.items = items;
        self.conversation.mend();
        self.ids = Ids::default();
        self.narrowed.clear();
    }

    /// Returns what was said so far.
    #[must_use]
    pub const fn conversation(&self) -> &Conversation {
        &self.conversation
    }

    /// Returns what was said, and gives the turn up.
    #[must_use]
    pub fn into_conversation(self) -> Conversation {
        self.conversation
    }

    /// Returns what the turn goes by.
    #[must_use]
    pub const fn rules(&self) -> &Rules {
        &self.rules
    }

    /// Returns how many times the model has answered.
    #[must_use]
    pub const fn steps(&self) -> u32 {
        self.steps
    }

    /// Returns what the turn's own requests used, forks excepted.
    #[must_use]
    pub const fn usage(&self) -> Usage {
        self.usage
    }

    /// Returns the time of the turn so far, waiting for people excepted.
    #[must_use]
    pub const fn elapsed(&self) -> Duration {
        self.elapsed
    }

    /// Returns how many requests of the present step have failed.
    #[must_use]
    pub const fn attempts(&self) -> u32 {
        self.attempts
    }

    /// Ends the turn where it has used up what it may use.
    fn hold_limits(&mut self) {
        let limits = &self.rules.limits;
        let reached = if self.is_out_of_calls {
            Limit::Calls
        } else if self.steps >= limits.steps {
            Limit::Steps
        } else if self.tokens >= limits.tokens {
            Limit::Tokens
        } else if self.elapsed >= limits.time {
            Limit::Time
        } else {
            return;
        };
        self.phase = Phase::Ended { outcome: Outcome::Limit { limit: reached } };
    }

    /// Goes on to the next request, if the limits allow.
    fn ask_model(&mut self) {
        self.phase = Phase::Asking { pause: None };
        self.attempts = 0;
        self.hold_limits();
    }

    /// Says whether the model may be held to some of its tools for a step.
    const fn narrows(&self) -> bool {
        self.rules.profile.narrows && self.rules.can_narrow
    }

    fn is_search(&self, name: &str) -> bool {
        self.rules.search.as_deref() == Some(name)
    }
}

/// Returns the words of an input as a query, without what would make a grammar of them.
fn words(input: &[Content]) -> String {
    let texts = input.iter().filter_map(|piece| match piece {
        Content::Text(text) => Some(text.as_str()),
        _ => None,
    });
    let mut words = texts.collect::<Vec<_>>().join(" ");
    words.truncate(words.floor_char_boundary(PRELOAD_QUERY_BYTES_MAX));
    let signs = |sign: char| sign.is_whitespace() || ['+', '-', '/', '#', '*', '>'].contains(&sign);
    let mut plain = words.trim_matches(char::is_whitespace).trim_start_matches(signs);
    while let Some((head, rest)) = plain.split_once(':')
        && head.eq_ignore_ascii_case("select")
    {
        plain = rest.trim_start_matches(signs);
    }
    plain.to_owned()
}

/// Returns the tool that `name` names exactly, if it is one that the caller may find and has not found.
fn hidden(tools: &dyn ToolSet, name: &str) -> Option<Identity> {
    if tools.resolve(name).is_ok() {
        return None;
    }
    let registry = tools.registry()?;
    let entry = registry.snapshot().find_by_name(name)?;
    registry.discoverable_tool(entry.identity()).map(|entry| entry.identity().clone())
}

/// Counts as many calls as the turn may still make and returns how many those are.
fn admitted(meter: &Meter, wanted: usize, limits: &TurnLimits) -> usize {
    let admitted = meter.admit_calls(wanted as u64, limits.calls);
    usize::try_from(admitted).unwrap_or(wanted)
}
