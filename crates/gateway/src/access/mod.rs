//! Who comes in, and what they may do: one door for every request over HTTP.
//!
//! [`Access::authorize`] says who makes a request, and [`Access::grants`] what that one may do.
//! Whatever goes wrong on the way, nobody is let in.
//!
//! | file | holds |
//! |---|---|
//! | `authorize` | [`Access`], the door |
//! | `bearer` | what a request presents, and what is malformed about it |
//! | `refusal` | the answers to those who are not let in |
//! | `bind` | on which addresses the gateway may listen ([`may_bind`]) |
//! | `grants` | grants kept ready for the next request |
//! | `token` | a token: its text, its hash, what is known of it |
//! | `tokens` | the tokens on disk: [`Tokens::create`], [`Tokens::list`], [`Tokens::revoke`] |
//! | `file` | the form of that file |
//!
//! Tokens are checked on each request, not on each connection, and a revocation holds from the next request on in every running gateway.
//!
//! OAuth is not built yet. Its seam is here: a challenge can name where the metadata of the resource is ([`Access::with_resource_metadata`]), and another kind of token is another arm of the one door.

mod authorize;
mod bearer;
mod bind;
mod file;
mod grants;
mod refusal;
mod token;
mod tokens;

pub use authorize::{Access, Refused};
pub use bind::{BindRefusal, Policy, may_bind};
pub use token::{Token, TokenState, scope_name, scope_named};
pub use tokens::{Created, Revoked, Tokens, TokensError};
