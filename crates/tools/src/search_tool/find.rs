//! What a query finds in a registry. Pure: asking changes nothing.

use std::sync::Arc;

use oncue_decl::Tier;
use oncue_search::{Asked, Candidates, Hit, Query, Ranker, required, search};

use crate::limits::RESULTS_MAX;
use crate::snapshot::Named;
use crate::{Entry, Registry};

/// What a query finds.
#[derive(Debug, Default)]
pub(crate) struct Findings {
    /// Discoverable tools that fit, best first or as selected.
    pub(crate) found: Vec<Arc<Entry>>,
    /// Inline tools that fit: nothing has to be done to call them.
    pub(crate) available: Vec<Arc<str>>,
    /// Names that nearly fit, or that one selected name could mean.
    pub(crate) near: Vec<Arc<str>>,
    /// Discoverable tools that fit and find no room.
    pub(crate) omitted: Vec<Arc<str>>,
    /// Whether some were omitted because as many tools are active as may be.
    pub(crate) is_full: bool,
    /// The first selected name that several tools have.
    pub(crate) ambiguous: Option<String>,
}

/// Returns what `query` finds among the tools that the caller may see.
pub(crate) fn find(registry: &Registry<'_>, asked: Asked<'_>, max: usize) -> Findings {
    let meaning = asked.meaning;
    match Query::parse(asked.text) {
        Query::Select(names) => select(registry, &names),
        Query::Keyword(words) => {
            let mut findings = ranked(registry, max, |candidates, ranker, max| {
                search(Asked::from(&words).meaning(meaning), candidates, ranker, max)
            });
            // A name that had to be shortened shares few words with the tool that it stands for.
            if let Some(named) = registry.named_so(&words) {
                findings.lead(named, max);
            }
            if findings.found.is_empty() && findings.available.is_empty() {
                findings.near = registry.near(&words);
            }
            findings
        }
        Query::Required { required: word, ranking } => {
            ranked(registry, max, |candidates, ranker, max| {
                let asked = Asked::from(&ranking).meaning(meaning);
                required(&word, asked, candidates, ranker, max)
            })
        }
    }
}

/// How many inline tools a first look makes room for, in tools; most searches meet fewer.
const INLINE_EXPECTED: usize = 3;

fn ranked(
    registry: &Registry<'_>,
    max: usize,
    rank: impl for<'c> Fn(&Candidates<'c>, &dyn Ranker, usize) -> Vec<Hit<'c>>,
) -> Findings {
    let snapshot = registry.snapshot();
    let candidates = registry.candidates();
    let ranker = &*snapshot.options().ranker;
    // Inline tools take no place from discoverable ones, so room for them is added.
    let inline = snapshot.inline().count();
    let room = inline.min(INLINE_EXPECTED);
    let hits = rank(&candidates, ranker, max + room);
    let findings = Findings::of(snapshot.entries(&hits), max);
    let is_whole = findings.found.len() == max || hits.len() < max + room || room == inline;
    if is_whole {
        return findings;
    }
    Findings::of(snapshot.entries(&rank(&candidates, ranker, max + inline)), max)
}

fn select(registry: &Registry<'_>, names: &[String]) -> Findings {
    let mut findings = Findings::default();
    for name in names {
        match registry.snapshot().named(name, |entry| registry.admits(entry)) {
            Named::One(entry) => findings.take(entry),
            Named::Several(alike) => {
                alike
                    .iter()
                    .filter(|entry| entry.row().is_inline())
                    .for_each(|entry| findings.take(entry));
                findings.near.extend(alike.iter().map(|entry| entry.exposed_shared()));
                findings.ambiguous.get_or_insert_with(|| name.clone());
            }
            Named::Nothing => findings.near.extend(registry.near(name)),
        }
    }
    findings.tidy();
    findings
}

impl Findings {
    /// Tells the best discoverable tools, at most `max`, from the inline ones that fit better than the last of them.
    fn of(ranked: Vec<Arc<Entry>>, max: usize) -> Self {
        let mut findings = Self::default();
        for entry in ranked {
            if findings.found.len() == max {
                break;
            }
            if entry.row().tier() == Tier::Loop {
                continue;
            }
            if entry.row().is_inline() {
                findings.available.push(entry.exposed_shared());
            } else {
                findings.found.push(entry);
            }
        }
        findings.available.truncate(max);
        findings
    }

    /// Puts the tool that was asked for by its name in front of those that fit its words.
    fn lead(&mut self, named: &Arc<Entry>, max: usize) {
        if named.row().is_inline() {
            let name = named.exposed_shared();
            self.available.retain(|known| *known != name);
            self.available.insert(0, name);
        } else {
            self.found.retain(|known| !Arc::ptr_eq(known, named));
            self.found.insert(0, Arc::clone(named));
        }
        self.found.truncate(max);
        self.available.truncate(max);
    }

    fn take(&mut self, entry: &Arc<Entry>) {
        let list = if entry.row().is_inline() {
            &mut self.available
        } else if self.found.iter().any(|known| Arc::ptr_eq(known, entry)) {
            return;
        } else if self.found.len() < RESULTS_MAX {
            self.found.push(Arc::clone(entry));
            return;
        } else {
            &mut self.omitted
        };
        let name = entry.exposed_shared();
        if !list.contains(&name) {
            list.push(name);
        }
    }

    /// Keeps each near name once, and none that was found anyway.
    fn tidy(&mut self) {
        let mut kept: Vec<Arc<str>> = Vec::new();
        for name in self.near.drain(..) {
            let found = self.found.iter().any(|entry| *entry.exposed() == *name);
            if !found && !kept.contains(&name) {
                kept.push(name);
            }
        }
        kept.truncate(RESULTS_MAX);
        self.near = kept;
    }
}
