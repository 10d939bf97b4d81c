//! Arguments that are said in headers too, as the schema of a tool wants (SEP-2243).

use std::collections::HashSet;

use serde_json::Value;
use serde_json::value::RawValue;

use crate::Members;

/// One argument that is said in a header too.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mirror {
    /// What the header is called, behind its prefix.
    pub header: String,
    /// Where the argument is: names of properties, from the outside in.
    pub path: Vec<String>,
}

/// The keyword of a schema that wants a header.
const KEYWORD: &str = "x-mcp-header";

impl Mirror {
    /// Returns the argument as text, where it is given and is a text, a number or a truth.
    #[must_use]
    pub fn value(&self, arguments: Option<&RawValue>) -> Option<String> {
        let (last, path) = self.path.split_last()?;
        let mut members = Members::of(Some(arguments?)).ok()?;
        for name in path {
            members = Members::of(members.get(name)).ok()?;
        }
        let raw = members.get(last)?.get();
        match raw.as_bytes().first()? {
            b'"' => serde_json::from_str(raw).ok(),
            b'-' | b'0'..=b'9' | b't' | b'f' => Some(raw.to_owned()),
            _ => None,
        }
    }
}

/// Returns the arguments that the schema of a tool wants in headers too.
///
/// # Errors
///
/// The wish is none that can be fulfilled; over HTTP such a tool is not to be offered.
///
/// ```
/// use oncue_mcp::http::mirrors;
/// use serde_json::json;
///
/// let schema = json!({"properties": {"region": {"type": "string", "x-mcp-header": "Region"}}});
/// assert_eq!(mirrors(&schema)?[0].header, "Region");
/// let wrong = json!({"properties": {"region": {"type": "object", "x-mcp-header": "Region"}}});
/// assert!(mirrors(&wrong).is_err());
/// # Ok::<(), String>(())
/// ```
pub fn mirrors(schema: &Value) -> Result<Vec<Mirror>, String> {
    let mut found = Vec::new();
    walk(schema, Some(&mut Vec::new()), &mut found)?;
    let mut names = HashSet::new();
    for mirror in &found {
        if !names.insert(mirror.header.to_ascii_lowercase()) {
            return Err(format!("two arguments want the header `{}`", mirror.header));
        }
    }
    Ok(found)
}

/// Walks a schema; `path` leads to it where properties alone do.
fn walk(
    schema: &Value,
    path: Option<&mut Vec<String>>,
    found: &mut Vec<Mirror>,
) -> Result<(), String> {
    let Value::Object(schema) = schema else {
        let Value::Array(schemas) = schema else { return Ok(()) };
        return schemas.iter().try_for_each(|schema| walk(schema, None, found));
    };
    if let Some(header) = schema.get(KEYWORD) {
        let path = path.as_deref().filter(|path| !path.is_empty());
        let path = path.ok_or_else(|| {
            format!("`{KEYWORD}` belongs to a property that properties alone lead to")
        })?;
        let header = header.as_str().filter(|text| is_token(text));
        let header = header
            .ok_or_else(|| format!("`{KEYWORD}` of `{}` is no name of a header", path.join(".")))?;
        let kind = schema.get("type").and_then(Value::as_str);
        if !matches!(kind, Some("string" | "integer" | "boolean")) {
            return Err(format!(
                "`{}` wants a header and is neither a string nor an integer nor a boolean",
                path.join(".")
            ));
        }
        found.push(Mirror { header: header.to_owned(), path: path.clone() });
    }
    let mut path = path;
    for (keyword, value) in schema {
        match (keyword.as_str(), value) {
            ("properties", Value::Object(properties)) => {
                for (name, schema) in properties {
                    match path.as_deref_mut() {
                        Some(path) => {
                            path.push(name.clone());
                            walk(schema, Some(path), found)?;
                            path.pop();
                        }
                        None => walk(schema, None, found)?,
                    }
                }
            }
            (
                "$defs" | "definitions" | "dependentSchemas" | "patternProperties",
                Value::Object(schemas),
            ) => {
                schemas.values().try_for_each(|schema| walk(schema, None, found))?;
            }
            // Data and names, no schemas.
            (
                "default" | "const" | "enum" | "examples" | "required" | "dependentRequired"
                | KEYWORD,
                _,
            ) => {}
            (_, schema) => walk(schema, None, found)?,
        }
    }
    Ok(())
}

/// Says whether a text is a token (RFC 9110, section 5.6.2), and so can be the name of a header.
fn is_token(text: &str) -> bool {
    let is_token_char =
        |byte: u8| byte.is_ascii_alphanumeric() || b"!#$%&'*+-.^_`|~".contains(&byte);
    !text.is_empty() && text.bytes().all(is_token_char)
}
