//! All calls of a step: their order, their number, their independence.

use std::sync::atomic::{AtomicUsize, Ordering};

use proptest::prelude::*;

use super::*;
use crate::{CallContext, Cancellation, Concurrency, ErrorKind, Grants, PlainTools, ToolError};

/// Refuses everything.
struct Never;

impl Approver for Never {
    fn approve<'a>(&'a self, _: &'a Asking) -> BoxFuture<'a, Approval> {
        Box::pin(std::future::ready(Approval::Refused(None)))
    }
}

// case: C64
// founding: A20
#[test]
fn each_of_27_calls_has_its_own_result_in_call_order() {
    let log = Log::default();
    let mut tools = vec![echo("echo", &log)];
    tools.push(Arc::new(tool(silent("fails"), async |_, _: NoArguments| {
        Err::<&str, _>(ToolError::new("The disk is full. Call freeSpace first."))
    })));
    tools.push(Arc::new(
        tool(silent("hangs"), async |ctx: &CallContext<'_>, _: NoArguments| {
            ctx.cancel().fire(Cancellation::Deadline);
            std::future::pending::<Result<&str, ToolError>>().await
        })
        .parallel(),
    ));
    tools.push(Arc::new(tool(
        Row::inline("gated", "Changes something"),
        async |_, _: NoArguments| Ok("changed"),
    )));
    let (catalog, grants) = (catalog(tools), Grants::local());
    let activation = Activation::turn();
    let registry = Registry::new(&catalog, &activation, &grants);

    let numbers: Vec<String> = (0..27).map(|at| format!(r#"{{"number":{at}}}"#)).collect();
    let mut calls: Vec<(&str, &str)> = numbers.iter().map(|text| ("echo", text.as_str())).collect();
    calls[0] = ("fails", "{}");
    calls[9] = ("hangs", "{}");
    calls[17] = ("gated", "{}");
    calls[26] = ("ToolSearch", r#"{"query":"select:nothing"}"#);
    let step = Step::new(&registry).with_approver(&Never);
    let texts = texts(block_on(step.run(requests(&calls))));

    assert_eq!(texts.len(), 27);
    for (at, text) in texts.iter().enumerate() {
        match at {
            0 => assert_eq!(text, "error: The disk is full. Call freeSpace first."),
            9 => assert!(text.starts_with("error: 'hangs' took too long"), "{text}"),
            17 => {
                assert!(text.starts_with("error: The user did not agree to the call of 'gated'."));
            }
            26 => assert!(text.starts_with(r#"{"functions":[]"#), "{text}"),
            _ => assert_eq!(*text, at.to_string()),
        }
    }
}

// founding: A11, A20
#[test]
fn a_search_runs_before_its_siblings_wherever_it_stands() {
    let export: Arc<dyn Tool> = Arc::new(tool(
        Row::discoverable("startExport", "Writes a table to a file")
            .with_keywords(["csv"])
            .with_tier(Tier::Silent),
        async |_, _: NoArguments| Ok("exported"),
    ));
    let (catalog, grants) = (catalog(vec![export]), Grants::local());
    let activation = Activation::turn();
    let registry = Registry::new(&catalog, &activation, &grants);
    let texts = run(
        &registry,
        &[
            ("startExport", "{}"),
            ("ToolSearch", r#"{"query":"startExport"}"#),
            ("startExport", "{}"),
        ],
    );
    assert_eq!((texts[0].as_str(), texts[2].as_str()), ("exported", "exported"));
    assert!(texts[1].starts_with(r#"{"functions":[{"name":"startExport","#), "{}", texts[1]);
}

// founding: A13
#[test]
fn a_search_without_a_query_says_so_in_its_own_words() {
    let (catalog, grants) = (catalog(Vec::new()), Grants::local());
    let activation = Activation::turn();
    let registry = Registry::new(&catalog, &activation, &grants);
    assert_eq!(
        run(&registry, &[("ToolSearch", "{}"), ("ToolSearch", r#"{"query":" "}"#)]),
        ["error: Query cannot be empty"; 2]
    );
}

#[test]
fn a_step_can_move_between_threads() {
    fn check<T: Send>(value: T) -> T {
        value
    }
    let tools = PlainTools::new(Vec::new(), &Grants::all());
    let step = Step::new(&tools);
    assert_eq!(block_on(check(step.run(Vec::new()))).len(), 0);
}

#[test]
fn a_panic_is_the_error_of_its_call_alone() {
    let panics = tool(silent("panics"), async |_, _: NoArguments| -> Result<&str, ToolError> {
        panic!("index out of bounds")
    });
    let log = Log::default();
    let tools =
        PlainTools::new(vec![Arc::new(panics.parallel()), echo("echo", &log)], &Grants::all());
    let calls = requests(&[("panics", "{}"), ("echo", r#"{"number":1}"#)]);
    let finished = block_on(Step::new(&tools).run(calls));
    let error = finished[0].outcome.as_ref().expect_err("it panicked");
    assert_eq!(
        (error.kind(), error.operator().to_string().as_str()),
        (ErrorKind::Panicked, "panicked: index out of bounds")
    );
    assert!(!error.to_string().contains("bounds"), "{error}");
    assert_eq!(text(&finished[1].outcome), "1");
}

/// Panics where the path only asks it something.
struct Nervous(crate::Definition, &'static str);

impl Tool for Nervous {
    fn definition(&self) -> &crate::Definition {
        &self.0
    }

    fn concurrency(&self) -> Concurrency {
        assert_ne!(self.1, "concurrency");
        Concurrency::Parallel
    }

    fn objection(&self, _: &Arguments) -> Option<ToolError> {
        assert_ne!(self.1, "objection");
        None
    }

    fn call<'a>(
        &'a self,
        _: &'a CallContext<'a>,
        _: Arguments,
    ) -> BoxFuture<'a, Result<crate::Output, ToolError>> {
        Box::pin(std::future::ready(Ok("ran".into())))
    }
}

#[test]
fn a_panic_of_a_validator_is_the_error_of_its_call_alone() {
    let nervous = |name| Arc::new(Nervous(crate::Definition::new(silent(name), None), name));
    let log = Log::default();
    let tools: Vec<Arc<dyn Tool>> =
        vec![nervous("objection"), nervous("concurrency"), echo("echo", &log)];
    let tools = PlainTools::new(tools, &Grants::all());
    let texts =
        run(&tools, &[("objection", "{}"), ("concurrency", "{}"), ("echo", r#"{"number":1}"#)]);
    assert!(texts[0].starts_with("error: 'objection' broke down;"), "{}", texts[0]);
    // Where a tool does not say whether it may overlap, it runs alone.
    assert_eq!(texts[1..], ["ran", "1"]);
}

#[test]
fn more_calls_than_a_step_runs_are_told_to_come_again() {
    let log = Log::default();
    let tools = PlainTools::new(vec![echo("echo", &log)], &Grants::all());
    let texts = run(&tools, &[("echo", r#"{"number":1}"#); 130]);
    assert!(texts[..128].iter().all(|text| text == "1"));
    assert!(
        texts[128..]
            .iter()
            .all(|text| text.starts_with("error: Only 128 calls are run in one step"))
    );
    assert_eq!(log.lines().len(), 128);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    /// `true` is a parallel call. A sequential one must run alone and after everything before it.
    // founding: A20
    #[test]
    fn sequential_calls_run_alone_and_in_call_order(kinds in prop::collection::vec(any::<bool>(), 0..20)) {
        let running = Arc::new(AtomicUsize::new(0));
        let (inside, alone) = (Arc::clone(&running), Arc::clone(&running));
        let log = Log::default();
        let (beside, after) = (log.clone(), log.clone());
        let parallel = tool(silent("parallel"), async move |_, args: Number| {
            inside.fetch_add(1, Ordering::Relaxed);
            beside.note(format!("begin {}", args.number));
            for _ in 0..args.number % 3 { tokio::task::yield_now().await; }
            beside.note(format!("end {}", args.number));
            inside.fetch_sub(1, Ordering::Relaxed);
            Ok(args.number.to_string())
        });
        let sequential = tool(silent("sequential"), async move |_, args: Number| {
            let others = alone.load(Ordering::Relaxed);
            tokio::task::yield_now().await;
            after.note(format!("alone {} {others} {}", args.number, alone.load(Ordering::Relaxed)));
            Ok(args.number.to_string())
        });
        let tools = PlainTools::new(vec![Arc::new(parallel.parallel()), Arc::new(sequential)], &Grants::all());
        let numbers: Vec<String> = (0..kinds.len()).map(|at| format!(r#"{{"number":{at}}}"#)).collect();
        let calls: Vec<(&str, &str)> = kinds
            .iter()
            .zip(&numbers)
            .map(|(kind, number)| (if *kind { "parallel" } else { "sequential" }, number.as_str()))
            .collect();
        let expected: Vec<String> = (0..kinds.len()).map(|at| at.to_string()).collect();
        prop_assert_eq!(run(&tools, &calls), expected);

        let lines = log.lines();
        let place = |line: String| lines.iter().position(|known| *known == line);
        for (at, kind) in kinds.iter().enumerate().filter(|(_, kind)| !**kind) {
            let here = place(format!("alone {at} 0 0"));
            prop_assert!(here.is_some(), "{} {:?}", kind, lines);
            for (other, kind) in kinds.iter().enumerate() {
                let there = if *kind { place(format!("end {other}")) } else { place(format!("alone {other} 0 0")) };
                prop_assert_eq!(there.cmp(&here), other.cmp(&at));
            }
        }
        // Neighbouring parallel calls have all begun before the first of them that waits has ended.
        if kinds.len() > 2 && kinds.iter().all(|kind| *kind) {
            prop_assert!(place("begin 2".into()) < place("end 1".into()));
        }
    }
}
