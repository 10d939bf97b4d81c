//! What a server of the tests is told to do.

use serde::Deserialize;

use crate::fault::Fault;

/// A script. What is not said is as with any good server.
#[derive(Debug, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(crate) struct Script {
    /// Its tools.
    pub(crate) tools: Vec<String>,
    /// A file with a JSON array of whole definitions, which are listed behind the tools.
    pub(crate) definitions: Option<String>,
    /// Tools on a page.
    pub(crate) page: Option<usize>,
    /// What it does wrong.
    pub(crate) fault: Option<Fault>,
    /// When: `start`, `init`, `list`, `call`, `shutdown`.
    pub(crate) phase: String,
    /// A file; the fault holds while it is there.
    #[serde(rename = "while")]
    pub(crate) hold: Option<String>,
    /// A file in which each start is noted.
    pub(crate) starts: Option<String>,
    /// A file in which each request that is taken back is noted.
    pub(crate) cancels: Option<String>,
    /// Whether it goes on when its input ends.
    pub(crate) is_stubborn: bool,
}

impl Default for Script {
    fn default() -> Self {
        Self {
            tools: vec!["echo".to_owned()],
            definitions: None,
            page: None,
            fault: None,
            phase: "call".to_owned(),
            hold: None,
            starts: None,
            cancels: None,
            is_stubborn: false,
        }
    }
}
