//! A model that draws its moves and holds what it is shown against what it was told, and the catalog and the hooks around it.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};

use oncue_agent::conversation::{Call, CallResult, Item, Part};
use oncue_agent::{BeforeStep, Listen, Model, ModelError, Reply, Request, StepHook, StepView};
use oncue_decl::Row;
use oncue_tools::{
    Arguments, Before, BoxFuture, CallContext, CallId, Catalog, Checked, Concurrency, Content,
    Definition, ErrorKind, Hook, HookError, Identity, Outcome, Output, Tool, ToolError,
};
use serde_json::Value;

use super::scheduler::Gates;
use super::{STEPS, TOOLS, lost};
use crate::support::{reply, silent};

/// Returns the name by which the tool of an upstream is called.
pub(super) fn exposed(number: usize) -> String {
    format!("s{number}__t{number}")
}

/// Registers a version of a hidden tool, alone in its upstream.
pub(super) fn register(catalog: &Catalog, gates: &Gates, number: usize, version: usize) {
    let version = format!("v{version}");
    let row = silent(Row::discoverable(format!("t{number}"), version.clone()));
    let definition = Definition::new(row, None);
    // Some may overlap with their siblings.
    let is_parallel = !number.is_multiple_of(2);
    let tool = Versioned { definition, version, is_parallel, gates: gates.clone() };
    catalog.replace(&format!("s{number}"), vec![Arc::new(tool)]).unwrap();
}

/// A tool that finishes when its gates allow, and answers with its version.
struct Versioned {
    definition: Definition,
    version: String,
    is_parallel: bool,
    gates: Gates,
}

impl Tool for Versioned {
    fn definition(&self) -> &Definition {
        &self.definition
    }

    fn concurrency(&self) -> Concurrency {
        if self.is_parallel { Concurrency::Parallel } else { Concurrency::Sequential }
    }

    fn call<'a>(
        &'a self,
        _: &'a CallContext<'a>,
        _: Arguments,
    ) -> BoxFuture<'a, Result<Output, ToolError>> {
        Box::pin(async {
            self.gates.pass().await;
            Ok(self.version.as_str().into())
        })
    }
}

/// Takes tools away and brings them back in another version.
pub(super) async fn changes(catalog: Arc<Catalog>, gates: Gates) {
    for version in 1..12 {
        gates.pass().await;
        let number = gates.below(TOOLS);
        assert!(catalog.remove_source(&format!("s{number}")));
        gates.pass().await;
        gates.pass().await;
        register(&catalog, &gates, number, version);
    }
}

/// A hook around calls and steps that takes its time, and sometimes says no or fails.
pub(super) struct Hesitant(pub(super) Gates);

impl Hook for Hesitant {
    fn before<'a>(
        &'a self,
        _: &'a Checked,
        _: &'a CallContext<'a>,
    ) -> BoxFuture<'a, Result<Before, HookError>> {
        Box::pin(async {
            self.0.pass().await;
            Ok(if self.0.one_in(12) { Before::Deny("no".to_owned()) } else { Before::Proceed })
        })
    }

    fn activated<'a>(
        &'a self,
        _: &'a Checked,
        _: &'a [Identity],
    ) -> BoxFuture<'a, Result<(), HookError>> {
        Box::pin(self.looks())
    }

    fn after<'a>(
        &'a self,
        _: &'a Checked,
        _: &'a mut Outcome,
    ) -> BoxFuture<'a, Result<(), HookError>> {
        Box::pin(self.looks())
    }
}

impl Hesitant {
    async fn looks(&self) -> Result<(), HookError> {
        self.0.pass().await;
        if self.0.one_in(24) { Err("late and wrong".into()) } else { Ok(()) }
    }
}

impl StepHook for Hesitant {
    fn before<'a>(&'a self, _: StepView<'a>) -> BoxFuture<'a, Result<BeforeStep, HookError>> {
        Box::pin(async {
            self.0.pass().await;
            Ok(BeforeStep::Proceed)
        })
    }

    fn after<'a>(&'a self, _: StepView<'a>) -> BoxFuture<'a, Result<(), HookError>> {
        Box::pin(async {
            self.0.pass().await;
            Ok(())
        })
    }
}

/// How much happened.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Counts {
    /// Tools that searches reported.
    pub(super) found: usize,
    /// Calls of found tools that ran.
    pub(super) called: usize,
    /// Calls of found tools that were gone.
    pub(super) gone: usize,
}

pub(super) struct Racing {
    seed: u64,
    gates: Gates,
    catalog: Arc<Catalog>,
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    requests: usize,
    /// Tools that searches have reported, by name, in order.
    reported: Vec<String>,
    /// Tools that were asked for, whatever came of it.
    selected: Vec<String>,
    /// The last list: each found tool and its version.
    shown: BTreeMap<String, String>,
    counts: Counts,
}

impl Racing {
    pub(super) fn new(seed: u64, gates: &Gates, catalog: &Arc<Catalog>) -> Self {
        let (gates, catalog) = (gates.clone(), Arc::clone(catalog));
        Self { seed, gates, catalog, state: Mutex::default() }
    }

    pub(super) fn counts(&self) -> Counts {
        self.state.lock().unwrap().counts
    }

    /// Holds the results of the last step against what it showed, and the list against what was reported so far.
    fn looks(&self, request: &Request<'_>) -> Vec<Part> {
        let mut state = self.state.lock().unwrap();
        let seed = self.seed;
        if let Some(Item::Results { results }) = request.items.last() {
            let mut shown = std::mem::take(&mut state.shown);
            let searches: Vec<_> = results.iter().flat_map(functions).collect();
            for (name, version) in searches {
                state.counts.found += 1;
                shown.insert(name.clone(), version);
                if !state.reported.contains(&name) {
                    state.reported.push(name);
                }
            }
            for result in results {
                state.takes(seed, &shown, result);
            }
        }
        let listed: Vec<String> =
            request.tools.found.iter().map(|entry| entry.exposed().to_owned()).collect();
        let lost = lost(&state.reported, &listed, &self.catalog);
        assert!(lost.is_empty(), "seed {seed}: {lost:?} are lost; listed {listed:?}");
        for name in &listed {
            assert!(state.selected.contains(name), "seed {seed}: {name} was found elsewhere");
        }
        let versions = request.tools.found.iter();
        state.shown = versions
            .map(|entry| (entry.exposed().to_owned(), entry.row().description().to_owned()))
            .collect();
        state.requests += 1;
        if state.requests == STEPS {
            return vec![Part::Text { text: "done".to_owned() }];
        }
        (0..=self.gates.below(4)).map(|at| self.call(&mut state, at)).collect()
    }

    /// Draws a call: a search for a tool, or a tool that was reported.
    fn call(&self, state: &mut State, at: usize) -> Part {
        let (name, arguments) = match state.reported.len() {
            count if count > 0 && !self.gates.one_in(3) => {
                (state.reported[self.gates.below(count)].clone(), "{}".to_owned())
            }
            _ => {
                let name = exposed(self.gates.below(TOOLS));
                let arguments = format!(r#"{{"query":"select:{name}"}}"#);
                state.selected.push(name);
                ("ToolSearch".to_owned(), arguments)
            }
        };
        let id = CallId::new(format!("{}_{at}", state.requests));
        Part::Call(Call { id, name, arguments })
    }
}

impl State {
    /// A call of a tool that was shown runs in the version that was shown, unless a hook has something against it; a call of one that was not says that it is gone.
    fn takes(&mut self, seed: u64, shown: &BTreeMap<String, String>, result: &CallResult) {
        if !self.reported.contains(&result.name) {
            return;
        }
        let text = text(result);
        match (shown.get(&result.name), result.error) {
            (_, Some(ErrorKind::Denied)) => {}
            (Some(version), None) => {
                assert_eq!(text, version, "seed {seed}: {} ran as another", result.name);
                self.counts.called += 1;
            }
            (None, Some(ErrorKind::UnknownTool)) => {
                assert!(text.contains("is no longer offered"), "seed {seed}: {text}");
                self.counts.gone += 1;
            }
            // A call that a hook denied twice is not tried again; that its tool was gone is no reason where it is back.
            (shown, Some(ErrorKind::Budget)) => {
                let why = format!("{:?}", result.content.last());
                assert!(shown.is_none() || !why.contains("offered"), "seed {seed}: {why}");
            }
            (shown, error) => panic!("seed {seed}: {shown:?} gave {error:?}: {text}"),
        }
    }
}

fn text(result: &CallResult) -> &str {
    match result.content.first() {
        Some(Content::Text(text)) => text,
        other => panic!("no text: {other:?}"),
    }
}

/// Returns what a search reports, by name and description, as the model reads it.
fn functions(result: &CallResult) -> Vec<(String, String)> {
    let answer: Value = serde_json::from_str(text(result)).unwrap_or_default();
    let functions = answer["functions"].as_array().cloned().unwrap_or_default();
    let word = |function: &Value, key: &str| function[key].as_str().unwrap().to_owned();
    functions.iter().map(|it| (word(it, "name"), word(it, "description"))).collect()
}

impl Model for Racing {
    fn name(&self) -> &str {
        "racing"
    }

    fn reply<'a>(
        &'a self,
        request: &'a Request<'a>,
        _: Option<&'a dyn Listen>,
    ) -> BoxFuture<'a, Result<Reply, ModelError>> {
        let parts = self.looks(request);
        Box::pin(async {
            self.gates.pass().await;
            Ok(reply(parts))
        })
    }
}
