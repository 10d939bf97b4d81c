//! Hooks, a person and a listener that do what a script says.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex};

use oncue_agent::conversation::{Author, Item};
use oncue_agent::{BeforeStep, Event, Listener, Outcome, StepHook, StepView};
use oncue_tools::{
    Approval, Approver, Arguments, Asking, Before, BoxFuture, CallContext, CallId, Checked, Hook,
    HookError, Identity,
};

use super::actor::piece;
use super::world::{World, breaks_down};

/// A hook around calls of one tool, or of all (`*`).
pub(crate) struct Scheduled {
    tool: String,
    deed: String,
    text: String,
    world: Arc<World>,
}

impl Scheduled {
    /// Reads `TOOL deed: text`.
    pub(crate) fn new(spec: &str, world: &Arc<World>) -> Self {
        let (tool, rest) = spec.split_once(' ').expect("a tool and a deed");
        let (deed, text) = rest.split_once(": ").unwrap_or((rest, ""));
        let [tool, deed, text] = [tool, deed, text].map(str::to_owned);
        Self { tool, deed, text, world: Arc::clone(world) }
    }

    /// Returns what is to be done at a call, at this moment of it.
    fn deed(&self, call: &Checked) -> &str {
        let is_meant = self.tool == "*" || self.tool == call.entry().exposed();
        if is_meant { &self.deed } else { "" }
    }
}

impl Hook for Scheduled {
    fn before<'a>(
        &'a self,
        call: &'a Checked,
        _: &'a CallContext<'a>,
    ) -> BoxFuture<'a, Result<Before, HookError>> {
        Box::pin(async move {
            match self.deed(call) {
                "tells" => {
                    let name = call.entry().exposed();
                    self.world.writes(format!("  hook {}: before {name}", self.text));
                    Ok(Before::Proceed)
                }
                "denies" => Ok(Before::Deny(self.text.clone())),
                "fails" => Err(self.text.clone().into()),
                "panics" => breaks_down(&self.text),
                "rewrites" => Ok(Before::Rewrite(Arguments::parse(&self.text).unwrap())),
                _ => Ok(Before::Proceed),
            }
        })
    }

    fn activated<'a>(
        &'a self,
        search: &'a Checked,
        _: &'a [Identity],
    ) -> BoxFuture<'a, Result<(), HookError>> {
        Box::pin(async move {
            match self.deed(search) {
                "fails on activation" => Err(self.text.clone().into()),
                _ => Ok(()),
            }
        })
    }

    fn after<'a>(
        &'a self,
        call: &'a Checked,
        outcome: &'a mut oncue_tools::Outcome,
    ) -> BoxFuture<'a, Result<(), HookError>> {
        Box::pin(async move {
            match self.deed(call) {
                "tells" => {
                    let name = call.entry().exposed();
                    self.world.writes(format!("  hook {}: after {name}", self.text));
                }
                "fails after" => return Err(self.text.clone().into()),
                "panics after" => breaks_down(&self.text),
                "changes after" => self.world.changes(&self.text),
                "replaces" => *outcome = Ok(self.text.clone().into()),
                _ => {}
            }
            Ok(())
        })
    }
}

/// A hook around one step; it acts once.
pub(crate) struct AroundStep {
    step: u32,
    deed: Mutex<String>,
    text: String,
}

impl AroundStep {
    /// Reads `STEP deed: text`.
    pub(crate) fn new(spec: &str) -> Self {
        let (step, rest) = spec.split_once(' ').expect("a step and a deed");
        let (deed, text) = rest.split_once(": ").unwrap_or((rest, ""));
        let deed = Mutex::new(deed.to_owned());
        Self { step: step.parse().unwrap(), deed, text: text.to_owned() }
    }

    fn deed(&self, view: StepView<'_>, is_after: bool) -> String {
        let mut deed = self.deed.lock().unwrap();
        match view.step == self.step && deed.ends_with("after") == is_after {
            true => std::mem::take(&mut deed),
            false => String::new(),
        }
    }
}

impl StepHook for AroundStep {
    fn before<'a>(&'a self, view: StepView<'a>) -> BoxFuture<'a, Result<BeforeStep, HookError>> {
        Box::pin(async move {
            match self.deed(view, false).as_str() {
                "stops" => Ok(BeforeStep::Stop(self.text.clone())),
                "fails" => Err(self.text.clone().into()),
                "panics" => breaks_down(&self.text),
                "shortens" => {
                    let is_user = |item: &&Item| matches!(item, Item::User { .. });
                    let items = view.conversation.items.iter().filter(is_user);
                    Ok(BeforeStep::Shorten(items.cloned().collect()))
                }
                _ => Ok(BeforeStep::Proceed),
            }
        })
    }

    fn after<'a>(&'a self, view: StepView<'a>) -> BoxFuture<'a, Result<(), HookError>> {
        Box::pin(async move {
            match self.deed(view, true).as_str() {
                "fails after" => Err(self.text.clone().into()),
                "panics after" => breaks_down(&self.text),
                _ => Ok(()),
            }
        })
    }
}

/// What a person says, answer after answer.
pub(crate) struct Answering(Mutex<VecDeque<String>>);

impl Answering {
    pub(crate) fn new(answers: &[String]) -> Self {
        Self(Mutex::new(answers.iter().cloned().collect()))
    }

    /// Returns the next answer; `None` where the person is gone.
    pub(crate) fn next(&self) -> Option<String> {
        self.0.lock().unwrap().pop_front()
    }
}

pub(crate) fn approval(answer: &str) -> Approval {
    match answer.split_once(": ").unwrap_or((answer, "")) {
        ("agrees", _) => Approval::Agreed,
        ("refuses", "") => Approval::Refused(None),
        ("refuses", why) => Approval::Refused(Some(why.to_owned())),
        ("later", _) => Approval::Later,
        _ => panic!("no answer is called `{answer}`"),
    }
}

impl Approver for Answering {
    fn approve<'a>(&'a self, _: &'a Asking) -> BoxFuture<'a, Approval> {
        Box::pin(async move {
            match self.next() {
                None => std::future::pending().await,
                Some(answer) if answer == "panics" => breaks_down("nobody is there"),
                Some(answer) => match answer.strip_prefix("takes ") {
                    None => approval(&answer),
                    Some(seconds) => {
                        let seconds = seconds.parse().unwrap();
                        tokio::time::sleep(std::time::Duration::from_secs(seconds)).await;
                        Approval::Agreed
                    }
                },
            }
        })
    }
}

/// Writes down what happens.
pub(crate) struct Ear {
    pub(crate) world: Arc<World>,
    pub(crate) margin: &'static str,
    shows_ids: bool,
    running: Mutex<Vec<(CallId, String, Author)>>,
    streamed: Mutex<String>,
    pub(crate) ended: Mutex<Option<Outcome>>,
}

impl Ear {
    pub(crate) fn new(world: &Arc<World>, margin: &'static str, shows_ids: bool) -> Arc<Self> {
        Arc::new(Self {
            world: Arc::clone(world),
            margin,
            shows_ids,
            running: Mutex::default(),
            streamed: Mutex::default(),
            ended: Mutex::default(),
        })
    }

    fn writes(&self, line: &str) {
        self.world.writes(format!("{}{line}", self.margin));
    }

    fn begun(&self, id: &CallId) -> (String, Author) {
        let mut running = self.running.lock().unwrap();
        let at = running.iter().position(|(known, ..)| known == id).expect("a call that began");
        let (_, arguments, by) = running.remove(at);
        (arguments, by)
    }
}

impl Listener for Ear {
    fn hear(&self, event: &Event) {
        match event {
            Event::Calling { id, arguments, by, .. } => {
                let mut running = self.running.lock().unwrap();
                // A call that a person was asked about is told again when it is tried again.
                running.retain(|(known, ..)| known != id);
                running.push((id.clone(), arguments.clone(), *by));
            }
            Event::Called { id, name, content, error, .. } => {
                assert!(self.world.hears(id), "{id} is answered twice");
                let (arguments, by) = self.begun(id);
                let by_loop = if by == Author::Loop { "loop " } else { "" };
                let id = if self.shows_ids { format!("#{id} ") } else { String::new() };
                self.writes(&format!("  {by_loop}calls {id}{name} {}", cut(&arguments)));
                let sign = error.map(|kind| format!("! {}:", kind.word()));
                let sign = sign.unwrap_or_else(|| "=".to_owned());
                content.iter().for_each(|it| self.writes(&format!("    {sign} {}", piece(it))));
            }
            Event::Activated { names, .. } => {
                self.writes(&format!("    + {}", names.join(", ")));
                for name in names {
                    self.world.notes_found(name, !self.margin.is_empty());
                }
            }
            Event::Text { text } => self.streamed.lock().unwrap().push_str(text),
            Event::Replied { text, .. } => {
                let streamed = std::mem::take(&mut *self.streamed.lock().unwrap());
                assert!(streamed.is_empty() || streamed == *text || text.is_empty());
            }
            Event::Retrying { pause_ms, .. } => self.writes(&format!("  again in {pause_ms} ms")),
            Event::Asked { question } => {
                let (name, arguments) = (&question.name, &question.arguments);
                self.writes(&format!("  asks: {name} {arguments} ({})", question.reason));
            }
            Event::Answered { answer, .. } => self.writes(&format!("  person: {answer:?}")),
            Event::Chip { chip } => self.writes(&format!("  chip: {}", chip.label)),
            Event::Nudged => self.writes("  nudged"),
            Event::Shortened { forgotten } => {
                let names: Vec<&str> = forgotten.iter().map(Identity::name).collect();
                self.writes(&format!("shortened; forgotten: {}", names.join(", ")));
            }
            Event::Ended { outcome, .. } => {
                *self.ended.lock().unwrap() = Some(outcome.clone());
                let tag = serde_json::to_value(outcome).unwrap()["outcome"].clone();
                let tag = tag.as_str().unwrap().to_owned();
                let text = outcome.to_string();
                self.writes(&format!("=> {tag}: {}", text.lines().next().unwrap_or_default()));
            }
            _ => {}
        }
    }
}

fn cut(arguments: &str) -> String {
    let short: String = arguments.chars().take(80).collect();
    if short == arguments { short } else { short + "…" }
}
