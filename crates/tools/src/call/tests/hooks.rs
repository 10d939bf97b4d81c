//! Hooks: what they see, change and stop, and what their failing costs.

use serde_json::json;

use super::*;
use crate::{CallContext, ErrorKind, Grants, Output, PlainTools, Restriction};

/// Notes what it sees and does what it is told.
struct Told {
    name: &'static str,
    log: Log,
    before: fn(&Checked) -> Result<Before, HookError>,
    after: fn(&mut Outcome) -> Result<(), HookError>,
}

impl Told {
    fn hook(
        name: &'static str,
        log: &Log,
        before: fn(&Checked) -> Result<Before, HookError>,
    ) -> Arc<dyn Hook> {
        Arc::new(Self { name, log: log.clone(), before, after: |_| Ok(()) })
    }

    fn afterwards(
        name: &'static str,
        log: &Log,
        after: fn(&mut Outcome) -> Result<(), HookError>,
    ) -> Arc<dyn Hook> {
        Arc::new(Self { name, log: log.clone(), before: |_| Ok(Before::Proceed), after })
    }
}

impl Hook for Told {
    fn before<'a>(
        &'a self,
        call: &'a Checked,
        _: &'a CallContext<'a>,
    ) -> BoxFuture<'a, Result<Before, HookError>> {
        self.log.note(format!("{} before {} {}", self.name, call.entry().exposed(), call.raw()));
        Box::pin(async move { (self.before)(call) })
    }

    fn after<'a>(
        &'a self,
        call: &'a Checked,
        outcome: &'a mut Outcome,
    ) -> BoxFuture<'a, Result<(), HookError>> {
        let shown = text(outcome).chars().take(30).collect::<String>();
        self.log.note(format!("{} after {} {shown}", self.name, call.raw()));
        Box::pin(async move { (self.after)(outcome) })
    }
}

fn proceed(_: &Checked) -> Result<Before, HookError> {
    Ok(Before::Proceed)
}

fn number(number: &serde_json::Value) -> Arguments {
    Arguments::from(Map::from_iter([("number".to_owned(), number.clone())]))
}

type Map = serde_json::Map<String, serde_json::Value>;

fn with_hooks(hooks: &[Arc<dyn Hook>], grants: &Grants, log: &Log) -> Outcome {
    let tools = PlainTools::new(vec![echo("echo", log)], grants);
    let call = Requested::new("1", "echo", r#"{"number":1}"#);
    block_on(Step::new(&tools).with_hooks(hooks).call(call)).outcome
}

// founding: A24
#[test]
fn hooks_stand_around_each_call_and_around_each_other() {
    let log = Log::default();
    let hooks = [Told::hook("a", &log, proceed), Told::hook("b", &log, proceed)];
    let (catalog, grants) = (catalog(vec![echo("echo", &log)]), Grants::all());
    let activation = Activation::turn();
    let registry = Registry::new(&catalog, &activation, &grants);
    let calls = requests(&[("echo", r#"{"number":1}"#), ("ToolSearch", r#"{"query":"select:x"}"#)]);
    block_on(Step::new(&registry).with_hooks(&hooks).run(calls));
    assert_eq!(
        log.lines()
            .iter()
            .map(|line| line.split(r#" {"functions""#).next().unwrap_or_default())
            .collect::<Vec<_>>(),
        [
            r#"a before ToolSearch {"query":"select:x"}"#,
            r#"b before ToolSearch {"query":"select:x"}"#,
            r#"b after {"query":"select:x"}"#,
            r#"a after {"query":"select:x"}"#,
            r#"a before echo {"number":1}"#,
            r#"b before echo {"number":1}"#,
            "echo 1",
            r#"b after {"number":1} 1"#,
            r#"a after {"number":1} 1"#,
        ]
    );
}

#[test]
fn a_hook_denies_and_later_hooks_never_see_the_call() {
    let log = Log::default();
    let hooks = [
        Told::hook("a", &log, proceed),
        Told::hook("b", &log, |_| Ok(Before::Deny("it is a holiday".into()))),
        Told::hook("c", &log, proceed),
    ];
    let error = with_hooks(&hooks, &Grants::all(), &log).expect_err("denied");
    assert_eq!(error.kind(), ErrorKind::Denied);
    assert!(
        error
            .to_string()
            .starts_with("Call of 'echo' is not allowed: it is a holiday. Nothing was run")
    );
    assert_eq!(
        log.lines(),
        [
            r#"a before echo {"number":1}"#,
            r#"b before echo {"number":1}"#,
            r#"a after {"number":1} error: Call of 'echo' is not a"#
        ]
    );
}

#[test]
fn a_hook_that_fails_or_panics_denies() {
    for before in [
        (|_| Err("the policy server is down".into())) as fn(&Checked) -> Result<Before, HookError>,
        |_| panic!("the policy server is down"),
    ] {
        let log = Log::default();
        let error =
            with_hooks(&[Told::hook("a", &log, before)], &Grants::all(), &log).expect_err("denied");
        assert_eq!(error.operator().to_string(), "denied: the policy server is down");
        assert!(!error.to_string().contains("server"), "{error}");
        assert_eq!(log.lines(), [r#"a before echo {"number":1}"#]);
    }
}

#[test]
fn rewritten_arguments_are_checked_and_decided_on_anew() {
    let guard = |_: &str, _: &Row, arguments: &Arguments| {
        let denied = arguments.object() == number(&json!(13)).object();
        Ok(denied.then(|| Restriction::Deny("thirteen brings bad luck".into())))
    };
    let grants = Grants::all().with_guard(guard);
    let outcome = |before: fn(&Checked) -> Result<Before, HookError>| {
        let log = Log::default();
        let hooks = [Told::hook("a", &log, before), Told::hook("b", &log, proceed)];
        (text(&with_hooks(&hooks, &grants, &log)), log.lines())
    };

    let (result, lines) = outcome(|_| Ok(Before::Rewrite(number(&json!(2)))));
    assert_eq!(result, "2");
    assert_eq!(lines[1], r#"b before echo {"number":2}"#);

    let (result, _) = outcome(|_| Ok(Before::Rewrite(number(&json!("two")))));
    assert!(result.contains("'number' must be an integer, not a string"), "{result}");

    let (result, lines) = outcome(|_| Ok(Before::Rewrite(number(&json!(13)))));
    assert!(result.contains("thirteen brings bad luck"), "{result}");
    assert!(!lines.iter().any(|line| line.starts_with("echo")), "{lines:?}");
}

#[test]
fn a_hook_changes_a_result_and_one_that_fails_withholds_it() {
    let log = Log::default();
    let redact = Told::afterwards("a", &log, |outcome| {
        *outcome = Ok(Output::from("redacted"));
        Ok(())
    });
    assert_eq!(text(&with_hooks(&[redact], &Grants::all(), &log)), "redacted");

    let fails = Told::afterwards("a", &log, |_| Err("the scanner is down".into()));
    let error = with_hooks(&[fails], &Grants::all(), &log).expect_err("withheld");
    assert_eq!(error.operator().to_string(), "denied: the scanner is down");
    assert!(
        error
            .to_string()
            .starts_with("'echo' ran, but its result could not be checked and is withheld.")
    );
}
