//! Where a script is played: its tools, what becomes of them, and the transcript.

use std::collections::HashSet;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use oncue_decl::{Row, Tier};
use oncue_tools::{
    Arguments, BoxFuture, CallContext, CallId, Cancel, Cancellation, Catalog, Concurrency,
    Definition, Output, Tool, ToolError, propose,
};
use serde_json::value::RawValue;

use super::data::{Script, ToolSpec};

/// What is outside of the loop. Lives as long as one play of a script.
pub(crate) struct World {
    pub(crate) catalog: Arc<Catalog>,
    pub(crate) cancel: Cancel,
    specs: Vec<ToolSpec>,
    lines: Mutex<Vec<String>>,
    /// Requests of the turn's own model so far: the time of this world.
    asked: Mutex<usize>,
    ran: Mutex<Vec<Happened>>,
    found: Mutex<Vec<Happened>>,
    /// The calls whose results were heard.
    heard: Mutex<HashSet<CallId>>,
}

/// That a tool ran, or was found.
#[derive(Clone, Debug)]
pub(crate) struct Happened {
    pub(crate) tool: String,
    pub(crate) at: usize,
    /// Whether it happened in a fork.
    pub(crate) is_below: bool,
}

impl World {
    pub(crate) fn new(script: &Script, shared: &[ToolSpec]) -> Arc<Self> {
        let specs = script.tool.iter().chain(shared).cloned().collect();
        Arc::new(Self {
            catalog: Arc::new(Catalog::new()),
            cancel: Cancel::default(),
            specs,
            lines: Mutex::default(),
            asked: Mutex::default(),
            ran: Mutex::default(),
            found: Mutex::default(),
            heard: Mutex::default(),
        })
    }

    pub(crate) fn writes(&self, line: String) {
        self.lines.lock().unwrap().push(line);
    }

    /// Returns what was written, with equal calls in a row and their equal results as one.
    pub(crate) fn transcript(&self) -> String {
        let lines = self.lines.lock().unwrap();
        let mut blocks: Vec<(usize, Vec<&str>)> = Vec::new();
        for line in lines.iter() {
            match blocks.last_mut() {
                Some((_, block)) if line.starts_with("    ") => block.push(line),
                _ => blocks.push((1, vec![line])),
            }
        }
        blocks.dedup_by(|next, kept| {
            let is_again = next.1 == kept.1 && kept.1[0].starts_with("  calls ");
            kept.0 += usize::from(is_again);
            is_again
        });
        let rows = blocks.iter().map(|(times, block)| match times {
            1 => block.join("\n"),
            times => format!("{}, {times} times\n{}", block[0], block[1..].join("\n")),
        });
        rows.collect::<Vec<_>>().join("\n")
    }

    pub(crate) fn counts_request(&self) {
        *self.asked.lock().unwrap() += 1;
    }

    pub(crate) fn notes_found(&self, tool: &str, is_below: bool) {
        let happened =
            Happened { tool: tool.to_owned(), at: *self.asked.lock().unwrap(), is_below };
        self.found.lock().unwrap().push(happened);
    }

    /// Notes that the result of a call was heard, and says whether it was not before.
    pub(crate) fn hears(&self, call: &CallId) -> bool {
        self.heard.lock().unwrap().insert(call.clone())
    }

    pub(crate) fn ran(&self) -> Vec<Happened> {
        self.ran.lock().unwrap().clone()
    }

    pub(crate) fn found(&self) -> Vec<Happened> {
        self.found.lock().unwrap().clone()
    }

    pub(crate) fn is_hidden(&self, tool: &str) -> bool {
        let is_of = |spec: &&ToolSpec| {
            let rest = tool.strip_prefix(&spec.name);
            rest.is_some_and(|rest| rest.is_empty() || spec.times > 0)
        };
        self.specs.iter().find(is_of).is_some_and(|spec| spec.is_hidden)
    }

    /// Returns the tools that go by this name in the files.
    pub(crate) fn tools(self: &Arc<Self>, name: &str) -> Vec<Arc<dyn Tool>> {
        let spec = self.spec(name);
        match spec.times {
            0 => vec![self.tool(&spec, "")],
            times => {
                let numbered = (1..=times)
                    .map(|number| ToolSpec { name: format!("{name}{number}"), ..spec.clone() });
                numbered.map(|spec| self.tool(&spec, "")).collect()
            }
        }
    }

    fn spec(&self, name: &str) -> ToolSpec {
        let found = self.specs.iter().find(|spec| spec.name == name);
        found.unwrap_or_else(|| panic!("no tool `{name}` in the files")).clone()
    }

    fn tool(self: &Arc<Self>, spec: &ToolSpec, version: &'static str) -> Arc<dyn Tool> {
        let description = format!("{}{version}", spec.description);
        let row = match spec.is_hidden {
            true => Row::discoverable(spec.name.clone(), description),
            false => Row::inline(spec.name.clone(), description),
        };
        let row = row.with_tier(if spec.is_gated { Tier::Gated } else { Tier::Silent });
        let row = row.with_keywords(spec.keywords.clone());
        if !spec.proposes.is_empty() {
            return Arc::new(propose(row, self.tool(&self.spec(&spec.proposes), "")));
        }
        let parameters = RawValue::from_string(spec.parameters.clone()).ok();
        let definition = Definition::new(row, parameters);
        Arc::new(Fake { definition, spec: spec.clone(), version, world: Arc::clone(self) })
    }

    /// Changes the catalog: `removes X`, `adds X`, `redefines X`.
    pub(crate) fn changes(self: &Arc<Self>, change: &str) {
        let (what, name) = change.split_once(' ').expect("a change and a name");
        if matches!(what, "removes" | "redefines") {
            assert!(self.catalog.remove("", name), "`{name}` was not there");
        }
        match what {
            "removes" => {}
            "adds" => self.catalog.register_all(self.tools(name)).unwrap(),
            "redefines" => self.catalog.register(self.tool(&self.spec(name), " anew")).unwrap(),
            other => panic!("no change is called `{other}`"),
        }
    }
}

/// A tool that does what the script says.
struct Fake {
    definition: Definition,
    spec: ToolSpec,
    version: &'static str,
    world: Arc<World>,
}

impl Fake {
    async fn run(&self, ctx: &CallContext<'_>, arguments: &Arguments) -> Result<Output, ToolError> {
        let happened = Happened {
            tool: self.spec.name.clone(),
            at: *self.world.asked.lock().unwrap(),
            is_below: ctx.depth() > 0,
        };
        self.world.ran.lock().unwrap().push(happened);
        let echo = format!("{}{} {}", self.spec.name, self.version, arguments.raw().get());
        let (deed, text) = self.spec.does.split_once(": ").unwrap_or((&self.spec.does, ""));
        match deed {
            "" => Ok(echo.into()),
            "returns" => Ok(text.into()),
            "fails" => Err(ToolError::new(text)),
            "panics" => breaks_down(text),
            "hangs" => std::future::pending().await,
            "waits" => {
                tokio::time::sleep(Duration::from_millis(text.parse().unwrap())).await;
                Ok(echo.into())
            }
            "changes" => {
                self.world.changes(text);
                Ok(echo.into())
            }
            "cancels" => {
                self.world.cancel.fire(Cancellation::Withdrawn);
                std::future::pending().await
            }
            other => panic!("no deed is called `{other}`"),
        }
    }
}

impl Tool for Fake {
    fn definition(&self) -> &Definition {
        &self.definition
    }

    fn concurrency(&self) -> Concurrency {
        if self.spec.is_parallel { Concurrency::Parallel } else { Concurrency::Sequential }
    }

    fn objection(&self, _: &Arguments) -> Option<ToolError> {
        if self.spec.does == "objects in panic" {
            breaks_down("no such column");
        }
        None
    }

    fn call<'a>(
        &'a self,
        ctx: &'a CallContext<'a>,
        arguments: Arguments,
    ) -> BoxFuture<'a, Result<Output, ToolError>> {
        Box::pin(async move { self.run(ctx, &arguments).await })
    }
}

/// Panics without a word on the error output: it is what the script wants.
pub(crate) fn breaks_down(text: &str) -> ! {
    std::panic::resume_unwind(Box::new(text.to_owned()))
}
