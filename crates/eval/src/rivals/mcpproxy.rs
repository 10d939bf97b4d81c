//! mcpproxy-go: a boosted query over a Bleve index, as far as both are described in public.
//!
//! A tool is asked for by its exact name, by `server:name`, by the beginning of its name, by a part of it where the request has an `_`, and by the terms of all fields and of a field that repeats them.
//! The schema of the parameters is read as the JSON that it is. Terms are words by Unicode's rules, lowered, without English stop words and unstemmed; `read_file` is one.
//! Bleve weighs a term by the root of how often it occurs over the root of the field's length and by the square of its rarity, and a query of several parts by the share of them that match.

use unicode_segmentation::UnicodeSegmentation;

use super::rival::Answers;
use super::terms::{Terms, add, best};
use crate::retrieval::LabelledTool;

mod stop;

const EXACT: f64 = 5.0;
const EXACT_WITH_SERVER: f64 = 4.0;
const BEGINNING: f64 = 3.0;
const PART: f64 = 2.5;
const ALL_FIELDS: f64 = 1.0;
const REPEATED: f64 = 1.5;

pub(super) fn index(tools: &[LabelledTool]) -> Answers {
    let fields = Fields::of(tools);
    Box::new(move |text, max| best(&fields.scores(text), max))
}

/// What is read of every tool.
struct Fields {
    names: Vec<String>,
    full_names: Vec<String>,
    /// Every field at once.
    all: Terms,
    /// The field that repeats the others.
    repeated: Terms,
}

impl Fields {
    fn of(tools: &[LabelledTool]) -> Self {
        let full_name = |tool: &LabelledTool| match tool.source.as_str() {
            "" => tool.document.row.name().to_owned(),
            server => format!("{server}:{}", tool.document.row.name()),
        };
        let schema = |tool: &LabelledTool| {
            tool.document.schema.as_ref().map_or_else(String::new, |schema| schema.get().to_owned())
        };
        let repeated = |tool: &LabelledTool| {
            let row = &tool.document.row;
            cut(&[row.name(), &full_name(tool), row.description(), &schema(tool)].join(" "))
        };
        let all = |tool: &LabelledTool| {
            let row = &tool.document.row;
            // Names and servers are terms as a whole.
            let mut terms = vec![row.name().to_owned(), full_name(tool), tool.source.clone()];
            terms.extend(cut(row.description()));
            terms.extend(cut(&schema(tool)));
            terms.extend(repeated(tool));
            terms
        };
        Self {
            names: tools.iter().map(|tool| tool.document.row.name().to_owned()).collect(),
            full_names: tools.iter().map(full_name).collect(),
            all: Terms::of(tools.iter().map(all)),
            repeated: Terms::of(tools.iter().map(repeated)),
        }
    }

    fn scores(&self, text: &str) -> Vec<f64> {
        let mut clauses = vec![
            self.named(&self.names, EXACT, |name| name == text),
            self.named(&self.full_names, EXACT_WITH_SERVER, |name| name == text),
            self.named(&self.names, BEGINNING, |name| !text.is_empty() && name.starts_with(text)),
            matching(&self.all, &cut(text), ALL_FIELDS),
            matching(&self.repeated, &cut(text), REPEATED),
        ];
        if text.contains('_') {
            clauses.push(self.named(&self.names, PART, |name| name.contains(text)));
        }
        together(&clauses, self.names.len())
    }

    /// The scores of a clause that accepts whole names, each a term of a field of one term.
    fn named(&self, names: &[String], boost: f64, accepts: impl Fn(&str) -> bool) -> Vec<f64> {
        let mut accepted: Vec<&str> =
            names.iter().map(String::as_str).filter(|name| accepts(name)).collect();
        accepted.sort_unstable();
        let kinds = accepted.chunk_by(|left, right| left == right).count();
        let score = |name: &String| {
            let has = accepted.iter().filter(|accepted| *accepted == name).count();
            match has {
                0 => 0.0,
                // Each name is a part of its own of this clause, and a tool has one.
                _ => boost * rarity(names.len(), has).powi(2) / kinds as f64,
            }
        };
        names.iter().map(score).collect()
    }
}

/// The scores of a clause of terms, of which any may occur.
fn matching(field: &Terms, terms: &[String], boost: f64) -> Vec<f64> {
    let each: Vec<Vec<f64>> = terms
        .iter()
        .map(|term| {
            let mut scores = vec![0.0; field.texts()];
            let having = field.having(term);
            for posting in having {
                let frequency = (posting.times as f64 / posting.length as f64).sqrt();
                let weight = rarity(field.texts(), having.len()).powi(2);
                add(&mut scores, posting.text, boost * frequency * weight);
            }
            scores
        })
        .collect();
    together(&each, field.texts())
}

/// The sum of the parts times the share of them that match.
fn together(parts: &[Vec<f64>], texts: usize) -> Vec<f64> {
    let score = |place: usize| {
        let scores = || parts.iter().filter_map(|part| part.get(place).filter(|it| **it > 0.0));
        scores().sum::<f64>() * scores().count() as f64 / parts.len().max(1) as f64
    };
    (0..texts).map(score).collect()
}

fn rarity(texts: usize, having: usize) -> f64 {
    1.0 + (texts as f64 / (having as f64 + 1.0)).ln()
}

fn cut(text: &str) -> Vec<String> {
    let words = text.unicode_words().map(str::to_lowercase);
    words.filter(|word| !stop::is_stop_word(word)).collect()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::{cut, index, matching, rarity};
    use crate::rivals::rival::tests::{check, parsed, tools};
    use crate::rivals::terms::Terms;

    #[test]
    fn terms_are_whole_identifiers_without_stop_words() {
        assert_eq!(cut("The read_file, of a \"path\""), ["read_file", "path"]);
    }

    #[test]
    fn a_query_counts_by_the_share_of_its_terms_that_match() {
        // `a` is in both of two texts: 1 + ln(2/3) = 0.5945; `b` in one: 1 + ln(2/2) = 1.
        let field =
            Terms::of([vec!["a".to_owned()], ["a", "b", "c", "d"].map(str::to_owned).into()]);
        assert!((rarity(2, 2) - 0.5945).abs() < 1e-4);
        let scores = matching(&field, &["a".to_owned(), "b".to_owned()], 1.0);
        // One of two terms: 0.5945² / 2 = 0.1767. Both, each once in four: (0.3534 + 1) / 2 = 0.6767.
        assert!((scores[0] - 0.1767).abs() < 1e-4, "{scores:?}");
        assert!((scores[1] - 0.6767).abs() < 1e-4, "{scores:?}");
    }

    #[test]
    fn names_beat_texts_and_identifiers_are_not_split() {
        let tools = tools(&[
            ("write_file", "Like read_file and read_file_lines, but for writing"),
            ("read_file_lines", "Lines"),
            ("read_file", "Everything"),
        ]);
        check(
            &index(&tools),
            &[
                // The third by its name, its beginning and a part; the second by the last two; the first by its text.
                ("read_file", &[2, 1, 0]),
                ("file", &[]),
                ("everything", &[2]),
            ],
        );
    }

    #[test]
    fn the_json_of_a_schema_is_read_with_its_keywords() {
        let tools = parsed(&[
            json!({"id": "1", "name": "a", "input_schema": {"properties": {"path": {"type": "string"}}}}),
            json!({"id": "2", "name": "b"}),
        ]);
        check(&index(&tools), &[("properties", &[0]), ("a string", &[0])]);
    }
}
