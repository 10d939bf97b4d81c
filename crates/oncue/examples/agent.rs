//! An agent over tools of which the model sees one: it searches, calls what it found, and waits for consent.
//!
//! The model here follows a script, so that the example needs no key; `oncue::providers` (feature `providers`) has real ones behind the same trait.

use std::collections::VecDeque;
use std::error::Error;
use std::sync::{Arc, Mutex};

use oncue::agent::conversation::{Call, Part};
use oncue::agent::{Agent, Event, Listen, Model, ModelError, Outcome, Reply, Request, TurnEnd};
use oncue::{
    Approval, BoxFuture, CallId, Catalog, Grants, NoArguments, Row, Tier, ToolSearch, tool,
};

/// A model that says what it was told to say.
struct Scripted(Mutex<VecDeque<Vec<Part>>>);

impl Scripted {
    fn model(replies: Vec<Vec<Part>>) -> Arc<dyn Model> {
        Arc::new(Self(Mutex::new(replies.into())))
    }
}

impl Model for Scripted {
    fn name(&self) -> &str {
        "scripted"
    }

    fn reply<'a>(
        &'a self,
        request: &'a Request<'a>,
        _: Option<&'a dyn Listen>,
    ) -> BoxFuture<'a, Result<Reply, ModelError>> {
        let list = request.tools.inline.iter().chain(&request.tools.found);
        let names: Vec<&str> = list.map(|tool| tool.exposed()).collect();
        println!("  the model sees {}", names.join(", "));
        let parts = self.0.lock().map(|mut replies| replies.pop_front()).ok().flatten();
        let reply = Reply { parts: parts.unwrap_or_default(), ..Reply::default() };
        Box::pin(std::future::ready(Ok(reply)))
    }
}

fn calls(name: &str, arguments: &str) -> Vec<Part> {
    // The loop gives calls without an id one of their own.
    let (id, name, arguments) = (CallId::default(), name.to_owned(), arguments.to_owned());
    vec![Part::Call(Call { id, name, arguments })]
}

fn says(text: &str) -> Vec<Part> {
    vec![Part::Text { text: text.to_owned() }]
}

fn tools() -> Result<Arc<Catalog>, oncue::CatalogError> {
    let list = Row::inline("listTables", "Lists the tables").with_tier(Tier::Silent);
    let export = Row::discoverable("startExport", "Writes a table to a file")
        .with_keywords(["csv", "download"])
        .with_tier(Tier::Silent);
    // Not silent, so a person is asked.
    let drop = Row::discoverable("dropTable", "Deletes a table with all its rows");
    let catalog = Catalog::new();
    catalog.register_all(vec![
        Arc::new(ToolSearch::new()),
        Arc::new(tool(list, async |_, _: NoArguments| Ok("orders, customers"))),
        Arc::new(tool(export, async |_, _: NoArguments| Ok("orders.csv"))),
        Arc::new(tool(drop, async |_, _: NoArguments| Ok("gone"))),
    ])?;
    Ok(Arc::new(catalog))
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn Error>> {
    let catalog = tools()?;

    let model = Scripted::model(vec![
        calls("ToolSearch", r#"{"query": "download csv"}"#),
        calls("startExport", "{}"),
        calls("ToolSearch", r#"{"query": "delete table"}"#),
        calls("dropTable", "{}"),
        says("Exported and dropped."),
    ]);
    let agent = Agent::new(model, catalog, Grants::local())?
        .with_system("You look after a small database.")
        .with_listener(Arc::new(|event: &Event| {
            if let Event::Activated { names, .. } = event {
                println!("  found: {}", names.join(", "));
            }
        }));

    let mut session = agent.session();
    let end = session.turn("Export the orders, then drop the table.").await?;
    let TurnEnd::Waiting(questions) = end else { return Err("nobody was asked".into()) };
    println!("may it call {}?", questions[0].name);

    // The turn can be stored here and taken up by another process.
    let stored = serde_json::to_string(&session.record())?;
    let (mut session, _) = agent.restore(serde_json::from_str(&stored)?);
    session.answer(&questions[0].id, Approval::Agreed);
    let end = session.resume().await;
    let text = "Exported and dropped.".to_owned();
    assert_eq!(end, Some(TurnEnd::Ended(Outcome::Answered { text })));
    Ok(())
}
