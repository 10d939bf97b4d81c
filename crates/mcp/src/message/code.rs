//! The codes of errors: those of JSON-RPC 2.0 §5.1 and those that MCP adds.

/// The text is no JSON.
pub const PARSE_ERROR: i64 = -32_700;
/// The JSON is no message, or the message cannot be taken now.
pub const INVALID_REQUEST: i64 = -32_600;
/// There is no such method.
pub const METHOD_NOT_FOUND: i64 = -32_601;
/// The parameters do not fit the method.
pub const INVALID_PARAMS: i64 = -32_602;
/// Something else went wrong.
pub const INTERNAL_ERROR: i64 = -32_603;
/// A server of the sessions era says so of a resource that it does not have.
pub const RESOURCE_NOT_FOUND: i64 = -32_002;
/// A header contradicts the body (2026-07-28).
pub const HEADER_MISMATCH: i64 = -32_020;
/// The client lacks a capability that the request needs (2026-07-28).
pub const MISSING_CLIENT_CAPABILITY: i64 = -32_021;
/// The version of the protocol is not spoken (2026-07-28).
pub const UNSUPPORTED_VERSION: i64 = -32_022;
/// A URL must be visited first (2025-11-25).
pub const URL_ELICITATION_REQUIRED: i64 = -32_042;
/// Too much is going on; the same request may be sent again later. Within the range that JSON-RPC leaves to servers.
pub const BUSY: i64 = -32_000;
/// An upstream cannot be reached or did not answer. Within the range that JSON-RPC leaves to servers.
pub const UPSTREAM_UNAVAILABLE: i64 = -32_001;
