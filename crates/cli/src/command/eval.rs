//! `oncue eval`: measures over labelled data sets.

mod fit;
mod folders;
mod print;
mod retrieval;

pub(super) use fit::fit;
pub(super) use retrieval::retrieval;
