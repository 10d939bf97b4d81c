//! One endpoint in front of many MCP servers: it searches, calls, authorizes and audits.

pub mod access;
pub mod audit;
pub mod catalog;
pub mod clients;
pub mod config;
mod digest;
pub mod limits;
pub mod outgoing;
pub mod serve;
pub mod state;
pub mod telemetry;
pub mod upstream;
pub mod watchdog;
