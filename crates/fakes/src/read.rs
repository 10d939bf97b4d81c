//! Lists and texts read off JSON, where it has them.

use serde_json::Value;

/// Returns the entries of a list; none where there is no list.
pub(crate) fn list<'v>(value: impl Into<Option<&'v Value>>) -> &'v [Value] {
    value.into().and_then(Value::as_array).map_or(&[], Vec::as_slice)
}

/// Returns a text; an empty one where there is no text.
pub(crate) fn text<'v>(value: impl Into<Option<&'v Value>>) -> &'v str {
    value.into().and_then(Value::as_str).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::{list, text};

    #[test]
    fn what_is_not_there_or_of_another_kind_is_empty() {
        let value = json!({ "list": [1, 2], "text": "a" });
        assert_eq!(list(&value["list"]), [json!(1), json!(2)]);
        assert_eq!(text(value.get("text")), "a");
        for nothing in [None, value.get("none"), Some(&value)] {
            assert_eq!((list(nothing).len(), text(nothing)), (0, ""));
        }
    }
}
