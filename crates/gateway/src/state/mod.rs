//! Where the gateway keeps what outlives it: the folder, the files in it, and how they are written.
//!
//! | file | holds |
//! |---|---|
//! | `place` | which folder it is, and making it ([`StateDir`]) |
//! | `atomic` | a file that is replaced as a whole ([`write_atomically`]) |
//! | `disk` | what is asked of a disk, so that tests can break one |

mod atomic;
mod disk;
mod place;

pub use atomic::write_atomically;
pub use place::{StateDir, StateError};

pub(crate) use atomic::replace;
pub(crate) use disk::{Disk, OpenFile, Stamp, SystemDisk};

#[cfg(test)]
pub(crate) use disk::Lock;

#[cfg(test)]
pub(crate) mod fragile;
