//! Which mode suits which client. What is known of clients is data.

use std::sync::LazyLock;

use serde::Deserialize;

use crate::config::Mode;

/// What is known of one client.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ClientRow {
    /// The name that it gives itself, or how that begins where this ends in `*`.
    pub name: String,
    /// What people call it.
    pub title: String,
    /// Whether it lists again when it is told that the list has changed.
    pub relists: Relists,
    /// Whether it can keep tools out of the model's sight by itself.
    pub defers: bool,
    /// The key of a tool's `_meta` that keeps the tool in the model's sight all the same, where the client has one.
    #[serde(default)]
    pub shows: Option<String>,
    /// What suits it best.
    mode: Suits,
}

/// Whether a client lists again when it is told that the list has changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Relists {
    /// It does, and an answer that is held until then is seen with the new list.
    InTime,
    /// It does, and the model sees the new list one step late.
    Late,
    /// It does not.
    Never,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum Suits {
    Search,
    Dynamic,
    Passthrough,
}

#[derive(Deserialize)]
struct Table {
    client: Vec<ClientRow>,
}

static ROWS: LazyLock<Vec<ClientRow>> = LazyLock::new(|| {
    // The table is part of the program, and a test reads it.
    let table: Option<Table> = toml::from_str(include_str!("../../data/clients.toml")).ok();
    table.map(|table| table.client).unwrap_or_default()
});

/// Returns what is known of the client that calls itself `name`.
#[must_use]
pub fn client(name: &str) -> Option<&'static ClientRow> {
    let is = |row: &&ClientRow| match row.name.strip_suffix('*') {
        Some(begin) => name.get(..begin.len()).is_some_and(|it| it.eq_ignore_ascii_case(begin)),
        None => name.eq_ignore_ascii_case(&row.name),
    };
    ROWS.iter().find(is)
}

/// Says whether a client that speaks both eras is to begin a session: what it finds joins its list, and a list may grow in a session alone.
pub(super) fn wants_session(wanted: Mode, name: Option<&str>) -> bool {
    mode(wanted, name) == Mode::Dynamic && name.and_then(client).is_some() && may_relist(name)
}

/// Says whether a client may list again when it is told that the list has changed; one that nobody knows may.
pub(super) fn may_relist(name: Option<&str>) -> bool {
    name.and_then(client).is_none_or(|row| row.relists != Relists::Never)
}

/// Returns the mode for a client, given what the settings say.
pub(super) fn mode(wanted: Mode, name: Option<&str>) -> Mode {
    match wanted {
        Mode::Auto => match name.and_then(client).map(|row| row.mode) {
            Some(Suits::Dynamic) => Mode::Dynamic,
            Some(Suits::Passthrough) => Mode::Passthrough,
            Some(Suits::Search) | None => Mode::Search,
        },
        mode => mode,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_is_read_and_names_lead_to_its_rows() {
        assert!(ROWS.len() >= 5);
        assert_eq!(client("claude-code").map(|row| row.relists), Some(Relists::InTime));
        assert_eq!(client("Codex-MCP-Client").map(|row| &*row.title), Some("Codex"));
        assert_eq!(client("claude-code-2"), None);
        assert_eq!(mode(Mode::Auto, Some("nobody")), Mode::Search);
        assert_eq!(mode(Mode::Passthrough, Some("claude-code")), Mode::Passthrough);
    }

    #[test]
    fn a_session_is_wanted_where_a_list_grows_and_is_read_again() {
        assert!(wants_session(Mode::Dynamic, Some("claude-code")));
        assert!(!wants_session(Mode::Dynamic, Some("codex-mcp-client")), "it never lists again");
        assert!(!wants_session(Mode::Dynamic, Some("nobody")), "it may speak the newer era alone");
        assert!(!wants_session(Mode::Search, Some("claude-code")));
        assert!(may_relist(None) && may_relist(Some("nobody")) && may_relist(Some("claude-code")));
        assert!(!may_relist(Some("codex-mcp-client")));
    }
}
