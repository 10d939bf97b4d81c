//! A conversation as turns: each reply with the results of its calls, whatever stands between them. Borrowed from the request.

use std::collections::HashMap;

use oncue_agent::Loss;
use oncue_agent::conversation::{Author, Call, CallResult, Item, Said};
use oncue_tools::Content;

/// What stands for the result of a call that has none, such as one that was interrupted.
pub(crate) const NO_RESULT: &str =
    "There is no result: the call was interrupted. Call again if it is still needed.";

/// What stands before a conversation whose beginning was taken out.
pub(crate) const NO_BEGINNING: &str = "(What came before was left out.)";

/// A turn of a conversation.
#[derive(Clone, Debug)]
pub(crate) enum Turn<'r> {
    /// What a person said.
    User(&'r [Content]),
    /// What the loop says in a user's place, or what stands for items that were taken out.
    Text(&'r str),
    /// What the model said, with what came of its calls, in call order.
    Reply(&'r Said, Vec<Answered<'r>>),
}

/// A call and its result; `None` where there is none, which every vendor refuses.
#[derive(Clone, Debug)]
pub(crate) struct Answered<'r> {
    pub(crate) call: &'r Call,
    pub(crate) result: Option<&'r CallResult>,
}

/// Returns the turns of a conversation, with the searches of the loop or without them.
///
/// Results whose call is not in the conversation are left out and reported.
pub(crate) fn turns<'r>(
    items: &'r [Item],
    leaves_out_loop: bool,
    losses: &mut Vec<Loss>,
) -> Vec<Turn<'r>> {
    let mut turns = Vec::new();
    let mut items = items;
    while let Some((item, rest)) = items.split_first() {
        items = rest;
        match item {
            Item::User { content } => turns.push(Turn::User(content)),
            Item::Note { text } | Item::Summary { text } => turns.push(Turn::Text(text)),
            Item::Reply(said) if said.by == Author::Loop && leaves_out_loop => {}
            Item::Reply(said) => turns.push(Turn::Reply(said, answered(said, rest, losses))),
            // They are with the reply that they belong to.
            Item::Results { .. } => {}
        }
    }
    turns
}

/// Returns the calls of a reply with their results, which are in the items up to the next reply.
fn answered<'r>(said: &'r Said, behind: &'r [Item], losses: &mut Vec<Loss>) -> Vec<Answered<'r>> {
    let mut results = HashMap::new();
    for item in behind.iter().take_while(|item| !matches!(item, Item::Reply(_))) {
        let Item::Results { results: of_item } = item else { continue };
        results.extend(of_item.iter().map(|result| (&result.id, result)));
    }
    let calls = said.calls();
    let answered = calls.map(|call| Answered { call, result: results.remove(&call.id) }).collect();
    let mut orphans: Vec<&str> = results.values().map(|result| result.id.as_str()).collect();
    orphans.sort_unstable();
    losses.extend(orphans.into_iter().map(|id| Loss {
        place: format!("the result of the call {id}"),
        what: "the result: no reply has such a call".to_owned(),
    }));
    answered
}
