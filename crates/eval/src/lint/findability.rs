//! Whether a tool is found by its own name, and by what its description says.

use std::sync::Arc;

use oncue_search::{Admit, Candidates, Index, Ranker, Settings, search};

use super::subject::{Subject, Subjects, listed};
use super::{Finding, Kind, Site};
use crate::limits::{ASKED_BYTES_MAX, ASKED_WORDS_MAX, FOUND_RANK_MAX};

pub(super) fn check(subjects: &Subjects<'_>, ranker: &dyn Ranker, findings: &mut Vec<Finding>) {
    let index = index(subjects);
    let candidates = index.candidates(Admit::All);
    for subject in &subjects.all {
        findings.extend(by_name(subject, &candidates, ranker));
        findings.extend(by_description(subject, &candidates, ranker));
    }
}

fn index(subjects: &Subjects<'_>) -> Index {
    let documents = |tools: &[Subject<'_>]| {
        tools.iter().map(|subject| Arc::clone(subject.definition.document())).collect()
    };
    let sources = subjects.by_source().map(|(id, tools)| (Arc::from(id), documents(tools)));
    Index::build(Settings::default(), sources)
}

/// A hit, as far as it matters here.
struct Above {
    site: Site,
    is_exact: bool,
}

/// Returns what stands above `subject` among `hits`, and whether it is among them at all.
fn above(subject: &Subject<'_>, hits: &[oncue_search::Hit<'_>]) -> (Vec<Above>, bool) {
    let is_it = |hit: &&oncue_search::Hit<'_>| {
        hit.source == subject.source && usize::try_from(hit.position) == Ok(subject.position)
    };
    let above = hits.iter().take_while(|hit| !is_it(hit)).map(|hit| Above {
        site: Site { source: hit.source.to_owned(), tool: hit.document.row.name().to_owned() },
        is_exact: hit.exact,
    });
    (above.collect(), hits.iter().any(|hit| is_it(&hit)))
}

fn by_name(
    subject: &Subject<'_>,
    candidates: &Candidates<'_>,
    ranker: &dyn Ranker,
) -> Option<Finding> {
    let hits = search(subject.name(), candidates, ranker, FOUND_RANK_MAX);
    let (above, is_found) = above(subject, &hits);
    // Tools that spell the same name are told apart elsewhere, as shared names.
    if above.iter().all(|hit| hit.is_exact) && (is_found || !above.is_empty()) {
        return None;
    }
    let sites: Vec<Site> = above.into_iter().map(|hit| hit.site).collect();
    let message = if sites.is_empty() {
        "its own name finds nothing: give it a name with letters or digits".to_owned()
    } else {
        format!("its own name finds {} first: rename it", listed(&sites))
    };
    Some(subject.finding_with(Kind::NotFoundByName, sites, message))
}

fn by_description(
    subject: &Subject<'_>,
    candidates: &Candidates<'_>,
    ranker: &dyn Ranker,
) -> Option<Finding> {
    let asked = asked(subject.description());
    if asked.is_empty() {
        return None;
    }
    let hits = ranker.rank((&asked).into(), candidates, FOUND_RANK_MAX);
    let (above, is_found) = above(subject, &hits);
    if is_found {
        return None;
    }
    let sites: Vec<Site> = above.into_iter().map(|hit| hit.site).collect();
    let message = if sites.is_empty() {
        "the first words of its description find nothing: begin with what it does, in the words of who needs it"
            .to_owned()
    } else {
        format!(
            "the first words of its description find {FOUND_RANK_MAX} other tools: {}; begin with what sets it apart",
            listed(&sites)
        )
    };
    Some(subject.finding_with(Kind::NotFoundByDescription, sites, message))
}

/// Returns the first words of a description, as many as somebody might ask with.
pub(super) fn asked(description: &str) -> String {
    let mut asked = String::new();
    for word in description.split_whitespace().take(ASKED_WORDS_MAX) {
        if asked.len() + word.len() >= ASKED_BYTES_MAX {
            // A script without spaces is one long word.
            let room = word.floor_char_boundary(ASKED_BYTES_MAX - asked.len());
            asked.push_str(word.get(..room).unwrap_or_default());
            break;
        }
        asked.push_str(word);
        asked.push(' ');
    }
    asked.truncate(asked.trim_end().len());
    asked
}
