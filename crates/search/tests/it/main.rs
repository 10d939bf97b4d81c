//! Black-box tests of search.

#[cfg(test)]
mod any_text;
#[cfg(test)]
mod catalog;
#[cfg(test)]
mod corpus;
#[cfg(test)]
mod founding;
#[cfg(test)]
mod hybrid;
#[cfg(test)]
mod needs;
#[cfg(test)]
mod oracle;
#[cfg(test)]
mod siblings;
#[cfg(test)]
mod slots;
#[cfg(test)]
mod versions;
