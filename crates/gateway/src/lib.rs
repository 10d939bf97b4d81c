//! One endpoint in front of many MCP servers: it searches, calls, authorizes and audits.
