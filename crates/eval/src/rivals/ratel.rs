//! Ratel's lexical search: the crate `bm25` with its English analysis, k1 0.9 and b 0.4, over one text of each tool.
//!
//! The text is the name, as it is and split at `_` and before capitals, the description, and the same of every parameter with its description and enum values, through `properties` and `items`.
//! A word that a request repeats counts each time, and equal scores are ordered by id.

use serde_json::Value;

use super::english::{self, Ties};
use super::rival::Answers;
use crate::retrieval::LabelledTool;

const K1: f32 = 0.9;
const B: f32 = 0.4;

pub(super) fn index(tools: &[LabelledTool]) -> Answers {
    let mut places: Vec<usize> = (0..tools.len()).collect();
    places.sort_by_key(|&place| tools.get(place).map(|tool| &tool.id));
    let text = |place: usize| Some((place, text_of(tools.get(place)?)));
    english::answers(places.into_iter().filter_map(text).collect(), K1, B, Ties::InOrder)
}

fn text_of(tool: &LabelledTool) -> String {
    let row = &tool.document.row;
    let mut parts = Vec::new();
    push_identifier(row.name(), &mut parts);
    parts.push(row.description().to_owned());
    if let Some(schema) = &tool.document.schema
        && let Ok(schema) = serde_json::from_str(schema.get())
    {
        push_parameters(&schema, &mut parts);
    }
    parts.retain(|part| !part.is_empty());
    parts.join(" ")
}

fn push_parameters(schema: &Value, parts: &mut Vec<String>) {
    let properties = schema.get("properties").and_then(Value::as_object);
    for (name, property) in properties.into_iter().flatten() {
        push_identifier(name, parts);
        parts.extend(property.get("description").and_then(Value::as_str).map(str::to_owned));
        let values = property.get("enum").and_then(Value::as_array);
        let values = values.into_iter().flatten().filter_map(Value::as_str);
        parts.extend(values.map(str::to_owned));
        push_parameters(property, parts);
    }
    if let Some(items) = schema.get("items") {
        push_parameters(items, parts);
    }
}

fn push_identifier(name: &str, parts: &mut Vec<String>) {
    parts.push(name.to_owned());
    let mut split = String::new();
    for (before, letter) in [' '].into_iter().chain(name.chars()).zip(name.chars()) {
        if before.is_lowercase() && letter.is_uppercase() {
            split.push(' ');
        }
        split.push(if letter == '_' { ' ' } else { letter });
    }
    if split != name {
        parts.push(split);
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::{index, text_of};
    use crate::rivals::rival::tests::{check, parsed};

    #[test]
    fn the_text_has_split_names_and_nested_parameters() {
        let tools = parsed(&[
            json!({"id": "1", "name": "readFile", "description": "Reads", "input_schema": {"properties": {
            "file_path": {"description": "where", "enum": ["a", 1]},
            "list": {"items": {"properties": {"deep": {}}}}, "any": {"anyOf": [{"properties": {"unseen": {}}}]}}}}),
        ]);
        let text = "readFile read File Reads file_path file path where a list deep any";
        assert_eq!(text_of(&tools[0]), text);
    }

    #[test]
    fn a_repeated_word_counts_each_time_and_equals_are_ordered_by_id() {
        let tools = parsed(&[
            json!({"id": "b", "name": "read", "description": "file disk"}),
            json!({"id": "c", "name": "send", "description": "mail post"}),
            json!({"id": "a", "name": "list", "description": "file jobs"}),
        ]);
        // Three terms each. `file` is in two of three texts: ln(1 + 1.5 / 2.5) = 0.470; `mail` in one: ln(1 + 2.5 / 1.5) = 0.981.
        // Asked three times, `file` weighs 1.410.
        let cases: [(&str, &[usize]); 3] =
            [("file mail", &[1, 2, 0]), ("file files filing mail", &[2, 0, 1]), ("sending", &[1])];
        check(&index(&tools), &cases);
    }
}
