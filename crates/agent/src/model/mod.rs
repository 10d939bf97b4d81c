//! What the loop asks of a model and what it gets back, in words that belong to no vendor.

mod disclosure;
mod error;
mod reply;
mod request;
mod usage;

pub use disclosure::Disclosure;
pub use error::{ModelError, ModelErrorKind};
pub use reply::{Delta, Finish, Reply};
pub use request::{Choice, Hidden, Request, ToolList};
pub use usage::Usage;

use oncue_tools::BoxFuture;

/// A model behind an endpoint. Lives as long as the agents that use it; shared by all of them.
pub trait Model: Send + Sync {
    /// Returns the name by which people know it, such as `vendor:model`.
    fn name(&self) -> &str;

    /// Returns how a tool that was found becomes visible to it; a fact of the endpoint, declared and never guessed from the protocol. Unless told, tools join the list, which every endpoint can do.
    fn disclosure(&self) -> Disclosure {
        Disclosure::Append
    }

    /// Says whether the endpoint can be held to some of the listed tools for one reply ([`Choice::Among`]). Unless told, it cannot.
    fn can_narrow(&self) -> bool {
        false
    }

    /// Asks for one reply.
    ///
    /// With a listener the reply is streamed and its pieces are heard as they come; the reply is the same either way.
    /// Dropping the future calls the request off.
    fn reply<'a>(
        &'a self,
        request: &'a Request<'a>,
        listener: Option<&'a dyn Listen>,
    ) -> BoxFuture<'a, Result<Reply, ModelError>>;
}

/// Hears the pieces of a reply as they come.
pub trait Listen: Send + Sync {
    /// Takes one piece; it must not block.
    fn hear(&self, delta: Delta);
}
