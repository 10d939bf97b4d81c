//! From a catalog to the words that its tools lack.

use std::collections::{BTreeSet, HashMap};
use std::sync::Arc;

use oncue_search::Document;
use oncue_tools::{Embedder, VectorStore};

use super::closeness::{ToolVectors, WordVectors, stage};
use super::lexicon::{Anchor, Lexicon, Said};
use super::synonyms::Synonyms;
use super::words::are_look_alikes;
use super::{Origin, Proposal, Step};
use crate::limits::SUGGESTED_PER_TOOL_MAX;

/// The cosine from which on two words mean about the same.
///
/// Of 0.6, 0.7, 0.75 and 0.8 it has gained most where people use other words than tools, and lost nothing elsewhere; `docs/lint.md` says on which sets.
const CLOSENESS: f64 = 0.75;

/// How many standard deviations closer to a word than most a tool must be where the word stands for one of its name, so that it is not taken for another sense of it.
const DEVIATIONS_OF_NAME: f32 = 2.0;

/// The same where it stands for a word of the description, of which not every one says what the tool is about.
const DEVIATIONS_OF_TEXT: f32 = 2.5;

/// Returns for each of `tools`, given with the id of its server, the words that people may use for it and that no tool of the catalog says of itself, the surest first.
///
/// Without an `embedder`, or with one that is not in this process, what a list of synonyms knows is all.
/// What `store` remembers of tools is not asked again; `progress` learns how far the work is.
/// Inline tools have no proposals: nobody searches for them.
#[must_use]
pub fn suggest(
    tools: &[(&str, &Arc<Document>)],
    embedder: Option<&dyn Embedder>,
    store: &dyn VectorStore,
    progress: &mut (dyn FnMut(Step) + Send),
) -> Vec<Vec<Proposal>> {
    let synonyms = Synonyms::new();
    let documents: Vec<(&str, &Document)> =
        tools.iter().map(|(source, document)| (*source, &***document)).collect();
    let lexicon = Lexicon::new(&documents, &synonyms);
    let meanings = embedder
        .and_then(|embedder| Meanings::told(embedder, store, tools, &lexicon, &synonyms, progress));
    let of = |(at, (_, document)): (usize, &(&str, &Arc<Document>))| {
        let said = lexicon.said.get(at).filter(|_| !document.row.is_inline());
        said.map_or_else(Vec::new, |said| {
            proposals(at, said, &lexicon, &synonyms, meanings.as_ref())
        })
    };
    tools.iter().enumerate().map(of).collect()
}

/// What a model has told of words and tools.
struct Meanings<'l> {
    /// The lacking words closest to each anchor, as it is written.
    closest: HashMap<String, Vec<(&'l str, f64)>>,
    /// How close tools are to each word that is close to an anchor.
    deviations: HashMap<&'l str, HashMap<usize, f32>>,
}

impl<'l> Meanings<'l> {
    fn told(
        embedder: &dyn Embedder,
        store: &dyn VectorStore,
        tools: &[(&str, &Arc<Document>)],
        lexicon: &'l Lexicon,
        synonyms: &Synonyms,
        progress: &mut (dyn FnMut(Step) + Send),
    ) -> Option<Self> {
        let mut told = stage("meaning of tools", tools.len(), progress);
        let vectors = ToolVectors::told(embedder, store, tools, &mut told)?;
        drop(told);
        let lacking: BTreeSet<&str> = lexicon.lacking.values().map(String::as_str).collect();
        let lacking: Vec<&str> = lacking.into_iter().collect();
        let mut told = stage("meaning of words", lacking.len(), progress);
        let lacking = WordVectors::told(embedder, lacking, &mut told)?;
        drop(told);
        let all = || lexicon.said.iter().flat_map(|said| &said.anchors).map(|anchor| &anchor.word);
        let anchors: BTreeSet<&str> = all().map(|word| word.typed.as_str()).collect();
        let anchors: Vec<&str> = anchors.into_iter().collect();
        let total = anchors.len();
        let anchors =
            WordVectors::told(embedder, anchors, &mut stage("words of tools", total, progress))?;
        let found =
            lacking.closest(&anchors, &mut stage("words that mean the same", total, progress));
        let mut closest: HashMap<String, Vec<(&str, f64)>> = HashMap::new();
        for (anchor, found) in found {
            let same = found.into_iter().filter(|(word, closeness)| {
                *closeness >= CLOSENESS && !are_look_alikes(anchor, word)
            });
            closest.insert(anchor.to_owned(), same.collect());
        }
        // What the list knows is held against the tools too.
        for word in all() {
            let known = synonyms.of(&word.stem).iter();
            let known = known.filter_map(|other| lexicon.lacking.get(&other.stem));
            let same = closest.entry(word.typed.clone()).or_default();
            for typed in known {
                if !same.iter().any(|(known, _)| known == typed) {
                    let closeness = lacking.cosine(typed, &anchors, &word.typed);
                    same.push((typed, closeness.unwrap_or(0.0)));
                }
            }
        }
        let used: BTreeSet<&str> = closest.values().flatten().map(|(word, _)| *word).collect();
        let used = WordVectors::told(embedder, used.into_iter().collect(), &mut |_| {})?;
        let mut told = stage("tools near to words", used.len(), progress);
        let deviations = vectors.deviations(&used, &mut told);
        Some(Self { closest, deviations })
    }

    /// Says whether a word that stands for `anchor` is close to the tool.
    fn is_near(&self, word: &str, anchor: &Anchor, tool: usize) -> bool {
        let least = if anchor.is_of_name { DEVIATIONS_OF_NAME } else { DEVIATIONS_OF_TEXT };
        let near = self.deviations.get(word).and_then(|tools| tools.get(&tool));
        near.is_some_and(|deviations| *deviations >= least)
    }
}

/// Returns what is proposed for one tool.
fn proposals(
    at: usize,
    said: &Said,
    lexicon: &Lexicon,
    synonyms: &Synonyms,
    meanings: Option<&Meanings<'_>>,
) -> Vec<Proposal> {
    let mut found: Vec<Proposal> = Vec::new();
    let mut add = |anchor: &Anchor, keyword: &str, is_listed: bool, closeness: Option<f64>| {
        let stem = lexicon.stem_of(keyword);
        let parameter = stem.and_then(|stem| said.schema.get(stem)).filter(|name| !name.is_empty());
        let origin = match (is_listed, parameter) {
            (true, _) => Origin::List,
            (false, Some(_)) => Origin::Schema,
            (false, None) => Origin::Meaning,
        };
        let proposal = Proposal {
            keyword: keyword.to_owned(),
            origin,
            stands_for: anchor.word.typed.clone(),
            in_name: anchor.is_of_name,
            parameter: parameter.cloned(),
            closeness,
        };
        match found.iter_mut().find(|known| known.keyword == keyword) {
            None => found.push(proposal),
            Some(known) if known.closeness < closeness => *known = proposal,
            Some(_) => {}
        }
    };
    for anchor in &said.anchors {
        let listed: Vec<&String> = synonyms
            .of(&anchor.word.stem)
            .iter()
            .filter_map(|word| lexicon.lacking.get(&word.stem))
            .collect();
        match meanings {
            Some(meanings) => {
                let same = meanings.closest.get(&anchor.word.typed);
                for &(word, closeness) in same.into_iter().flatten() {
                    if meanings.is_near(word, anchor, at) {
                        let is_listed = listed.iter().any(|known| *known == word);
                        add(anchor, word, is_listed, Some(closeness));
                    }
                }
            }
            // Without a model nothing tells in which sense a sentence uses a word; a name has one.
            None if anchor.is_of_name => {
                listed.iter().for_each(|word| add(anchor, word, true, None));
            }
            None => {}
        }
    }
    // Stable, so that what no model tells apart stays in the order of the tool's words.
    found.sort_by(|left, right| {
        let closeness = |proposal: &Proposal| proposal.closeness.unwrap_or(0.0);
        closeness(right).total_cmp(&closeness(left))
    });
    found.truncate(SUGGESTED_PER_TOOL_MAX);
    found
}
