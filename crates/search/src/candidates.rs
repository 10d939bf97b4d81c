//! What a ranker may see.

use std::sync::Arc;

use crate::{Document, Hit, Index};

/// Which tools of an index may be seen.
#[derive(Clone, Copy)]
pub enum Admit<'p> {
    /// Every tool.
    All,
    /// Every tool of these sources. Unknown ids admit nothing.
    Sources(&'p [&'p str]),
    /// The tools for which the function, given source id and tool, says yes.
    Documents(&'p dyn Fn(&str, &Document) -> bool),
}

/// The tools that a ranker may see: an index, already filtered by visibility and grants.
///
/// The one constructor is [`Index::candidates`], so no ranker meets a tool that was not admitted.
#[derive(Clone)]
pub struct Candidates<'a> {
    index: &'a Index,
    places: Vec<(&'a str, u32, &'a Arc<Document>)>,
}

impl<'a> Candidates<'a> {
    pub(crate) fn new(index: &'a Index, admit: Admit<'_>) -> Self {
        let places = index
            .sources()
            .flat_map(|(source, documents)| {
                documents
                    .iter()
                    .enumerate()
                    .map(move |(at, document)| (source, at as u32, document))
            })
            .filter(|(source, _, document)| match admit {
                Admit::All => true,
                Admit::Sources(ids) => ids.contains(source),
                Admit::Documents(says) => says(source, document),
            })
            .collect();
        Self { index, places }
    }

    /// Returns how many tools there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.places.len()
    }

    /// Says whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.places.is_empty()
    }

    /// Iterates over the tools in catalog order, each as a hit of score 0.
    pub fn iter(&self) -> impl Iterator<Item = Hit<'a>> {
        self.places.iter().map(|&(source, position, document)| Hit {
            source,
            position,
            document,
            score: 0.0,
            exact: false,
        })
    }

    /// Returns the tools whose name `text` spells, whatever its case and separators, with or without their source's id in front.
    #[must_use]
    pub fn spelled(&self, text: &str) -> Vec<Hit<'a>> {
        let _ = self.index;
        let key = squash(text);
        let mut hits: Vec<Hit<'a>> = self
            .iter()
            .filter(|hit| {
                let name = squash(hit.document.row.name());
                !key.is_empty() && (name == key || squash(hit.source) + &name == key)
            })
            .collect();
        for hit in &mut hits {
            hit.exact = true;
            hit.score = 1.0;
        }
        hits
    }
}

fn squash(text: &str) -> String {
    text.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}
