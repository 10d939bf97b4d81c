//! The rules of each vendor, as far as they are known, written apart from the code that keeps them.

use serde_json::{Map, Value};

use super::super::Dialect;

/// Returns the rules that a projected schema breaks.
pub(super) fn broken(schema: &Value, dialect: Dialect, is_strict: bool) -> Vec<String> {
    let mut broken = Vec::new();
    match dialect {
        Dialect::Anthropic | Dialect::Bedrock | Dialect::GeminiJson => {
            root(schema, &["oneOf", "anyOf", "allOf", "$ref"], &mut broken);
            let is_plain = |name: &String| {
                let chars = name.chars().count();
                chars > 0
                    && chars < 65
                    && name.chars().all(|c| c.is_ascii_alphanumeric() || "_.-".contains(c))
            };
            let names = schema["properties"].as_object().map(|named| named.keys().all(is_plain));
            if dialect != Dialect::GeminiJson && names == Some(false) {
                broken.push("parameters have plain names".to_owned());
            }
        }
        Dialect::OpenAi | Dialect::OpenAiStrict => {
            root(schema, &["oneOf", "anyOf", "allOf", "$ref", "enum", "not"], &mut broken);
            openai(schema, &mut broken);
            if is_strict {
                strict(schema, 0, &mut broken);
            }
        }
        Dialect::GeminiSchema if schema.is_null() => {}
        Dialect::GeminiSchema => gemini(schema, true, &mut broken),
    }
    broken
}

fn root(schema: &Value, refused: &[&str], broken: &mut Vec<String>) {
    if schema["type"] != "object" || !schema["properties"].is_object() {
        broken.push("the root is an object with properties".to_owned());
    }
    for word in refused {
        if schema.get(word).is_some() {
            broken.push(format!("no {word} at the root"));
        }
    }
    if let Some(required) = schema.get("required")
        && !required.as_array().is_some_and(|names| names.iter().all(Value::is_string))
    {
        broken.push("required is a list of names".to_owned());
    }
}

fn openai(schema: &Value, broken: &mut Vec<String>) {
    let Some(words) = schema.as_object() else { return };
    let is_list = words.get("type").is_some_and(|kind| {
        kind == "array" || kind.as_array().is_some_and(|kinds| kinds.iter().any(|k| k == "array"))
    });
    if is_list && !words.contains_key("items") {
        broken.push("array schema missing items".to_owned());
    }
    for part in children(words) {
        openai(part, broken);
    }
}

/// Returns the schemas directly within a schema.
fn children(words: &Map<String, Value>) -> Vec<&Value> {
    let mut children = Vec::new();
    for (word, value) in words {
        match (word.as_str(), value) {
            ("properties" | "$defs" | "patternProperties", Value::Object(named)) => {
                children.extend(named.values());
            }
            ("anyOf" | "oneOf" | "allOf" | "prefixItems" | "items", Value::Array(list)) => {
                children.extend(list);
            }
            ("items" | "not" | "if" | "additionalProperties", value) => children.push(value),
            _ => {}
        }
    }
    children
}

fn strict(schema: &Value, depth: usize, broken: &mut Vec<String>) {
    let mut breaks = |what: &str| broken.push(format!("{what}: {schema}"));
    let Some(words) = schema.as_object() else { return breaks("a schema is an object") };
    if depth > 10 {
        breaks("too deep");
    }
    if words.contains_key("$ref") {
        if words.len() > 1 {
            breaks("a reference stands alone");
        }
        return;
    }
    const WORDS: [&str; 18] = [
        "type", "properties", "required", "additionalProperties", "items", "anyOf", "enum",
        "const", "title", "description", "$defs", "pattern", "format", "minimum", "maximum",
        "multipleOf", "minItems", "maxItems",
    ];
    for word in words.keys().filter(|word| !WORDS.contains(&word.as_str())) {
        breaks(word);
    }
    let kinds: Vec<&Value> = match words.get("type") {
        Some(Value::Array(kinds)) => kinds.iter().collect(),
        Some(kind) => vec![kind],
        None => Vec::new(),
    };
    let says = ["type", "anyOf", "enum", "const"].iter().any(|word| words.contains_key(*word));
    if !says {
        breaks("a schema says what it is");
    }
    if kinds.iter().any(|kind| *kind == "object") {
        let names: Vec<&String> = words["properties"].as_object().unwrap().keys().collect();
        let required: Vec<&str> =
            words["required"].as_array().unwrap().iter().filter_map(Value::as_str).collect();
        if names != required || words["additionalProperties"] != false {
            breaks("an object is closed and whole");
        }
    }
    let depth = depth + usize::from(kinds.iter().any(|kind| *kind == "object" || *kind == "array"));
    for part in children(words).into_iter().filter(|part| !part.is_boolean()) {
        let is_defined = words
            .get("$defs")
            .and_then(Value::as_object)
            .is_some_and(|defs| defs.values().any(|def| def == part));
        strict(part, if is_defined { 0 } else { depth }, broken);
    }
}

fn gemini(schema: &Value, is_root: bool, broken: &mut Vec<String>) {
    let mut breaks = |what: &str| broken.push(format!("{what}: {schema}"));
    let Some(words) = schema.as_object() else { return breaks("a schema is an object") };
    if let Some(list) = words.get("anyOf") {
        let list = list.as_array().unwrap();
        if words.len() > 1 || list.len() < 2 {
            breaks("alternatives stand alone");
        }
        return list.iter().for_each(|part| gemini(part, false, broken));
    }
    const ANY: [&str; 5] = ["type", "title", "description", "nullable", "default"];
    let kind = words.get("type").and_then(Value::as_str).unwrap_or_default();
    let own: &[&str] = match kind {
        "object" => &["properties", "required", "minProperties", "maxProperties"],
        "array" => &["items", "minItems", "maxItems"],
        "string" => &["enum", "format", "pattern", "minLength", "maxLength"],
        "integer" | "number" => &["format", "minimum", "maximum"],
        "boolean" => &[],
        _ => return breaks("a schema has one type"),
    };
    for word in words.keys() {
        if !ANY.contains(&word.as_str()) && !own.contains(&word.as_str()) {
            breaks(word);
        }
    }
    if kind == "array" && !words.contains_key("items") {
        breaks("a list has items");
    }
    if is_root && !words.contains_key("properties") {
        breaks("the root has properties");
    }
    let properties = words.get("properties").and_then(Value::as_object);
    if properties.is_some_and(Map::is_empty) {
        breaks("properties are not empty");
    }
    for name in words.get("required").and_then(Value::as_array).into_iter().flatten() {
        if !properties.is_some_and(|known| known.contains_key(name.as_str().unwrap())) {
            breaks("what is required is there");
        }
    }
    for value in words.get("enum").and_then(Value::as_array).into_iter().flatten() {
        if value.as_str().is_none_or(str::is_empty) {
            breaks("fixed values are texts");
        }
    }
    for name in properties.into_iter().flat_map(|known| known.keys()) {
        if !name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_') {
            breaks("a parameter has a plain name");
        }
    }
    for part in children(words) {
        gemini(part, false, broken);
    }
}
