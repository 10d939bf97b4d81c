//! The tools of the demo, each written down once.

use oncue_decl::Row;

/// The tool that pays money back, and its cautious partner.
const REFUND: &str = "refundOrder";
const PROPOSE: &str = "proposeRefund";

pub(super) static LIST_ORDERS: Row =
    Row::declare("listOrders", "Lists orders, newest first, by customer or status")
        .silent()
        .inline();

pub(super) static SHOW_ORDER: Row =
    Row::declare("showOrder", "Shows an order: what was bought, what it cost, where it is")
        .silent()
        .inline();

pub(super) static FIND_CUSTOMER: Row =
    Row::declare("findCustomer", "Finds customers by name, e-mail address or city")
        .silent()
        .inline();

pub(super) static LIST_INVOICES: Row =
    Row::declare("listInvoices", "Lists invoices, or those that are not paid yet")
        .silent()
        .keywords(&["bill", "billing", "unpaid", "overdue", "owed", "debt"])
        .discoverable();

pub(super) static SHOW_INVOICE: Row =
    Row::declare("showInvoice", "Shows an invoice: amount, due date, whether it is paid")
        .silent()
        .keywords(&["bill", "billing", "payment", "amount due"])
        .discoverable();

pub(super) static LIST_TICKETS: Row =
    Row::declare("listTickets", "Lists what customers have complained about or asked")
        .silent()
        .keywords(&["support", "complaint", "issue", "case", "open", "help desk"])
        .discoverable();

pub(super) static SHOW_TICKET: Row = Row::declare("showTicket", "Shows a ticket with its notes")
    .silent()
    .keywords(&["support", "complaint", "issue", "case", "history"])
    .discoverable();

pub(super) static ADD_TICKET_NOTE: Row =
    Row::declare("addTicketNote", "Writes a note on a ticket, and closes it if told so")
        .silent()
        .keywords(&["support", "comment", "reply", "close", "resolve", "complaint"])
        .discoverable();

pub(super) static SEARCH_PRODUCTS: Row =
    Row::declare("searchProducts", "Finds products by name, with prices")
        .silent()
        .keywords(&["catalogue", "article", "item", "price", "buy"])
        .discoverable();

pub(super) static STOCK_LEVELS: Row =
    Row::declare("stockLevels", "Tells how many pieces of each product are in stock")
        .silent()
        .keywords(&["inventory", "warehouse", "sold out", "available", "shortage"])
        .discoverable();

pub(super) static SALES_REPORT: Row =
    Row::declare("salesReport", "Adds up what was sold between two days, by product")
        .silent()
        .keywords(&["revenue", "turnover", "statistics", "best seller", "income"])
        .discoverable();

pub(super) static EXPORT_ORDERS: Row = Row::declare(
    "exportOrders",
    "Writes all orders as CSV; takes a while and reports how far it is",
)
.silent()
.keywords(&["csv", "spreadsheet", "download", "dump", "backup"])
.discoverable();

pub(super) static REFUND_ORDER: Row =
    Row::declare(REFUND, "Pays the money for an order back to the customer at once")
        .title("Refund")
        .keywords(&["reimburse", "money back", "return", "compensate", "chargeback"])
        .acts_where_proposes(PROPOSE)
        .discoverable();

pub(super) static PROPOSE_REFUND: Row = Row::declare(
    PROPOSE,
    "Offers the user a button that refunds an order; nothing is paid before they click",
)
.silent()
.keywords(&["reimburse", "money back", "return", "suggest", "offer"])
.proposes_where_acts(REFUND)
.discoverable();
