//! The model of a script: makes its moves and writes down what it is shown.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use oncue_agent::conversation::{Call, CallResult, Item, Part};
use oncue_agent::{
    Choice, Delta, Disclosure, Finish, Listen, Model, ModelError, Reply, Request, Usage,
};
use oncue_tools::{BoxFuture, CallId, Content};

use super::data::Move;
use super::world::World;

pub(crate) struct Actor {
    pub(crate) disclosure: Disclosure,
    pub(crate) can_narrow: bool,
    /// Whether each request is left without a reply once, so that the turn can be stored there.
    pub(crate) is_interrupted: bool,
    /// What stands in front of its lines; empty for the turn's own model.
    pub(crate) margin: &'static str,
    pub(crate) world: Arc<World>,
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    moves: VecDeque<Move>,
    /// The request that was left without a reply.
    open: Option<Seen>,
    shown: Seen,
    requests: usize,
    calls: usize,
}

/// What a request showed.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Seen {
    tools: Vec<String>,
    hint: Option<String>,
    items: Vec<Item>,
    only: Vec<String>,
}

impl Actor {
    pub(crate) fn new(world: &Arc<World>, moves: &[Move], margin: &'static str) -> Self {
        let moves = moves.iter().cloned().collect();
        Self {
            disclosure: Disclosure::Append,
            can_narrow: true,
            is_interrupted: false,
            margin,
            world: Arc::clone(world),
            state: Mutex::new(State { moves, ..State::default() }),
        }
    }

    /// Says whether a request waits for the turn to be taken up again.
    pub(crate) fn waits(&self) -> bool {
        self.state.lock().unwrap().open.is_some()
    }

    fn writes(&self, line: &str) {
        self.world.writes(format!("{}{line}", self.margin));
    }

    /// Takes a request; `None` where it is left without a reply.
    fn takes(&self, seen: Seen) -> Option<Move> {
        is_well_formed(&seen.items);
        let mut state = self.state.lock().unwrap();
        if self.is_interrupted {
            match state.open.take() {
                None => {
                    state.open = Some(seen);
                    return None;
                }
                Some(before) => assert_eq!(before, seen, "storing changes what is asked"),
            }
        }
        if self.margin.is_empty() {
            self.world.counts_request();
        }
        for tool in &seen.tools {
            self.world.notes_found(tool, !self.margin.is_empty());
        }
        state.requests += 1;
        self.writes(&format!("ask {}: {}", state.requests, seen.list(&state.shown)));
        if seen.hint != state.shown.hint {
            self.writes(&format!("  hint: {}", seen.hint.as_deref().unwrap_or("none")));
        }
        let mut before: Vec<&Item> = state.shown.items.iter().collect();
        for item in &seen.items {
            match before.iter().position(|known| *known == item) {
                Some(at) => drop(before.remove(at)),
                None => self.unheard(item).iter().for_each(|it| self.writes(&format!("  {it}"))),
            }
        }
        state.shown = seen;
        let over = || Move { says: Some("(the script is over)".to_owned()), ..Move::default() };
        Some(state.moves.pop_front().unwrap_or_else(over))
    }

    /// Returns what no event has told of an item that is new in a request.
    fn unheard(&self, item: &Item) -> Vec<String> {
        match item {
            Item::User { content } => {
                let pieces: Vec<String> = content.iter().map(piece).collect();
                vec![format!("user: {}", pieces.join(" / "))]
            }
            Item::Note { text } => vec![format!("note: {}", text.replace('\n', " / "))],
            Item::Summary { text } => vec![format!("summary: {}", text.replace('\n', " / "))],
            Item::Reply(_) => Vec::new(),
            Item::Results { results } => {
                let results = results.iter().filter(|result| self.world.hears(&result.id));
                let line = |result: &CallResult| {
                    let pieces: Vec<String> = result.content.iter().map(piece).collect();
                    let sign =
                        result.error.map_or("=".to_owned(), |it| format!("! {}:", it.word()));
                    format!("{} {sign} {}", result.name, pieces.join(" / "))
                };
                results.map(line).collect()
            }
        }
    }

    async fn makes(&self, next: Move, listener: Option<&dyn Listen>) -> Result<Reply, ModelError> {
        next.meanwhile.iter().for_each(|change| self.world.changes(change));
        if next.takes_ms > 0 {
            tokio::time::sleep(Duration::from_millis(next.takes_ms)).await;
        }
        if let Some(kind) = next.error {
            self.writes(&format!("  error: {kind}"));
            let mut error = ModelError::new(kind, "scripted");
            error.retry_after = next.retry_after_s.map(Duration::from_secs);
            return Err(error);
        }
        let mut parts = Vec::new();
        if !next.thinks.is_empty() {
            self.writes(&format!("  thinks: {}", next.thinks));
            parts.push(Part::Reasoning { text: next.thinks });
        }
        if let Some(text) = next.says {
            let shown = if text.trim().is_empty() { "(nothing)" } else { &text };
            self.writes(&format!("  says: {shown}"));
            parts.push(Part::Text { text });
        }
        for _ in 0..next.times.max(1) {
            parts.extend(next.calls.iter().map(|call| Part::Call(self.call(call))));
        }
        if next.finish != Finish::Done {
            self.writes(&format!("  finish: {:?}", next.finish));
        }
        let usage = Usage { uncached: 100, output: 10, ..Usage::default() };
        let reply = Reply { parts, finish: next.finish, usage, ..Reply::default() };
        if let Some(listener) = listener {
            reply.parts.iter().flat_map(deltas).for_each(|delta| listener.hear(delta));
        }
        Ok(reply)
    }

    fn call(&self, text: &str) -> Call {
        let mut state = self.state.lock().unwrap();
        state.calls += 1;
        let (id, rest) = match text.strip_prefix('#') {
            Some(rest) => rest.split_once(' ').expect("an id and a call"),
            None => ("", text),
        };
        let id = match text.starts_with('#') {
            true => id.to_owned(),
            false => format!("{}c{}", self.margin.trim(), state.calls),
        };
        let (name, arguments) = rest.split_once(' ').unwrap_or((rest, ""));
        Call { id: CallId::new(id), name: name.to_owned(), arguments: stretched(arguments) }
    }
}

impl Model for Actor {
    fn name(&self) -> &str {
        "actor"
    }

    fn disclosure(&self) -> Disclosure {
        self.disclosure
    }

    fn can_narrow(&self) -> bool {
        self.can_narrow
    }

    fn reply<'a>(
        &'a self,
        request: &'a Request<'a>,
        listener: Option<&'a dyn Listen>,
    ) -> BoxFuture<'a, Result<Reply, ModelError>> {
        match self.takes(Seen::of(request)) {
            Some(next) => Box::pin(self.makes(next, listener)),
            None => Box::pin(std::future::pending()),
        }
    }
}

impl Seen {
    fn of(request: &Request<'_>) -> Self {
        let tools = request.tools.inline.iter().chain(&request.tools.found);
        Self {
            tools: tools.map(|entry| entry.exposed().to_owned()).collect(),
            hint: request.tools.search_hint.as_deref().map(str::to_owned),
            items: request.items.to_vec(),
            only: match &request.choice {
                Choice::Among(names) => names.to_vec(),
                Choice::Free | Choice::Nothing => Vec::new(),
            },
        }
    }

    /// Returns the list of tools, by what is new in it since `before`.
    fn list(&self, before: &Self) -> String {
        let mut unique = self.tools.clone();
        unique.sort();
        unique.dedup();
        assert_eq!(unique.len(), self.tools.len(), "a tool stands twice: {:?}", self.tools);
        let list = match self.tools.strip_prefix(before.tools.as_slice()) {
            _ if before.tools.is_empty() => self.tools.join(", "),
            Some([]) => "same".to_owned(),
            Some(new) => format!("same + {}", new.join(", ")),
            None => self.tools.join(", "),
        };
        match self.only.as_slice() {
            [] => list,
            only => format!("{list}; only {}", only.join(", ")),
        }
    }
}

/// Every call of a reply has its result behind it, in call order, and there are no other results.
pub(crate) fn is_well_formed(items: &[Item]) {
    let mut open: Vec<&CallId> = Vec::new();
    for item in items {
        match item {
            Item::Results { results } => {
                let ids: Vec<&CallId> = results.iter().map(|result| &result.id).collect();
                assert_eq!(open, ids, "calls and results differ: {items:#?}");
                open.clear();
            }
            item => {
                assert!(open.is_empty(), "calls without results: {items:#?}");
                if let Item::Reply(said) = item {
                    open = said.calls().map(|call| &call.id).collect();
                }
            }
        }
    }
    assert!(open.is_empty(), "calls without results: {items:#?}");
}

/// Returns a piece of content in a line: the first one of its text.
pub(crate) fn piece(content: &Content) -> String {
    match content {
        Content::Text(text) => text.lines().next().unwrap_or_default().to_owned(),
        Content::Json(value) => value.to_string(),
        other => format!("{other:?}"),
    }
}

fn deltas(part: &Part) -> Vec<Delta> {
    match part {
        Part::Text { text } => {
            let (head, tail) = text.split_at(text.floor_char_boundary(text.len() / 2));
            vec![Delta::Text(head.to_owned()), Delta::Text(tail.to_owned())]
        }
        Part::Reasoning { text } => vec![Delta::Reasoning(text.clone())],
        Part::Call(call) => vec![Delta::Call(call.name.clone())],
        _ => Vec::new(),
    }
}

/// Writes `<x*N>` out.
fn stretched(text: &str) -> String {
    let Some((head, rest)) = text.split_once('<') else { return text.to_owned() };
    let Some((run, tail)) = rest.split_once('>') else { return text.to_owned() };
    let Some((letter, count)) = run.split_once('*') else { return text.to_owned() };
    format!("{head}{}{tail}", letter.repeat(count.parse().unwrap()))
}
