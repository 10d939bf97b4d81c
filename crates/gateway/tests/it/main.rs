//! The gateway as clients see it, over real processes.

#[cfg(test)]
mod bench;
mod faults;
mod serving;
