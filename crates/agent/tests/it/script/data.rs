//! Scripts as they stand in the files: a table each. What a field means is told in `tests/scripts/README.md`.

use oncue_agent::{Disclosure, Finish, ModelErrorKind, Profile, TurnLimits};
use oncue_tools::ActivationScope;
use serde::Deserialize;

/// A file of scripts, or of the tools that they share.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(crate) struct File {
    pub(crate) script: Vec<Script>,
    pub(crate) tool: Vec<ToolSpec>,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(crate) struct Script {
    pub(crate) title: String,
    pub(crate) tools: Vec<String>,
    /// Tools of this script alone, behind the shared ones.
    pub(crate) tool: Vec<ToolSpec>,
    pub(crate) is_plain: bool,
    /// The search tool's name; the usual one where this is empty.
    pub(crate) search: String,
    pub(crate) profile: Profile,
    pub(crate) limits: TurnLimits,
    pub(crate) disclosure: Disclosure,
    pub(crate) can_narrow: bool,
    pub(crate) scope: Option<ActivationScope>,
    pub(crate) denied: Vec<String>,
    /// Hooks around calls: `TOOL deed: text`.
    pub(crate) hooks: Vec<String>,
    /// Hooks around steps: `STEP deed: text`.
    pub(crate) step_hooks: Vec<String>,
    pub(crate) person: Person,
    /// What the person says, in the order in which it is asked.
    pub(crate) answers: Vec<String>,
    pub(crate) turns: Vec<Turn>,
    pub(crate) model: Vec<Move>,
    pub(crate) fork: Option<ForkSpec>,
    /// Whether the transcript has the ids of calls.
    pub(crate) shows_ids: bool,
    pub(crate) transcript: String,
}

impl Default for Script {
    fn default() -> Self {
        Self {
            title: String::new(),
            tools: Vec::new(),
            tool: Vec::new(),
            is_plain: false,
            search: String::new(),
            profile: Profile::DEFAULT,
            limits: TurnLimits::default(),
            disclosure: Disclosure::Append,
            can_narrow: true,
            scope: None,
            denied: Vec::new(),
            hooks: Vec::new(),
            step_hooks: Vec::new(),
            person: Person::Waiting,
            answers: Vec::new(),
            turns: vec![Turn::Says("go".to_owned())],
            model: Vec::new(),
            fork: None,
            shows_ids: false,
            transcript: String::new(),
        }
    }
}

#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(crate) struct ToolSpec {
    pub(crate) name: String,
    pub(crate) description: String,
    pub(crate) keywords: Vec<String>,
    /// The JSON Schema of the arguments, as text; none where this is empty.
    pub(crate) parameters: String,
    pub(crate) is_hidden: bool,
    pub(crate) is_gated: bool,
    pub(crate) is_parallel: bool,
    /// The acting tool that this one proposes.
    pub(crate) proposes: String,
    /// `deed: text`; where it is empty the tool answers with its name and its arguments.
    pub(crate) does: String,
    /// How many tools there are of it, numbered from 1 behind the name; 0 for one without a number.
    pub(crate) times: usize,
}

/// Who can be asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Person {
    /// The turn waits.
    Waiting,
    /// Somebody answers at once.
    Live,
    Nobody,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(untagged)]
pub(crate) enum Turn {
    Says(String),
    Does(Deed),
}

/// What a host does apart from passing a user's words on.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(crate) struct Deed {
    /// What the user says.
    pub(crate) says: String,
    /// Whether a picture is in place of words.
    pub(crate) shows_picture: bool,
    /// When the turn is called off, in milliseconds.
    pub(crate) cancels_after_ms: u64,
    /// The conversation is replaced by this summary; no turn.
    pub(crate) shortens_to: String,
}

#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(crate) struct Move {
    pub(crate) thinks: String,
    pub(crate) says: Option<String>,
    /// `NAME ARGUMENTS`, or `#ID NAME ARGUMENTS`; `<x*N>` stands for N times the letter.
    pub(crate) calls: Vec<String>,
    /// How many times all the calls are made; 0 for once.
    pub(crate) times: usize,
    pub(crate) finish: Finish,
    pub(crate) error: Option<ModelErrorKind>,
    pub(crate) retry_after_s: Option<u64>,
    pub(crate) takes_ms: u64,
    /// What becomes of the catalog between the request and the reply: `removes X`, `adds X`, `redefines X`.
    pub(crate) meanwhile: Vec<String>,
}

/// A sub-agent over the same catalog, as the tool `delegate`.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(crate) struct ForkSpec {
    pub(crate) model: Vec<Move>,
    /// The tools that it may use; all where there are none.
    pub(crate) allowed: Vec<String>,
    pub(crate) limits: TurnLimits,
}
