//! What the gateway tells of its work: numbers for those who watch it, spans for those who follow one request.
//!
//! Numbers go to whichever recorder the program has installed ([`metrics`]), spans to whichever subscriber ([`tracing`]); with neither, a record costs a branch.
//! No label and no attribute holds what a client asked for, what it was answered, or a secret.
//!
//! | file | holds |
//! |---|---|
//! | `table` | every metric: name, unit, labels, buckets, description ([`METRICS`]) |
//! | `outcome` | what came of a call or a search, in one word |
//! | `record` | what is counted where it happens |
//! | `state` | what is looked up when it is asked for ([`State`]) |
//! | `span` | the spans, and how they join the traces of others ([`Propagation`]) |

mod outcome;
mod record;
mod span;
mod state;
mod table;

pub(crate) use outcome::{CallOutcome, SearchOutcome};
pub(crate) use record::{Door, OfGateway, OfUpstream};
pub use span::{Propagation, TARGET, TraceParent};
pub(crate) use span::{
    calling, failed, kind_of, note_call, note_error, note_outcome, opening, requested, searching,
};
pub use state::State;
pub use table::{Kind, METRICS, Metric, describe, reference};

#[cfg(test)]
mod tests;
