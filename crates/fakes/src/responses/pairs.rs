//! The items of the input against each other: calls and outputs, thoughts and what they led to.

use std::collections::BTreeSet;

use serde_json::Value;

use super::output;
use crate::Refusal;
use crate::openai::fault::fault;
use crate::wire::Checked;

/// Holds the items against each other; with `unstored` the request says that nothing is kept.
pub(super) fn check(items: &[Value], unstored: bool) -> Checked {
    check_ids(items)?;
    for (call, result, word) in [
        ("function_call", "function_call_output", "function"),
        ("tool_search_call", "tool_search_output", "tool search"),
        ("custom_tool_call", "custom_tool_call_output", "custom tool"),
    ] {
        check_calls(items, call, result, word)?;
    }
    check_thoughts(items, unstored)
}

fn check_ids(items: &[Value]) -> Checked {
    let mut seen = BTreeSet::new();
    for item in items {
        let is_call = item["type"].as_str().is_some_and(|kind| kind.ends_with("_call"));
        let ids = [item["id"].as_str(), item["call_id"].as_str().filter(|_| is_call)];
        for id in ids.into_iter().flatten() {
            if item["type"] == "item_reference" {
                return Err(lost(id));
            }
            if !seen.insert(id) {
                let message = format!(
                    "Duplicate item found with id {id}. Remove duplicate items from your input and try again."
                );
                return Err(fault(Some("input"), None, message));
            }
        }
    }
    Ok(())
}

/// Reads the items in their order: an output answers a call before it, and every call is answered once.
fn check_calls(items: &[Value], call: &str, result: &str, word: &str) -> Checked {
    let mut open: Vec<&str> = Vec::new();
    for item in items {
        let Some(id) = item["call_id"].as_str() else { continue };
        if item["type"] == call {
            open.push(id);
        } else if item["type"] == result {
            let Some(at) = open.iter().position(|other| *other == id) else {
                let message = format!(
                    "No tool call found for {word} {}output with call_id {id}.",
                    call_of(word)
                );
                return Err(fault(Some("input"), None, message));
            };
            open.remove(at);
        }
    }
    match open.first() {
        Some(id) => {
            let message = format!("No tool output found for {word} call {id}.");
            Err(fault(Some("input"), None, message))
        }
        None => Ok(()),
    }
}

/// The output of a search is not called the output of a call.
fn call_of(word: &str) -> &'static str {
    if word == "tool search" { "" } else { "call " }
}

fn check_thoughts(items: &[Value], unstored: bool) -> Checked {
    let mut thoughts = BTreeSet::new();
    for item in items {
        let Some(id) = item["id"].as_str() else { continue };
        if item["type"] == "reasoning" {
            match item["encrypted_content"].as_str() {
                None if unstored => return Err(lost(id)),
                Some(sealed) if sealed != output::sealed(id) => {
                    let message = format!(
                        "The encrypted content for item {id} could not be verified. Reason: Encrypted content could not be decrypted or parsed."
                    );
                    return Err(fault(None, Some("invalid_encrypted_content"), message));
                }
                _ => drop(thoughts.insert(id.to_owned())),
            }
            continue;
        }
        if let Some(needed) = output::thought_of(id).filter(|needed| !thoughts.contains(needed)) {
            let kind = item["type"].as_str().unwrap_or("message");
            let message = format!(
                "Item '{id}' of type '{kind}' was provided without its required 'reasoning' item: '{needed}'."
            );
            return Err(fault(Some("input"), None, message));
        }
    }
    Ok(())
}

fn lost(id: &str) -> Refusal {
    let message = format!(
        "Item with id '{id}' not found. Items are not persisted when `store` is set to false. Try again with `store` set to true, or remove this item from your input."
    );
    Refusal { status: 404, ..fault(Some("input"), None, message) }
}
