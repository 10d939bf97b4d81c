//! The loop from outside: scripted models, real tools.

#[cfg(test)]
mod forks;
#[cfg(test)]
mod order;
#[cfg(test)]
mod race;
#[cfg(test)]
mod script;
#[cfg(test)]
mod scripts;
#[cfg(test)]
mod session;
#[cfg(test)]
mod structure;
#[cfg(test)]
mod support;
#[cfg(test)]
mod turn;
#[cfg(test)]
mod weakest;
