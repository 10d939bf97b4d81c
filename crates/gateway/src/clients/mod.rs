//! The clients whose files are read and written: found, imported, connected and left again.
//!
//! Everything that decides is computed from texts and gives a [`Change`] that can be shown before it is made; [`Change::apply`] makes it.
//! A change keeps comments, order and form of the file, and touches nothing but its own entry, except where the servers beside it are to be moved.

mod apply;
mod connect;
mod edit;
mod import;
mod mask;
mod name;
mod table;

pub use apply::{Applied, ApplyError, backups};
pub use connect::{Change, ConnectError, Endpoint, Entry, Others, connect, disconnect};
pub use import::{Import, ImportFile, Imported, Renamed, Secrets, SecretsFound};
pub use name::{EntryName, EntryNameFault};
pub use table::{Client, ClientFile, ClientScope, Platform, discover, reference};
