//! One call from its name to its result, and every way in which it ends early.

use oncue_decl::Exposure;
use serde_json::json;
use serde_json::value::RawValue;

use super::*;
use crate::{
    BoxFuture, CallContext, Cancellation, Definition, ErrorKind, Grants, Output, PlainTools,
    Restriction, ToolPattern,
};

const REFUSED: &str = "Nothing was run; do not repeat it";

// founding: A14
#[test]
fn a_plain_list_of_tools_knows_nothing_of_searching() {
    let seen = tool(silent("seen"), async |ctx: &CallContext<'_>, _: NoArguments| {
        Ok(format!("registry: {}", ctx.registry().is_some()))
    });
    let tools = PlainTools::new(vec![Arc::new(seen)], &Grants::local());
    let names: Vec<String> =
        tools.visible().iter().map(|entry| entry.exposed().to_owned()).collect();
    assert_eq!(names, ["seen"]);
    assert_eq!(
        run(&tools, &[("seen", ""), ("ToolSearch", r#"{"query":"seen"}"#)]),
        ["registry: false", "error: Tool 'ToolSearch' does not exist. Use one of: seen"]
    );
}

// founding: A14, A16
#[test]
fn a_search_finds_its_registry_in_the_context_of_the_call() {
    let seen = tool(silent("seen"), async |ctx: &CallContext<'_>, _: NoArguments| {
        Ok(format!("registry: {}", ctx.registry().is_some()))
    });
    let (catalog, grants) = (catalog(vec![Arc::new(seen)]), Grants::all());
    let activation = Activation::turn();
    let registry = Registry::new(&catalog, &activation, &grants);
    assert_eq!(run(&registry, &[("seen", "{}")]), ["registry: true"]);
    assert_eq!(run(&registry, &[("ToolSearch", r#"{"query":"nothing fits this"}"#)]).len(), 1);
}

// case: C65
// founding: B13
#[test]
fn arguments_that_cannot_be_read_are_the_error_of_their_call_alone() {
    let log = Log::default();
    let tools = PlainTools::new(vec![echo("echo", &log)], &Grants::all());
    let five_megabytes = format!(r#"{{"number":"{}"}}"#, "9".repeat(5_000_000));
    let bad = [
        r#"{"number":"#,
        "[1]",
        "\"str\"",
        r#"{"number":NaN}"#,
        r#"{"number":1,"number":2}"#,
        &five_megabytes,
        r#"{"number":"one"}"#,
        r#"{"number":1,"extra":2}"#,
    ];
    let mut calls: Vec<(&str, &str)> = bad.iter().map(|text| ("echo", *text)).collect();
    calls.push(("echo", r#"{"number":7}"#));
    let texts = run(&tools, &calls);
    let (last, errors) = texts.split_last().expect("nine results");
    assert_eq!(last, "7");
    assert_eq!(log.lines(), ["echo 7"]);
    for error in errors {
        assert!(error.starts_with("error: Arguments of 'echo' do not fit: "), "{error}");
        assert!(error.contains(" Expected {number: integer}. You sent "), "{error}");
        assert!(error.ends_with(" Nothing was run; call echo again with arguments of that shape."));
        assert!(error.chars().count() < 600, "{error}");
    }
}

/// A tool of an upstream: gives back the text of its arguments.
struct Upstream(Definition);

impl Tool for Upstream {
    fn definition(&self) -> &Definition {
        &self.0
    }

    fn call<'a>(&'a self, _: &'a CallContext<'a>, arguments: Arguments) -> BoxFuture<'a, Outcome> {
        Box::pin(async move { Ok(Output::from(arguments.raw().get())) })
    }
}

fn upstream(name: &str, schema: &str) -> Arc<dyn Tool> {
    let schema = RawValue::from_string(schema.to_owned()).expect("JSON");
    Arc::new(Upstream(Definition::new(silent(name), Some(schema))))
}

// case: C31
#[test]
fn an_upstream_gets_the_arguments_as_the_model_wrote_them() {
    let catalog = Catalog::new();
    let schema = r##"{"type":"object","x-foo":1,"properties":{"order":{"$ref":"#/$defs/o"}},"required":["order"],"additionalProperties":false,"$defs":{"o":{"type":"object","required":["id"],"properties":{"id":{"type":"integer"}}}}}"##;
    catalog.replace("shop", vec![upstream("place order", schema)]).expect("a tool");
    let entry = catalog.find_all().remove(0);
    let (activation, grants) = (Activation::turn(), Grants::all());
    let registry = Registry::new(&catalog, &activation, &grants);
    let sent = r#"{"order":{"z":null,"id":12345678901234567890123,"a":"\u00e9 한국","n":1.50}}"#;
    let error = "error: Arguments of '{}' do not fit: 'order.id' is missing. Expected {order: {id: integer}}. You sent {\"order\":{}}. Nothing was run; call {} again with arguments of that shape.";
    assert_eq!(
        run(&registry, &[(entry.exposed(), sent), (entry.exposed(), r#"{"order":{}}"#)]),
        [
            sent.to_owned(),
            error
                .replacen("{}", entry.exposed(), 1)
                .replace("call {}", &format!("call {}", entry.exposed()))
        ]
    );
}

#[test]
fn what_was_pinned_runs_whatever_the_catalog_becomes() {
    let version = |text: &'static str| -> Arc<dyn Tool> {
        Arc::new(tool(silent("version"), async move |_, _: NoArguments| Ok(text)))
    };
    let (catalog, grants) = (catalog(vec![version("old")]), Grants::all());
    let activation = Activation::turn();
    let registry = Registry::new(&catalog, &activation, &grants);
    let resolved = Requested::new("1", "version", "{}").resolve(&registry).expect("it is there");
    assert!(catalog.remove("", "version"));
    catalog.register(version("new")).expect("the name is free");

    let Ok(Verdict::Permitted(permitted)) = resolved.read().and_then(|call| call.decide(&grants))
    else {
        panic!("a silent tool is permitted");
    };
    assert_eq!(text(&block_on(permitted.run(&CallContext::new(&grants)))), "old");
    assert_eq!(run(&registry, &[("version", "{}")]), ["old"]);
    assert_eq!(run(&registry.step(), &[("version", "{}")]), ["new"]);
}

/// Gives one answer to every question and notes what it was asked.
struct Person(Approval, Log);

impl Approver for Person {
    fn approve<'a>(&'a self, asking: &'a Asking) -> BoxFuture<'a, Approval> {
        self.1.note(format!("{:?} {}", asking.reason(), asking.call().raw()));
        Box::pin(std::future::ready(self.0.clone()))
    }
}

struct Broken;

impl Approver for Broken {
    fn approve<'a>(&'a self, _: &'a Asking) -> BoxFuture<'a, Approval> {
        panic!("the window is gone")
    }
}

#[test]
fn a_gated_call_runs_only_when_a_person_agrees() {
    let ran = Log::default();
    let noted = ran.clone();
    let row = Row::inline("pay", "Pays").with_exposure(Exposure::Full);
    let pay: Arc<dyn Tool> = Arc::new(tool(row, async move |_, _: NoArguments| {
        noted.note("paid");
        Ok("paid")
    }));
    let tools = PlainTools::new(vec![pay], &Grants::local());
    let call = |approver: Option<&dyn Approver>| {
        let step = Step::new(&tools);
        let step = approver.map_or(step, |approver| step.with_approver(approver));
        block_on(step.call(Requested::new("1", "pay", "{ }"))).outcome
    };
    let asked = Log::default();

    let nobody = call(None).expect_err("nobody to ask");
    assert_eq!(nobody.kind(), ErrorKind::Refused);
    let no = Person(Approval::Refused(Some("too expensive".into())), asked.clone());
    let no = call(Some(&no)).expect_err("refused");
    assert_eq!(no.kind(), ErrorKind::Refused);
    assert!(
        no.to_string().starts_with("The user did not agree to the call of 'pay': too expensive.")
    );
    let broken = call(Some(&Broken)).expect_err("fails closed");
    assert_eq!(
        (broken.kind(), broken.operator().to_string().as_str()),
        (ErrorKind::Denied, "denied: the window is gone")
    );
    assert_eq!(ran.lines(), [""; 0]);

    assert_eq!(text(&call(Some(&Person(Approval::Agreed, asked.clone())))), "paid");
    assert_eq!(asked.lines(), ["Gated { }"; 2].map(str::to_owned));
    assert_eq!(ran.lines(), ["paid"]);
}

// founding: A19
#[test]
fn exposure_is_not_permission() {
    let log = Log::default();
    let hidden: Arc<dyn Tool> = Arc::new(tool(
        Row::discoverable("secretReport", "Writes the secret report").with_keywords(["secret"]),
        async |_, _: NoArguments| Ok("secret"),
    ));
    let catalog = catalog(vec![hidden, echo("echo", &log)]);
    let activation = Activation::turn();
    let all = Grants::all();
    run(
        &Registry::new(&catalog, &activation, &all),
        &[("ToolSearch", r#"{"query":"select:secretReport"}"#)],
    );

    // The tool is active now, and still nobody without the grant may call it or learn that it is there.
    let denied = Grants::all().with_denied([ToolPattern::named("secretReport")]);
    let denied = Registry::new(&catalog, &activation, &denied);
    let forbidden = run(&denied, &[("secretReport", "{}")]).remove(0);
    assert!(forbidden.starts_with("error: Tool 'secretReport' "), "{forbidden}");
    assert!(!forbidden.contains("allowed"), "{forbidden}");

    // The search tool is a tool like any other.
    let no_search = Grants::all().with_denied([ToolPattern::named("ToolSearch")]);
    let no_search = Registry::new(&catalog, &activation, &no_search);
    assert_eq!(
        run(&no_search, &[("ToolSearch", r#"{"query":"echo"}"#), ("echo", r#"{"number":1}"#)]),
        ["error: Tool 'ToolSearch' not in active set. Use one of: echo", "1"]
    );
}

#[test]
fn a_guard_decides_on_the_arguments_of_the_single_call() {
    let log = Log::default();
    let guard = |_: &str, _: &Row, arguments: &Arguments| match arguments.object().get("number") {
        Some(number) if *number == json!(1) => Ok(None),
        Some(number) if *number == json!(2) => Ok(Some(Restriction::Deny("two is taken".into()))),
        Some(number) if *number == json!(3) => Err("no such policy".into()),
        _ => panic!("the policy is broken"),
    };
    let tools = PlainTools::new(vec![echo("echo", &log)], &Grants::all().with_guard(guard));
    let calls = [1, 2, 3, 4].map(|number| format!(r#"{{"number":{number}}}"#));
    let calls: Vec<(&str, &str)> = calls.iter().map(|text| ("echo", text.as_str())).collect();
    let texts = run(&tools, &calls);
    assert_eq!(texts[0], "1");
    assert!(
        texts[1].starts_with("error: Call of 'echo' is not allowed: two is taken. "),
        "{}",
        texts[1]
    );
    for failed in &texts[2..] {
        assert!(
            failed.starts_with(&format!("error: Call of 'echo' is not allowed. {REFUSED}")),
            "{failed}"
        );
    }
    assert_eq!(log.lines(), ["echo 1"]);
}

#[test]
fn a_call_can_be_called_off_before_and_while_it_runs() {
    let begun = Log::default();
    let (noted, dropped) = (begun.clone(), begun.clone());
    struct Guard(Log);
    impl Drop for Guard {
        fn drop(&mut self) {
            self.0.note("dropped");
        }
    }
    let endless = tool(silent("endless"), async move |ctx: &CallContext<'_>, _: NoArguments| {
        let _guard = Guard(dropped.clone());
        noted.note("begun");
        ctx.cancel().fire(Cancellation::Deadline);
        std::future::pending::<Result<&str, ToolError>>().await
    });
    let tools = PlainTools::new(vec![Arc::new(endless)], &Grants::all());
    let call = |cancel: &Cancel| {
        let call = Requested::new("1", "endless", "{}").with_cancel(cancel.clone());
        block_on(Step::new(&tools).call(call)).outcome.expect_err("it never ends by itself")
    };

    let cancel = Cancel::default();
    cancel.fire(Cancellation::Withdrawn);
    assert_eq!(call(&cancel).kind(), ErrorKind::Cancelled);
    assert_eq!(begun.lines(), [""; 0]);

    assert_eq!(call(&Cancel::default()).kind(), ErrorKind::TimedOut);
    assert_eq!(begun.lines(), ["begun", "dropped"]);
}

#[test]
fn a_schema_that_is_not_enforced_is_told_to_the_operator_once() {
    let tools = PlainTools::new(vec![upstream("odd", r#"{"type":"strin"}"#)], &Grants::all());
    let calls = requests(&[("odd", r#"{"a":1}"#), ("odd", "{}")]);
    let finished = block_on(Step::new(&tools).run(calls));
    assert!(finished[0].schema_fault.is_some() && finished[1].schema_fault.is_none());
    assert_eq!(texts(finished), [r#"{"a":1}"#, "{}"]);
}
