//! Everything that is to be said about a catalog, and its summary as Markdown.

use std::collections::BTreeMap;
use std::fmt::Write;

use serde::Serialize;

use super::subject::Subjects;
use super::{Finding, Kind, Severity, Site, tokens};
use crate::limits::{REPORT_EXAMPLES_MAX, REPORT_HEAVIEST_MAX};

/// What a tool costs.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Weight {
    /// The tool.
    #[serde(flatten)]
    pub site: Site,
    /// About how many tokens its definition has; see [`tokens`].
    pub tokens: usize,
}

/// The sums of one server.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct SourceSum {
    /// The server's id.
    pub source: String,
    /// How many tools it has.
    pub tools: usize,
    /// About how many tokens they have together.
    pub tokens: usize,
    /// How many errors were found.
    pub errors: usize,
    /// How many warnings.
    pub warnings: usize,
    /// How many notes.
    pub notes: usize,
}

/// What is to be said about a catalog.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Report {
    /// How many tools were examined.
    pub tools: usize,
    /// About how many tokens they have together.
    pub tokens: usize,
    /// The servers, by id.
    pub sources: Vec<SourceSum>,
    /// What each tool costs, by server and name.
    pub weights: Vec<Weight>,
    /// What was found, by server, name and kind.
    pub findings: Vec<Finding>,
}

impl Report {
    pub(super) fn new(subjects: &Subjects<'_>, mut findings: Vec<Finding>) -> Self {
        findings.sort();
        let weights: Vec<Weight> = subjects
            .all
            .iter()
            .map(|subject| Weight { site: subject.site(), tokens: tokens(subject.definition) })
            .collect();
        let mut sources: BTreeMap<&str, SourceSum> = BTreeMap::new();
        for Weight { site, tokens } in &weights {
            let sum = sources.entry(&site.source).or_default();
            sum.source.clone_from(&site.source);
            sum.tools += 1;
            sum.tokens += tokens;
        }
        for finding in &findings {
            let sum = sources.entry(&finding.site.source).or_default();
            match finding.severity {
                Severity::Error => sum.errors += 1,
                Severity::Warning => sum.warnings += 1,
                Severity::Note => sum.notes += 1,
            }
        }
        let sources = sources.into_values().collect();
        let tokens = weights.iter().map(|weight| weight.tokens).sum();
        Self { tools: weights.len(), tokens, sources, weights, findings }
    }

    /// Returns how many findings of a severity there are.
    #[must_use]
    pub fn count(&self, severity: Severity) -> usize {
        self.findings.iter().filter(|finding| finding.severity == severity).count()
    }

    /// Iterates over the findings of one kind.
    pub fn of(&self, kind: Kind) -> impl Iterator<Item = &Finding> {
        self.findings.iter().filter(move |finding| finding.kind == kind)
    }
}

/// Returns the summary of a report as Markdown, without a title: sums, kinds with examples, heaviest tools, servers.
#[must_use]
pub fn markdown(report: &Report) -> String {
    let mut text = String::new();
    // Writing to a string cannot fail.
    let _ = write_sums(report, &mut text);
    let _ = write_kinds(report, &mut text);
    let _ = write_heaviest(report, &mut text);
    let _ = write_sources(report, &mut text);
    text
}

fn write_sums(report: &Report, text: &mut String) -> std::fmt::Result {
    let Report { tools, tokens, sources, .. } = report;
    let [errors, warnings, notes] =
        [Severity::Error, Severity::Warning, Severity::Note].map(|severity| report.count(severity));
    writeln!(text, "{tools} tools of {} servers, about {tokens} tokens in all.", sources.len())?;
    writeln!(text, "{errors} errors, {warnings} warnings, {notes} notes.")?;
    writeln!(text, "A token is taken as four bytes of a tool's compact definition.\n")
}

fn write_kinds(report: &Report, text: &mut String) -> std::fmt::Result {
    writeln!(
        text,
        "## Findings by kind\n\n| kind | severity | findings | tools |\n|---|---|--:|--:|"
    )?;
    for kind in Kind::ALL {
        let mut sites: Vec<&Site> = report.of(kind).map(|finding| &finding.site).collect();
        let count = sites.len();
        sites.dedup();
        let severity = format!("{:?}", kind.severity()).to_lowercase();
        writeln!(text, "| {kind} | {severity} | {count} | {} |", sites.len())?;
    }
    for kind in Kind::ALL {
        let count = report.of(kind).count();
        if count == 0 {
            continue;
        }
        writeln!(text, "\n### {kind}\n")?;
        // Examples at equal distances, so that they are not all of the first server.
        let step = count.div_ceil(REPORT_EXAMPLES_MAX);
        for finding in report.of(kind).step_by(step) {
            writeln!(text, "- `{}`: {}", finding.site, finding.message)?;
        }
    }
    Ok(())
}

fn write_heaviest(report: &Report, text: &mut String) -> std::fmt::Result {
    let mut heaviest: Vec<&Weight> = report.weights.iter().collect();
    heaviest.sort_by(|left, right| {
        right.tokens.cmp(&left.tokens).then_with(|| left.site.cmp(&right.site))
    });
    writeln!(text, "\n## Heaviest tools\n\n| tool | tokens |\n|---|--:|")?;
    for Weight { site, tokens } in heaviest.into_iter().take(REPORT_HEAVIEST_MAX) {
        writeln!(text, "| `{site}` | {tokens} |")?;
    }
    Ok(())
}

fn write_sources(report: &Report, text: &mut String) -> std::fmt::Result {
    writeln!(
        text,
        "\n## Servers\n\n| server | tools | tokens | errors | warnings | notes |\n|---|--:|--:|--:|--:|--:|"
    )?;
    for SourceSum { source, tools, tokens, errors, warnings, notes } in &report.sources {
        writeln!(text, "| {source} | {tools} | {tokens} | {errors} | {warnings} | {notes} |")?;
    }
    Ok(())
}
