//! What a caller may do: scopes, lists, single calls, and a person who is asked.

use std::sync::Arc;

use oncue::{
    Approval, Approver, Asking, BoxFuture, Exposure, Grants, NoArguments, PlainTools,
    PrincipalName, Requested, Row, Scope, Step, Tier, Tool, ToolPattern, ToolSet, tool,
};

/// Stands for a window with two buttons.
struct Window;

impl Approver for Window {
    fn approve<'a>(&'a self, asking: &'a Asking) -> BoxFuture<'a, Approval> {
        println!("may `{}` run?", asking.call().entry().exposed());
        let answer = match asking.call().entry().exposed() {
            "send" => Approval::Agreed,
            _ => Approval::Refused(Some("keep everything".into())),
        };
        Box::pin(std::future::ready(answer))
    }
}

async fn results(grants: &Grants) -> Vec<String> {
    let rows = [
        Row::inline("read", "Reads mail").with_tier(Tier::Silent).with_exposure(Exposure::ReadOnly),
        Row::inline("send", "Sends mail").with_exposure(Exposure::Full),
        Row::inline("delete", "Deletes mail").with_exposure(Exposure::Full),
    ];
    let made = rows
        .map(|row| -> Arc<dyn Tool> { Arc::new(tool(row, async |_, _: NoArguments| Ok("done"))) });
    let tools = PlainTools::new(made.to_vec(), grants);
    println!("sees {} tools", tools.visible().len());
    let calls = ["read", "send", "delete"].map(|name| Requested::new(name, name, "{}"));
    let finished = Step::new(&tools).with_approver(&Window).run(calls.to_vec()).await;
    let words = finished.iter().map(|done| match &done.outcome {
        Ok(_) => "done".to_owned(),
        Err(error) => error.kind().word().to_owned(),
    });
    words.collect()
}

#[tokio::main(flavor = "current_thread")]
async fn main() {
    // The user of the program: gated tools ask.
    assert_eq!(results(&Grants::local()).await, ["done", "done", "refused"]);

    // An external client that may read does not even learn of the rest.
    if let Some(name) = PrincipalName::parse("ci") {
        let reader = Grants::external(name, Scope::Read);
        assert_eq!(results(&reader).await, ["done", "unknown tool", "unknown tool"]);
    }

    // A denial wins over everything, and what is listed here runs unasked.
    let bot = Grants::local()
        .with_unasked([ToolPattern::named("send"), ToolPattern::named("delete")])
        .with_denied([ToolPattern::named("del*")]);
    assert_eq!(results(&bot).await, ["done", "done", "unknown tool"]);
}
