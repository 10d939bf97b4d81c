//! The clients, a row each: where their files are and what an entry of theirs looks like.

use std::fmt;
use std::path::{Path, PathBuf};

use crate::config::Form;

/// A client that speaks to MCP servers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Client {
    /// Claude Code.
    ClaudeCode,
    /// Claude Desktop.
    ClaudeDesktop,
    /// Cursor.
    Cursor,
    /// VS Code.
    VsCode,
    /// Codex.
    Codex,
    /// Gemini CLI.
    Gemini,
    /// Windsurf.
    Windsurf,
}

/// Whose a file of a client is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum ClientScope {
    /// Of one project, often shared with others.
    Project,
    /// Of the user, for all projects.
    User,
}

impl ClientScope {
    /// Returns the word for it.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Project => "project",
            Self::User => "user",
        }
    }
}

/// An operating system, as far as files lie elsewhere there.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Platform {
    /// Linux and its like.
    Linux,
    /// macOS.
    MacOs,
    /// Windows.
    Windows,
}

impl Platform {
    /// The system that this program runs on.
    #[must_use]
    pub const fn current() -> Self {
        if cfg!(windows) {
            Self::Windows
        } else if cfg!(target_os = "macos") {
            Self::MacOs
        } else {
            Self::Linux
        }
    }
}

/// What an entry for a server over HTTP looks like.
pub(super) struct HttpEntry {
    /// The value of `type`, where the client wants one.
    pub(super) kind: Option<&'static str>,
    /// The key of the address.
    pub(super) key: &'static str,
}

/// What is known of a client.
pub(super) struct ClientRow {
    client: Client,
    id: &'static str,
    form: Form,
    /// The user's file on Linux, macOS and Windows, from the home.
    user: [&'static str; 3],
    /// The project's file, from its folder.
    project: Option<&'static str>,
    /// The value of `type` of an entry for a process, where the client wants one.
    pub(super) stdio_kind: Option<&'static str>,
    /// Absent where the client starts processes only.
    pub(super) http: Option<HttpEntry>,
}

const fn same(path: &'static str) -> [&'static str; 3] {
    [path; 3]
}

const ROWS: [ClientRow; 7] = [
    ClientRow {
        client: Client::ClaudeCode,
        id: "claude-code",
        form: Form::ClaudeCode,
        user: same(".claude.json"),
        project: Some(".mcp.json"),
        stdio_kind: Some("stdio"),
        http: Some(HttpEntry { kind: Some("http"), key: "url" }),
    },
    ClientRow {
        client: Client::ClaudeDesktop,
        id: "claude-desktop",
        form: Form::ClaudeDesktop,
        user: [
            ".config/Claude/claude_desktop_config.json",
            "Library/Application Support/Claude/claude_desktop_config.json",
            "AppData/Roaming/Claude/claude_desktop_config.json",
        ],
        project: None,
        stdio_kind: None,
        http: None,
    },
    ClientRow {
        client: Client::Cursor,
        id: "cursor",
        form: Form::Cursor,
        user: same(".cursor/mcp.json"),
        project: Some(".cursor/mcp.json"),
        stdio_kind: None,
        http: Some(HttpEntry { kind: None, key: "url" }),
    },
    ClientRow {
        client: Client::VsCode,
        id: "vscode",
        form: Form::VsCode,
        user: [
            ".config/Code/User/mcp.json",
            "Library/Application Support/Code/User/mcp.json",
            "AppData/Roaming/Code/User/mcp.json",
        ],
        project: Some(".vscode/mcp.json"),
        stdio_kind: Some("stdio"),
        http: Some(HttpEntry { kind: Some("http"), key: "url" }),
    },
    ClientRow {
        client: Client::Codex,
        id: "codex",
        form: Form::Codex,
        user: same(".codex/config.toml"),
        project: Some(".codex/config.toml"),
        stdio_kind: None,
        http: Some(HttpEntry { kind: None, key: "url" }),
    },
    ClientRow {
        client: Client::Gemini,
        id: "gemini",
        form: Form::Gemini,
        user: same(".gemini/settings.json"),
        project: Some(".gemini/settings.json"),
        stdio_kind: None,
        http: Some(HttpEntry { kind: Some("http"), key: "url" }),
    },
    ClientRow {
        client: Client::Windsurf,
        id: "windsurf",
        form: Form::Windsurf,
        user: same(".codeium/windsurf/mcp_config.json"),
        project: None,
        stdio_kind: None,
        http: Some(HttpEntry { kind: None, key: "serverUrl" }),
    },
];

/// A file of a client.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ClientFile {
    /// Whose program reads it.
    pub client: Client,
    /// Whose it is.
    pub scope: ClientScope,
    /// Where it is, or would be.
    pub path: PathBuf,
}

impl Client {
    /// Every client, in the order of the documentation.
    pub const ALL: [Self; 7] = [
        Self::ClaudeCode,
        Self::ClaudeDesktop,
        Self::Cursor,
        Self::VsCode,
        Self::Codex,
        Self::Gemini,
        Self::Windsurf,
    ];

    /// Returns the client of this id.
    ///
    /// ```
    /// use oncue_gateway::clients::Client;
    ///
    /// assert_eq!(Client::of("claude-code"), Some(Client::ClaudeCode));
    /// assert_eq!(Client::of("nobody"), None);
    /// ```
    #[must_use]
    pub fn of(id: &str) -> Option<Self> {
        ROWS.iter().find(|row| row.id == id).map(|row| row.client)
    }

    pub(super) fn row(self) -> &'static ClientRow {
        let [first, ..] = &ROWS;
        ROWS.iter().find(|row| row.client == self).unwrap_or(first)
    }

    /// Returns the id of the client, as it is typed.
    #[must_use]
    pub fn id(self) -> &'static str {
        self.row().id
    }

    /// Returns the form of its files.
    #[must_use]
    pub fn form(self) -> Form {
        self.row().form
    }

    /// Returns where its file is; `None` where it has none of that scope.
    ///
    /// ```
    /// use std::path::Path;
    ///
    /// use oncue_gateway::clients::{Client, ClientScope, Platform};
    ///
    /// let (home, folder) = (Path::new("/h/ada"), Path::new("/h/ada/shop"));
    /// let file = Client::VsCode.file(ClientScope::Project, Platform::Linux, home, folder);
    /// assert_eq!(file.as_deref(), Some(Path::new("/h/ada/shop/.vscode/mcp.json")));
    /// assert_eq!(Client::Windsurf.file(ClientScope::Project, Platform::Linux, home, folder), None);
    /// ```
    #[must_use]
    pub fn file(
        self,
        scope: ClientScope,
        platform: Platform,
        home: &Path,
        project: &Path,
    ) -> Option<PathBuf> {
        let row = self.row();
        let [linux, mac, windows] = row.user;
        match (scope, platform) {
            (ClientScope::Project, _) => row.project.map(|path| project.join(path)),
            (ClientScope::User, Platform::Linux) => Some(home.join(linux)),
            (ClientScope::User, Platform::MacOs) => Some(home.join(mac)),
            (ClientScope::User, Platform::Windows) => Some(home.join(windows)),
        }
    }
}

impl fmt::Display for Client {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.id())
    }
}

/// Returns the table of the documentation: every client with the places of its files.
#[must_use]
pub fn reference() -> String {
    let mut text =
        String::from("| client | the user's file | the project's file |\n|---|---|---|\n");
    for row in &ROWS {
        let [linux, mac, windows] = row.user;
        let user = match linux == mac && mac == windows {
            true => format!("`~/{linux}`"),
            false => format!("Linux `~/{linux}`, macOS `~/{mac}`, Windows `~/{windows}`"),
        };
        let project = row.project.map(|path| format!("`{path}`")).unwrap_or_default();
        text.push_str(&format!("| `{}` | {user} | {project} |\n", row.id));
    }
    text
}

/// Returns the files of clients that there are: those of the project first, then the user's, each in the order of the clients.
#[must_use]
pub fn discover(platform: Platform, home: &Path, project: &Path) -> Vec<ClientFile> {
    let scopes = [ClientScope::Project, ClientScope::User];
    let all = scopes.into_iter().flat_map(|scope| {
        Client::ALL.into_iter().filter_map(move |client| {
            let path = client.file(scope, platform, home, project)?;
            Some(ClientFile { client, scope, path })
        })
    });
    let mut found: Vec<ClientFile> = all.filter(|file| file.path.is_file()).collect();
    // Where the project is the home, a file is both.
    let mut seen = std::collections::BTreeSet::new();
    found.retain(|file| seen.insert(file.path.clone()));
    found
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::path::{Path, PathBuf};

    use super::{Client, ClientScope, Platform, ROWS, discover};

    #[test]
    fn every_client_has_one_row() {
        assert_eq!(ROWS.each_ref().map(|row| row.client), Client::ALL);
        for client in Client::ALL {
            assert_eq!(client.row().client, client);
            assert_eq!(Client::of(client.id()), Some(client));
            assert_ne!(client.form().row().map(|row| row.form), None);
        }
    }

    #[test]
    fn files_lie_where_the_system_has_them() {
        let (home, project) = (Path::new("/h"), Path::new("/p"));
        let file = |client: Client, platform| {
            client.file(ClientScope::User, platform, home, project).unwrap()
        };
        for (client, platform, expected) in [
            (Client::ClaudeCode, Platform::Windows, "/h/.claude.json"),
            (
                Client::ClaudeDesktop,
                Platform::MacOs,
                "/h/Library/Application Support/Claude/claude_desktop_config.json",
            ),
            (Client::VsCode, Platform::Linux, "/h/.config/Code/User/mcp.json"),
            (Client::VsCode, Platform::Windows, "/h/AppData/Roaming/Code/User/mcp.json"),
            (Client::Codex, Platform::Linux, "/h/.codex/config.toml"),
        ] {
            assert_eq!(file(client, platform), PathBuf::from(expected));
        }
    }

    #[test]
    fn the_files_that_there_are_are_found_once_and_in_order() {
        let home = tempfile::tempdir().unwrap();
        let project = home.path().join("shop");
        let touch = |path: &str| {
            let path = home.path().join(path);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, "{}").unwrap();
        };
        for path in
            [".claude.json", ".gemini/settings.json", "shop/.mcp.json", "shop/.vscode/mcp.json"]
        {
            touch(path);
        }
        let found = |project: &Path| {
            let found = discover(Platform::Linux, home.path(), project);
            found.iter().map(|file| (file.client, file.scope)).collect::<Vec<_>>()
        };
        use ClientScope::{Project, User};
        assert_eq!(
            found(&project),
            [
                (Client::ClaudeCode, Project),
                (Client::VsCode, Project),
                (Client::ClaudeCode, User),
                (Client::Gemini, User),
            ]
        );
        assert_eq!(found(home.path()), [(Client::Gemini, Project), (Client::ClaudeCode, User)]);
    }
}
