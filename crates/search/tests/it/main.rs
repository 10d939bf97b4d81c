//! Black-box tests of search.

mod corpus;
