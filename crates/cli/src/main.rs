//! x
#[cfg_attr(not(test), expect(dead_code, reason = "no command reads it yet"))]
mod embedded;

fn main() {}
