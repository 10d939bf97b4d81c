//! The tools of the program that the examples have, and the person who is asked. Nothing here knows what loop runs them.

use std::sync::Arc;

use oncue::schemars::JsonSchema;
use oncue::{
    Approval, Approver, Asking, BoxFuture, Catalog, CatalogError, NoArguments, Row, Tier,
    ToolSearch, tool,
};
use serde::Deserialize;

#[derive(Deserialize, JsonSchema)]
#[schemars(crate = "oncue::schemars")]
#[serde(deny_unknown_fields)]
struct Export {
    /// The table to write.
    table: String,
}

/// A search tool, a tool that the model sees at once, and one that it has to find and that asks before it runs.
///
/// # Errors
///
/// Two tools have one name; these have not.
pub fn catalog() -> Result<Catalog, CatalogError> {
    let list = Row::inline("listTables", "Lists the tables").with_tier(Tier::Silent);
    let export = Row::discoverable("startExport", "Writes a table to a file")
        .with_keywords(["csv", "download"]);
    let catalog = Catalog::new();
    catalog.register_all(vec![
        Arc::new(ToolSearch::new()),
        Arc::new(tool(list, async |_, _: NoArguments| Ok("orders, customers"))),
        Arc::new(tool(export, async |_, args: Export| Ok(format!("{}.csv", args.table)))),
    ])?;
    Ok(catalog)
}

/// Stands for a window with two buttons, of which the user clicks the first.
pub struct User;

impl Approver for User {
    fn approve<'a>(&'a self, asking: &'a Asking) -> BoxFuture<'a, Approval> {
        println!("may `{}` run? yes", asking.call().entry().exposed());
        Box::pin(std::future::ready(Approval::Agreed))
    }
}
