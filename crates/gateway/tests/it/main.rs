//! The gateway as clients see it, over real processes.

#[cfg(test)]
mod bench;
#[cfg(test)]
mod eras;
#[cfg(test)]
mod faults;
#[cfg(test)]
mod newer;
#[cfg(test)]
mod serving;
