//! Questions to one version of a catalog: pure, so that asking never activates anything.

use std::sync::Arc;

use oncue_search::{Admit, Asked, Candidates, Hit, Meaning, required, search};

use crate::{Entry, Snapshot, meaning_now};

/// What models put in front of a name when they mistake the list for a module.
const FUNCTIONS_PREFIX: &str = "functions.";

impl Snapshot {
    /// Returns at most `max` discoverable tools that fit `text`, best first.
    #[must_use]
    pub fn search(&self, text: &str, max: usize) -> Vec<Arc<Entry>> {
        let candidates = self.discoverable();
        let meaning = self.meaning_now(text);
        let asked = Asked::from(text).meaning(meaning.as_ref());
        self.entries(&search(asked, &candidates, &*self.options().ranker, max))
    }

    /// Returns the discoverable tools of exactly these names, in their order; the others are left out.
    ///
    /// A name is the one by which the tool is called, or its name in its source where no other source has it.
    #[must_use]
    pub fn select<N: AsRef<str>>(&self, names: &[N]) -> Vec<Arc<Entry>> {
        let mut found: Vec<Arc<Entry>> = Vec::new();
        for name in names {
            let Named::One(entry) = self.named(name.as_ref(), |_| true) else { continue };
            if !entry.row().is_inline() && !found.iter().any(|known| Arc::ptr_eq(known, entry)) {
                found.push(Arc::clone(entry));
            }
        }
        found
    }

    /// Returns at most `max` discoverable tools whose name contains `word`, ordered by how well they fit `ranking`; by name where that is empty.
    #[must_use]
    pub fn search_by_required(&self, word: &str, ranking: &str, max: usize) -> Vec<Arc<Entry>> {
        let candidates = self.discoverable();
        let meaning = self.meaning_now(ranking);
        let asked = Asked::from(ranking).meaning(meaning.as_ref());
        self.entries(&required(word, asked, &candidates, &*self.options().ranker, max))
    }

    /// Returns the inline tools, in the order in which models see them.
    #[must_use]
    pub fn find_all(&self) -> Vec<Arc<Entry>> {
        self.inline().cloned().collect()
    }

    /// Returns the tool that is called `name`, inline or not.
    #[must_use]
    pub fn find_by_name(&self, name: &str) -> Option<Arc<Entry>> {
        self.exposed(self.normalised(name)).cloned()
    }

    /// Returns `name` as it is looked up: without white space around it and, if the catalog was made so, without `functions.` in front.
    pub(crate) fn normalised<'n>(&self, name: &'n str) -> &'n str {
        let name = name.trim();
        if !self.options().strip_functions_prefix {
            return name;
        }
        name.strip_prefix(FUNCTIONS_PREFIX).unwrap_or(name)
    }

    /// Returns what `name` names exactly, among the tools for which `admits` says yes.
    pub(crate) fn named<'a>(
        &'a self,
        name: &'a str,
        admits: impl Fn(&Entry) -> bool + 'a,
    ) -> Named<'a> {
        let name = self.normalised(name);
        let admits = move |entry: &&Arc<Entry>| admits(entry);
        let called = self.exposed(name).filter(&admits);
        let mut alike: Vec<&Arc<Entry>> = self.namesakes(name).filter(&admits).collect();
        if let Some(called) = called
            && !alike.iter().any(|entry| Arc::ptr_eq(entry, called))
        {
            alike.insert(0, called);
        }
        match (called, alike.as_slice()) {
            (_, []) => Named::Nothing,
            (_, &[entry]) => Named::One(entry),
            // The whole name of a hidden tool is the only way to ask for it, so it decides.
            (Some(entry), _) if !entry.row().is_inline() => Named::One(entry),
            _ => Named::Several(alike),
        }
    }

    /// Returns the tools behind hits of this version's index.
    pub(crate) fn entries(&self, hits: &[Hit<'_>]) -> Vec<Arc<Entry>> {
        hits.iter().filter_map(|hit| self.entry_of(hit)).cloned().collect()
    }

    /// Returns what `text` means, where a model in this process tells and tools have vectors to hold against it.
    fn meaning_now(&self, text: &str) -> Option<Meaning> {
        let embedder = self.options().embedder.as_ref().filter(|_| self.embedded() > 0)?;
        meaning_now(&**embedder, text)
    }

    fn discoverable(&self) -> Candidates<'_> {
        let inline = self.inline.iter().map(|(at, entry)| (entry.source(), *at));
        self.index().candidates(Admit::All).without(inline)
    }
}

/// What a name names.
#[derive(Debug)]
pub(crate) enum Named<'a> {
    /// No tool.
    Nothing,
    /// One tool.
    One(&'a Arc<Entry>),
    /// Tools of several sources.
    Several(Vec<&'a Arc<Entry>>),
}
