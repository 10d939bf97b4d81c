//! The tools of one source, in declared order. Built whole, shared between snapshots, never changed.

use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

use oncue_decl::Tier;
use oncue_search::Document;

use crate::limits::TOOLS_PER_SOURCE_MAX;
use crate::names::Outline;
use crate::{CatalogError, Collision, Entry, NameRules, SetAside, Tool};

/// One source's part of a snapshot.
#[derive(Debug)]
pub(crate) struct Source {
    /// The id; empty for the program itself.
    pub(crate) id: Arc<str>,
    /// The tools in declared order; search positions point here.
    pub(crate) entries: Vec<Arc<Entry>>,
    /// Places in `entries` by exact name.
    by_name: HashMap<Box<str>, usize>,
    /// Places in `entries` of the inline tools, in order.
    inline: Vec<u32>,
    /// The names of each of `entries` at a glance, in one piece, so that looking at all of them is quick.
    outlines: Vec<[Outline; 2]>,
}

impl Source {
    /// Returns the source with the tools that can stand beside each other, and those that cannot with the reason.
    ///
    /// Of two tools of one name the first stays.
    /// Of two tools that would be called alike neither does: which of them a call meant could not be told.
    ///
    /// # Errors
    ///
    /// The source has too many tools.
    pub(crate) fn new(
        id: &str,
        tools: Vec<Arc<dyn Tool>>,
        rules: NameRules,
    ) -> Result<(Self, Vec<SetAside>), CatalogError> {
        if !id.is_empty() && tools.len() > TOOLS_PER_SOURCE_MAX {
            return Err(CatalogError::TooManyOfSource {
                source_id: id.to_owned(),
                count: tools.len(),
            });
        }
        let id: Arc<str> = id.into();
        let listed: Vec<Arc<Entry>> =
            tools.into_iter().map(|tool| Arc::new(Entry::new(&id, tool, rules))).collect();
        let faults = faults(&listed);
        let mut entries = Vec::with_capacity(listed.len());
        for (at, entry) in listed.into_iter().enumerate() {
            if !faults.contains_key(&at) {
                entries.push(entry);
            }
        }
        Ok((Self::of(id, entries), faults.into_values().collect()))
    }

    /// Returns the source with more tools at the end.
    ///
    /// # Errors
    ///
    /// A tool cannot stand beside the others.
    pub(crate) fn with(
        &self,
        tools: Vec<Arc<dyn Tool>>,
        rules: NameRules,
    ) -> Result<Self, CatalogError> {
        let mut entries = self.entries.clone();
        entries.extend(tools.into_iter().map(|tool| Arc::new(Entry::new(&self.id, tool, rules))));
        match faults(&entries).pop_first() {
            None => Ok(Self::of(Arc::clone(&self.id), entries)),
            Some((_, fault)) => Err(fault.why),
        }
    }

    /// Returns the source with only those tools that `stays` says yes to.
    pub(crate) fn retaining(&self, stays: impl Fn(&Entry) -> bool) -> Self {
        let stays = |entry: &&Arc<Entry>| stays(entry);
        Self::of(Arc::clone(&self.id), self.entries.iter().filter(stays).cloned().collect())
    }

    /// The source `id` with entries that are known to stand beside each other.
    fn of(id: Arc<str>, entries: Vec<Arc<Entry>>) -> Self {
        let by_name = entries
            .iter()
            .enumerate()
            .map(|(at, entry)| (entry.identity().name().into(), at))
            .collect();
        let inline = (0..).zip(&entries).filter(|(_, entry)| entry.row().is_inline());
        let inline = inline.map(|(at, _)| at).collect();
        let outlines = entries.iter().map(|entry| entry.names().map(Outline::of)).collect();
        Self { id, entries, by_name, inline, outlines }
    }

    /// Returns the tool of exactly this name.
    pub(crate) fn named(&self, name: &str) -> Option<&Arc<Entry>> {
        self.entries.get(*self.by_name.get(name)?)
    }

    pub(crate) fn has_inline(&self) -> bool {
        !self.inline.is_empty()
    }

    /// Iterates over the inline tools in declared order, each with its place in `entries`.
    pub(crate) fn inline(&self) -> impl Iterator<Item = (u32, &Arc<Entry>)> {
        self.inline.iter().filter_map(|&at| Some((at, self.entries.get(at as usize)?)))
    }

    /// Iterates over the tools whose names may be near to one of this outline; the others are not looked at.
    pub(crate) fn alike(&self, outline: Outline) -> impl Iterator<Item = &Arc<Entry>> {
        let may_be_near = move |known: &[Outline; 2]| known.iter().any(|o| o.may_be_near(outline));
        let looked_at = self.outlines.iter().zip(&self.entries);
        looked_at.filter(move |(known, _)| may_be_near(known)).map(|(_, entry)| entry)
    }

    /// Returns what search reads, in the same order.
    pub(crate) fn documents(&self) -> Vec<Arc<Document>> {
        self.entries.iter().map(|entry| Arc::clone(entry.definition().document())).collect()
    }

    /// Returns the search tool, which only the program itself has.
    pub(crate) fn search_tool(&self) -> Option<&Arc<Entry>> {
        self.inline().map(|(_, entry)| entry).find(|entry| entry.row().tier() == Tier::Loop)
    }
}

/// Returns which tools of a list cannot be taken, by their place in the list.
fn faults(listed: &[Arc<Entry>]) -> BTreeMap<usize, SetAside> {
    let mut by_exposed: HashMap<&str, Vec<usize>> = HashMap::new();
    for (at, entry) in listed.iter().enumerate() {
        by_exposed.entry(entry.exposed()).or_default().push(at);
    }
    let search_tool = listed.iter().position(|entry| entry.row().tier() == Tier::Loop);
    let why = |at: usize, entry: &Arc<Entry>| {
        let alike = by_exposed.get(entry.exposed()).map_or(&[][..], Vec::as_slice);
        loop_fault(listed, at, entry, search_tool).or_else(|| alike_fault(listed, at, entry, alike))
    };
    let aside = |(at, entry): (usize, &Arc<Entry>)| {
        let why = why(at, entry)?;
        Some((at, SetAside { tool: entry.identity().clone(), why }))
    };
    listed.iter().enumerate().filter_map(aside).collect()
}

fn loop_fault(
    listed: &[Arc<Entry>],
    at: usize,
    entry: &Entry,
    search_tool: Option<usize>,
) -> Option<CatalogError> {
    if entry.row().tier() != Tier::Loop {
        return None;
    }
    let tool = entry.identity().clone();
    if !entry.source().is_empty() {
        return Some(CatalogError::ForeignLoopTool { tool });
    }
    if !entry.row().is_inline() {
        return Some(CatalogError::SearchToolHidden { tool });
    }
    let first = listed.get(search_tool.filter(|&first| first != at)?)?;
    let same = first.identity() == entry.identity();
    (!same)
        .then(|| CatalogError::SecondSearchTool { first: first.identity().clone(), second: tool })
}

/// `alike` are the places of the tools that would be called like this one, itself included.
fn alike_fault(
    listed: &[Arc<Entry>],
    at: usize,
    entry: &Entry,
    alike: &[usize],
) -> Option<CatalogError> {
    let mut others = alike.iter().filter(|&&other| other != at).filter_map(|&other| {
        let entry = listed.get(other)?;
        Some((other, entry))
    });
    let tool = entry.identity();
    let (other, twin) = others.find(|(other, twin)| *other < at || twin.identity() != tool)?;
    if twin.identity() == tool {
        return Some(CatalogError::Duplicate {
            tool: tool.clone(),
            first: other + 1,
            second: at + 1,
        });
    }
    let (left, right) =
        if twin.identity() < tool { (twin.identity(), tool) } else { (tool, twin.identity()) };
    Some(CatalogError::Collision(Collision {
        name: entry.exposed().to_owned(),
        left: left.clone(),
        right: right.clone(),
    }))
}
