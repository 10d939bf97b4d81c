//! A small shop in memory. It lives as long as the command, and what is changed in it is gone with it.

use std::sync::{Mutex, MutexGuard, PoisonError};

use serde::{Deserialize, Serialize};

/// The shop as it is at the beginning.
const DATA: &str = include_str!("../../../../data/shop.json");

/// What the shop knows.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Shop {
    pub(super) customers: Vec<Customer>,
    pub(super) products: Vec<Product>,
    /// In the order in which they were placed.
    pub(super) orders: Vec<Order>,
    pub(super) invoices: Vec<Invoice>,
    pub(super) tickets: Vec<Ticket>,
}

#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Customer {
    pub(super) id: String,
    pub(super) name: String,
    pub(super) email: String,
    pub(super) city: String,
}

#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Product {
    pub(super) sku: String,
    pub(super) name: String,
    /// The price of one, in cents.
    pub(super) cents: u64,
    pub(super) stock: u32,
}

#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Order {
    pub(super) number: String,
    pub(super) customer: String,
    /// The day, such as 2026-11-24.
    pub(super) placed: String,
    pub(super) status: Status,
    pub(super) lines: Vec<Line>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Serialize, schemars::JsonSchema)]
#[serde(rename_all = "lowercase")]
pub(super) enum Status {
    Paid,
    Shipped,
    Delivered,
    Refunded,
    Cancelled,
}

#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Line {
    pub(super) sku: String,
    pub(super) quantity: u32,
}

#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Invoice {
    pub(super) number: String,
    pub(super) order: String,
    pub(super) issued: String,
    pub(super) due: String,
    pub(super) is_paid: bool,
}

#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Ticket {
    pub(super) id: String,
    pub(super) order: String,
    pub(super) opened: String,
    pub(super) is_open: bool,
    pub(super) subject: String,
    pub(super) notes: Vec<String>,
}

/// A shop that tools share.
#[derive(Debug)]
pub(super) struct Shared(Mutex<Shop>);

impl Shared {
    pub(super) fn new(shop: Shop) -> Self {
        Self(Mutex::new(shop))
    }

    /// Returns the shop, for as long as nothing is awaited.
    pub(super) fn open(&self) -> MutexGuard<'_, Shop> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Shop {
    /// The shop at the beginning; empty only where the program was built with a broken file, which its tests would tell.
    pub(super) fn new() -> Self {
        serde_json::from_str(DATA).unwrap_or_default()
    }

    /// Returns what an order costs, in cents.
    pub(super) fn cents(&self, order: &Order) -> u64 {
        order.lines.iter().map(|line| self.price(&line.sku) * u64::from(line.quantity)).sum()
    }

    fn price(&self, sku: &str) -> u64 {
        self.products.iter().find(|product| product.sku == sku).map_or(0, |product| product.cents)
    }

    /// Returns the name of a customer.
    pub(super) fn customer<'s>(&'s self, id: &'s str) -> &'s str {
        self.customers
            .iter()
            .find(|customer| customer.id == id)
            .map_or(id, |customer| customer.name.as_str())
    }
}

/// Returns an amount as people write it.
pub(super) fn euros(cents: u64) -> String {
    format!("{}.{:02} EUR", cents / 100, cents % 100)
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::{DATA, Shop, euros};

    #[test]
    fn everything_that_is_named_is_there() {
        let shop: Shop = serde_json::from_str(DATA).unwrap();
        let customers: HashSet<&str> = shop.customers.iter().map(|it| it.id.as_str()).collect();
        let products: HashSet<&str> = shop.products.iter().map(|it| it.sku.as_str()).collect();
        let orders: HashSet<&str> = shop.orders.iter().map(|it| it.number.as_str()).collect();
        assert_eq!((customers.len(), products.len(), orders.len()), (6, 6, 12));
        for order in &shop.orders {
            assert!(customers.contains(order.customer.as_str()), "{order:?}");
            assert!(order.lines.iter().all(|line| products.contains(line.sku.as_str())));
        }
        let named = shop.invoices.iter().map(|it| &it.order);
        for order in named.chain(shop.tickets.iter().map(|it| &it.order)) {
            assert!(orders.contains(order.as_str()), "{order}");
        }
        assert!(shop.orders.is_sorted_by(|a, b| a.placed <= b.placed && a.number < b.number));
    }

    #[test]
    fn an_order_costs_what_its_lines_cost() {
        let shop = Shop::new();
        let order = shop.orders.iter().find(|order| order.number == "1007").unwrap();
        // Two lamps at 69.00 and two mugs at 14.50.
        assert_eq!(euros(shop.cents(order)), "167.00 EUR");
        assert_eq!(euros(5), "0.05 EUR");
    }
}
