//! The front door, used as a stranger would.

mod examples;
