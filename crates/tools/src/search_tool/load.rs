//! Searching is loading: the one place that activates.

use oncue_search::Asked;

use super::find::{Findings, find};
use crate::Registry;

/// Returns what is found for what is asked, and makes it active before returning.
///
/// It happens here, inside the execution of the search, so that nothing that runs later (a hook, the end of the step) can lose a discovery.
/// What cannot be made active is not returned as found.
pub(crate) fn load(registry: &Registry<'_>, asked: Asked<'_>, max: usize) -> Findings {
    let mut findings = find(registry, asked, max);
    registry.activation().activate(&findings.found);
    let (active, rest) = std::mem::take(&mut findings.found)
        .into_iter()
        .partition(|entry| registry.activation().is_active(entry.identity()));
    findings.found = active;
    findings.is_full = !Vec::is_empty(&rest);
    findings.omitted.splice(0..0, rest.iter().map(|entry| entry.exposed_shared()));
    findings
}
