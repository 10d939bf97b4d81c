//! Work around every call: one hook keeps a log, another one lowers what is asked for.

use std::sync::Arc;

use oncue::{
    Arguments, Before, BoxFuture, CallContext, Checked, Grants, Hook, HookError, Outcome,
    PlainTools, Requested, Row, Step, Tier, tool,
};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;

#[derive(Deserialize, JsonSchema)]
struct Rows {
    limit: u32,
}

struct Journal;

impl Hook for Journal {
    fn after<'a>(
        &'a self,
        call: &'a Checked,
        outcome: &'a mut Outcome,
    ) -> BoxFuture<'a, Result<(), HookError>> {
        println!("{} {} ok={}", call.entry().exposed(), call.raw(), outcome.is_ok());
        Box::pin(std::future::ready(Ok(())))
    }
}

struct Cap;

impl Hook for Cap {
    fn before<'a>(
        &'a self,
        call: &'a Checked,
        _: &'a CallContext<'a>,
    ) -> BoxFuture<'a, Result<Before, HookError>> {
        let limit = call.arguments().object()["limit"].as_u64();
        let capped = serde_json::Map::from_iter([("limit".into(), json!(100))]);
        Box::pin(std::future::ready(Ok(match limit {
            Some(0) => Before::Deny("a limit of 0 reads nothing".into()),
            Some(101..) => Before::Rewrite(Arguments::from(capped)),
            _ => Before::Proceed,
        })))
    }
}

#[tokio::main(flavor = "current_thread")]
async fn main() {
    let row = Row::inline("readRows", "Reads rows").with_tier(Tier::Silent);
    let read = tool(row, async |_, rows: Rows| Ok(format!("{} rows", rows.limit)));
    let tools = PlainTools::new(vec![Arc::new(read)], &Grants::local());
    let hooks: [Arc<dyn Hook>; 2] = [Arc::new(Journal), Arc::new(Cap)];
    let calls = [7, 5000, 0].map(|limit| json!({"limit": limit}));
    let calls = calls.map(|sent| Requested::new("", "readRows", sent.to_string()));
    let finished = Step::new(&tools).with_hooks(&hooks).run(calls.to_vec()).await;
    let outputs = finished.into_iter().map(|done| done.outcome.ok());
    assert!(outputs.eq([Some("7 rows".into()), Some("100 rows".into()), None]));
}
