//! The whole loop before strict fakes: an agent, its sessions and each wire with each way of showing what was found.

use std::sync::{Arc, Mutex};

use oncue_agent::conversation::Item;
use oncue_agent::{Agent, Disclosure, Event, Outcome, Profile, TurnEnd};
use oncue_decl::{Row, Tier};
use oncue_fakes::{Fake, Scripted};
use oncue_providers::Endpoint;
use oncue_tools::{Catalog, Content, Grants, NoArguments, ToolSearch, tool};
use serde_json::json;

use Disclosure::{Append, ByReference, ByValue, ClientSearch, Mask};

/// An endpoint, how it shows what was found, and the name by which a script calls the search tool.
const ROWS: [(&str, Disclosure, &str); 10] = [
    ("anthropic:claude-opus-5", ByReference, "ToolSearch"),
    ("anthropic:claude-opus-5", ByValue, "ToolSearch"),
    ("anthropic:claude-opus-5", Append, "ToolSearch"),
    ("openai:gpt-5.4", ClientSearch, "tool_search"),
    ("openai:gpt-5.4", Mask, "ToolSearch"),
    ("openai:gpt-5.4", Append, "ToolSearch"),
    ("openai-chat:gpt-4.1", Append, "ToolSearch"),
    ("openai-chat:gpt-4.1", Mask, "ToolSearch"),
    ("gemini:gemini-3-pro", Append, "ToolSearch"),
    ("gemini:gemini-3-pro", Mask, "ToolSearch"),
];

fn catalog(search: ToolSearch) -> Arc<Catalog> {
    let row = |row: Row| row.with_tier(Tier::Silent);
    let list = tool(row(Row::inline("listTables", "Lists tables")), async |_, _: NoArguments| {
        Ok("orders")
    });
    let export = row(Row::discoverable("startExport", "Exports a table as csv"));
    let export = tool(export, async |_, _: NoArguments| Ok("orders.csv"));
    let catalog = Catalog::new();
    catalog.register_all(vec![Arc::new(search), Arc::new(list), Arc::new(export)]).unwrap();
    Arc::new(catalog)
}

fn agent(fake: &Fake, endpoint: &str, disclosure: Disclosure, profile: Profile) -> Agent {
    let name = format!("{endpoint}@{}/v1beta", fake.url());
    let name = if endpoint.starts_with("anthropic") { name.replace("/v1beta", "") } else { name };
    let endpoint = Endpoint::parse(&name, |name| name.ends_with("_KEY").then(|| "sk-test".into()));
    let model = endpoint.unwrap().with_disclosure(disclosure).open().unwrap();
    Agent::new(model, catalog(profile.search_tool()), Grants::local())
        .unwrap()
        .with_profile(profile)
        .with_output_tokens_max(1_000)
}

fn answered(text: &str) -> TurnEnd {
    TurnEnd::Ended(Outcome::Answered { text: text.to_owned() })
}

/// What the last results of a conversation say, in one text.
fn last_results(items: &[Item]) -> String {
    let last = items.iter().rev().find_map(|item| match item {
        Item::Results { results } => Some(results),
        _ => None,
    });
    let pieces = last.into_iter().flatten().flat_map(|result| &result.content);
    let texts = pieces.filter_map(|piece| match piece {
        Content::Text(text) => Some(text.as_str()),
        _ => None,
    });
    texts.collect::<Vec<_>>().join("\n")
}

/// Every request that the fake has seen was one that the real server would take.
fn all_taken(fake: &Fake, row: &str) {
    for (at, seen) in fake.requests().iter().enumerate() {
        assert_eq!(seen.refusal, None, "{row}, request {at}: {}", seen.asked.body);
    }
}

// founding: A22
#[tokio::test]
async fn an_agent_finds_and_calls_over_every_wire_and_keeps_what_the_model_still_sees() {
    for (endpoint, disclosure, search) in ROWS {
        for streams in [false, true] {
            let row = format!("{endpoint} {disclosure:?} streams: {streams}");
            let fake = Fake::start(oncue_fakes::wires()).unwrap();
            let heard = Arc::new(Mutex::new(String::new()));
            let text = Arc::clone(&heard);
            let agent = agent(&fake, endpoint, disclosure, Profile::DEFAULT);
            let agent = agent.with_listener(Arc::new(move |event: &Event| {
                if let Event::Text { text: piece } = event {
                    text.lock().unwrap().push_str(piece);
                }
            }));
            let agent = if streams { agent.streaming() } else { agent };
            let mut session = agent.session().with_key("s");
            fake.extend([
                Scripted::call(search, json!({"query": "csv export"})),
                Scripted::call("startExport", json!({})),
                Scripted::text("Exported."),
            ]);
            assert_eq!(session.turn("export it").await.unwrap(), answered("Exported."), "{row}");
            assert_eq!(last_results(&session.conversation().items), "orders.csv", "{row}");

            fake.extend([
                Scripted::call("startExport", json!({})),
                Scripted::text("Exported again."),
            ]);
            let end = session.turn("and again").await.unwrap();
            assert_eq!(end, answered("Exported again."), "{row}");
            let last = last_results(&session.conversation().items);
            match disclosure.keeps_found() {
                true => assert_eq!(last, "orders.csv", "{row}"),
                false => {
                    assert!(last.starts_with("Tool 'startExport' not in active set."), "{row}");
                }
            }
            all_taken(&fake, &row);
            let heard = heard.lock().unwrap().clone();
            assert_eq!(heard, if streams { "Exported.Exported again." } else { "" }, "{row}");
        }
    }
}

#[tokio::test]
async fn what_helps_weak_models_is_legal_over_every_wire() {
    for (endpoint, disclosure, search) in ROWS {
        let row = format!("{endpoint} {disclosure:?}");
        let fake = Fake::start(oncue_fakes::wires()).unwrap();
        let profile = Profile { preload: 2, names_chars: 100, ..Profile::WEAK };
        let agent = agent(&fake, endpoint, disclosure, profile);
        fake.extend([
            Scripted::call(search, json!({"query": "select:startExport"})),
            Scripted::call("startExport", json!({})),
            Scripted::text("Exported."),
        ]);
        let mut session = agent.session();
        let end = session.turn("export the orders as csv").await.unwrap();
        assert_eq!(end, answered("Exported."), "{row}");
        assert_eq!(session.activation().searches(), 2, "{row}: the loop's and the model's");
        all_taken(&fake, &row);
    }
}

#[tokio::test]
async fn a_conversation_goes_on_with_another_vendor() {
    let fake = Fake::start(oncue_fakes::wires()).unwrap();
    let mut conversation = oncue_agent::conversation::Conversation::default();
    for (endpoint, disclosure, search) in ROWS {
        let row = format!("{endpoint} {disclosure:?}");
        let agent = agent(&fake, endpoint, disclosure, Profile::DEFAULT);
        let mut session = agent.session().with_conversation(conversation);
        fake.extend([
            Scripted::call(search, json!({"query": "csv export"})),
            Scripted::call("startExport", json!({})),
            Scripted::text("Exported."),
        ]);
        assert_eq!(session.turn("export it").await.unwrap(), answered("Exported."), "{row}");
        conversation = session.conversation().clone();
        all_taken(&fake, &row);
    }
}
