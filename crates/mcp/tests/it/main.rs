//! The crate as its users see it, and as the protocol's own library for Rust sees it.

#[cfg(test)]
mod child;
#[cfg(test)]
mod limits;
#[cfg(test)]
mod lines;
#[cfg(test)]
mod opening;
#[cfg(test)]
mod ours;
#[cfg(test)]
mod pairs;
#[cfg(test)]
mod peer;
#[cfg(test)]
mod theirs;
#[cfg(test)]
mod web;
