//! The crate as its users see it, and as the protocol's own library for Rust sees it.

mod child;
mod lines;
#[cfg(test)]
mod ours;
mod pairs;
mod peer;
#[cfg(test)]
mod theirs;
mod web;
