//! Tools that look at the shop.

use std::collections::BTreeMap;
use std::sync::Arc;

use oncue_decl::Row;
use oncue_tools::{NoArguments, Tool, tool};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, json};

use super::shop::{Invoice, Order, Shared, Shop, Status, euros};
use super::{rows, unknown};

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Orders {
    /// The id of a customer, such as C-01.
    customer: Option<String>,
    status: Option<Status>,
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Number {
    /// Which one, by its number, such as 1007, R-503 or T-33.
    number: String,
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Words {
    /// A part of the name, in any case.
    text: String,
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Invoices {
    /// Whether to list unpaid ones alone.
    unpaid: Option<bool>,
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Tickets {
    /// Whether to list open ones alone.
    open: Option<bool>,
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Days {
    /// The first day, such as 2026-11-01.
    from: String,
    /// The last day, included.
    to: String,
}

/// A tool that answers from the shop as it stands.
macro_rules! reads {
    ($shop:expr, $row:expr, |$open:ident, $arguments:ident: $type:ty| $answer:expr) => {{
        let shop = Arc::clone($shop);
        let row: &Row = &$row;
        let tool = tool(row.clone(), async move |_, $arguments: $type| {
            let $open = shop.open();
            $answer
        });
        Arc::new(tool.parallel()) as Arc<dyn Tool>
    }};
}

pub(super) fn tools(shop: &Arc<Shared>) -> Vec<Arc<dyn Tool>> {
    vec![
        reads!(shop, rows::LIST_ORDERS, |shop, ask: Orders| Ok(orders(&shop, &ask))),
        reads!(shop, rows::SHOW_ORDER, |shop, ask: Number| {
            let order = shop.orders.iter().find(|order| order.number == ask.number);
            order
                .map(|order| order_json(&shop, order))
                .ok_or_else(|| unknown("order", &ask.number, &rows::LIST_ORDERS))
        }),
        reads!(shop, rows::FIND_CUSTOMER, |shop, ask: Words| Ok(customers(&shop, &ask.text))),
        reads!(shop, rows::LIST_INVOICES, |shop, ask: Invoices| {
            let wanted = |invoice: &&Invoice| !ask.unpaid.unwrap_or(false) || !invoice.is_paid;
            let invoices = shop.invoices.iter().filter(wanted);
            Ok(Value::from_iter(invoices.map(|invoice| invoice_json(&shop, invoice))))
        }),
        reads!(shop, rows::SHOW_INVOICE, |shop, ask: Number| {
            let invoice = shop.invoices.iter().find(|invoice| invoice.number == ask.number);
            invoice
                .map(|invoice| invoice_json(&shop, invoice))
                .ok_or_else(|| unknown("invoice", &ask.number, &rows::LIST_INVOICES))
        }),
        reads!(shop, rows::LIST_TICKETS, |shop, ask: Tickets| {
            let tickets = shop.tickets.iter().filter(|it| !ask.open.unwrap_or(false) || it.is_open);
            let line = |ticket: &super::shop::Ticket| json!({"id": ticket.id, "order": ticket.order, "is_open": ticket.is_open, "subject": ticket.subject});
            Ok(Value::from_iter(tickets.map(line)))
        }),
        reads!(shop, rows::SHOW_TICKET, |shop, ask: Number| {
            let ticket = shop.tickets.iter().find(|ticket| ticket.id == ask.number);
            ticket
                .map(|ticket| json!(ticket))
                .ok_or_else(|| unknown("ticket", &ask.number, &rows::LIST_TICKETS))
        }),
        reads!(shop, rows::SEARCH_PRODUCTS, |shop, ask: Words| {
            let text = ask.text.to_lowercase();
            let fits = shop.products.iter().filter(|it| it.name.to_lowercase().contains(&text));
            Ok(Value::from_iter(fits.map(|product| {
                json!({"sku": product.sku, "name": product.name, "price": euros(product.cents)})
            })))
        }),
        reads!(shop, rows::STOCK_LEVELS, |shop, _ask: NoArguments| {
            Ok(Value::from_iter(shop.products.iter().map(
                |product| json!({"sku": product.sku, "name": product.name, "stock": product.stock}),
            )))
        }),
        reads!(shop, rows::SALES_REPORT, |shop, ask: Days| Ok(sales(&shop, &ask))),
    ]
}

fn orders(shop: &Shop, ask: &Orders) -> Value {
    let wanted = |order: &&Order| {
        ask.customer.as_ref().is_none_or(|customer| *customer == order.customer)
            && ask.status.is_none_or(|status| status == order.status)
    };
    let line = |order: &Order| {
        json!({
            "number": order.number,
            "customer": shop.customer(&order.customer),
            "placed": order.placed,
            "status": order.status,
            "total": euros(shop.cents(order)),
        })
    };
    Value::from_iter(shop.orders.iter().rev().filter(wanted).map(line))
}

fn order_json(shop: &Shop, order: &Order) -> Value {
    json!({
        "number": order.number,
        "customer": {"id": order.customer, "name": shop.customer(&order.customer)},
        "placed": order.placed,
        "status": order.status,
        "lines": order.lines,
        "total": euros(shop.cents(order)),
    })
}

fn customers(shop: &Shop, text: &str) -> Value {
    let text = text.to_lowercase();
    let fits = shop.customers.iter().filter(|customer| {
        [&customer.name, &customer.email, &customer.city]
            .iter()
            .any(|field| field.to_lowercase().contains(&text))
    });
    Value::from_iter(fits.map(|customer| json!(customer)))
}

fn invoice_json(shop: &Shop, invoice: &Invoice) -> Value {
    let order = shop.orders.iter().find(|order| order.number == invoice.order);
    let mut json = json!(invoice);
    if let (Some(json), Some(order)) = (json.as_object_mut(), order) {
        json.insert("customer".to_owned(), shop.customer(&order.customer).into());
        json.insert("amount".to_owned(), euros(shop.cents(order)).into());
    }
    json
}

/// Adds up what was sold; what was paid back or called off was not.
fn sales(shop: &Shop, days: &Days) -> Value {
    let mut pieces: BTreeMap<&str, u64> = BTreeMap::new();
    let mut cents = 0;
    let is_sold = |order: &&Order| {
        (days.from.as_str()..=days.to.as_str()).contains(&order.placed.as_str())
            && !matches!(order.status, Status::Refunded | Status::Cancelled)
    };
    for order in shop.orders.iter().filter(is_sold) {
        cents += shop.cents(order);
        for line in &order.lines {
            *pieces.entry(line.sku.as_str()).or_default() += u64::from(line.quantity);
        }
    }
    json!({"from": days.from, "to": days.to, "pieces": pieces, "revenue": euros(cents)})
}
