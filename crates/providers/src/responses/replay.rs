//! Replies of earlier steps as the vendor sent them, with what it refuses mended.

use serde_json::{Map, Value};

use crate::compose::object_or_empty;

/// Fields of items that the vendor sends and does not take.
const SENT_ONLY: [&str; 1] = ["created_by"];

/// A call of the reply as it is known now.
pub(super) struct Known {
    /// The id that pairs it with its result.
    pub(super) id: String,
    /// Whether it is a search that is shown as one.
    pub(super) is_search: bool,
}

/// Returns the items of a reply as they came, with the ids that its calls have now.
///
/// `None` where they cannot be replayed: the calls are not those of the reply any more, or the request shows searches in another way.
pub(super) fn items(raw: &Value, calls: impl Iterator<Item = Known>) -> Option<Vec<Value>> {
    let sent = raw.get("output")?.as_array()?;
    let mut calls = calls;
    let mut items = Vec::new();
    for item in sent {
        let mut item = item.as_object()?.clone();
        item.retain(|field, value| !value.is_null() && !SENT_ONLY.contains(&field.as_str()));
        match kind(&item) {
            "function_call" => {
                let call = calls.next().filter(|call| !call.is_search)?;
                let arguments = item.get("arguments").and_then(Value::as_str).unwrap_or_default();
                let arguments = object_or_empty(arguments).to_owned();
                item.insert("arguments".to_owned(), Value::from(arguments));
                item.insert("call_id".to_owned(), Value::from(call.id));
            }
            "tool_search_call" if is_ours(&item) => {
                let call = calls.next().filter(|call| call.is_search)?;
                if !item.get("arguments").is_some_and(Value::is_object) {
                    item.insert("arguments".to_owned(), Value::Object(Map::new()));
                }
                item.insert("call_id".to_owned(), Value::from(call.id));
            }
            _ => {}
        }
        items.push(item);
    }
    if calls.next().is_some() {
        return None;
    }
    // The vendor has kept nothing, so thoughts that it did not seal are lost, and items that came of them must not name them.
    let is_lost = |item: &Map<String, Value>| {
        kind(item) == "reasoning" && !item.contains_key("encrypted_content")
    };
    if items.iter().any(is_lost) {
        items.retain(|item| !is_lost(item));
        for item in &mut items {
            item.shift_remove("id");
        }
    }
    Some(items.into_iter().map(Value::Object).collect())
}

/// Says whether a search is answered by the client.
pub(super) fn is_ours(search: &Map<String, Value>) -> bool {
    search.get("execution").is_none_or(|who| who == "client")
}

fn kind(item: &Map<String, Value>) -> &str {
    item.get("type").and_then(Value::as_str).unwrap_or_default()
}
