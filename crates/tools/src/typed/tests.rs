use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

use oncue_decl::Row;
use serde_json::json;

use super::*;
use crate::{
    CallContext, CallId, Concurrency, Content, ErrorKind, Grants, Output, Progress, Report, Tool,
};

#[derive(Deserialize, JsonSchema)]
struct Lookup {
    /// What to look for.
    word: String,
    limit: Option<u8>,
}

async fn lookup(ctx: &CallContext<'_>, args: Lookup) -> Result<String, ToolError> {
    tokio::task::yield_now().await;
    Ok(format!("{}: {} {:?}", ctx.id(), args.word, args.limit))
}

fn run(tool: &dyn Tool, arguments: &str) -> Result<Output, ToolError> {
    let grants = Grants::all();
    let ctx = CallContext::new(&grants).with_id(CallId::new("c1"));
    let arguments = Arguments::parse(arguments).expect("legal");
    let runtime = tokio::runtime::Builder::new_current_thread().build().expect("a runtime");
    runtime.block_on(tool.call(&ctx, arguments))
}

fn row() -> Row {
    Row::inline("lookup", "Looks a word up")
}

#[test]
fn functions_closures_and_captures_become_tools() {
    let count = Arc::new(AtomicU32::new(0));
    let counted = Arc::clone(&count);
    let tools: Vec<Arc<dyn Tool>> = vec![
        Arc::new(tool(row(), lookup)),
        Arc::new(tool(row(), async |ctx, args: Lookup| lookup(ctx, args).await)),
        Arc::new(tool(row(), async move |ctx, args: Lookup| {
            counted.fetch_add(1, Ordering::Relaxed);
            lookup(ctx, args).await
        })),
    ];
    for tool in &tools {
        let output = run(&**tool, r#"{"word":"cue","limit":3}"#).expect("it runs");
        assert_eq!(output, Output::from("c1: cue Some(3)"));
        assert_eq!(tool.concurrency(), Concurrency::Sequential);
    }
    assert_eq!(count.load(Ordering::Relaxed), 1);
    assert_eq!(tool(row(), lookup).parallel().concurrency(), Concurrency::Parallel);
}

#[test]
fn a_result_may_be_text_json_a_picture_or_several_pieces() {
    let check = |tool: &dyn Tool, expected: Vec<Content>| {
        assert_eq!(run(tool, "{}").expect("it runs").content, expected);
    };
    check(&tool(row(), async |_, _: NoArguments| Ok("text")), vec!["text".into()]);
    check(
        &tool(row(), async |_, _: NoArguments| Ok(json!({"a": 1}))),
        vec![json!({"a": 1}).into()],
    );
    check(
        &tool(row(), async |_, _: NoArguments| Ok(Content::image("image/png", [1, 2]))),
        vec![Content::Image { media_type: "image/png".into(), bytes: vec![1, 2] }],
    );
    check(
        &tool(row(), async |_, _: NoArguments| Ok(Output::json(&[1, 2])?.and("two"))),
        vec![json!([1, 2]).into(), "two".into()],
    );
}

#[test]
fn the_schema_is_plain() {
    /// Words for the programmer.
    #[derive(Deserialize, JsonSchema)]
    #[serde(rename_all = "camelCase")]
    #[expect(dead_code, reason = "the schema is the test")]
    struct Tree {
        node_name: String,
        kind: Kind,
        children: Vec<Tree>,
    }
    #[derive(Deserialize, JsonSchema)]
    #[serde(rename_all = "lowercase")]
    enum Kind {
        Leaf,
        Branch,
    }
    let schema = |definition: Definition| -> serde_json::Value {
        serde_json::from_str(definition.parameters().expect("a schema").get()).expect("JSON")
    };
    assert_eq!(
        schema(schema::define::<NoArguments>(row())),
        json!({"type": "object", "additionalProperties": false})
    );
    assert_eq!(
        schema(schema::define::<Tree>(row())),
        json!({
            "type": "object",
            "properties": {
                "nodeName": {"type": "string"},
                "kind": {"type": "string", "enum": ["leaf", "branch"]},
                "children": {"type": "array", "items": {"$ref": "#"}}
            },
            "required": ["nodeName", "kind", "children"]
        })
    );
}

#[test]
fn a_type_that_is_pickier_than_its_schema_refuses_with_the_shape() {
    #[derive(Deserialize, JsonSchema)]
    struct At {
        #[serde(deserialize_with = "even")]
        #[expect(dead_code, reason = "reading it is the test")]
        number: u32,
    }
    fn even<'de, D: serde::Deserializer<'de>>(reader: D) -> Result<u32, D::Error> {
        let number = u32::deserialize(reader)?;
        if number % 2 == 0 { Ok(number) } else { Err(serde::de::Error::custom("odd number")) }
    }
    let tool = tool(row(), async |_, _: At| Ok("ran"));
    assert!(tool.definition().read(r#"{"number":3}"#).is_ok());
    let error = run(&tool, r#"{"number":3}"#).expect_err("three is odd");
    assert_eq!(
        (error.kind(), error.to_string().as_str()),
        (
            ErrorKind::Arguments,
            r#"Arguments of 'lookup' do not fit: odd number at line 1 column 12. Expected {number: integer}. You sent {"number":3}. Nothing was run; call lookup again with arguments of that shape."#
        )
    );
}

#[test]
fn reports_reach_who_listens_and_nobody_else() {
    #[derive(Default)]
    struct Heard(std::sync::Mutex<Vec<(String, Report)>>);
    impl Progress for Heard {
        fn report(&self, id: &CallId, report: Report) {
            self.0.lock().expect("no panic").push((id.to_string(), report));
        }
    }
    let tool = tool(row(), async |ctx, _: NoArguments| {
        ctx.report(1.0, Some(2.0), "half");
        Ok("done")
    });
    assert!(run(&tool, "{}").is_ok());

    let (heard, grants) = (Heard::default(), Grants::all());
    let ctx = CallContext::new(&grants).with_id(CallId::new("c7")).with_progress(&heard);
    let runtime = tokio::runtime::Builder::new_current_thread().build().expect("a runtime");
    runtime.block_on(tool.call(&ctx, Arguments::default())).expect("it runs");
    let half = Report { done: 1.0, total: Some(2.0), message: "half".into() };
    assert_eq!(*heard.0.lock().expect("no panic"), [("c7".to_owned(), half)]);
}
