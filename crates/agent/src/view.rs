//! The conversation as a model should see it.

use oncue_tools::Content;

use crate::conversation::{Author, CallResult, Item, Said};
use crate::{Disclosure, Profile};

/// The conversation as a model of one disclosure and profile should see it, kept from step to step so that each looks at what is new alone.
///
/// Searches that the loop made are there where the model sees by them what was found, and nowhere else.
/// Where the profile collapses searches, the model's own pairs of call and result become one line at the end of what stands before them: a weak model that reads its own call again makes it again.
/// A search that has loaded nothing stays as it is, since its answer says what to do instead.
///
/// It lives as long as nothing but new items joins the conversation.
#[derive(Default)]
pub(crate) struct View {
    /// The items, from the first on that is seen otherwise than it stands.
    seen: Option<Vec<Item>>,
    /// How many items of the conversation were looked at.
    covered: usize,
}

impl View {
    /// Returns the items as they are seen; the tool called `search` is the search tool.
    pub(crate) fn of<'v>(
        &'v mut self,
        items: &'v [Item],
        search: Option<&str>,
        disclosure: Disclosure,
        profile: &Profile,
    ) -> &'v [Item] {
        if disclosure.keeps_found() {
            return items;
        }
        while let Some([item, rest @ ..]) = items.get(self.covered..) {
            match collapsed(item, rest.first(), search, profile) {
                None => {
                    self.seen.iter_mut().for_each(|seen| seen.push(item.clone()));
                    self.covered += 1;
                }
                Some(line) => {
                    let before = items.get(..self.covered).unwrap_or_default();
                    let seen = self.seen.get_or_insert_with(|| before.to_vec());
                    line.into_iter().for_each(|line| add_line(seen, line));
                    self.covered += 2;
                }
            }
        }
        self.seen.as_deref().unwrap_or(items)
    }
}

/// Returns what stands for a pair of call and result, if anything else than the pair does: a line or nothing.
fn collapsed(
    item: &Item,
    next: Option<&Item>,
    search: Option<&str>,
    profile: &Profile,
) -> Option<Option<String>> {
    match (item, next) {
        (Item::Reply(said), _) if said.by == Author::Loop => Some(None),
        (Item::Reply(said), Some(Item::Results { results }))
            if profile.collapses && is_search(said, search) =>
        {
            line(results).map(Some)
        }
        _ => None,
    }
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
