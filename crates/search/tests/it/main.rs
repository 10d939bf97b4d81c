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
mod needs;
mod oracle;
mod siblings;
mod slots;
#[cfg(test)]
mod versions;
