//! The connection to an endpoint: one client for every wire. Nothing is tried twice here; who asks decides that.

mod connection;
mod failure;
mod frames;
mod headers;
mod receive;
mod send;
#[cfg(feature = "bedrock")]
mod sign;
mod tls;
mod wait;

pub(crate) use connection::{Carried, Connection};
pub(crate) use failure::Failure;
pub(crate) use headers::header;
pub(crate) use send::Client;
#[cfg(feature = "bedrock")]
pub(crate) use sign::{Sign, Signed};
