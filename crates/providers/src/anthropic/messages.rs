//! From a conversation to messages: who speaks when, and what stands before what.
//!
//! The vendor demands that the results of all calls of a reply come first in the message behind it.
//! Everything that a user, the loop or a summary says until the next reply joins that message.

use oncue_agent::conversation::{Author, Call, CallResult, Said};
use oncue_agent::{Disclosure, EncodeError, Loss, Request};

use super::content;
use super::said::Replies;
use super::search::Searches;
use crate::blocks::{Block, Message, Role};
use crate::compose::{Answered, NO_RESULT, Turn, quoted, turns};

/// What stands before a conversation whose beginning was taken out.
const NO_BEGINNING: &str = "(What came before was left out.)";

/// Builds the messages of one request.
pub(super) struct Messages<'r> {
    pub(super) replies: Replies<'r>,
    pub(super) searches: Searches<'r>,
    /// Whether a search that the loop made is left out; its finds are in the list of tools.
    pub(super) leaves_out_loop: bool,
    done: Vec<Message>,
    /// The message of the user that the last reply of the model answers.
    answered: Option<usize>,
    /// Definitions that wait for the end of the message.
    additions: Vec<Block>,
}

impl<'r> Messages<'r> {
    pub(super) fn new(
        replies: Replies<'r>,
        searches: Searches<'r>,
        disclosure: Disclosure,
    ) -> Self {
        let leaves_out_loop = !disclosure.keeps_found();
        Self {
            replies,
            searches,
            leaves_out_loop,
            done: Vec::new(),
            answered: None,
            additions: Vec::new(),
        }
    }

    /// Returns the messages of a request, and which of them stand at the ends of this request and of the one before.
    ///
    /// # Errors
    ///
    /// There are none.
    pub(super) fn of(
        mut self,
        request: &'r Request<'r>,
        losses: &mut Vec<Loss>,
    ) -> Result<(Vec<Message>, [Option<usize>; 2]), EncodeError> {
        for turn in turns(request.items, losses) {
            match turn {
                Turn::User(content) => {
                    let blocks = content::blocks(content, "a message of the user", losses);
                    self.push(Role::User, blocks);
                }
                Turn::Note(text) => self.push_text(text),
                Turn::Reply { said, .. } if said.by == Author::Loop && self.leaves_out_loop => {}
                Turn::Reply { said, calls } => self.reply(said, &calls, losses),
            }
        }
        self.add();
        if self.done.is_empty() {
            return Err(EncodeError::Unsupported(
                "the conversation is empty: put what the user says into it".to_owned(),
            ));
        }
        let last = self.last_of_user();
        Ok((self.done, [self.answered, last]))
    }

    /// Adds a reply and the results of its calls.
    fn reply(&mut self, said: &Said, answered: &[Answered<'r>], losses: &mut Vec<Loss>) {
        let blocks = self.replies.blocks(said);
        if blocks.is_empty() {
            return;
        }
        self.add();
        if self.done.is_empty() {
            self.push_text(NO_BEGINNING);
        }
        if said.by == Author::Model {
            self.answered = self.last_of_user();
        }
        self.push(Role::Assistant, blocks);
        let mut asides = Vec::new();
        for Answered { call, result } in answered {
            let block = match result {
                Some(result) => self.result(call, result, &mut asides, losses),
                None => self.tool_result(call, &quoted(NO_RESULT), true),
            };
            self.push(Role::User, vec![block]);
        }
        for aside in asides {
            self.push_text(&aside);
        }
    }

    fn result(
        &mut self,
        call: &Call,
        result: &'r CallResult,
        asides: &mut Vec<String>,
        losses: &mut Vec<Loss>,
    ) -> Block {
        if let Some(shown) = self.searches.show(result, losses) {
            self.additions.extend(shown.additions);
            asides.extend(shown.aside);
            return self.tool_result(call, &shown.content, false).expanding(shown.expands_to);
        }
        if result.error.is_some() {
            // The vendor takes nothing but text in a failed result.
            return self.tool_result(call, &quoted(&content::text(&result.content)), true);
        }
        match content::blocks(&result.content, &result.name, losses).as_slice() {
            [] => self.tool_result(call, r#""""#, false),
            blocks => {
                let tokens = blocks.iter().map(|block| block.tokens).sum();
                let json: Vec<&str> = blocks.iter().map(Block::json).collect();
                let json = format!("[{}]", json.join(","));
                self.tool_result(call, &json, false).with_tokens(tokens)
            }
        }
    }

    fn tool_result(&self, call: &Call, content: &str, is_error: bool) -> Block {
        let id = quoted(&self.replies.id(call));
        let error = if is_error { r#","is_error":true"# } else { "" };
        Block::new(format!(
            r#"{{"type":"tool_result","tool_use_id":{id},"content":{content}{error}}}"#
        ))
    }

    fn push_text(&mut self, text: &str) {
        if !text.trim().is_empty() {
            self.push(Role::User, vec![Block::text(text)]);
        }
    }

    /// Adds blocks to the last message where it is by the same role, else as a message of their own.
    fn push(&mut self, role: Role, blocks: Vec<Block>) {
        if blocks.is_empty() {
            return;
        }
        match self.done.last_mut() {
            Some(last) if last.role == role => last.blocks.extend(blocks),
            _ => self.done.push(Message { role, blocks }),
        }
    }

    fn last_of_user(&self) -> Option<usize> {
        self.done.iter().rposition(|message| message.role == Role::User)
    }

    /// Puts the definitions that wait behind the message: there, and at the end, the vendor takes them.
    fn add(&mut self) {
        let additions = std::mem::take(&mut self.additions);
        self.push(Role::System, additions);
    }
}
