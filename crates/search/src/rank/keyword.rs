//! The founding score, kept exactly: the oracle for every other ranker.

use serde_json::Value;

use super::{Hit, Ranker};
use crate::{Asked, Candidates, Document, Explanation, Field, FieldScore};

/// What each part of a tool is worth. Parameter names and descriptions are one part.
const WEIGHTS: [(Field, f32); 3] =
    [(Field::Name, 0.5), (Field::Description, 0.35), (Field::ParameterText, 0.15)];

/// Ranks by the founding keyword score.
///
/// A part's score is the share of the query's words that occur in it as substrings; `_` and `-` are spaces and case does not count.
/// The whole is 0.5 of the name's, 0.35 of the description's and 0.15 of the parameters'.
/// Ties keep the order of the catalog.
/// It reads every candidate's texts at every query, so its cost grows with the catalog.
///
/// ```
/// use std::sync::Arc;
/// use oncue_decl::Row;
/// use oncue_search::{Admit, Document, Index, Ranker, rank::Keyword};
///
/// let tool = Document::new(Row::inline("read_file", "Reads text"));
/// let index = Index::default().replaced("", vec![Arc::new(tool)]);
/// let hits = Keyword.rank("read a-file".into(), &index.candidates(Admit::All), 5);
/// // All three words occur in the name, `read` and `a` in the description.
/// assert!((hits[0].score - (0.5 + 0.35 * 2.0 / 3.0)).abs() < 1e-6);
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct Keyword;

impl Ranker for Keyword {
    fn name(&self) -> &'static str {
        "keyword"
    }

    fn rank<'a>(&self, asked: Asked<'_>, candidates: &Candidates<'a>, max: usize) -> Vec<Hit<'a>> {
        let text = asked.text;
        let text = normalized(text);
        let words: Vec<&str> = text.split_whitespace().collect();
        let mut hits: Vec<Hit<'a>> = candidates
            .iter()
            .map(|hit| {
                let score = score(&words, hit.document);
                Hit { score, own: score, ..hit }
            })
            .filter(|hit| hit.score > 0.0)
            .collect();
        hits.sort_by(|left, right| right.score.total_cmp(&left.score));
        hits.truncate(max);
        hits
    }

    fn explain(
        &self,
        asked: Asked<'_>,
        _candidates: &Candidates<'_>,
        hit: &Hit<'_>,
    ) -> Explanation {
        let text = asked.text;
        let text = normalized(text);
        let words: Vec<&str> = text.split_whitespace().collect();
        let mut explanation =
            Explanation { score: score(&words, hit.document), ..Default::default() };
        let mut found: Vec<&str> = Vec::new();
        for (field, weight) in WEIGHTS {
            let part = part(field, hit.document);
            let matched = matched(&words, &part);
            if !matched.is_empty() {
                let score = weight * share(matched.len(), words.len());
                let words = distinct(&matched);
                explanation.fields.push(FieldScore { field, score, words });
                found.extend(matched);
            }
        }
        let missing: Vec<&str> =
            words.iter().copied().filter(|word| !found.contains(word)).collect();
        explanation.missing = distinct(&missing);
        explanation
    }
}

fn score(words: &[&str], document: &Document) -> f32 {
    let part_score =
        |(field, weight)| weight * share(matched(words, &part(field, document)).len(), words.len());
    WEIGHTS.into_iter().map(part_score).sum()
}

/// A repeated word counts as often as it is said, but is told once.
fn distinct(words: &[&str]) -> Vec<String> {
    let mut told: Vec<String> = Vec::new();
    for word in words {
        if !told.iter().any(|known| known == word) {
            told.push((*word).to_owned());
        }
    }
    told
}

fn share(matched: usize, words: usize) -> f32 {
    if words == 0 { 0.0 } else { matched as f32 / words as f32 }
}

fn matched<'w>(words: &[&'w str], part: &str) -> Vec<&'w str> {
    words.iter().copied().filter(|word| part.contains(word)).collect()
}

fn part(field: Field, document: &Document) -> String {
    match field {
        Field::Name => normalized(document.row.name()),
        Field::Description => normalized(document.row.description()),
        _ => normalized(&parameters(document)),
    }
}

/// The names and descriptions of the top-level properties; empty where the schema has none that can be read.
fn parameters(document: &Document) -> String {
    let schema = document.schema.as_ref().and_then(|raw| serde_json::from_str(raw.get()).ok());
    let Some(Value::Object(schema)) = schema else { return String::new() };
    let Some(Value::Object(properties)) = schema.get("properties") else { return String::new() };
    let mut text = String::new();
    for (name, property) in properties {
        text.push_str(name);
        text.push(' ');
        if let Some(Value::String(description)) = property.get("description") {
            text.push_str(description);
            text.push(' ');
        }
    }
    text
}

fn normalized(text: &str) -> String {
    text.to_lowercase().replace(['_', '-'], " ")
}
