//! `oncue eval`: measures over labelled data sets.

mod answers;
mod attack;
mod calls;
mod fit;
mod folders;
mod keywords;
mod needs;
mod no_fit;
mod print;
mod reasons;
mod retrieval;
mod rivals;
mod tune;

pub(super) use answers::answers;
pub(super) use attack::attack;
pub(super) use calls::calls;
pub(super) use fit::fit;
pub(super) use keywords::keywords;
pub(super) use needs::needs;
pub(super) use no_fit::no_fit;
pub(super) use retrieval::{bench, retrieval};
pub(super) use rivals::rivals;
pub(super) use tune::tune;
