//! Rivals by name.

use crate::limits::HITS_PER_QUERY;
use crate::retrieval::{Dataset, LabelledTool, Run};

/// Answers a text with the places of at most so many tools, best first.
pub type Answers = Box<dyn Fn(&str, usize) -> Vec<usize>>;

/// A searcher of others.
#[derive(Clone, Copy, Debug)]
pub struct Rival {
    /// The name under which it is chosen and reported.
    pub name: &'static str,
    /// Where its ranking comes from.
    pub made: Made,
    /// Reads the tools of a data set, once.
    pub index: fn(&[LabelledTool]) -> Answers,
}

/// Where the ranking of a searcher comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Made {
    /// It is one of ours.
    Ours,
    /// The library that the rival uses.
    Library,
    /// Written anew from public behaviour.
    Anew,
    /// The rival itself was asked, and its answers were kept.
    Recorded,
}

/// Every rival of this build.
pub const RIVALS: &[Rival] = &[
    Rival { name: "founding", made: Made::Anew, index: super::founding::index },
    Rival { name: "pydantic-ai", made: Made::Anew, index: super::pydantic_ai::index },
    Rival { name: "toolhive", made: Made::Anew, index: super::toolhive::index },
    Rival { name: "mcpproxy-go", made: Made::Anew, index: super::mcpproxy::index },
    Rival { name: "fastmcp", made: Made::Anew, index: super::fastmcp::index },
    Rival { name: "tantivy", made: Made::Anew, index: super::tantivy::index },
    #[cfg(feature = "bm25")]
    Rival { name: "codex", made: Made::Library, index: super::codex::index },
    #[cfg(feature = "bm25")]
    Rival { name: "ratel", made: Made::Library, index: super::ratel::index },
];

/// The rivals that this build leaves out, since it is without their libraries.
pub const LEFT_OUT: &[&str] = if cfg!(feature = "bm25") { &[] } else { &["codex", "ratel"] };

/// There is no rival of that name.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("unknown rival `{name}`; known are {}", RIVALS.iter().map(|rival| rival.name).collect::<Vec<_>>().join(", "))]
pub struct UnknownRival {
    name: String,
    /// Whether a build with the feature `bm25` has it.
    pub is_left_out: bool,
}

/// Returns the rival called `name`.
///
/// # Errors
///
/// [`UnknownRival`], which lists the known names.
pub fn rival(name: &str) -> Result<&'static Rival, UnknownRival> {
    RIVALS.iter().find(|rival| rival.name == name).ok_or_else(|| UnknownRival {
        name: name.to_owned(),
        is_left_out: LEFT_OUT.contains(&name),
    })
}

impl Rival {
    /// Asks it every query of `dataset`; `progress` learns how many are done.
    pub fn run<'d>(&self, dataset: &'d Dataset, progress: &mut dyn FnMut(usize)) -> Run<'d> {
        let answers = (self.index)(&dataset.tools);
        let answer = |query: &str| answers(query, HITS_PER_QUERY);
        Run::asked(dataset, self.name, &mut |query| answer(&query.text), progress)
    }
}

impl Made {
    /// Returns the word for it in reports.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Ours => "ours",
            Self::Library => "its library",
            Self::Anew => "written anew",
            Self::Recorded => "itself",
        }
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::{Answers, LEFT_OUT, RIVALS, rival};
    use crate::retrieval::{Dataset, LabelledTool};

    /// Tools of these names and descriptions, from no server.
    pub(in crate::rivals) fn tools(rows: &[(&str, &str)]) -> Vec<LabelledTool> {
        let line = |(id, (name, description)): (usize, &(&str, &str))| serde_json::json!({"id": id.to_string(), "name": name, "description": description});
        parsed(&rows.iter().enumerate().map(line).collect::<Vec<_>>())
    }

    /// Tools of these lines.
    pub(in crate::rivals) fn parsed(lines: &[serde_json::Value]) -> Vec<LabelledTool> {
        let lines: Vec<String> = lines.iter().map(ToString::to_string).collect();
        Dataset::parse("tools", "dev", &lines.join("\n"), "").expect("well formed").tools
    }

    /// Holds the answers to texts against expected places.
    pub(in crate::rivals) fn check(answers: &Answers, cases: &[(&str, &[usize])]) {
        for (text, expected) in cases {
            assert_eq!(answers(text, 10), *expected, "{text}");
            assert_eq!(answers(text, 1), expected[..expected.len().min(1)], "{text}");
        }
    }

    #[test]
    fn a_rival_is_found_by_its_name_alone() {
        for it in RIVALS {
            assert_eq!(rival(it.name).map(|found| found.name), Ok(it.name));
        }
        let names = |of: &str| RIVALS.iter().filter(|rival| rival.name == of).count();
        assert!(
            RIVALS.iter().all(|rival| names(rival.name) == 1 && !LEFT_OUT.contains(&rival.name))
        );
        let unknown = rival("vibes").expect_err("nobody");
        assert!(unknown.to_string().contains("pydantic-ai") && !unknown.is_left_out, "{unknown}");
    }

    #[test]
    fn every_rival_answers_nothing_to_nothing_and_never_an_unknown_place() {
        let tools = tools(&[("send_mail", "Sends a mail"), ("read_file", "Reads a file")]);
        for rival in RIVALS {
            let answers = (rival.index)(&tools);
            for text in ["", " ", "?!", "zebra"] {
                assert_eq!(answers(text, 10), [0_usize; 0], "{} to {text:?}", rival.name);
            }
            assert_eq!(answers("reads mail file", 10).first(), Some(&1), "{}", rival.name);
            assert_eq!((rival.index)(&[])("mail", 10), [0_usize; 0], "{}", rival.name);
        }
    }
}
