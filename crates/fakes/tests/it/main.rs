//! The fakes from outside: over HTTP, as a client meets them.

#[cfg(test)]
mod wires;
