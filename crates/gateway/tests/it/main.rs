//! The gateway as clients see it, over real processes.

#[cfg(test)]
mod bench;
#[cfg(test)]
mod changes;
#[cfg(test)]
mod eras;
#[cfg(test)]
mod faults;
#[cfg(test)]
mod isolation;
#[cfg(test)]
mod keywords;
#[cfg(test)]
mod limits;
#[cfg(test)]
mod names;
#[cfg(test)]
mod newer;
#[cfg(test)]
mod replay;
#[cfg(test)]
mod serving;
#[cfg(test)]
mod telemetry;
#[cfg(test)]
mod web_faults;
