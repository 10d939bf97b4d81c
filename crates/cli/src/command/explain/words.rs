//! Which single word of a tool's own text, added to a query, brings the tool near the top. The answer is found by searching.

use std::collections::HashSet;

use oncue_search::schema::{Part, each_part};
use oncue_search::{Candidates, Hit, Query, Ranker, required, search};
use serde::Serialize;

use crate::limits::{RANK_FOUND, WORDS_TRIED_MAX};

/// A word, and the rank that the tool has once it is added to the query.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub(super) struct Word {
    pub(super) word: String,
    pub(super) rank: usize,
}

/// Returns the words of `tool` that bring it to a rank of at most [`RANK_FOUND`], the best first.
pub(super) fn words_that_find(
    tool: &Hit<'_>,
    query: &Query,
    candidates: &Candidates<'_>,
    ranker: &dyn Ranker,
) -> Vec<Word> {
    let (word_required, text) = match query {
        Query::Keyword(text) => (None, text.as_str()),
        Query::Required { required, ranking } => (Some(required.as_str()), ranking.as_str()),
        Query::Select(_) => return Vec::new(),
    };
    let typed: HashSet<String> = split(text).collect();
    let mut found: Vec<Word> = words_of(tool)
        .into_iter()
        .filter(|word| !typed.contains(word))
        .take(WORDS_TRIED_MAX)
        .filter_map(|word| {
            let longer = format!("{text} {word}");
            let hits = match word_required {
                None => search(&longer, candidates, ranker, RANK_FOUND),
                Some(required_word) => {
                    required(required_word, &longer, candidates, ranker, RANK_FOUND)
                }
            };
            let place = hits
                .iter()
                .position(|hit| (hit.source, hit.position) == (tool.source, tool.position))?;
            Some(Word { word, rank: place + 1 })
        })
        .collect();
    // Stable, so that of equal ranks the word of the name precedes that of the description.
    found.sort_by_key(|word| word.rank);
    found
}

/// Returns the different words of a tool: of its name, label, keywords, parameter names and description, in this order.
fn words_of(tool: &Hit<'_>) -> Vec<String> {
    let row = &tool.document.row;
    let mut parameters = Vec::new();
    if let Some(schema) = &tool.document.schema {
        each_part(schema.get(), &mut |part, text| {
            if part == Part::Name {
                parameters.push(text.to_owned());
            }
        });
    }
    let texts = [row.name(), row.title()]
        .into_iter()
        .chain(row.keywords().iter())
        .chain(parameters.iter().map(String::as_str))
        .chain([row.description()]);
    let mut seen = HashSet::new();
    texts.flat_map(split).filter(|word| seen.insert(word.clone())).collect()
}

/// Iterates over the words of `text` in lower case, identifiers taken apart; single Latin letters are none.
fn split(text: &str) -> impl Iterator<Item = String> {
    let mut words = vec![String::new()];
    let mut after_lower = false;
    for c in text.chars() {
        let begins = c.is_uppercase() && after_lower;
        if begins || !c.is_alphanumeric() {
            words.push(String::new());
        }
        if let (true, Some(word)) = (c.is_alphanumeric(), words.last_mut()) {
            word.extend(c.to_lowercase());
        }
        after_lower = c.is_lowercase() || c.is_numeric();
    }
    words.into_iter().filter(|word| word.len() > 1)
}

#[cfg(test)]
mod tests {
    use super::split;

    #[test]
    fn identifiers_are_taken_apart() {
        let words: Vec<String> = split("getHTTPUrl read_file2Text, a 파일 찾기").collect();
        assert_eq!(words, ["get", "httpurl", "read", "file2", "text", "파일", "찾기"]);
    }
}
