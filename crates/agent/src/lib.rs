//! The loop of an agent: what to do next, apart from doing it.
//!
//! | module | holds |
//! |---|---|
//! | [`conversation`] | what was said, in words of no vendor |
//! | `model` | [`Model`]: what is asked and answered, and how found tools become visible ([`Disclosure`]) |
//! | `encode` | [`Encode`]: from a request to a vendor's bytes |
//! | [`cache`] | what a provider's cache of prompt prefixes reads and writes |

mod agent;
pub mod cache;
pub mod conversation;
mod encode;
mod event;
mod fork;
mod hooks;
pub mod limits;
mod model;
mod profile;
mod run;
mod runner;
mod session;
mod view;

pub use agent::Agent;
pub use cache::MissReason;
pub use encode::{Encode, EncodeError, Encoded, Loss};
pub use event::{Event, Listener};
pub use fork::Fork;
pub use hooks::{BeforeStep, StepHook, StepView};
pub use model::{
    Choice, Delta, Disclosure, Finish, Hidden, Listen, Model, ModelError, ModelErrorKind, Reply,
    Request, ToolList, Usage,
};
pub use profile::Profile;
pub use run::{Ended, Limit, Next, Outcome, Question, Ready, Rules, Run, TurnLimits};
pub use session::{Session, SessionRecord, TurnEnd};
