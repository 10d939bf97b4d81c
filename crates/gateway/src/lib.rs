//! One endpoint in front of many MCP servers: it searches, calls, authorizes and audits.

pub mod clients;
pub mod config;
pub mod limits;
pub mod upstream;
pub mod watchdog;
