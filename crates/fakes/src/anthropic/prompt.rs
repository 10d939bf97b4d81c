//! What the cache of the Messages API sees of a request: tools, system prompt, conversation, in this order.

use std::collections::{HashMap, HashSet};

use oncue_agent::cache::{Block, Breakpoints, CacheRules, Prompt, Tier};
use serde_json::{Value, json};

use super::models::ModelRow;
use super::request::{Request, blocks, is_deferred, text};
use super::rules::mark;
use crate::limits::CACHE_MARKS_MAX;
use crate::read;
use crate::tokens::tokens;

/// How many blocks before a mark a kept prefix may end and still be read.
const LOOK_BACK_BLOCKS: usize = 20;

/// Returns the rules of the cache for a model, at the prices of the short lifetime.
pub(crate) fn rules(model: &ModelRow) -> CacheRules {
    CacheRules {
        breakpoints: Breakpoints::Explicit {
            count_max: CACHE_MARKS_MAX,
            look_back_blocks: LOOK_BACK_BLOCKS,
        },
        prefix_tokens_min: model.prefix_tokens_min,
        write_price: 1.25,
        read_price: 0.1,
    }
}

/// Returns the request as a row of blocks.
pub(super) fn prompt(request: &Request<'_>) -> Prompt {
    let mut row = Row::default();
    tools(&mut row, request);
    system(&mut row, request);
    messages(&mut row, request);
    if mark(&Value::Object(request.body.clone())).is_some() {
        row.mark_last();
    }
    Prompt::new(request.model_name.clone(), row.blocks)
}

/// Blocks that are being gathered.
#[derive(Default)]
struct Row {
    blocks: Vec<Block>,
    /// The last block that may be marked.
    last: Option<usize>,
}

impl Row {
    /// Adds a block of these bytes, of which `unseen` only tell prompts apart and cost nothing.
    fn push(&mut self, tier: Tier, bytes: &str, unseen: &str, is_marked: bool, tokens: u64) {
        let block = Block::new(tier, format!("{unseen}{bytes}").as_bytes(), tokens);
        self.blocks.push(if is_marked { block.cut() } else { block });
    }

    fn mark_last(&mut self) {
        if let Some(block) = self.last.and_then(|at| self.blocks.get_mut(at)) {
            *block = block.cut();
        }
    }
}

/// Deferred tools are no part of the prompt until something shows them.
fn tools(row: &mut Row, request: &Request<'_>) {
    let defines = |message: &Value| {
        blocks(message).iter().any(|block| text(block, "type") == "tool_addition")
    };
    let shown = || request.tools().iter().filter(|tool| !is_deferred(tool));
    if shown().next().is_some() || request.messages().iter().any(defines) {
        // The vendor tells the model how to use tools as soon as there is one, so the first tool of all changes the prompt's beginning.
        row.push(Tier::Tools, "", "there are tools", false, 0);
    }
    for tool in shown() {
        let bytes = unmarked(tool).to_string();
        row.push(Tier::Tools, &bytes, "", mark(tool).is_some(), tokens(bytes.len()));
        row.last = Some(row.blocks.len() - 1);
    }
}

fn system(row: &mut Row, request: &Request<'_>) {
    let parts = match request.body.get("system") {
        Some(Value::String(said)) if !said.is_empty() => vec![text_block(said)],
        Some(Value::Array(parts)) => parts.clone(),
        _ => Vec::new(),
    };
    for part in &parts {
        let bytes = unmarked(part).to_string();
        row.push(Tier::System, &bytes, "", mark(part).is_some(), tokens(bytes.len()));
        row.last = Some(row.blocks.len() - 1);
    }
}

fn messages(row: &mut Row, request: &Request<'_>) {
    let deferred: HashMap<&str, String> = request
        .tools()
        .iter()
        .filter(|tool| is_deferred(tool))
        .map(|tool| (text(tool, "name"), tool.to_string()))
        .collect();
    let mut shown = HashSet::new();
    // Settings stand before the conversation and are no text of their own.
    let setting = |name: &str| request.body.get(name).cloned().unwrap_or_default();
    let mut unseen =
        json!([setting("tool_choice"), setting("thinking"), setting("output_config")]).to_string();
    for message in request.messages() {
        let said;
        let parts = match message.get("content") {
            Some(Value::String(text)) => {
                said = [text_block(text)];
                &said[..]
            }
            _ => blocks(message),
        };
        for part in parts {
            let bytes = unmarked(part).to_string();
            let mut cost = tokens(bytes.len());
            unseen.push_str(text(message, "role"));
            for name in shows(part) {
                // What is shown once stays shown.
                if let Some(definition) = deferred.get(name)
                    && shown.insert(name.to_owned())
                {
                    unseen.push_str(definition);
                    cost += tokens(definition.len());
                }
            }
            let is_marked = mark(part).is_some() || inner_marks(part);
            row.push(Tier::Messages, &bytes, &unseen, is_marked, cost);
            if !matches!(text(part, "type"), "thinking" | "redacted_thinking") {
                row.last = Some(row.blocks.len() - 1);
            }
            unseen.clear();
        }
    }
}

/// Returns the names of the tools that a block shows by reference.
fn shows(block: &Value) -> Vec<&str> {
    match text(block, "type") {
        "tool_result" => {
            let inner = blocks(block).iter();
            inner
                .filter(|i| text(i, "type") == "tool_reference")
                .map(|i| text(i, "tool_name"))
                .collect()
        }
        "tool_search_tool_result" => {
            let found = block.get("content").and_then(|found| found.get("tool_references"));
            read::list(found).iter().map(|reference| text(reference, "tool_name")).collect()
        }
        "tool_addition" => block.get("tool").map(|tool| text(tool, "name")).into_iter().collect(),
        _ => Vec::new(),
    }
}

/// Says whether something inside the block is marked.
fn inner_marks(block: &Value) -> bool {
    let definition = block.get("tool").and_then(|tool| tool.get("definition"));
    blocks(block).iter().chain(definition).any(|inner| mark(inner).is_some())
}

fn text_block(text: &str) -> Value {
    json!({ "type": "text", "text": text })
}

/// Returns the block without its marks, which are no part of the prompt.
fn unmarked(block: &Value) -> Value {
    match block {
        Value::Object(fields) => fields
            .iter()
            .filter(|(field, _)| *field != "cache_control")
            .map(|(field, value)| (field.clone(), unmarked_inside(field, value)))
            .collect(),
        other => other.clone(),
    }
}

fn unmarked_inside(name: &str, value: &Value) -> Value {
    match (name, value) {
        ("content", Value::Array(inner)) => inner.iter().map(unmarked).collect(),
        ("tool", tool) => match tool.get("definition") {
            Some(definition) => {
                let mut tool = tool.clone();
                let definition = unmarked(definition);
                if let Some(fields) = tool.as_object_mut() {
                    fields.insert("definition".to_owned(), definition);
                }
                tool
            }
            None => tool.clone(),
        },
        (_, value) => value.clone(),
    }
}
