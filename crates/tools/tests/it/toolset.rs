//! An assembly without search behaves as if there were none.

use oncue_tools::{
    Activation, CallContext, Catalog, Grants, PlainTools, Registry, ToolPattern, ToolSearch,
    ToolSet, UnresolvedKind,
};

use crate::support::{call, catalog_of, hidden, inline, visible};

// founding: A14
#[test]
fn a_plain_list_shows_everything_and_knows_no_registry() {
    let tools = || vec![inline("read", "Reads"), hidden("a__write", "Writes"), inline("b.c", "")];
    let plain = PlainTools::new(tools(), &Grants::all());
    assert_eq!(visible(&plain), ["read", "a__write", "b.c"]);
    assert!(plain.registry().is_none());
    let entry = plain.resolve("a__write").unwrap();
    let grants = Grants::all();
    let ctx = CallContext::new(&grants);
    assert!(ctx.registry().is_none());
    assert_eq!(call(&**entry.tool(), &ctx, "{}").unwrap(), "a__write");
}

// founding: A14, B5
#[test]
fn a_plain_list_says_what_it_has() {
    let tools = vec![inline("read", "Reads"), hidden("write", "Writes")];
    let plain = PlainTools::new(tools.clone(), &Grants::all());
    let error = plain.resolve("raed").unwrap_err();
    assert_eq!(error.kind(), UnresolvedKind::Unknown);
    assert_eq!(
        error.to_string(),
        "Tool 'raed' does not exist. Use one of: read, write. Near names: read"
    );
    let reader = Grants::all().with_tools([ToolPattern::named("read")]);
    let plain = PlainTools::new(tools, &reader);
    assert_eq!(
        plain.resolve("write").unwrap_err().to_string(),
        "Tool 'write' does not exist. Use one of: read"
    );
    let nothing = PlainTools::new(Vec::new(), &Grants::all());
    assert_eq!(nothing.resolve("x").unwrap_err().to_string(), "Tool 'x' does not exist.");
}

/// What a runner does, whatever the kind of its tools.
fn first_call(tools: &dyn ToolSet, grants: &Grants, name: &str) -> Result<String, String> {
    let entry = tools.resolve(name).map_err(|error| error.to_string())?;
    let mut ctx = CallContext::new(grants);
    if let Some(registry) = tools.registry() {
        ctx = ctx.with_registry(registry);
    }
    call(&**entry.tool(), &ctx, r#"{"query":"select:write"}"#)
}

// founding: A13, A14, A16
#[test]
fn the_search_tool_takes_its_registry_from_the_call() {
    let grants = Grants::all();
    let search = std::sync::Arc::new(ToolSearch::new());
    let plain = PlainTools::new(vec![search.clone()], &grants);
    assert_eq!(
        first_call(&plain, &grants, "ToolSearch"),
        Err("ToolSearchRegistry not available in tool context".to_owned())
    );

    // One search tool serves two catalogs and two turns, each with what belongs to it.
    let (with, without) = (Catalog::new(), Catalog::new());
    with.register_all(vec![search.clone(), hidden("write", "Writes")]).unwrap();
    without.register(search).unwrap();
    for (catalog, finds) in [(&with, true), (&without, false)] {
        let activation = Activation::turn();
        let registry = Registry::new(catalog, &activation, &grants);
        let answer = first_call(&registry, &grants, "ToolSearch").unwrap();
        assert_eq!(answer.contains("Writes"), finds, "{answer}");
        assert_eq!(activation.active().len(), usize::from(finds));
    }
}

#[test]
fn either_kind_of_tools_runs_the_same_way() {
    let grants = Grants::all();
    let activation = Activation::turn();
    let catalog = catalog_of(vec![inline("read", "Reads")]);
    let registry = Registry::new(&catalog, &activation, &grants);
    let plain = PlainTools::new(vec![inline("read", "Reads")], &grants);
    for tools in [&registry as &dyn ToolSet, &plain] {
        assert_eq!(first_call(tools, &grants, "read").unwrap(), "read");
    }
}
