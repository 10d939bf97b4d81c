//! The commands of the gateway: its settings, and the clients that use it.

mod behind;
mod call;
mod change;
mod check;
mod connect;
mod here;
mod import;
mod place;
mod program;
mod serve;
mod status;

pub(crate) use self::behind::{Behind, Offered, is_settings};
pub(super) use self::call::run as call;
pub(super) use self::check::run as check;
pub(super) use self::connect::{connect, disconnect};
pub(super) use self::import::run as import;
pub(super) use self::serve::{run as serve, watch};
pub(super) use self::status::run as status;
