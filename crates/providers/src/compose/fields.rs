//! The JSON object around a request. Lives as long as the request is written.

use oncue_agent::{ModelError, ModelErrorKind};
use serde_json::value::RawValue;
use serde_json::{Map, Value};

/// The fields of an object in order, each with its JSON.
#[derive(Clone, Debug, Default)]
pub(crate) struct Fields(Vec<(String, String)>);

impl Fields {
    /// Adds a field with its JSON.
    pub(crate) fn put(&mut self, name: &str, json: impl Into<String>) {
        self.0.push((name.to_owned(), json.into()));
    }

    /// Adds a field of text.
    pub(crate) fn put_text(&mut self, name: &str, text: &str) {
        self.put(name, quoted(text));
    }

    /// Adds a number with a fraction.
    pub(crate) fn put_number(&mut self, name: &str, number: f32) {
        // As a text of its own type: the way over a wider one would add digits.
        self.put(name, serde_json::to_string(&number).unwrap_or_default());
    }

    /// Lets other fields join: they replace those of the same name, and null takes one out.
    pub(crate) fn extend<'f>(&mut self, others: impl IntoIterator<Item = (&'f String, &'f Value)>) {
        for (name, value) in others {
            if value.is_null() {
                self.0.retain(|(known, _)| known != name);
                continue;
            }
            let json = value.to_string();
            match self.0.iter_mut().find(|(known, _)| known == name) {
                Some((_, known)) => *known = json,
                None => self.0.push((name.clone(), json)),
            }
        }
    }

    /// Returns the object.
    pub(crate) fn json(&self) -> String {
        format!("{{{}}}", self.members())
    }

    fn members(&self) -> String {
        let fields: Vec<String> =
            self.0.iter().map(|(name, json)| format!("{}:{json}", quoted(name))).collect();
        fields.join(",")
    }
}

/// Returns a body with more fields at its end.
///
/// # Errors
///
/// The body is no object.
pub(crate) fn streaming(mut body: Vec<u8>, fields: &Fields) -> Result<Vec<u8>, ModelError> {
    if body.pop() != Some(b'}') {
        let what = "the body of the request is no object";
        return Err(ModelError::new(ModelErrorKind::InvalidRequest, what));
    }
    if body.last() != Some(&b'{') {
        body.push(b',');
    }
    body.extend_from_slice(fields.members().as_bytes());
    body.push(b'}');
    Ok(body)
}

/// Returns the JSON string of `text`.
pub(crate) fn quoted(text: &str) -> String {
    Value::from(text).to_string()
}

/// Returns the text of arguments where it is a JSON object, and the empty object where it is not: servers fail on a conversation that holds others.
pub(crate) fn object_or_empty(arguments: &str) -> &str {
    // Servers read it as values, so what values cannot hold must not pass either.
    match serde_json::from_str::<Map<String, Value>>(arguments) {
        Ok(_) => serde_json::from_str::<&RawValue>(arguments).map_or("{}", RawValue::get),
        Err(_) => "{}",
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::{Fields, object_or_empty, streaming};

    #[test]
    fn other_fields_replace_add_and_take_out() {
        let mut fields = Fields::default();
        fields.put_text("a", "x\"");
        fields.put_number("b", 0.7);
        fields.put("c", "[1.0]");
        fields.extend(json!({"a": 1, "c": null, "d": {"e": true}}).as_object().unwrap());
        assert_eq!(fields.json(), r#"{"a":1,"b":0.7,"d":{"e":true}}"#);
        let mut stream = Fields::default();
        stream.put("stream", "true");
        let body = streaming(fields.json().into_bytes(), &stream).unwrap();
        assert_eq!(body, br#"{"a":1,"b":0.7,"d":{"e":true},"stream":true}"#);
        assert_eq!(streaming(b"{}".to_vec(), &stream).unwrap(), br#"{"stream":true}"#);
        assert!(streaming(b"[]".to_vec(), &stream).is_err());
    }

    #[test]
    fn arguments_are_objects_or_nothing() {
        let cases = [
            (r#" {"a": 1.0} "#, r#"{"a": 1.0}"#),
            ("", "{}"),
            ("null", "{}"),
            ("[1]", "{}"),
            (r#"{"a":"#, "{}"),
            (r#"{"a":1}{"b":2}"#, "{}"),
        ];
        for (arguments, expected) in cases {
            assert_eq!(object_or_empty(arguments), expected, "{arguments:?}");
        }
    }
}
