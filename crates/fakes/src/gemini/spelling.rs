//! The two spellings of each field: `like_this`, which the server itself uses, and `likeThis`.

use serde_json::{Map, Value};

/// Fields whose values are the client's own, names included.
const FREE: [&str; 7] = [
    "args", "response", "parametersJsonSchema", "responseJsonSchema", "default", "example",
    "labels",
];

/// Returns a request with every field spelled `likeThis`.
pub(super) fn camel_fields(value: &Value) -> Value {
    match value {
        Value::Array(items) => items.iter().map(camel_fields).collect(),
        Value::Object(fields) => Value::Object(fields.iter().map(camel_field).collect()),
        other => other.clone(),
    }
}

fn camel_field((name, value): (&String, &Value)) -> (String, Value) {
    let name = camel(name);
    let value = match (name.as_str(), value) {
        (free, value) if FREE.contains(&free) => value.clone(),
        ("properties", Value::Object(properties)) => {
            let schemas =
                properties.iter().map(|(name, value)| (name.clone(), camel_fields(value)));
            Value::Object(schemas.collect::<Map<_, _>>())
        }
        (_, value) => camel_fields(value),
    };
    (name, value)
}

fn camel(name: &str) -> String {
    let mut words = name.split('_');
    let mut camel = words.next().unwrap_or_default().to_owned();
    for word in words {
        let mut letters = word.chars();
        camel.extend(letters.next().map(|letter| letter.to_ascii_uppercase()));
        camel.push_str(letters.as_str());
    }
    camel
}

/// Returns a name as the server itself spells it.
pub(super) fn snake(name: &str) -> String {
    let mut snake = String::new();
    for letter in name.chars() {
        if letter.is_ascii_uppercase() {
            snake.push('_');
        }
        snake.push(letter.to_ascii_lowercase());
    }
    snake
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::{camel_fields, snake};

    #[test]
    fn fields_are_spelled_one_way_and_names_of_clients_stay() {
        let spelled = camel_fields(&json!({
            "tool_config": { "function_calling_config": { "allowed_function_names": ["a_b"] } },
            "tools": [{ "functionDeclarations": [{
                "name": "a_b",
                "parameters": { "properties": { "a_b": { "any_of": [] } } },
                "parameters_json_schema": { "a_b": 1 },
            }] }],
            "contents": [{ "parts": [
                { "function_call": { "args": { "a_b": 1 } } },
                { "function_response": { "response": { "a_b": 1 } } },
            ] }],
        }));
        assert_eq!(
            spelled,
            json!({
                "toolConfig": { "functionCallingConfig": { "allowedFunctionNames": ["a_b"] } },
                "tools": [{ "functionDeclarations": [{
                    "name": "a_b",
                    "parameters": { "properties": { "a_b": { "anyOf": [] } } },
                    "parametersJsonSchema": { "a_b": 1 },
                }] }],
                "contents": [{ "parts": [
                    { "functionCall": { "args": { "a_b": 1 } } },
                    { "functionResponse": { "response": { "a_b": 1 } } },
                ] }],
            })
        );
        assert_eq!(snake("maxOutputTokens"), "max_output_tokens");
    }
}
