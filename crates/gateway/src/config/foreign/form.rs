//! The forms of settings, a row each, and how they are told apart.

use std::path::Path;

use crate::config::tree::{Entry, Fields, Node};
use crate::config::{Context, Fault, Syntax};

/// A form in which servers are written down.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Form {
    /// `oncue.toml`.
    Native,
    /// A JSON file with `mcpServers`, of no client in particular.
    Standard,
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

/// What is known of a foreign form.
pub(crate) struct FormRow {
    pub(crate) form: Form,
    /// Whose it is.
    pub(crate) title: &'static str,
    /// The files that have it, by how their paths end.
    pub(crate) files: &'static [&'static str],
    /// The table that holds the servers.
    pub(crate) servers: &'static str,
    /// What of a server is used.
    pub(crate) keys: &'static [&'static str],
    pub(crate) syntax: Syntax,
}

/// Every foreign form, in the order in which they are told apart.
pub(crate) const FORMS: &[FormRow] = &[
    FormRow {
        form: Form::ClaudeCode,
        title: "Claude Code",
        files: &[".mcp.json", ".claude.json"],
        servers: "mcpServers",
        keys: &["type", "command", "args", "env", "url", "headers", "timeout"],
        syntax: Syntax::Braces,
    },
    FormRow {
        form: Form::ClaudeDesktop,
        title: "Claude Desktop",
        files: &["claude_desktop_config.json"],
        servers: "mcpServers",
        keys: &["command", "args", "env"],
        syntax: Syntax::Literal,
    },
    FormRow {
        form: Form::Cursor,
        title: "Cursor",
        files: &[".cursor/mcp.json"],
        servers: "mcpServers",
        keys: &["type", "command", "args", "env", "url", "headers"],
        syntax: Syntax::Braces,
    },
    FormRow {
        form: Form::VsCode,
        title: "VS Code",
        files: &[".vscode/mcp.json", "User/mcp.json", "User/settings.json"],
        servers: "servers",
        keys: &["type", "command", "args", "env", "cwd", "url", "headers", "transport"],
        syntax: Syntax::Braces,
    },
    FormRow {
        form: Form::Codex,
        title: "Codex",
        files: &[".codex/config.toml"],
        servers: "mcp_servers",
        keys: &[
            "command", "args", "env", "env_vars", "cwd", "url", "bearer_token_env_var",
            "http_headers", "env_http_headers", "enabled", "startup_timeout_sec",
            "startup_timeout_ms", "tool_timeout_sec", "enabled_tools", "disabled_tools",
        ],
        syntax: Syntax::Literal,
    },
    FormRow {
        form: Form::Gemini,
        title: "Gemini CLI",
        files: &[".gemini/settings.json"],
        servers: "mcpServers",
        keys: &[
            "type", "command", "args", "env", "cwd", "url", "httpUrl", "headers", "timeout",
            "includeTools", "excludeTools", "description",
        ],
        syntax: Syntax::Dollar,
    },
    FormRow {
        form: Form::Windsurf,
        title: "Windsurf",
        files: &["mcp_config.json"],
        servers: "mcpServers",
        keys: &[
            "command", "args", "env", "serverUrl", "url", "headers", "disabled", "disabledTools",
        ],
        syntax: Syntax::Braces,
    },
    FormRow {
        form: Form::Standard,
        title: "any other",
        files: &[],
        servers: "mcpServers",
        keys: &[
            "type", "transport", "command", "args", "env", "cwd", "url", "headers", "disabled",
            "enabled", "timeout", "description",
        ],
        syntax: Syntax::Braces,
    },
];

impl Form {
    /// Returns the form of a file, by its name first and then by what it holds.
    pub(crate) fn of(file: &Path, tree: &Node) -> Option<Self> {
        let is_named = |ending: &&&str| file.ends_with(Path::new(**ending));
        let named = FORMS.iter().find(|row| row.files.iter().any(|ending| is_named(&ending)));
        if file.extension().is_some_and(|extension| extension == "toml") {
            let is_foreign = tree.get("mcp_servers").is_some();
            return Some(if is_foreign { Self::Codex } else { Self::Native });
        }
        if let Some(row) = named {
            return Some(row.form);
        }
        if tree.get("mcpServers").is_some() {
            return Some(Self::Standard);
        }
        let is_editor = tree.get("servers").is_some()
            || tree.get("mcp").is_some_and(|mcp| mcp.get("servers").is_some());
        is_editor.then_some(Self::VsCode)
    }

    /// Returns what is known of the form; `None` for the native one.
    pub(crate) fn row(self) -> Option<&'static FormRow> {
        FORMS.iter().find(|row| row.form == self)
    }

    pub(crate) fn syntax(self) -> Syntax {
        self.row().map_or(Syntax::Native, |row| row.syntax)
    }

    /// Returns the tables of servers in a file, in the order in which the client would look.
    pub(super) fn servers<'n>(
        self,
        tree: &'n Node,
        context: &Context,
    ) -> Result<Vec<&'n [Entry]>, Fault> {
        let file = Fields::new(tree, "")?;
        let key = self.row().map_or("mcpServers", |row| row.servers);
        let mut tables = Vec::new();
        match self {
            Self::ClaudeCode => {
                let cwd = context.cwd.as_deref().map(Path::to_string_lossy);
                let project = cwd.and_then(|cwd| tree.get("projects")?.get(&cwd));
                if let Some(project) = project {
                    tables.extend(Fields::new(project, "projects")?.table(key)?);
                }
                tables.extend(file.table(key)?);
            }
            Self::VsCode => {
                tables.extend(file.table(key)?);
                tables.extend(file.table("mcpServers")?);
                if let Some(mcp) = tree.get("mcp") {
                    tables.extend(Fields::new(mcp, "mcp")?.table(key)?);
                }
            }
            _ => tables.extend(file.table(key)?),
        }
        Ok(tables)
    }
}

impl std::fmt::Display for Form {
    /// Whose form it is.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.row().map_or("oncue", |row| row.title))
    }
}
