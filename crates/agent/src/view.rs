//! The conversation as a model should see it.

use std::borrow::Cow;

use oncue_tools::Content;

use crate::conversation::{Author, CallResult, Item, Said};
use crate::{Disclosure, Profile};

/// Returns the items for a model of this disclosure and profile; the tool called `search` is the search tool.
///
/// Searches that the loop made are there where the model sees by them what was found, and nowhere else.
/// Where the profile collapses searches, the model's own pairs of call and result become one line at the end of what stands before them: a weak model that reads its own call again makes it again.
/// A search that has loaded nothing stays as it is, since its answer says what to do instead.
pub(crate) fn view<'i>(
    items: &'i [Item],
    search: Option<&str>,
    disclosure: Disclosure,
    profile: &Profile,
) -> Cow<'i, [Item]> {
    if disclosure.keeps_found() {
        return Cow::Borrowed(items);
    }
    let collapsed = |pair: &[Item]| match pair {
        [Item::Reply(said), ..] if said.by == Author::Loop => Some(None),
        [Item::Reply(said), Item::Results { results }, ..]
            if profile.collapses && is_search(said, search) =>
        {
            line(results).map(Some)
        }
        _ => None,
    };
    let Some(first) = (0..items.len()).find(|&at| collapsed(rest(items, at)).is_some()) else {
        return Cow::Borrowed(items);
    };
    let mut seen: Vec<Item> = Vec::with_capacity(items.len());
    seen.extend_from_slice(items.get(..first).unwrap_or_default());
    let mut at = first;
    while let Some(item) = items.get(at) {
        match collapsed(rest(items, at)) {
            None => {
                seen.push(item.clone());
                at += 1;
            }
            Some(line) => {
                line.into_iter().for_each(|line| add_line(&mut seen, line));
                at += 2;
            }
        }
    }
    Cow::Owned(seen)
}

fn rest(items: &[Item], at: usize) -> &[Item] {
    items.get(at..).unwrap_or_default()
}

/// Says whether a reply is nothing but searches.
fn is_search(said: &Said, search: Option<&str>) -> bool {
    let mut calls = said.calls().peekable();
    calls.peek().is_some()
        && calls.all(|call| Some(call.name.as_str()) == search)
        && said.text().is_empty()
}

/// Returns what a model should know of its own searches, where all of them have loaded something.
fn line(results: &[CallResult]) -> Option<String> {
    if results.iter().any(|result| result.loaded.is_empty()) {
        return None;
    }
    let mut names: Vec<&str> = Vec::new();
    for tool in results.iter().flat_map(|result| &result.loaded) {
        if !names.contains(&tool.name.as_str()) {
            names.push(&tool.name);
        }
    }
    Some(format!("(Tool search has loaded: {}.)", names.join(", ")))
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
