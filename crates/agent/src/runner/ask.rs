//! One request to the model.

use std::sync::Arc;

use super::{Driver, Tools};
use crate::conversation::{Author, Item};
use crate::model::Listen;
use crate::{
    Choice, Delta, Event, Hidden, Listener, ModelError, ModelErrorKind, Outcome, Reply, Request,
    ToolList,
};

/// Returns what the description of the search tool says of hidden tools, in the order of the catalog; nothing where nothing is wanted.
pub(super) fn hint(tools: &Tools<'_>, chars_max: usize) -> Option<Arc<str>> {
    let Tools::Found(registry) = tools else { return None };
    if chars_max == 0 {
        return None;
    }
    let mut names = String::new();
    let mut left_out = 0_usize;
    for entry in registry.discoverable() {
        let name = entry.exposed();
        if left_out > 0 || names.len() + name.len() + 2 > chars_max {
            left_out += 1;
            continue;
        }
        if !names.is_empty() {
            names.push_str(", ");
        }
        names.push_str(name);
    }
    let more = if left_out > 0 { format!(", … {left_out} more") } else { String::new() };
    (!names.is_empty()).then(|| format!("Tools that can be found: {names}{more}").into())
}

impl Driver<'_> {
    pub(super) async fn ask(&mut self, step: u32, choice: Choice<'static>) {
        let agent = self.agent;
        let mut view = std::mem::take(&mut self.view);
        let tools = self.list();
        let choice = within(&tools, choice);
        agent.tell(|| Event::StepStarted {
            step,
            tools: tools.inline.len() + tools.found.len(),
            narrowed: match &choice {
                Choice::Among(names) => names.to_vec(),
                Choice::Free | Choice::Nothing => Vec::new(),
            },
        });
        let rules = self.run.rules();
        let items = view.of(
            &self.run.conversation().items,
            rules.search.as_deref(),
            agent.model.disclosure(),
            &rules.profile,
        );
        let request = Request {
            system: &agent.system,
            items,
            tools: &tools,
            choice,
            output_tokens_max: agent.output_tokens_max,
            temperature: agent.temperature,
            session: self.key,
        };
        let outcome = self.reply(&request).await;
        drop(request);
        drop(tools);
        self.view = view;
        match outcome {
            Some(Ok(reply)) => self.take(reply),
            Some(Err(error)) => self.fail(&error),
            None => self.run.stop(Outcome::Cancelled),
        }
    }

    /// Returns the reply or why there is none; nothing where the turn was called off.
    async fn reply(&self, request: &Request<'_>) -> Option<Result<Reply, ModelError>> {
        let agent = self.agent;
        let hear = agent.listener.as_deref().filter(|_| agent.is_streaming).map(Hear);
        let listener = hear.as_ref().map(|hear| -> &dyn Listen { hear });
        let time = agent.model_time.min(self.time_left());
        tokio::select! {
            reply = tokio::time::timeout(time, agent.model.reply(request, listener)) => {
                let late = || ModelError::new(
                    ModelErrorKind::TimedOut,
                    format!("no whole reply within {} s", time.as_secs()),
                );
                Some(reply.unwrap_or_else(|_| Err(late())))
            }
            _ = self.cancel.fired() => None,
        }
    }

    fn take(&mut self, reply: Reply) {
        let (usage, cache_miss) = (reply.usage, reply.cache_miss);
        let items = self.run.conversation().items.len();
        self.run.on_reply(reply, self.tools.set(), self.activation.meter());
        let said = self.run.conversation().items.get(items..).unwrap_or_default();
        let is_nudged = said.iter().any(|item| matches!(item, Item::Note { .. }));
        self.agent.tell(|| {
            let said = said.iter().find_map(|item| match item {
                Item::Reply(said) => Some(said),
                _ => None,
            });
            Event::Replied {
                text: said.map(|said| said.text()).unwrap_or_default(),
                calls: said.map_or(0, |said| said.calls().count()),
                usage,
                cache_miss,
            }
        });
        if is_nudged {
            self.agent.tell(|| Event::Nudged);
        }
        for (call, result) in self.run.answered(items) {
            self.tell_calling(call, Author::Model);
            self.tell_result(result, None, None);
        }
    }

    fn fail(&mut self, error: &ModelError) {
        self.run.on_time(self.clock.elapsed());
        self.run.on_model_error(error);
        if let crate::Next::Pause(pause) = self.run.next() {
            self.agent.tell(|| Event::Retrying {
                kind: error.kind,
                message: error.message.clone(),
                attempts: self.run.attempts(),
                pause_ms: u64::try_from(pause.as_millis()).unwrap_or(u64::MAX),
            });
        }
    }

    /// Returns the tools of this step.
    fn list(&self) -> ToolList<'_> {
        let visible = self.tools.set().visible();
        match &self.tools {
            Tools::Plain(_) => ToolList { inline: visible, ..ToolList::default() },
            Tools::Found(registry) => {
                let (inline, found) =
                    visible.into_iter().partition(|entry| entry.row().is_inline());
                ToolList {
                    inline,
                    found,
                    search: registry.search_tool().cloned(),
                    search_hint: self.hint.clone(),
                    hidden: Hidden::of(registry),
                }
            }
        }
    }
}

/// Returns the choice as far as its tools are in the list: some may be gone from the catalog since they were found.
fn within<'c>(tools: &ToolList<'_>, choice: Choice<'c>) -> Choice<'c> {
    let Choice::Among(names) = choice else { return choice };
    let mut names = names.into_owned();
    let listed = tools.inline.iter().chain(&tools.found);
    names.retain(|name| listed.clone().any(|entry| entry.exposed() == name));
    match names.is_empty() {
        true => Choice::Free,
        false => Choice::Among(names.into()),
    }
}

/// Tells the pieces of a reply as events.
struct Hear<'a>(&'a dyn Listener);

impl Listen for Hear<'_> {
    fn hear(&self, delta: Delta) {
        match delta {
            Delta::Text(text) => self.0.hear(&Event::Text { text }),
            Delta::Reasoning(text) => self.0.hear(&Event::Reasoning { text }),
            // The call itself is told once it is whole.
            Delta::Call(_) => {}
        }
    }
}
