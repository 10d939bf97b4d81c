//! What a tool takes: JSON Schema in TOML, or the short form, from which the schema is made.

use serde_json::value::{RawValue, to_raw_value};
use serde_json::{Map, Value, json};

use super::file::RowFault;

/// The types of the short form.
const TYPES: [&str; 5] = ["string", "integer", "number", "boolean", "object"];

/// The parameters of a tool.
pub(super) struct Parameters {
    /// The schema that the model reads.
    pub(super) schema: Box<RawValue>,
    /// The names of the parameters.
    pub(super) names: Vec<String>,
}

impl Parameters {
    /// Reads what a row says; nothing means that the tool takes no arguments.
    pub(super) fn of(table: Option<&toml::Table>) -> Result<Self, RowFault> {
        let none = toml::Table::new();
        let table = table.unwrap_or(&none);
        let schema = match is_schema(table) {
            true => serde_json::to_value(table)
                .map_err(|error| RowFault::new(format!("parameters: {error}"), FORMS))?,
            false => short(table)?,
        };
        let properties = schema.get("properties").and_then(Value::as_object);
        let names = properties.into_iter().flat_map(Map::keys).cloned().collect();
        let schema = to_raw_value(&schema)
            .map_err(|error| RowFault::new(format!("parameters: {error}"), FORMS))?;
        Ok(Self { schema, names })
    }
}

/// What may be written.
const FORMS: &str = "write `parameters = { path = \"string: which file\", lines = \"integer?\" }`, or a JSON Schema with `type = \"object\"` under `[tool.parameters]`";

/// A schema says that it is one of an object, or holds more than texts.
fn is_schema(table: &toml::Table) -> bool {
    table.get("type").and_then(toml::Value::as_str) == Some("object")
        || !table.values().all(toml::Value::is_str)
}

/// Makes a schema of `name = "TYPE[?][: description]"`.
fn short(table: &toml::Table) -> Result<Value, RowFault> {
    let (mut properties, mut required) = (Map::new(), Vec::new());
    for (name, text) in table {
        let text = text.as_str().unwrap_or_default();
        let (form, description) = text.split_once(':').unwrap_or((text, ""));
        let form = form.trim();
        let (form, is_optional) = form.strip_suffix('?').map_or((form, false), |form| (form, true));
        let mut property = property(form).ok_or_else(|| {
            RowFault::new(
                format!("parameter `{name}`: `{form}` is no type"),
                format!("use one of {}, with `[]` behind it for a list and `?` for what may be left out", TYPES.join(", ")),
            )
        })?;
        if let (Some(property), false) = (property.as_object_mut(), description.trim().is_empty()) {
            property.insert("description".to_owned(), description.trim().into());
        }
        properties.insert(name.clone(), property);
        if !is_optional {
            required.push(name.clone());
        }
    }
    let mut schema = json!({ "type": "object", "properties": properties });
    if let Some(schema) = schema.as_object_mut() {
        if !required.is_empty() {
            schema.insert("required".to_owned(), required.into());
        }
        schema.insert("additionalProperties".to_owned(), false.into());
    }
    Ok(schema)
}

fn property(form: &str) -> Option<Value> {
    match form.strip_suffix("[]") {
        Some(of) => Some(json!({ "type": "array", "items": property(of)? })),
        None => TYPES.contains(&form).then(|| json!({ "type": form })),
    }
}

#[cfg(test)]
mod tests {
    use super::Parameters;

    fn schema(text: &str) -> String {
        let table: toml::Table = toml::from_str(text).unwrap();
        match Parameters::of(Some(&table)) {
            Ok(parameters) => parameters.schema.get().to_owned(),
            Err(fault) => format!("{}; {}", fault.what, fault.hint),
        }
    }

    #[test]
    fn the_short_form_becomes_a_schema() {
        assert_eq!(
            schema("path = \"string: which file: whole path\"\nlines = \"integer?\"\n"),
            r#"{"type":"object","properties":{"path":{"type":"string","description":"which file: whole path"},"lines":{"type":"integer"}},"required":["path"],"additionalProperties":false}"#
        );
        assert_eq!(
            schema("type = \"string[]?\""),
            r#"{"type":"object","properties":{"type":{"type":"array","items":{"type":"string"}}},"additionalProperties":false}"#
        );
        assert_eq!(schema(""), r#"{"type":"object","properties":{},"additionalProperties":false}"#);
    }

    #[test]
    fn a_schema_stays_as_it_is_written() {
        let text = "type = \"object\"\nrequired = [\"z\"]\nproperties.z.enum = [2, 1]\nproperties.a.type = \"string\"\n";
        assert_eq!(
            schema(text),
            r#"{"type":"object","required":["z"],"properties":{"z":{"enum":[2,1]},"a":{"type":"string"}}}"#
        );
    }

    #[test]
    fn an_unknown_type_is_named_with_those_that_are_known() {
        assert_eq!(
            schema("n = \"int?\""),
            "parameter `n`: `int` is no type; use one of string, integer, number, boolean, object, with `[]` behind it for a list and `?` for what may be left out"
        );
    }
}
