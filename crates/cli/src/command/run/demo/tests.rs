use std::sync::{Arc, Mutex};

use oncue_decl::{Row, check, discoverable, gated, inline};
use oncue_tools::{
    CallContext, CallId, Content, Grants, Progress, Report, Tool, ToolError, ToolSearch,
};
use serde_json::{Value, json};

use super::tools;

fn find<'t>(tools: &'t [Arc<dyn Tool>], name: &str) -> &'t dyn Tool {
    &**tools.iter().find(|tool| tool.definition().name() == name).unwrap()
}

fn call(
    tool: &dyn Tool,
    arguments: &Value,
    progress: Option<&dyn Progress>,
) -> Result<Content, ToolError> {
    let arguments = tool.definition().read(&arguments.to_string())?;
    let grants = Grants::all();
    let ctx = CallContext::new(&grants);
    let ctx = progress.map_or(ctx.clone(), |progress| ctx.with_progress(progress));
    let mut builder = tokio::runtime::Builder::new_current_thread();
    let runtime = builder.enable_time().start_paused(true).build().unwrap();
    let output = runtime.block_on(tool.call(&ctx, arguments))?;
    Ok(output.content[0].clone())
}

fn text(result: Result<Content, ToolError>) -> String {
    match result {
        Ok(Content::Text(text)) => text,
        Ok(Content::Json(value)) => value.to_string(),
        Ok(other) => format!("{other:?}"),
        Err(error) => format!("error: {error}"),
    }
}

#[test]
fn the_rows_keep_the_rules_and_most_must_be_found() {
    let mut rows: Vec<Row> = tools().iter().map(|tool| tool.definition().row().clone()).collect();
    let search = ToolSearch::new();
    rows.push(search.definition().row().clone());
    assert_eq!(check(&rows, search.definition().name()), []);
    assert_eq!((inline(&rows).count(), discoverable(&rows).count()), (4, 11));
    let gated: Vec<&str> = gated(&rows).map(Row::name).collect();
    assert_eq!(gated, ["refundOrder"]);
}

#[test]
fn the_shop_answers() {
    let tools = tools();
    let ask = |name: &str, arguments: Value| text(call(find(&tools, name), &arguments, None));
    assert_eq!(
        ask("listOrders", json!({"customer": "C-06"})),
        r#"[{"number":"1007","customer":"Anouk Visser","placed":"2026-10-27","status":"shipped","total":"167.00 EUR"}]"#
    );
    assert_eq!(
        ask("showOrder", json!({"number": "1"})),
        "error: There is no order `1`. Call listOrders to see what there is."
    );
    assert_eq!(
        ask("findCustomer", json!({"text": "MALMÖ"})),
        r#"[{"id":"C-02","name":"Jonas Lindqvist","email":"jonas@example.org","city":"Malmö"}]"#
    );
    let unpaid: Value =
        serde_json::from_str(&ask("listInvoices", json!({"unpaid": true}))).unwrap();
    let amounts: Vec<&Value> = unpaid.as_array().unwrap().iter().map(|it| &it["amount"]).collect();
    // A rug; two shelves; a vase and a rug.
    assert_eq!(amounts, ["189.00 EUR", "168.00 EUR", "222.00 EUR"]);
    // In October a rug, two shelves, two lamps and two mugs; the cancelled shelf does not count.
    assert_eq!(
        ask("salesReport", json!({"from": "2026-10-01", "to": "2026-10-31"})),
        r#"{"from":"2026-10-01","to":"2026-10-31","pieces":{"LAMP-3":2,"MUG-12":2,"RUG-7":1,"SHELF-2":2},"revenue":"524.00 EUR"}"#
    );
}

#[test]
fn money_is_paid_back_once_and_every_run_begins_anew() {
    let tools = tools();
    let refund = json!({"order": "1007", "reason": "lost"});
    let ask = |name: &str, arguments: &Value| text(call(find(&tools, name), arguments, None));
    assert_eq!(
        ask("refundOrder", &refund),
        "Order 1007 is refunded: 167.00 EUR. In the books: lost"
    );
    assert_eq!(
        ask("refundOrder", &refund),
        "error: Order 1007 is paid back or called off already. Call showOrder to see it, and tell the user."
    );
    assert!(ask("showOrder", &json!({"number": "1007"})).contains(r#""status":"refunded""#));
    let again = super::tools();
    assert!(
        text(call(find(&again, "showOrder"), &json!({"number": "1007"}), None)).contains("shipped")
    );
    let note = json!({"ticket": "T-33", "note": "refunded", "close": true});
    assert_eq!(ask("addTicketNote", &note), "Ticket T-33 has 2 notes and is closed.");
}

#[test]
fn an_export_tells_how_far_it_is() {
    #[derive(Default)]
    struct Heard(Mutex<Vec<Report>>);
    impl Progress for Heard {
        fn report(&self, _: &CallId, report: Report) {
            self.0.lock().unwrap().push(report);
        }
    }
    let heard = Heard::default();
    let tools = tools();
    let csv = text(call(find(&tools, "exportOrders"), &json!({"status": "shipped"}), Some(&heard)));
    assert_eq!(
        csv,
        "order,placed,customer,euros\n1007,2026-10-27,Anouk Visser,167.00\n1008,2026-11-03,Jonas Lindqvist,42.50\n"
    );
    let heard = heard.0.into_inner().unwrap();
    let told: Vec<(f64, Option<f64>, &str)> =
        heard.iter().map(|it| (it.done, it.total, it.message.as_str())).collect();
    assert_eq!(told, [(1.0, Some(2.0), "order 1007"), (2.0, Some(2.0), "order 1008")]);
}

#[test]
fn a_proposal_puts_up_a_button() {
    let tools = tools();
    let tool = find(&tools, "proposeRefund");
    let arguments = tool.definition().read(r#"{"order":"1007","reason":"lost"}"#).unwrap();
    let grants = Grants::all();
    let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
    let ctx = CallContext::new(&grants);
    let output = runtime.block_on(tool.call(&ctx, arguments)).unwrap();
    assert_eq!(output.chips[0].tool.name(), "refundOrder");
    assert_eq!(output.chips[0].label, r#"Refund {"order":"1007","reason":"lost"}"#);
}
