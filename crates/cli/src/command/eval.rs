//! `oncue eval`: measures over labelled data sets.

mod answers;
mod calls;
mod fit;
mod folders;
mod print;
mod progress;
mod reasons;
mod retrieval;
mod rivals;

pub(super) use answers::answers;
pub(super) use calls::calls;
pub(super) use fit::fit;
pub(super) use retrieval::retrieval;
pub(super) use rivals::rivals;
