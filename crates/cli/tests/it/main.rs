//! The command from outside: what is typed, what comes back.

#![expect(clippy::expect_used, clippy::panic, reason = "a test that cannot go on fails")]

mod color;
mod embedder;
mod eval;
mod explain;
mod fit;
mod gateway;
mod input;
mod lint;
mod model;
mod oncue;
mod output;
mod reference;
mod rivals;
mod run;
mod search;
mod served;
mod session;
mod show;
mod suggest;
mod tape;
mod token;
mod transcripts;
mod trials;
