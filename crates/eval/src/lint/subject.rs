//! The tools under examination, in a fixed order. They live as long as one call of `lint`.

use oncue_search::text::{Sort, Term, analyze};
use oncue_tools::Definition;

use super::{Finding, Kind, Site};

/// One tool under examination.
#[derive(Clone, Copy, Debug)]
pub(super) struct Subject<'t> {
    pub(super) source: &'t str,
    /// Its place among the tools of its server.
    pub(super) position: usize,
    pub(super) definition: &'t Definition,
}

impl<'t> Subject<'t> {
    pub(super) fn name(&self) -> &'t str {
        self.definition.name()
    }

    pub(super) fn description(&self) -> &'t str {
        self.definition.row().description().trim()
    }

    pub(super) fn site(&self) -> Site {
        Site { source: self.source.to_owned(), tool: self.name().to_owned() }
    }

    pub(super) fn finding(&self, kind: Kind, message: String) -> Finding {
        self.finding_with(kind, Vec::new(), message)
    }

    pub(super) fn finding_with(&self, kind: Kind, others: Vec<Site>, message: String) -> Finding {
        Finding { site: self.site(), kind, severity: kind.severity(), others, message }
    }
}

/// All tools, ordered by server and name.
pub(super) struct Subjects<'t> {
    pub(super) all: Vec<Subject<'t>>,
}

impl<'t> Subjects<'t> {
    pub(super) fn new(tools: impl IntoIterator<Item = (&'t str, &'t Definition)>) -> Self {
        let mut all: Vec<Subject<'t>> = tools
            .into_iter()
            .map(|(source, definition)| Subject { source, position: 0, definition })
            .collect();
        all.sort_by_key(|subject| (subject.source, subject.name(), subject.description()));
        let mut place = (None, 0);
        for subject in &mut all {
            place = if place.0 == Some(subject.source) {
                (place.0, place.1 + 1)
            } else {
                (Some(subject.source), 0)
            };
            subject.position = place.1;
        }
        Self { all }
    }

    /// Iterates over the servers with their tools.
    pub(super) fn by_source(&self) -> impl Iterator<Item = (&'t str, &[Subject<'t>])> {
        self.all
            .chunk_by(|left, right| left.source == right.source)
            .filter_map(|tools| Some((tools.first()?.source, tools)))
    }
}

/// Returns what is typed in a text, as terms, and the stretches that they come from; not what analysis adds beside it.
pub(super) fn typed_terms(text: &str) -> (Vec<Term>, Vec<String>) {
    let analysis = analyze(text);
    let is_typed = |term: &Term| matches!(term.sort, Sort::Word | Sort::Number | Sort::Pair);
    (analysis.terms.into_iter().filter(is_typed).collect(), analysis.stretches)
}

/// Returns letters and digits only, in lower case: what stays of a name in any spelling.
pub(super) fn squashed(name: &str) -> String {
    name.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}

/// Returns the first tools of a list as text, and how many more there are.
pub(super) fn listed(sites: &[Site]) -> String {
    let shown: Vec<String> = sites
        .iter()
        .take(super::super::limits::NAMED_MAX)
        .map(|site| format!("`{site}`"))
        .collect();
    match sites.len() - shown.len() {
        0 => shown.join(", "),
        more => format!("{} and {more} more", shown.join(", ")),
    }
}
