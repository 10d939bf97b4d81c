//! The path of a call, walked with small tools.

mod hooks;
mod path;
mod step;

use std::sync::{Arc, Mutex};

use oncue_decl::{Row, Tier};
use schemars::JsonSchema;
use serde::Deserialize;

use super::*;
use crate::{Activation, Catalog, NoArguments, Registry, Tool, ToolSearch, tool};

/// What happened, in order.
#[derive(Clone, Default)]
struct Log(Arc<Mutex<Vec<String>>>);

impl Log {
    fn note(&self, line: impl Into<String>) {
        self.0.lock().expect("no panic under the lock").push(line.into());
    }

    fn lines(&self) -> Vec<String> {
        self.0.lock().expect("no panic under the lock").clone()
    }
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Number {
    number: i64,
}

fn silent(name: &str) -> Row {
    Row::inline(name.to_owned(), "Does what its name says").with_tier(Tier::Silent)
}

fn block_on<F: Future>(future: F) -> F::Output {
    let runtime = tokio::runtime::Builder::new_current_thread().build().expect("a runtime");
    runtime.block_on(future)
}

/// A tool that notes its number and gives it back.
fn echo(name: &str, log: &Log) -> Arc<dyn Tool> {
    let log = log.clone();
    let named = name.to_owned();
    Arc::new(tool(silent(name), async move |_, args: Number| {
        log.note(format!("{named} {}", args.number));
        Ok(args.number.to_string())
    }))
}

fn catalog(tools: Vec<Arc<dyn Tool>>) -> Catalog {
    let catalog = Catalog::new();
    catalog.register(Arc::new(ToolSearch::new())).expect("a search tool");
    catalog.register_all(tools).expect("tools that can stand together");
    catalog
}

/// Runs calls of `(name, arguments)` and returns what the model reads of each.
fn run(tools: &dyn ToolSet, calls: &[(&str, &str)]) -> Vec<String> {
    texts(block_on(Step::new(tools).run(requests(calls))))
}

fn requests(calls: &[(&str, &str)]) -> Vec<Requested> {
    let numbered = calls.iter().enumerate();
    numbered
        .map(|(at, (name, arguments))| Requested::new(at.to_string(), *name, *arguments))
        .collect()
}

fn texts(finished: Vec<Finished>) -> Vec<String> {
    finished
        .into_iter()
        .enumerate()
        .map(|(at, done)| {
            assert_eq!(done.id.as_str(), at.to_string(), "results are in call order");
            text(&done.outcome)
        })
        .collect()
}

fn text(outcome: &Outcome) -> String {
    match outcome {
        Ok(output) => match output.content.as_slice() {
            [crate::Content::Text(text)] => text.clone(),
            [crate::Content::Json(value)] => value.to_string(),
            other => format!("{other:?}"),
        },
        Err(error) => format!("error: {error}"),
    }
}
