//! A session in small: what the loop of an agent does, as far as a model can see it.

use std::sync::{Arc, Mutex};

use oncue_agent::conversation::{Author, CallResult, Item, Loaded, Part, Said};
use oncue_agent::{
    Choice, Delta, Disclosure, Hidden, Listen, Model, ModelError, Reply, Request, ToolList,
};
use oncue_decl::Row;
use oncue_tools::{
    Activation, Arguments, BoxFuture, CallContext, Catalog, Content, Definition, ErrorKind, Grants,
    Output, Registry, Tool, ToolError, ToolSearch, ToolSet,
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
        Box::pin(async move { Ok(Output::from(format!("{} ran", self.0.name()))) })
    }
}

fn tool(row: Row) -> Arc<dyn Tool> {
    // Long enough for a cache to keep the tools alone.
    let description = "The name of the table, as the list of tables has it. ".repeat(40);
    let schema = format!(
        r#"{{"type":"object","properties":{{"table":{{"type":"string","description":"{description}"}}}}}}"#
    );
    let schema = RawValue::from_string(schema).unwrap();
    Arc::new(Named(Definition::new(row, Some(schema))))
}

/// The name of the search tool.
pub(crate) const SEARCH: &str = "searchTools";

/// What a model is told once: long enough for every vendor's cache.
fn system() -> String {
    "Answer in one sentence, and do what is asked with the tools that you have. ".repeat(400)
}

/// A conversation with a model, its tools, and what is active.
pub(crate) struct Session {
    pub(crate) model: Arc<dyn Model>,
    pub(crate) catalog: Catalog,
    pub(crate) items: Vec<Item>,
    activation: Activation,
    grants: Grants,
    system: String,
}

impl Session {
    /// A session with the search tool, two inline tools and three hidden ones.
    pub(crate) fn new(model: Arc<dyn Model>) -> Self {
        let catalog = Catalog::new();
        catalog.register(Arc::new(ToolSearch::named(SEARCH).with_budget(u32::MAX))).unwrap();
        let tools = [
            Row::inline("readTable", "Reads the rows of a table."),
            Row::inline("listTables", "Lists the tables."),
            Row::discoverable("startExport", "Starts an export of a table to a file."),
            Row::discoverable("stopExport", "Stops an export that is running."),
            Row::discoverable("sendMail", "Sends a mail."),
        ];
        catalog.register_all(tools.map(tool).to_vec()).unwrap();
        let (activation, grants) = (Activation::turn(), Grants::all());
        Self { model, catalog, items: Vec::new(), activation, grants, system: system() }
    }

    /// Adds what the user says.
    pub(crate) fn say(&mut self, text: &str) {
        self.items.push(Item::User { content: vec![Content::Text(text.to_owned())] });
    }

    /// Asks for a reply, adds it, runs its calls and adds their results.
    pub(crate) async fn step(
        &mut self,
        listener: Option<&dyn Listen>,
    ) -> Result<Reply, ModelError> {
        let reply = self.ask(listener).await?;
        let said = Said { by: Author::Model, parts: reply.parts.clone(), raw: reply.raw.clone() };
        self.take(said).await;
        Ok(reply)
    }

    /// Asks for a reply and forgets it.
    pub(crate) async fn ask(&self, listener: Option<&dyn Listen>) -> Result<Reply, ModelError> {
        let registry = Registry::new(&self.catalog, &self.activation, &self.grants);
        let visible = registry.visible();
        let (inline, found) = visible.into_iter().partition(|entry| entry.row().is_inline());
        let tools = ToolList {
            inline,
            found,
            search: registry.search_tool().cloned(),
            search_hint: None,
            hidden: Hidden::of(&registry),
        };
        let request = Request {
            system: &self.system,
            items: &self.items,
            tools: &tools,
            choice: Choice::Free,
            output_tokens_max: Some(1_000),
            temperature: None,
            session: None,
        };
        self.model.reply(&request, listener).await
    }

    /// Takes a reply, of the model or of the loop, and answers its calls.
    pub(crate) async fn take(&mut self, said: Said) {
        let mut results = Vec::new();
        for part in &said.parts {
            let Part::Call(call) = part else { continue };
            results.push(self.run(call).await);
        }
        self.items.push(Item::Reply(said));
        if !results.is_empty() {
            self.items.push(Item::Results { results });
        }
    }

    async fn run(&self, call: &oncue_agent::conversation::Call) -> CallResult {
        let registry = Registry::new(&self.catalog, &self.activation, &self.grants);
        let result = |content, error, loaded| CallResult {
            id: call.id.clone(),
            name: call.name.clone(),
            content,
            error,
            loaded,
        };
        let entry = match registry.resolve(&call.name) {
            Ok(entry) => entry,
            Err(error) => {
                let content = vec![Content::Text(error.to_string())];
                return result(content, Some(ErrorKind::UnknownTool), vec![]);
            }
        };
        let ctx = CallContext::new(&self.grants).with_registry(&registry);
        let arguments = Arguments::parse(&call.arguments).unwrap();
        let output = entry.tool().call(&ctx, arguments).await.unwrap();
        let loaded = match call.name == SEARCH {
            true => loaded(&registry, &output.content),
            false => vec![],
        };
        result(output.content, None, loaded)
    }

    /// Returns how found tools become visible.
    pub(crate) fn disclosure(&self) -> Disclosure {
        self.model.disclosure()
    }
}

/// Reads the tools out of the answer of the search tool.
fn loaded(registry: &Registry<'_>, content: &[Content]) -> Vec<Loaded> {
    let [Content::Text(text)] = content else { panic!("one text expected: {content:?}") };
    let answer: Value = serde_json::from_str(text).unwrap();
    let functions = answer["functions"].as_array().unwrap().iter();
    let loaded = functions.map(|function| {
        let name = function["name"].as_str().unwrap();
        let entry = registry.resolve(name).unwrap();
        Loaded {
            tool: entry.identity().clone(),
            name: name.to_owned(),
            description: entry.row().description().to_owned(),
            parameters: entry.definition().parameters().map(|schema| schema.get().to_owned()),
        }
    });
    loaded.collect()
}

/// Keeps what it hears.
#[derive(Default)]
pub(crate) struct Heard(Mutex<Vec<Delta>>);

impl Listen for Heard {
    fn hear(&self, delta: Delta) {
        self.0.lock().unwrap().push(delta);
    }
}

impl Heard {
    /// Returns the text that was heard, and the names of the calls.
    pub(crate) fn said(&self) -> (String, Vec<String>) {
        let (mut text, mut calls) = (String::new(), Vec::new());
        for delta in self.0.lock().unwrap().iter() {
            match delta {
                Delta::Text(more) => text.push_str(more),
                Delta::Call(name) => calls.push(name.clone()),
                _ => {}
            }
        }
        (text, calls)
    }
}
