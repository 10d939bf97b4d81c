//! A model searches for a tool, reads its schema in the answer and calls it in the next step.

use std::sync::Arc;

use oncue::{
    Activation, Catalog, Content, Grants, NoArguments, Registry, Requested, Row, Step, Tier,
    ToolSearch, ToolSet, tool,
};
use schemars::JsonSchema;
use serde::Deserialize;

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Export {
    /// The table to write.
    table: String,
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), oncue::CatalogError> {
    let list = Row::inline("listTables", "Lists the tables").with_tier(Tier::Silent);
    let export = Row::discoverable("startExport", "Writes a table to a file")
        .with_keywords(["csv", "download"])
        .with_tier(Tier::Silent);
    let catalog = Catalog::new();
    catalog.register_all(vec![
        Arc::new(ToolSearch::new()),
        Arc::new(tool(list, async |_, _: NoArguments| Ok("orders, customers"))),
        Arc::new(tool(export, async |_, args: Export| Ok(format!("{}.csv", args.table)))),
    ])?;

    let (activation, grants) = (Activation::turn(), Grants::local());
    let registry = Registry::new(&catalog, &activation, &grants);
    println!("the model sees {} tools", registry.visible().len());

    let search = Requested::new("1", "ToolSearch", r#"{"query": "download as csv"}"#);
    let answer = Step::new(&registry).call(search).await.outcome;
    println!("search: {answer:?}");
    assert_eq!(registry.visible().len(), 3);

    let registry = registry.step();
    let calls = vec![
        Requested::new("2", "startExport", r#"{"table": "orders"}"#),
        Requested::new("3", "startExport", r#"{"tabel": "orders"}"#),
    ];
    let finished = Step::new(&registry).run(calls).await;
    for done in &finished {
        match &done.outcome {
            Ok(output) => println!("{}: {:?}", done.id, output.content),
            Err(error) => println!("{}: {error}", done.id),
        }
    }
    let written = finished[0].outcome.as_ref().map(|output| output.content.as_slice());
    assert_eq!(written.ok(), Some([Content::Text("orders.csv".into())].as_slice()));
    assert!(finished[1].outcome.is_err());
    Ok(())
}
