//! Names that cannot be shown as they are, collide, or are hard to tell apart.

use std::collections::BTreeMap;

use oncue_tools::{Identity, NameRules, NameTable};

use super::subject::{Subject, Subjects, listed, squashed};
use super::{Finding, Kind, Site};

pub(super) fn check(subjects: &Subjects<'_>, findings: &mut Vec<Finding>) {
    let rules = NameRules::DEFAULT;
    findings.extend(subjects.all.iter().filter_map(|subject| changed(subject, rules)));
    collisions(subjects, rules, findings);
    spellings(subjects, findings);
}

/// Reports a name that models see in another form.
fn changed(subject: &Subject<'_>, rules: NameRules) -> Option<Finding> {
    let name = subject.name();
    let prefix = rules.prefix(subject.source);
    let shown = rules.name(subject.source, name);
    if shown == format!("{prefix}{name}") {
        return None;
    }
    let is_illegal = |c: char| !(c.is_ascii_alphanumeric() || c == '_' || c == '-');
    let fix = match name.chars().find(|&c| is_illegal(c)) {
        Some(c) => format!("it has `{}`; keep to letters, digits, `_` and `-`", c.escape_debug()),
        None if prefix.len() + name.len() > rules.chars_max() => format!(
            "with its server in front it has {} characters, more than {}; shorten it",
            prefix.len() + name.len(),
            rules.chars_max()
        ),
        None => "it can be read in two ways; choose a plainer one".to_owned(),
    };
    Some(subject.finding(Kind::NameChanged, format!("models see it as `{shown}`: {fix}")))
}

fn collisions(subjects: &Subjects<'_>, rules: NameRules, findings: &mut Vec<Finding>) {
    let identity = |subject: &Subject<'_>| Identity::new(subject.source, subject.name());
    let (_, collisions) = NameTable::new(rules, subjects.all.iter().map(identity));
    for collision in collisions {
        let site = |tool: &Identity| Site {
            source: tool.source().to_owned(),
            tool: tool.name().to_owned(),
        };
        let (left, right) = (site(&collision.left), site(&collision.right));
        let kind = Kind::NameCollision;
        let message =
            format!("models would see it and `{left}` as `{}`: rename one of them", collision.name);
        findings.push(Finding {
            site: right,
            kind,
            severity: kind.severity(),
            others: vec![left],
            message,
        });
    }
}

/// Reports names that differ, if at all, only in case and separators.
fn spellings(subjects: &Subjects<'_>, findings: &mut Vec<Finding>) {
    let mut groups: BTreeMap<String, Vec<&Subject<'_>>> = BTreeMap::new();
    for subject in &subjects.all {
        groups.entry(squashed(subject.name())).or_default().push(subject);
    }
    groups.remove("");
    for group in groups.values().filter(|group| group.len() > 1) {
        for subject in group {
            let others = |is_same_source: bool| -> Vec<Site> {
                group
                    .iter()
                    .filter(|other| (other.source == subject.source) == is_same_source)
                    .filter(|other| other.site() != subject.site())
                    .map(|other| other.site())
                    .collect()
            };
            let (twins, strangers) = (others(true), others(false));
            if !twins.is_empty() {
                let message = format!(
                    "{} has the same name but for case and separators, which models mix up: rename one of them",
                    listed(&twins)
                );
                findings.push(subject.finding_with(Kind::SpellingTwins, twins, message));
            }
            if !strangers.is_empty() {
                let message = format!(
                    "has its name in common with {}: the bare name is ambiguous, so say in the description which service it is for",
                    listed(&strangers)
                );
                findings.push(subject.finding_with(Kind::SharedName, strangers, message));
            }
        }
    }
}
