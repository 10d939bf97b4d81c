//! FastMCP's BM25 transform: one text of name, description and the top-level parameters with their descriptions.
//!
//! Okapi BM25 with k1 1.5 and b 0.75; terms are runs of at least two letters or digits, folded. Nothing is stemmed or stopped.

use serde_json::Value;
use unicode_normalization::UnicodeNormalization;

use super::rival::Answers;
use super::terms::{Terms, add, best, saturated};
use crate::retrieval::LabelledTool;

const K1: f64 = 1.5;
const B: f64 = 0.75;

pub(super) fn index(tools: &[LabelledTool]) -> Answers {
    let terms = Terms::of(tools.iter().map(|tool| cut(&text_of(tool))));
    let (texts, mean) = (terms.texts() as f64, terms.mean_length());
    Box::new(move |text, max| {
        let mut scores = vec![0.0; terms.texts()];
        for term in cut(text) {
            let having = terms.having(&term);
            let has = having.len() as f64;
            let rarity = ((texts - has + 0.5) / (has + 0.5) + 1.0).ln();
            for posting in having {
                let (times, length) = (posting.times as f64, posting.length as f64);
                add(&mut scores, posting.text, rarity * saturated(times, length, mean, K1, B));
            }
        }
        best(&scores, max)
    })
}

/// Name, description, and the top-level parameters with their descriptions.
pub(super) fn text_of(tool: &LabelledTool) -> String {
    let row = &tool.document.row;
    let mut parts = vec![row.name().to_owned(), row.description().to_owned()];
    let schema = tool.document.schema.as_ref();
    let schema: Option<Value> = schema.and_then(|text| serde_json::from_str(text.get()).ok());
    let properties = schema.as_ref().and_then(|schema| schema.get("properties")?.as_object());
    for (name, property) in properties.into_iter().flatten() {
        parts.push(name.clone());
        parts.extend(property.get("description").and_then(Value::as_str).map(str::to_owned));
    }
    parts.join(" ")
}

fn cut(text: &str) -> Vec<String> {
    let text: String = text.nfkc().collect::<String>().to_lowercase();
    // What case folding does beyond lowering, for the letters that occur.
    let text = text.replace('ß', "ss").replace('ς', "σ");
    let terms = text.split(|character: char| !character.is_alphanumeric());
    terms.filter(|term| term.chars().nth(1).is_some()).map(str::to_owned).collect()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::{cut, index, text_of};
    use crate::rivals::rival::tests::{check, parsed, tools};

    #[test]
    fn terms_are_folded_runs_of_two_or_more() {
        assert_eq!(
            cut("Read_File v2, a b: Ｆｕｌｌ Straße 파일"),
            ["read", "file", "v2", "full", "strasse", "파일"]
        );
    }

    #[test]
    fn parameters_are_read_at_the_top_level_only() {
        let tools = parsed(&[json!({"id": "1", "name": "n", "description": "d", "input_schema": {
            "properties": {"a": {"description": "one", "properties": {"b": {"description": "two"}}}, "c": true}}})]);
        assert_eq!(text_of(&tools[0]), "n d a one c");
    }

    #[test]
    fn rare_terms_and_short_texts_win() {
        // 3, 5 and 4 terms, mean 4. `file` is in two of three: ln(1.5 / 2.5 + 1) = 0.470; `mail` in one: ln(2.5 / 1.5 + 1) = 0.981.
        let tools =
            tools(&[("read", "file disk"), ("send", "file by mail now"), ("list", "all the dirs")]);
        check(
            &index(&tools),
            &[
                // 0.470 · 2.5 / (1 + 1.5 · 0.8125) = 0.530 against 0.470 · 2.5 / (1 + 1.5 · 1.1875) = 0.422.
                ("file", &[0, 1]),
                // The second has 0.422 + 0.981 · 2.5 / 2.78125 = 1.304.
                ("file mail", &[1, 0]),
                // A term asked twice counts twice: 2 · 0.530 and 0.422 + 0.422.
                ("file file", &[0, 1]),
                ("a", &[]),
            ],
        );
    }
}
