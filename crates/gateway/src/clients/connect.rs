//! What a file is changed to: by connecting a client to the gateway, by leaving it again, and by writing settings.

use std::path::{Path, PathBuf};

use similar::TextDiff;

use super::edit::{Part, Parts, Text};
use super::mask::masked;
use super::{Client, EntryName};
use crate::config::{Context, Fault, Foreign, Form, Settings};

/// How many unchanged lines stand around a change that is shown, in lines.
const CONTEXT_LINES: usize = 2;

/// What a client has of the gateway.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// Its name there.
    pub name: EntryName,
    /// How the gateway is reached.
    pub endpoint: Endpoint,
}

impl Entry {
    /// An entry of the usual name.
    #[must_use]
    pub fn new(endpoint: Endpoint) -> Self {
        Self { name: EntryName::default(), endpoint }
    }
}

/// How a client reaches the gateway.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Endpoint {
    /// It starts the gateway.
    Stdio {
        /// The program.
        command: String,
        /// Its arguments, such as `serve --config FILE`.
        args: Vec<String>,
    },
    /// It reaches one that runs.
    Http {
        /// Its address.
        url: String,
    },
}

/// What becomes of the client's other servers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Others {
    /// They stay.
    Keep,
    /// They are taken out, since the gateway has them.
    Move,
}

/// A change of one file, which nothing has been done about yet.
#[derive(Clone, PartialEq, Eq)]
pub struct Change {
    /// The file.
    pub path: PathBuf,
    /// What it holds; absent where there is none.
    pub before: Option<String>,
    /// What it is to hold; absent where it is to go.
    pub after: Option<String>,
    /// The names of the servers that are taken out.
    pub moved: Vec<String>,
    /// The form of the file.
    pub(super) form: Form,
    /// The entry of a client that is changed, which may be shown; absent where settings are written.
    own: Option<EntryName>,
}

/// Why a client cannot be connected.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ConnectError {
    /// Its file cannot be read as what it should be.
    #[error("cannot change the file: {0}")]
    File(Fault),
    /// It starts processes only.
    #[error("{0} cannot reach a gateway over HTTP; it must start one")]
    NoHttp(Client),
}

impl From<Fault> for ConnectError {
    fn from(fault: Fault) -> Self {
        Self::File(fault)
    }
}

/// Returns the change that makes `client` reach the gateway: `before` is what its file at `path` holds, if there is one.
///
/// A file that is right already is not changed.
///
/// ```
/// use std::path::Path;
///
/// use oncue_gateway::clients::{Client, Endpoint, Entry, Others, connect};
///
/// let entry = Entry::new(Endpoint::Http { url: "http://127.0.0.1:8787/mcp".into() });
/// let path = Path::new(".cursor/mcp.json");
/// let change = connect(Client::Cursor, path, None, &entry, Others::Keep)?;
/// assert!(change.diff().contains("+    \"oncue\": {"));
/// let after = change.after.as_deref();
/// assert!(connect(Client::Cursor, path, after, &entry, Others::Keep)?.is_empty());
/// # Ok::<(), oncue_gateway::clients::ConnectError>(())
/// ```
///
/// # Errors
///
/// The file is no TOML or JSON of the client's form, or the client cannot reach such a gateway.
pub fn connect(
    client: Client,
    path: &Path,
    before: Option<&str>,
    entry: &Entry,
    others: Others,
) -> Result<Change, ConnectError> {
    let parts = parts(client, &entry.endpoint)?;
    let text = Text { file: path, form: client.form(), text: before };
    let (after, moved) = text.with(entry.name.as_str(), &parts, others == Others::Keep)?;
    Ok(Change {
        path: path.to_owned(),
        before: before.map(str::to_owned),
        after: Some(after),
        moved,
        form: client.form(),
        own: Some(entry.name.clone()),
    })
}

/// Returns the change that takes the gateway out of the client's file again.
///
/// Where one of `backups`, newest first, is what the file was before it was connected and nothing has been changed since, the file becomes that again, byte for byte, with the servers that were taken out.
/// Otherwise the entry alone is removed; a file that holds nothing else goes.
///
/// # Errors
///
/// The file is no TOML or JSON of the client's form.
pub fn disconnect(
    client: Client,
    path: &Path,
    before: &str,
    name: &EntryName,
    backups: &[String],
) -> Result<Change, ConnectError> {
    let form = client.form();
    let text = Text { file: path, form, text: Some(before) };
    let own = name.as_str();
    let made_of = |backup: Option<&str>, keeps_others: bool, parts: &Parts| {
        let text = Text { file: path, form, text: backup };
        // A backup that has the entry already is no state from before.
        let is_before = text.entry(own).is_none();
        let made = text.with(own, parts, keeps_others);
        is_before && made.is_ok_and(|(made, _)| made == before)
    };
    let restored = text.entry(own).and_then(|parts| {
        let is_source = |backup: &&String| {
            [true, false].iter().any(|&keeps| made_of(Some(backup), keeps, &parts))
        };
        let backup = backups.iter().find(is_source).cloned().map(Some);
        backup.or_else(|| made_of(None, true, &parts).then_some(None))
    });
    let after = match restored {
        Some(restored) => restored,
        None => Some(text.without(own)?.unwrap_or_else(|| before.to_owned())),
    };
    Ok(Change {
        path: path.to_owned(),
        before: Some(before.to_owned()),
        after,
        moved: Vec::new(),
        form,
        own: Some(name.clone()),
    })
}

impl Change {
    /// Returns the change that writes settings in the native form. The file is for its owner alone, since it may hold secrets.
    #[must_use]
    pub fn of_settings(path: &Path, before: Option<String>, after: String) -> Self {
        Self {
            path: path.to_owned(),
            before,
            after: Some(after),
            moved: Vec::new(),
            form: Form::Native,
            own: None,
        }
    }

    /// Returns the names of servers that are taken out and that the gateway does not have: none of its upstreams is the same program or address.
    #[must_use]
    pub fn lost(&self, context: &Context, settings: &Settings) -> Vec<String> {
        let before = self.before.as_deref().unwrap_or_default();
        let read = Foreign::read(self.form, &self.path, before, context);
        let servers = read.map(|read| read.upstreams).unwrap_or_default();
        let is_had = |name: &&String| {
            let named = servers.iter().find(|server| server.id.as_str() == name.as_str());
            named.is_some_and(|server| {
                let print = server.fingerprint();
                settings.upstreams.iter().any(|upstream| upstream.fingerprint() == print)
            })
        };
        self.moved.iter().filter(|name| !is_had(name)).cloned().collect()
    }

    /// Says whether nothing is to be done.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.before == self.after
    }

    /// Returns the change as lines with `+` and `-`, for a person to look at. Texts outside the gateway's own entry, and comments, show as `…`.
    #[must_use]
    pub fn diff(&self) -> String {
        let shown = |text: &Option<String>| {
            let text = text.as_deref().unwrap_or_default();
            masked(&self.path, self.form, text, self.own.as_ref().map(EntryName::as_str))
        };
        let (before, after) = (shown(&self.before), shown(&self.after));
        let name = self.path.display().to_string();
        TextDiff::from_lines(&before, &after)
            .unified_diff()
            .context_radius(CONTEXT_LINES)
            .header(&name, &name)
            .to_string()
    }
}

impl std::fmt::Debug for Change {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let bytes = |text: &Option<String>| text.as_ref().map(String::len);
        f.debug_struct("Change")
            .field("path", &self.path)
            .field("before_bytes", &bytes(&self.before))
            .field("after_bytes", &bytes(&self.after))
            .field("moved", &self.moved)
            .finish_non_exhaustive()
    }
}

/// Returns the entry that leads to the gateway, as the client wants it.
fn parts(client: Client, endpoint: &Endpoint) -> Result<Parts, ConnectError> {
    let row = client.row();
    let text = |key: &str, text: &str| (key.to_owned(), Part::Text(text.to_owned()));
    match (endpoint, &row.http) {
        (Endpoint::Stdio { command, args }, _) => {
            let kind = row.stdio_kind.map(|kind| text("type", kind));
            let args = ("args".to_owned(), Part::List(args.clone()));
            Ok(kind.into_iter().chain([text("command", command), args]).collect())
        }
        (Endpoint::Http { url }, Some(http)) => {
            let kind = http.kind.map(|kind| text("type", kind));
            Ok(kind.into_iter().chain([text(http.key, url)]).collect())
        }
        (Endpoint::Http { .. }, None) => Err(ConnectError::NoHttp(client)),
    }
}

#[cfg(test)]
mod tests;
