//! What a tool is, apart from what it is called outside. Lives as long as anything that mentions the tool.

use std::fmt;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

/// The identity of a tool: the id of its source and its exact name there.
///
/// The two are never glued into one text and split again.
///
/// ```
/// use oncue_tools::Identity;
///
/// let tool = Identity::new("github", "create_issue");
/// assert_eq!((tool.source(), tool.name()), ("github", "create_issue"));
/// assert_eq!(tool.to_string(), "`create_issue` of `github`");
/// assert_eq!(Identity::own("readTable").to_string(), "`readTable` of the program");
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Identity {
    /// The id of the source; empty for the program itself.
    source: Arc<str>,
    /// The name that the source gave, untouched.
    name: Arc<str>,
}

impl Identity {
    /// The identity of the tool `name` of `source`.
    #[must_use]
    pub fn new(source: impl Into<Arc<str>>, name: impl Into<Arc<str>>) -> Self {
        Self { source: source.into(), name: name.into() }
    }

    /// The identity of a tool of the program itself.
    #[must_use]
    pub fn own(name: impl Into<Arc<str>>) -> Self {
        Self::new("", name)
    }

    /// Returns the id of the source; empty for the program itself.
    #[must_use]
    pub fn source(&self) -> &str {
        &self.source
    }

    /// Returns the name that the source gave, untouched.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }
}

impl fmt::Display for Identity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &*self.source {
            "" => write!(f, "`{}` of the program", self.name),
            source => write!(f, "`{}` of `{source}`", self.name),
        }
    }
}
