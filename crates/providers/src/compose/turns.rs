//! A conversation in which each call has its result beside it. Lives as long as the request is written.

use std::collections::HashMap;

use oncue_agent::Loss;
use oncue_agent::conversation::{Call, CallResult, Item, Said};
use oncue_tools::{CallId, Content};

/// What stands for the result of a call that has none, such as one that was interrupted.
pub(crate) const NO_RESULT: &str =
    "There is no result: the call was interrupted. Call again if it is still needed.";

/// What stands before a conversation whose beginning was taken out.
pub(crate) const NO_BEGINNING: &str = "(What came before was left out.)";

/// One thing that was said.
#[derive(Debug)]
pub(crate) enum Turn<'r> {
    /// By a person.
    User(&'r [Content]),
    /// By the loop, or what stands for items that were taken out.
    Note(&'r str),
    /// By a model or in its place, with what came of the calls.
    Reply {
        /// What was said.
        said: &'r Said,
        /// The calls in order.
        calls: Vec<Answered<'r>>,
    },
}

/// A call with what came of it.
#[derive(Debug)]
pub(crate) struct Answered<'r> {
    pub(crate) call: &'r Call,
    pub(crate) result: Option<&'r CallResult>,
}

/// Returns what was said in order; results without a call are lost.
pub(crate) fn turns<'r>(items: &'r [Item], losses: &mut Vec<Loss>) -> Vec<Turn<'r>> {
    let mut turns = Vec::new();
    let mut rest = items;
    let mut orphans: Vec<&CallResult> = Vec::new();
    while let Some((item, behind)) = rest.split_first() {
        rest = behind;
        match item {
            Item::User { content } => turns.push(Turn::User(content)),
            Item::Note { text } | Item::Summary { text } => turns.push(Turn::Note(text)),
            Item::Reply(said) => {
                let (calls, lost) = answered(said, behind);
                orphans.extend(lost);
                turns.push(Turn::Reply { said, calls });
            }
            Item::Results { results } if turns.iter().all(|turn| !turn.is_reply()) => {
                orphans.extend(results);
            }
            // They stand with the reply that they belong to.
            Item::Results { .. } => {}
        }
    }
    losses.extend(orphans.into_iter().map(|result| Loss {
        place: format!("the result of the call {}", result.id),
        what: "the result: no reply has such a call".to_owned(),
    }));
    turns
}

impl Turn<'_> {
    const fn is_reply(&self) -> bool {
        matches!(self, Self::Reply { .. })
    }
}

/// Returns the calls of a reply with their results, which are in the items up to the next reply, and results that are of no call.
fn answered<'r>(said: &'r Said, behind: &'r [Item]) -> (Vec<Answered<'r>>, Vec<&'r CallResult>) {
    let mut results: HashMap<&CallId, Vec<&CallResult>> = HashMap::new();
    let mut order: Vec<&CallResult> = Vec::new();
    for item in behind.iter().take_while(|item| !matches!(item, Item::Reply(_))) {
        let Item::Results { results: of_item } = item else { continue };
        for result in of_item {
            results.entry(&result.id).or_default().push(result);
            order.push(result);
        }
    }
    let mut taken: Vec<&CallResult> = Vec::new();
    let calls = said.calls().map(|call| {
        // Ids are unique once the loop has taken a reply; where they are not, order pairs them.
        let known = results.get_mut(&call.id).filter(|known| !known.is_empty());
        let result = known.map(|known| known.remove(0));
        taken.extend(result);
        Answered { call, result }
    });
    let calls: Vec<Answered<'_>> = calls.collect();
    order.retain(|result| !taken.iter().any(|known| std::ptr::eq(*known, *result)));
    (calls, order)
}
