//! From a conversation to messages: users and assistants take turns, and results come first.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use oncue_agent::conversation::{Author, CallResult, Said};
use oncue_agent::{EncodeError, Loss};
use oncue_tools::Content;
use serde_json::json;

use super::said::Replies;
use crate::blocks::{Block, Message, Role};
use crate::compose::{Answered, NO_RESULT, Turn, quoted};
use crate::tokens;

/// What stands before a conversation whose beginning was taken out.
const NO_BEGINNING: &str = "(What came before was left out.)";

/// What stands for a result without content, which the vendor's models do not all take.
const NO_OUTPUT: &str = "(no output)";

/// The formats of pictures that the vendor reads, by media type.
const PICTURES: [(&str, &str); 4] =
    [("image/png", "png"), ("image/jpeg", "jpeg"), ("image/gif", "gif"), ("image/webp", "webp")];

/// Builds the messages of one request.
pub(super) struct Messages<'r> {
    replies: Replies<'r>,
    /// Whether text may stand behind results in one message; elsewhere it joins the last result.
    mixes: bool,
    done: Vec<Message>,
    /// The message of the user that the last reply of the model answers.
    answered: Option<usize>,
    /// The results that open the message of the user that is being built.
    open: Vec<ToolResult>,
    /// What stands behind them.
    said: Vec<Block>,
}

/// A result that may still grow.
struct ToolResult {
    id: String,
    content: Vec<Block>,
    is_error: bool,
}

impl<'r> Messages<'r> {
    pub(super) fn new(replies: Replies<'r>, mixes: bool) -> Self {
        let (done, open, said) = (Vec::new(), Vec::new(), Vec::new());
        Self { replies, mixes, done, answered: None, open, said }
    }

    /// Returns the messages of these turns, and which of them stand at the ends of this request and of the one before.
    ///
    /// # Errors
    ///
    /// There are none.
    pub(super) fn of(
        mut self,
        turns: &[Turn<'_>],
        losses: &mut Vec<Loss>,
    ) -> Result<(Vec<Message>, [Option<usize>; 2]), EncodeError> {
        for turn in turns {
            match turn {
                Turn::User(content) => {
                    self.said.extend(blocks(content, "a message of the user", losses));
                }
                Turn::Note(text) => {
                    let content = [Content::Text((*text).to_owned())];
                    self.said.extend(blocks(&content, "a note", losses));
                }
                // What it found is in the list of tools.
                Turn::Reply { said, .. } if said.by == Author::Loop => {}
                Turn::Reply { said, calls } => self.reply(said, calls, losses),
            }
        }
        self.close();
        if self.done.is_empty() {
            return Err(EncodeError::Unsupported(
                "the conversation is empty: put what the user says into it".to_owned(),
            ));
        }
        let last = self.last_of_user();
        Ok((self.done, [self.answered, last]))
    }

    fn reply(&mut self, said: &Said, calls: &[Answered<'_>], losses: &mut Vec<Loss>) {
        let blocks = self.replies.blocks(said);
        if blocks.is_empty() {
            return;
        }
        self.close();
        if self.done.is_empty() {
            self.push(Role::User, vec![text(NO_BEGINNING)]);
        }
        self.answered = self.last_of_user();
        self.push(Role::Assistant, blocks);
        for Answered { call, result } in calls {
            let id = self.replies.id(call);
            let (content, is_error) = match result {
                Some(result) => (of_result(result, losses), result.error.is_some()),
                None => (vec![text(NO_RESULT)], true),
            };
            self.open.push(ToolResult { id, content, is_error });
        }
    }

    /// Puts what the user's side has said into a message.
    fn close(&mut self) {
        let mut results = std::mem::take(&mut self.open);
        let mut said = std::mem::take(&mut self.said);
        if let Some(last) = results.last_mut().filter(|_| !self.mixes) {
            last.content.append(&mut said);
        }
        let mut blocks: Vec<Block> = results.into_iter().map(ToolResult::block).collect();
        blocks.append(&mut said);
        self.push(Role::User, blocks);
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
}

impl ToolResult {
    fn block(self) -> Block {
        let Self { id, mut content, is_error } = self;
        if content.is_empty() {
            content.push(text(NO_OUTPUT));
        }
        let tokens = content.iter().map(|block| block.tokens).sum();
        let content: Vec<&str> = content.iter().map(Block::json).collect();
        let status = if is_error { "error" } else { "success" };
        let (id, content) = (quoted(&id), content.join(","));
        Block::new(format!(
            r#"{{"toolResult":{{"toolUseId":{id},"content":[{content}],"status":"{status}"}}}}"#
        ))
        .with_tokens(tokens)
    }
}

fn of_result(result: &CallResult, losses: &mut Vec<Loss>) -> Vec<Block> {
    blocks(&result.content, &result.name, losses)
}

/// Returns the blocks of some content; texts without a letter have none, since the vendor refuses them.
fn blocks(content: &[Content], place: &str, losses: &mut Vec<Loss>) -> Vec<Block> {
    content.iter().filter_map(|piece| block(piece, place, losses)).collect()
}

fn block(piece: &Content, place: &str, losses: &mut Vec<Loss>) -> Option<Block> {
    let what = match piece {
        Content::Text(said) if said.trim().is_empty() => return None,
        Content::Text(said) => return Some(text(said)),
        Content::Json(value) => return Some(text(&value.to_string())),
        Content::Image { media_type, bytes } => {
            if let Some((_, format)) = PICTURES.iter().find(|(known, _)| known == media_type) {
                let source = json!({"bytes": STANDARD.encode(bytes)});
                let picture = Block::of(&json!({"image": {"format": format, "source": source}}));
                return Some(picture.with_tokens(tokens::PICTURE));
            }
            format!("a picture of the kind {media_type}")
        }
        _ => "content of a kind that this wire does not know".to_owned(),
    };
    let block = text(&format!("({what} cannot be shown)"));
    losses.push(Loss { place: place.to_owned(), what });
    Some(block)
}

fn text(text: &str) -> Block {
    Block::of(&json!({"text": text}))
}
