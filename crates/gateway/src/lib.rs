//! One endpoint in front of many MCP servers: it searches, calls, authorizes and audits.

pub mod catalog;
pub mod clients;
pub mod config;
pub mod limits;
pub mod outgoing;
pub mod serve;
pub mod upstream;
pub mod watchdog;
