//! Tools to try oncue with: a small shop in memory, which nothing can harm.

mod act;
mod read;
mod rows;
mod shop;

use std::sync::Arc;

use oncue_tools::{Tool, ToolError};

use self::shop::{Shared, Shop};

/// Returns the tools, over a shop of their own.
pub(super) fn tools() -> Vec<Arc<dyn Tool>> {
    let shop = Arc::new(Shared::new(Shop::new()));
    let mut tools = read::tools(&shop);
    tools.extend(act::tools(&shop));
    tools
}

/// The answer where nothing has this number, with the call that lists what there is.
fn unknown(what: &str, number: &str, list: &oncue_decl::Row) -> ToolError {
    ToolError::new(format!(
        "There is no {what} `{number}`. Call {} to see what there is.",
        list.name()
    ))
}

#[cfg(test)]
mod tests;
