//! A word that a tool lacks, and why it is proposed.

use std::fmt;

use serde::Serialize;

/// Where a proposed word comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Origin {
    /// A parameter of the tool says it, where a search weighs it little.
    Schema,
    /// A list knows that people say it for a word of the tool.
    List,
    /// To a model of meaning it means about the same as a word of the tool.
    Meaning,
}

/// A word that people may use for a tool, and that no tool of the catalog says of itself.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Proposal {
    /// The word.
    pub keyword: String,
    /// Where it comes from.
    pub origin: Origin,
    /// The word of the tool that it stands for.
    pub stands_for: String,
    /// Whether that is of the tool's name, title or keywords; otherwise it is of its description.
    pub in_name: bool,
    /// The parameter that says it, where one does.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub parameter: Option<String>,
    /// The cosine of the two words, where a model has told it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub closeness: Option<f64>,
}

impl fmt::Display for Proposal {
    /// Writes why the word is proposed.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let place = if self.in_name { "its name" } else { "its description" };
        let word = self.stands_for.escape_debug();
        if let Some(parameter) = &self.parameter {
            write!(f, "its parameter `{}` says it, ", parameter.escape_debug())?;
        }
        match self.origin {
            Origin::List => write!(f, "people say it for `{word}` in {place}"),
            Origin::Schema | Origin::Meaning => {
                write!(f, "means about the same as `{word}` in {place}")?;
                self.closeness.map_or(Ok(()), |closeness| write!(f, " ({closeness:.2})"))
            }
        }
    }
}
