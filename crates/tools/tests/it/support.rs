//! Tools without an ability, and the few steps that every test takes.

use std::pin::pin;
use std::sync::Arc;
use std::task::{Context, Poll, Waker};

use oncue_decl::Row;
use oncue_tools::{
    Activation, Arguments, BoxFuture, CallContext, Catalog, Definition, Entry, Grants, Output,
    Registry, Tool, ToolError, ToolSearch, ToolSet,
};
use serde_json::Value;
use serde_json::value::RawValue;

/// A tool that answers with its own name.
struct Named(Definition);

impl Tool for Named {
    fn definition(&self) -> &Definition {
        &self.0
    }

    fn call<'a>(
        &'a self,
        _ctx: &'a CallContext<'a>,
        _arguments: Arguments,
    ) -> BoxFuture<'a, Result<Output, ToolError>> {
        Box::pin(async move { Ok(Output::from(self.0.name())) })
    }
}

pub(crate) fn tool(row: Row) -> Arc<dyn Tool> {
    Arc::new(Named(Definition::new(row, None)))
}

pub(crate) fn tool_with_schema(row: Row, schema: &str) -> Arc<dyn Tool> {
    let schema = RawValue::from_string(schema.to_owned()).unwrap();
    Arc::new(Named(Definition::new(row, Some(schema))))
}

pub(crate) fn inline(name: &str, description: &str) -> Arc<dyn Tool> {
    tool(Row::inline(name.to_owned(), description.to_owned()))
}

pub(crate) fn hidden(name: &str, description: &str) -> Arc<dyn Tool> {
    tool(Row::discoverable(name.to_owned(), description.to_owned()))
}

/// A catalog with the search tool, as `searchTools`, and these tools of the program.
pub(crate) fn catalog_of(tools: Vec<Arc<dyn Tool>>) -> Catalog {
    let catalog = Catalog::new();
    catalog.register(Arc::new(ToolSearch::named("searchTools").with_budget(u32::MAX))).unwrap();
    catalog.register_all(tools).unwrap();
    catalog
}

/// Shows a turn of its own to `check`, in which everything is granted.
pub(crate) fn with<T>(catalog: &Catalog, check: impl FnOnce(&Registry<'_>) -> T) -> T {
    let (activation, grants) = (Activation::turn(), Grants::all());
    check(&Registry::new(catalog, &activation, &grants))
}

pub(crate) fn names(entries: &[Arc<Entry>]) -> Vec<&str> {
    entries.iter().map(|entry| entry.exposed()).collect()
}

pub(crate) fn visible(tools: &dyn ToolSet) -> Vec<String> {
    tools.visible().iter().map(|entry| entry.exposed().to_owned()).collect()
}

/// Runs a future that never waits.
pub(crate) fn now<T>(future: impl Future<Output = T>) -> T {
    match pin!(future).poll(&mut Context::from_waker(Waker::noop())) {
        Poll::Ready(value) => value,
        Poll::Pending => panic!("the future waits"),
    }
}

/// Calls the search tool of the registry's catalog with these arguments; the texts are those that the model reads.
pub(crate) fn call_search(registry: &Registry<'_>, arguments: &str) -> Result<String, String> {
    let tool = registry.snapshot().search_tool().expect("a search tool").tool();
    call(&**tool, &CallContext::new(registry.grants()).with_registry(registry), arguments)
}

pub(crate) fn call(
    tool: &dyn Tool,
    ctx: &CallContext<'_>,
    arguments: &str,
) -> Result<String, String> {
    let arguments = Arguments::parse(arguments).unwrap();
    let output = now(tool.call(ctx, arguments)).map_err(|error| error.to_string())?;
    match output.content.as_slice() {
        [oncue_tools::Content::Text(text)] => Ok(text.clone()),
        other => panic!("one text expected: {other:?}"),
    }
}

/// The answer to a query, read.
pub(crate) fn search(registry: &Registry<'_>, query: &str) -> Answer {
    let arguments = serde_json::json!({ "query": query }).to_string();
    Answer::read(&call_search(registry, &arguments).unwrap())
}

/// The names in an answer of the search tool.
#[derive(Debug, Default, PartialEq)]
pub(crate) struct Answer {
    pub(crate) functions: Vec<String>,
    pub(crate) available: Vec<String>,
    pub(crate) near: Vec<String>,
    pub(crate) omitted: Vec<String>,
    pub(crate) hint: String,
}

impl Answer {
    fn read(json: &str) -> Self {
        let answer: Value = serde_json::from_str(json).unwrap();
        let list = |key: &str, name: fn(&Value) -> &Value| -> Vec<String> {
            let list = answer[key].as_array().into_iter().flatten();
            list.map(|item| name(item).as_str().unwrap().to_owned()).collect()
        };
        Self {
            functions: list("functions", |function| &function["name"]),
            available: list("available", |name| name),
            near: list("near", |name| name),
            omitted: list("omitted", |name| name),
            hint: answer["hint"].as_str().unwrap_or_default().to_owned(),
        }
    }

    pub(crate) fn found(functions: &[&str]) -> Self {
        Self { functions: owned(functions), ..Self::default() }
    }
}

pub(crate) fn owned(names: &[&str]) -> Vec<String> {
    names.iter().map(|&name| name.to_owned()).collect()
}
