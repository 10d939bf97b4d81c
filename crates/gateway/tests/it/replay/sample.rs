//! Arguments that fit a schema, written as no machine would write them, so that whoever reads and writes them anew is found out.

use oncue_mcp::{Members, Raw};
use regex::Regex;
use serde_json::{Map, Value, json};

/// How deep values are made up, in values within values.
const DEPTH: usize = 12;

/// Returns arguments for a tool: what its schema requires and, where it allows more, a member that only whoever passes on the bytes passes on.
pub(super) fn arguments(tool: &Raw, at: usize) -> String {
    let tool = Members::of(Some(tool)).expect("an object");
    let schema: Value = tool.read("inputSchema").unwrap_or_else(|| json!({}));
    let Value::Object(object) = value(&schema, &schema, DEPTH) else { return "{}".to_owned() };
    let mut members: Vec<String> =
        object.iter().map(|(key, value)| format!("{} : {}", json!(key), spaced(value))).collect();
    let is_open = ["additionalProperties", "unevaluatedProperties", "propertyNames"]
        .iter()
        .all(|word| matches!(schema.get(word), None | Some(Value::Bool(true))))
        && schema.get("maxProperties").is_none()
        && !has_union(&schema);
    if is_open {
        let odd = r#""\u00e9\ud83d\ude00":[9007199254740993,12345678901234567890,1.50,-0.0,1E2,null,"\/"]"#;
        members.insert(at % (members.len() + 1), format!(r#""zz {at}":{{{odd} }}"#));
    }
    format!("{{ {}}}", members.join(" ,"))
}

fn has_union(schema: &Value) -> bool {
    ["anyOf", "oneOf", "allOf", "$ref", "not", "if"].iter().any(|word| schema.get(word).is_some())
}

/// Writes a value with white space between its parts.
fn spaced(value: &Value) -> String {
    match value {
        Value::Array(items) => {
            let items: Vec<String> = items.iter().map(spaced).collect();
            format!("[ {} ]", items.join(" , "))
        }
        Value::Object(members) => {
            let members: Vec<String> = members
                .iter()
                .map(|(key, value)| format!("{}:\t{}", json!(key), spaced(value)))
                .collect();
            format!("{{{}  }}", members.join(","))
        }
        other => other.to_string(),
    }
}

/// Returns a value that fits `schema`, a part of `root`.
fn value(schema: &Value, root: &Value, depth: usize) -> Value {
    let Some(depth) = depth.checked_sub(1) else { return Value::Null };
    if let Some(value) = schema.get("const") {
        return value.clone();
    }
    if let Some(first) = schema.get("enum").and_then(Value::as_array).and_then(|all| all.first()) {
        return first.clone();
    }
    if let Some(reference) = schema.get("$ref").and_then(Value::as_str) {
        let target = reference.strip_prefix('#').and_then(|pointer| root.pointer(pointer));
        return target.map_or(Value::Null, |target| value(target, root, depth));
    }
    if let Some(parts) = schema.get("allOf").and_then(Value::as_array) {
        let mut all = schema.as_object().cloned().unwrap_or_default();
        all.remove("allOf");
        for part in parts {
            merge(&mut all, part, root);
        }
        return value(&Value::Object(all), root, depth);
    }
    for word in ["oneOf", "anyOf"] {
        let forms = schema.get(word).and_then(Value::as_array);
        // Forms that hold themselves end with another one.
        let chosen = forms.and_then(|all| match depth > DEPTH / 2 {
            true => all.first(),
            false => all.last(),
        });
        if let Some(first) = chosen {
            let mut all = schema.as_object().cloned().unwrap_or_default();
            all.remove(word);
            merge(&mut all, first, root);
            return value(&Value::Object(all), root, depth);
        }
    }
    let kind = match schema.get("type") {
        Some(Value::String(kind)) => kind.as_str(),
        Some(Value::Array(kinds)) => kinds.first().and_then(Value::as_str).unwrap_or("null"),
        _ if schema.get("properties").is_some() => "object",
        _ if schema.get("items").is_some() => "array",
        _ => "string",
    };
    match kind {
        "object" => object(schema, root, depth),
        "array" => {
            let items = schema.get("items").filter(|items| items.is_object());
            let min = schema.get("minItems").and_then(Value::as_u64).unwrap_or(1);
            let item = |_| items.map_or_else(|| json!("x"), |items| value(items, root, depth));
            Value::Array((0..min).map(item).collect())
        }
        "integer" | "number" => number(schema, kind == "integer"),
        "boolean" => json!(true),
        "null" => Value::Null,
        _ => text(schema),
    }
}

/// Adds what another schema says of the same value.
fn merge(all: &mut Map<String, Value>, part: &Value, root: &Value) {
    let target = part.get("$ref").and_then(Value::as_str).and_then(|it| it.strip_prefix('#'));
    let part = target.and_then(|pointer| root.pointer(pointer)).unwrap_or(part);
    for (key, value) in part.as_object().into_iter().flatten() {
        match (all.get_mut(key), value) {
            (Some(Value::Object(known)), Value::Object(more)) => {
                known.extend(more.iter().map(|(key, value)| (key.clone(), value.clone())));
            }
            (Some(Value::Array(known)), Value::Array(more)) if key == "required" => {
                known.extend(more.iter().cloned());
            }
            _ => {
                all.insert(key.clone(), value.clone());
            }
        }
    }
}

fn object(schema: &Value, root: &Value, depth: usize) -> Value {
    let required = schema.get("required").and_then(Value::as_array).into_iter().flatten();
    let required = required.filter_map(Value::as_str);
    let properties = schema.get("properties").and_then(Value::as_object);
    // What has one value alone tells forms apart.
    let fixed = properties.into_iter().flatten().filter(|(_, it)| it.get("const").is_some());
    let mut object = Map::new();
    for name in required.chain(fixed.map(|(name, _)| name.as_str())) {
        let property = properties.and_then(|properties| properties.get(name));
        let property = property.map_or_else(|| json!("x"), |it| value(it, root, depth));
        object.insert(name.to_owned(), property);
    }
    Value::Object(object)
}

fn number(schema: &Value, is_integer: bool) -> Value {
    let at = |word: &str| schema.get(word).and_then(Value::as_f64);
    let low = at("minimum").or_else(|| at("exclusiveMinimum").map(|low| low + 1.0));
    let high = at("maximum").or_else(|| at("exclusiveMaximum").map(|high| high - 1.0));
    let step = at("multipleOf").unwrap_or(1.0);
    let number = match (low, high) {
        (Some(low), _) => (low / step).ceil() * step,
        (None, Some(high)) => (high / step).floor() * step,
        (None, None) => step * 7.0,
    };
    match is_integer || number.fract() == 0.0 {
        true => json!(number as i64),
        false => json!(number),
    }
}

fn text(schema: &Value) -> Value {
    let example = match schema.get("format").and_then(Value::as_str) {
        Some("uri" | "url") => "https://example.org/a?b=c",
        Some("date-time") => "2024-02-29T12:00:00Z",
        Some("date") => "2024-02-29",
        Some("time") => "12:00:00Z",
        Some("email") => "a@example.org",
        Some("uuid") => "123e4567-e89b-42d3-a456-426614174000",
        Some("ipv4") => "192.0.2.1",
        _ => "some \u{e9}\u{1f600} \"text\"\\",
    };
    let pattern = schema.get("pattern").and_then(Value::as_str);
    let pattern = pattern.and_then(|pattern| Regex::new(pattern).ok());
    let example = match pattern {
        None => example,
        Some(pattern) => {
            let mut all = [example].into_iter().chain(TEXTS.iter().copied());
            all.find(|text| pattern.is_match(text)).unwrap_or(example)
        }
    };
    let min = schema.get("minLength").and_then(Value::as_u64).unwrap_or(0) as usize;
    let max =
        schema.get("maxLength").and_then(Value::as_u64).map_or(usize::MAX, |max| max as usize);
    let mut text = example.to_owned();
    while text.chars().count() < min {
        text.push('0');
    }
    Value::String(text.chars().take(max).collect())
}

/// Of these one fits each pattern that occurs.
const TEXTS: &[&str] = &[
    "abc",
    "12",
    "123",
    "AB",
    "2024-02-29",
    "2024-02-29T12:00:00Z",
    "12:00:00",
    "123e4567-e89b-42d3-a456-426614174000",
    "1-123e4567-e89b-42d3-a456-426614174000",
    "today",
    "arn:aws:s3tables:eu-west-1:123456789012:bucket/abc",
    "P1D",
    "1:2",
    "a.example",
    "#00ff00",
    "ICEBERG",
    "=1",
    "SlicerStyleLight1",
    "a.png",
    "pid=1",
    "192.0.2.1",
    "192.0.2.0/24",
    "duration:asc",
    "count:asc",
    "errorCount:asc",
    "GET",
    "team",
];
