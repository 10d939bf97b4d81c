//! Tools that are found by what is meant: a request in one language, tools in another.
//!
//! The model is installed once, with `oncue model install`; without it the same catalog ranks by words.

use std::error::Error;
use std::path::PathBuf;
use std::sync::Arc;

use oncue::embed::{DEFAULT_MODEL, KeptVectors, Models, Precision, known_as};
use oncue::search::Asked;
use oncue::{Catalog, Embedder, Grants, NoArguments, OpenTools, Options, Row, tool};

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn Error>> {
    // `oncue model list --json` tells the folder.
    let folder = std::env::var_os("ONCUE_MODELS").map_or("target/models".into(), PathBuf::from);
    let models = Models::in_folder(folder);
    let model = known_as(DEFAULT_MODEL)?;
    let embedder: Option<Arc<dyn Embedder>> = match models.find(model) {
        Some(_) => Some(Arc::new(models.open(model, Precision::Bytes)?)),
        None => {
            println!("no model in `{}`, so words decide", models.folder().display());
            None
        }
    };
    let catalog = Catalog::with_options(Options { embedder, ..Options::default() });
    let does = |name: &'static str, what: &'static str| {
        let row = Row::discoverable(name, what);
        Arc::new(tool(row, async |_, _: NoArguments| Ok("done"))) as Arc<dyn oncue::Tool>
    };
    catalog.register_all(vec![
        does("refund_charge", "Return the amount of a charge to the customer."),
        does("list_customers", "List customers by name."),
        does("create_invoice", "Create an invoice for a customer."),
        does("cancel_subscription", "Cancel a subscription at the end of its period."),
    ])?;
    // What was told before is remembered beside the model.
    let kept = KeptVectors::open(models.folder().join("vectors"));
    catalog.embed(&kept, &mut |done, all| eprintln!("{done} of {all} tools")).await?;

    let grants = Grants::all();
    let tools = OpenTools::new(&catalog, &grants);
    for query in ["give me my money back", "환불해 주세요", "refund a charge", "translate a poem"]
    {
        let meaning = tools.meaning(query).await;
        let found = tools.find(Asked::from(query).meaning(meaning.as_ref()), 1);
        let names: Vec<&str> = found.tools.iter().map(|tool| tool.exposed()).collect();
        println!("{query}: {}", if names.is_empty() { "nothing" } else { names[0] });
    }
    Ok(())
}
