//! A catalog that can be searched and not called.

use std::collections::BTreeMap;
use std::sync::Arc;

use oncue_tools::{
    Arguments, BoxFuture, CallContext, Catalog, CatalogError, Definition, Output, Tool, ToolError,
};

/// Returns a catalog of these tools, each beside the id of its source.
///
/// # Errors
///
/// The tools cannot stand together.
pub fn catalog<'d>(
    tools: impl IntoIterator<Item = (&'d str, &'d Definition)>,
) -> Result<Catalog, CatalogError> {
    let mut sources: BTreeMap<&str, Vec<Arc<dyn Tool>>> = BTreeMap::new();
    for (source, definition) in tools {
        let tool = Arc::new(Described(definition.clone()));
        sources.entry(source).or_default().push(tool);
    }
    let catalog = Catalog::new();
    for (source, tools) in sources {
        catalog.replace(source, tools)?;
    }
    Ok(catalog)
}

/// A tool that is there to be found.
struct Described(Definition);

impl Tool for Described {
    fn definition(&self) -> &Definition {
        &self.0
    }

    fn call<'a>(
        &'a self,
        _: &'a CallContext<'a>,
        _: Arguments,
    ) -> BoxFuture<'a, Result<Output, ToolError>> {
        Box::pin(std::future::ready(Ok(Output::default())))
    }
}
