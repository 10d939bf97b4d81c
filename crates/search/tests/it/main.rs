//! Black-box tests of search.

mod any_text;
mod catalog;
mod corpus;
mod oracle;
mod versions;
