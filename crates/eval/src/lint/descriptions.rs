//! Descriptions that are missing, say nothing new, or are everybody's.

use std::collections::BTreeMap;

use super::subject::{Subject, Subjects, listed, typed_terms};
use super::{Finding, Kind, Site};
use crate::limits::DESCRIPTION_WORDS_MIN;

pub(super) fn check(subjects: &Subjects<'_>, findings: &mut Vec<Finding>) {
    findings.extend(subjects.all.iter().filter_map(alone));
    let mut shared: BTreeMap<&str, Vec<&Subject<'_>>> = BTreeMap::new();
    for subject in subjects.all.iter().filter(|subject| !subject.description().is_empty()) {
        shared.entry(subject.description()).or_default().push(subject);
    }
    for group in shared.values().filter(|group| group.len() > 1) {
        for subject in group {
            let others: Vec<Site> = group
                .iter()
                .map(|other| other.site())
                .filter(|site| *site != subject.site())
                .collect();
            let message =
                format!("has the very description of {}: say what this one does", listed(&others));
            findings.push(subject.finding_with(Kind::SharedDescription, others, message));
        }
    }
}

/// Reports what is wrong with a description whatever the others say.
fn alone(subject: &Subject<'_>) -> Option<Finding> {
    let description = subject.description();
    if description.is_empty() {
        let message = "no description: say what it does and when to take it".to_owned();
        return Some(subject.finding(Kind::NoDescription, message));
    }
    let said = words(description);
    let known = words(subject.name());
    if said.iter().all(|word| known.contains(word)) {
        let message = "the description says what the name says: add what it does, to what, and when to take it";
        return Some(subject.finding(Kind::DescriptionRepeatsName, message.to_owned()));
    }
    let count = typed_terms(description).1.len();
    // Scripts without spaces say much in one stretch.
    if count < DESCRIPTION_WORDS_MIN && description.is_ascii() {
        let message = format!(
            "the description has fewer than {DESCRIPTION_WORDS_MIN} words: add what it does, to what, and when to take it"
        );
        return Some(subject.finding(Kind::ShortDescription, message));
    }
    None
}

/// Returns the words that a search would use.
fn words(text: &str) -> Vec<String> {
    typed_terms(text).0.into_iter().map(|term| term.text).collect()
}
