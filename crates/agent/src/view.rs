//! The conversation as a model should see it.

use std::borrow::Cow;

use oncue_tools::Content;

use crate::conversation::{Author, CallResult, Item, Said};
use crate::{Disclosure, Profile};

/// Returns the items for a model of this disclosure and profile; the tool called `search` is the search tool.
///
/// Searches that the loop made are there where the model sees by them what was found, and nowhere else.
/// Where the profile collapses searches, the model's own pairs of call and result become one line at the end of what stands before them: a weak model that reads its own call again makes it again.
pub(crate) fn view<'i>(
    items: &'i [Item],
    search: Option<&str>,
    disclosure: Disclosure,
    profile: &Profile,
) -> Cow<'i, [Item]> {
    if disclosure.keeps_found() {
        return Cow::Borrowed(items);
    }
    let is_search = |said: &Said| {
        let mut calls = said.calls().peekable();
        calls.peek().is_some() && calls.all(|call| Some(call.name.as_str()) == search)
    };
    let leaves_out = |item: &Item| match item {
        Item::Reply(said) => {
            said.by == Author::Loop
                || profile.collapses && is_search(said) && said.text().is_empty()
        }
        _ => false,
    };
    if !items.iter().any(leaves_out) {
        return Cow::Borrowed(items);
    }
    let mut seen: Vec<Item> = Vec::with_capacity(items.len());
    let mut rest = items.iter();
    while let Some(item) = rest.next() {
        if !leaves_out(item) {
            seen.push(item.clone());
            continue;
        }
        let by_loop = matches!(item, Item::Reply(said) if said.by == Author::Loop);
        if let Some(Item::Results { results }) = rest.next()
            && !by_loop
        {
            add_line(&mut seen, line(results));
        }
    }
    Cow::Owned(seen)
}

/// Returns what a model should know of its own searches.
fn line(results: &[CallResult]) -> String {
    let loaded = results.iter().flat_map(|result| &result.loaded);
    let names: Vec<&str> = loaded.map(|tool| tool.name.as_str()).collect();
    match names.as_slice() {
        [] => "(Tool search has found nothing new.)".to_owned(),
        names => format!("(Tool search has loaded: {}.)", names.join(", ")),
    }
}

/// Adds a line to what was said to the model last, or says it alone.
fn add_line(seen: &mut Vec<Item>, line: String) {
    match seen.last_mut() {
        Some(Item::User { content }) => content.push(Content::Text(line)),
        Some(Item::Note { text } | Item::Summary { text }) => {
            text.push('\n');
            text.push_str(&line);
        }
        _ => seen.push(Item::Note { text: line }),
    }
}
