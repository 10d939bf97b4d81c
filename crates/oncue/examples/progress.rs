//! A long call reports how far it is, and is called off by somebody who owns the clock.

use std::sync::{Arc, Mutex, PoisonError};

use oncue::{
    CallContext, CallId, Cancel, Cancellation, ErrorKind, Grants, NoArguments, PlainTools,
    Progress, Report, Requested, Row, Step, Tier, tool,
};

/// Prints reports, and calls the call off when the third has come.
struct Bar {
    cancel: Cancel,
    shown: Mutex<Vec<String>>,
}

impl Progress for Bar {
    fn report(&self, id: &CallId, report: Report) {
        let mut shown = self.shown.lock().unwrap_or_else(PoisonError::into_inner);
        let total = report.total.map_or(String::new(), |total| format!(" of {total}"));
        shown.push(format!("{id}: {}{total} {}", report.done, report.message));
        println!("{}", shown[shown.len() - 1]);
        if shown.len() == 3 {
            self.cancel.fire(Cancellation::Deadline);
        }
    }
}

#[tokio::main(flavor = "current_thread")]
async fn main() {
    let row = Row::inline("copy", "Copies ten files").with_tier(Tier::Silent);
    let copy = tool(row, async |ctx: &CallContext<'_>, _: NoArguments| {
        for file in 1..=10 {
            ctx.report(f64::from(file), Some(10.0), "files");
            tokio::task::yield_now().await;
        }
        Ok("copied")
    });
    let tools = PlainTools::new(vec![Arc::new(copy)], &Grants::local());

    // Nobody listens: the reports are dropped and the call ends by itself.
    let done = Step::new(&tools).call(Requested::new("1", "copy", "")).await;
    assert!(done.outcome.is_ok());

    let cancel = Cancel::default();
    let bar = Bar { cancel: cancel.clone(), shown: Mutex::default() };
    let call = Requested::new("2", "copy", "").with_cancel(cancel);
    let done = Step::new(&tools).with_progress(&bar).call(call).await;
    let error = done.outcome.err();
    println!("{}", error.as_ref().map(ToString::to_string).unwrap_or_default());
    assert_eq!(error.map(|error| error.kind()), Some(ErrorKind::TimedOut));
    let shown = bar.shown.into_inner().unwrap_or_else(PoisonError::into_inner);
    assert_eq!(shown, ["2: 1 of 10 files", "2: 2 of 10 files", "2: 3 of 10 files"]);
}
