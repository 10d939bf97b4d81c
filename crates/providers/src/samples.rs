//! Tools and conversations for tests of wires.

use std::borrow::Cow;
use std::sync::Arc;

use oncue_agent::conversation::{Author, Call, CallResult, Item, Loaded, Part, Raw, Said};
use oncue_agent::{Choice, Hidden, Request, ToolList};
use oncue_decl::Row;
use oncue_tools::{
    Activation, Arguments, BoxFuture, CallContext, CallId, Catalog, Content, Definition, Entry,
    ErrorKind, Grants, Identity, Output, Registry, Tool, ToolError,
};
use serde_json::Value;
use serde_json::value::RawValue;

/// A tool that answers nothing.
struct Silent(Definition);

impl Tool for Silent {
    fn definition(&self) -> &Definition {
        &self.0
    }

    fn call<'a>(
        &'a self,
        _ctx: &'a CallContext<'a>,
        _arguments: Arguments,
    ) -> BoxFuture<'a, Result<Output, ToolError>> {
        Box::pin(async { Ok(Output::default()) })
    }
}

fn tool(row: Row, schema: Option<&str>) -> Arc<dyn Tool> {
    let schema = schema.map(|schema| RawValue::from_string(schema.to_owned()).unwrap());
    Arc::new(Silent(Definition::new(row, schema)))
}

/// A tool that every step sees.
pub(crate) fn inline(name: &str, description: &str, schema: Option<&str>) -> Arc<dyn Tool> {
    tool(Row::inline(name.to_owned(), description.to_owned()), schema)
}

/// A tool that must be found.
pub(crate) fn hidden(name: &str, description: &str, schema: Option<&str>) -> Arc<dyn Tool> {
    tool(Row::discoverable(name.to_owned(), description.to_owned()), schema)
}

/// Two inline tools and two hidden ones.
pub(crate) fn tools() -> Vec<Arc<dyn Tool>> {
    let table =
        r#"{"type":"object","properties":{"table":{"type":"string"}},"required":["table"]}"#;
    vec![
        inline(
            "search",
            "Finds tools.",
            Some(r#"{"type":"object","properties":{"query":{"type":"string"}}}"#),
        ),
        inline("readTable", "Reads a table.", Some(table)),
        hidden("startExport", "Starts an export.", Some(table)),
        hidden("stopExport", "Stops an export.", None),
    ]
}

/// What a test asks for.
pub(crate) struct Asked<'t> {
    pub(crate) tools: Vec<Arc<dyn Tool>>,
    pub(crate) found: Vec<&'t str>,
    pub(crate) system: &'t str,
    pub(crate) items: Vec<Item>,
    pub(crate) choice: Choice<'t>,
    pub(crate) output_tokens_max: Option<u32>,
    pub(crate) temperature: Option<f32>,
    pub(crate) session: Option<&'t str>,
    /// The search tool, by name.
    pub(crate) search: Option<&'t str>,
}

impl<'t> Asked<'t> {
    /// A request for a reply to `items`, with [`tools`] and the system text "Be brief."
    pub(crate) fn new(items: Vec<Item>) -> Self {
        Self {
            tools: tools(),
            found: Vec::new(),
            system: "Be brief.",
            items,
            choice: Choice::Free,
            output_tokens_max: None,
            temperature: None,
            session: None,
            search: None,
        }
    }

    /// Shows the request to `look`.
    pub(crate) fn with<T>(&self, look: impl FnOnce(&Request<'_>) -> T) -> T {
        let catalog = Catalog::new();
        catalog.register_all(self.tools.clone()).unwrap();
        let (activation, grants) = (Activation::turn(), Grants::all());
        let registry = Registry::new(&catalog, &activation, &grants);
        let snapshot = registry.snapshot();
        let found: Vec<Arc<Entry>> =
            self.found.iter().map(|name| Arc::clone(snapshot.tool("", name).unwrap())).collect();
        let tools = ToolList {
            inline: snapshot.inline().cloned().collect(),
            found,
            search: self.search.map(|name| Arc::clone(snapshot.tool("", name).unwrap())),
            search_hint: None,
            hidden: Hidden::of(&registry),
        };
        look(&Request {
            system: self.system,
            items: &self.items,
            tools: &tools,
            choice: self.choice.clone(),
            output_tokens_max: self.output_tokens_max,
            temperature: self.temperature,
            session: self.session,
        })
    }
}

/// The choice of these tools.
pub(crate) fn among(tools: &[&str]) -> Choice<'static> {
    Choice::Among(Cow::Owned(tools.iter().map(|&name| name.to_owned()).collect()))
}

pub(crate) fn user(text: &str) -> Item {
    Item::User { content: vec![Content::Text(text.to_owned())] }
}

pub(crate) fn note(text: &str) -> Item {
    Item::Note { text: text.to_owned() }
}

pub(crate) fn text(text: &str) -> Part {
    Part::Text { text: text.to_owned() }
}

pub(crate) fn call(id: &str, name: &str, arguments: &str) -> Part {
    let (name, arguments) = (name.to_owned(), arguments.to_owned());
    Part::Call(Call { id: CallId::new(id), name, arguments })
}

/// A reply of the model, from another vendor.
pub(crate) fn reply(parts: Vec<Part>) -> Item {
    Item::Reply(Said { by: Author::Model, parts, raw: None })
}

/// A reply of the loop.
pub(crate) fn by_loop(parts: Vec<Part>) -> Item {
    Item::Reply(Said { by: Author::Loop, parts, raw: None })
}

/// A reply of the model as it came over `wire`.
pub(crate) fn replayed(wire: &str, value: Value, parts: Vec<Part>) -> Item {
    let raw = Some(Raw { wire: wire.to_owned(), value });
    Item::Reply(Said { by: Author::Model, parts, raw })
}

pub(crate) fn results(results: Vec<CallResult>) -> Item {
    Item::Results { results }
}

pub(crate) fn result(id: &str, content: Vec<Content>) -> CallResult {
    let name = "readTable".to_owned();
    CallResult { id: CallId::new(id), name, content, error: None, loaded: Vec::new() }
}

pub(crate) fn failed(id: &str, content: Vec<Content>) -> CallResult {
    CallResult { error: Some(ErrorKind::Failed), ..result(id, content) }
}

/// The result of a search that loaded these tools, with some of [`tools`] as they were.
pub(crate) fn found(id: &str, names: &[&str]) -> CallResult {
    let content = vec![Content::Text(format!(r#"{{"functions":"{}"}}"#, names.join(" ")))];
    let loaded = names.iter().map(|&name| Loaded {
        tool: Identity::own(name),
        name: name.to_owned(),
        description: format!("Description of {name}."),
        parameters: None,
    });
    CallResult { loaded: loaded.collect(), ..result(id, content) }
}
