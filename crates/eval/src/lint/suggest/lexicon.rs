//! What the tools of a catalog say, and which words none of them does.

use std::cmp::Reverse;
use std::collections::{BTreeMap, HashSet};

use oncue_search::Document;
use oncue_search::schema::{Part, each_part};

use super::synonyms::Synonyms;
use super::words::{Word, everyday, words};
use crate::limits::SUGGESTED_WORD_CHARS_MIN;

/// A word of a tool that another may stand for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Anchor {
    pub(super) word: Word,
    /// Whether it is of the name, the title or a keyword; otherwise it is of the first sentence of the description.
    pub(super) is_of_name: bool,
}

/// The words of one tool.
pub(super) struct Said {
    /// The stems of its name, title, keywords and description.
    pub(super) row: HashSet<String>,
    /// The words that say what it is about, in order, each once.
    pub(super) anchors: Vec<Anchor>,
    /// The stems of its schema, each with the parameter that says it first.
    pub(super) schema: BTreeMap<String, String>,
}

/// The words of all tools.
pub(super) struct Lexicon {
    /// One for each tool.
    pub(super) said: Vec<Said>,
    /// The words that may be proposed, each as it is written most often, by their stems: no row says them.
    pub(super) lacking: BTreeMap<String, String>,
    /// The stems of those words, as they are written.
    stems: BTreeMap<String, String>,
}

impl Lexicon {
    /// The words of `tools`, each given with the id of its server.
    pub(super) fn new(tools: &[(&str, &Document)], synonyms: &Synonyms) -> Self {
        let mut spellings: BTreeMap<String, BTreeMap<String, usize>> = BTreeMap::new();
        let mut verbs: HashSet<String> = HashSet::new();
        let mut spell = |word: &Word| {
            if word.is_verb {
                verbs.insert(word.stem.clone());
            }
            let spelled = spellings.entry(word.stem.clone()).or_default();
            *spelled.entry(word.typed.clone()).or_default() += 1;
        };
        let said: Vec<Said> =
            tools.iter().map(|(_, document)| Said::of(document, &mut spell)).collect();
        everyday().iter().chain(synonyms.all()).for_each(&mut spell);
        let mut rows: HashSet<String> = said.iter().flat_map(|said| &said.row).cloned().collect();
        // Whose a tool is says nothing of what it does.
        rows.extend(tools.iter().flat_map(|(source, _)| words(source)).map(|word| word.stem));
        let may_be = |stem: &String| !rows.contains(stem) && !verbs.contains(stem);
        let lacking = spellings.into_iter().filter(|(stem, _)| may_be(stem));
        let lacking = lacking.filter_map(|(stem, spelled)| {
            let most =
                spelled.into_iter().max_by_key(|(typed, count)| (*count, Reverse(typed.clone())));
            let (typed, _) = most?;
            (typed.chars().count() >= SUGGESTED_WORD_CHARS_MIN).then_some((stem, typed))
        });
        let lacking: BTreeMap<String, String> = lacking.collect();
        let stems = lacking.iter().map(|(stem, typed)| (typed.clone(), stem.clone())).collect();
        Self { said, lacking, stems }
    }

    /// Returns the stem of a lacking word.
    pub(super) fn stem_of(&self, typed: &str) -> Option<&String> {
        self.stems.get(typed)
    }
}

impl Said {
    fn of(document: &Document, spell: &mut dyn FnMut(&Word)) -> Self {
        let row = &document.row;
        let mut named = words(row.name());
        named.extend(words(row.title()));
        row.keywords().iter().for_each(|keyword| named.extend(words(keyword)));
        let description = words(row.description());
        let mut stems: HashSet<String> = named.iter().map(|word| word.stem.clone()).collect();
        stems.extend(description.iter().map(|word| word.stem.clone()));
        let first = words(first_sentence(row.description()));
        let mut anchors: Vec<Anchor> = Vec::new();
        let of_name = named.into_iter().map(|word| Anchor { word, is_of_name: true });
        let of_text = first.into_iter().map(|word| Anchor { word, is_of_name: false });
        for anchor in of_name.chain(of_text) {
            let is_known = anchors.iter().any(|known| known.word.stem == anchor.word.stem);
            let is_long = anchor.word.typed.chars().count() >= SUGGESTED_WORD_CHARS_MIN;
            if !is_known && !anchor.word.is_verb && is_long {
                anchors.push(anchor);
            }
        }
        let mut schema = BTreeMap::new();
        if let Some(raw) = &document.schema {
            let mut parameter = String::new();
            each_part(raw.get(), &mut |part, text| {
                if part == Part::Name {
                    text.clone_into(&mut parameter);
                }
                for word in words(text) {
                    spell(&word);
                    schema.entry(word.stem).or_insert_with(|| parameter.clone());
                }
            });
        }
        Self { row: stems, anchors, schema }
    }
}

/// Returns a text up to where its first sentence ends.
fn first_sentence(text: &str) -> &str {
    text.split(". ").next().unwrap_or_default()
}
