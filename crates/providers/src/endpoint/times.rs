//! How long an endpoint is waited for.

use std::time::Duration;

use crate::limits::{CONNECT_TIME_MAX, FIRST_BYTE_TIME_MAX, SILENCE_TIME_MAX};

/// How long an endpoint is waited for. What takes longer is an error that may be tried again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Times {
    /// For the connection.
    pub connect: Duration,
    /// For the first byte of the answer; without a stream that is when all of it is written.
    pub first_byte: Duration,
    /// Between two pieces of the answer.
    pub silence: Duration,
}

impl Default for Times {
    fn default() -> Self {
        Self {
            connect: CONNECT_TIME_MAX,
            first_byte: FIRST_BYTE_TIME_MAX,
            silence: SILENCE_TIME_MAX,
        }
    }
}
