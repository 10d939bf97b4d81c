//! Tools that change the shop, or take their time.

use std::sync::Arc;

use oncue_tools::{CallContext, Tool, ToolError, propose, tool};
use schemars::JsonSchema;
use serde::Deserialize;

use super::shop::{Shared, Status, euros};
use super::{rows, unknown};
use crate::limits::DEMO_STEP_TIME;

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Refund {
    /// The number of the order, such as 1007.
    order: String,
    /// Why the money is paid back, for the books.
    reason: String,
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Note {
    /// The id of the ticket, such as T-33.
    ticket: String,
    /// What to write.
    note: String,
    /// Whether the ticket is closed with it.
    close: Option<bool>,
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Export {
    status: Option<Status>,
}

pub(super) fn tools(shop: &Arc<Shared>) -> Vec<Arc<dyn Tool>> {
    let (refunds, notes, exports) = (Arc::clone(shop), Arc::clone(shop), Arc::clone(shop));
    let refund: Arc<dyn Tool> =
        Arc::new(tool(rows::REFUND_ORDER.clone(), async move |_, ask: Refund| {
            refund(&refunds, &ask)
        }));
    vec![
        Arc::new(tool(rows::ADD_TICKET_NOTE.clone(), async move |_, ask: Note| note(&notes, &ask))),
        Arc::new(tool(rows::EXPORT_ORDERS.clone(), async move |ctx, ask: Export| {
            export(ctx, &exports, &ask).await
        })),
        Arc::clone(&refund),
        Arc::new(propose(rows::PROPOSE_REFUND.clone(), refund)),
    ]
}

fn refund(shop: &Shared, ask: &Refund) -> Result<String, ToolError> {
    let mut shop = shop.open();
    let Some(at) = shop.orders.iter().position(|order| order.number == ask.order) else {
        return Err(unknown("order", &ask.order, &rows::LIST_ORDERS));
    };
    let amount = shop.orders.get(at).map(|order| shop.cents(order)).unwrap_or_default();
    let Some(order) = shop.orders.get_mut(at) else {
        return Err(unknown("order", &ask.order, &rows::LIST_ORDERS));
    };
    if matches!(order.status, Status::Refunded | Status::Cancelled) {
        let number = &order.number;
        return Err(ToolError::new(format!(
            "Order {number} is paid back or called off already. Call {} to see it, and tell the user.",
            rows::SHOW_ORDER.name()
        )));
    }
    order.status = Status::Refunded;
    let (number, amount, reason) = (&order.number, euros(amount), &ask.reason);
    Ok(format!("Order {number} is refunded: {amount}. In the books: {reason}"))
}

fn note(shop: &Shared, ask: &Note) -> Result<String, ToolError> {
    let mut shop = shop.open();
    let Some(ticket) = shop.tickets.iter_mut().find(|ticket| ticket.id == ask.ticket) else {
        return Err(unknown("ticket", &ask.ticket, &rows::LIST_TICKETS));
    };
    ticket.notes.push(ask.note.clone());
    if ask.close.unwrap_or(false) {
        ticket.is_open = false;
    }
    let state = if ticket.is_open { "open" } else { "closed" };
    Ok(format!("Ticket {} has {} notes and is {state}.", ticket.id, ticket.notes.len()))
}

async fn export(ctx: &CallContext<'_>, shop: &Shared, ask: &Export) -> Result<String, ToolError> {
    let lines: Vec<(String, String)> = {
        let shop = shop.open();
        let wanted = shop.orders.iter().filter(|it| ask.status.is_none_or(|is| is == it.status));
        let line = |order: &super::shop::Order| {
            let customer = shop.customer(&order.customer);
            let cents = shop.cents(order);
            let amount = format!("{}.{:02}", cents / 100, cents % 100);
            (order.number.clone(), format!("{},{},{customer},{amount}", order.number, order.placed))
        };
        wanted.map(line).collect()
    };
    let mut csv = String::from("order,placed,customer,euros\n");
    let total = lines.len() as f64;
    for (at, (number, line)) in lines.into_iter().enumerate() {
        tokio::time::sleep(DEMO_STEP_TIME).await;
        csv.push_str(&line);
        csv.push('\n');
        ctx.report((at + 1) as f64, Some(total), format!("order {number}"));
    }
    Ok(csv)
}
