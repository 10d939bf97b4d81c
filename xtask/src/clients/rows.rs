//! The matrix: which clients are run, as what, and in which modes of the gateway. All of it is data.

/// A client, set up in one way.
#[derive(Debug)]
pub(super) struct Row {
    /// Its name on the command line and of its folder.
    pub(super) id: &'static str,
    /// What people call it.
    pub(super) title: &'static str,
    /// What is set, where it is not as its users get it.
    pub(super) variant: &'static str,
    /// The npm or PyPI package whose version counts.
    pub(super) package: &'static str,
    /// What is run.
    pub(super) program: Program,
    /// How it is run.
    pub(super) cells: &'static [Cell],
}

/// What is run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Program {
    /// `claude -p`, with its own tool search or without.
    Claude { defers: bool },
    /// `codex exec` with a model.
    Codex { model: &'static str },
    /// `gemini -p`.
    Gemini,
    /// A program on a Python library.
    Python { library: &'static str, era: &'static str },
    /// A program on a TypeScript library.
    Node { library: &'static str, era: &'static str },
}

/// One run of a client.
#[derive(Clone, Copy, Debug)]
pub(super) struct Cell {
    /// The gateway's mode.
    pub(super) mode: Mode,
    /// The way to the gateway.
    pub(super) transport: Transport,
    /// What the model does, a step a request.
    pub(super) steps: &'static [&'static str],
    /// The fewest requests in which this client can have a tool called.
    pub(super) requests: usize,
    /// How the tool is then called.
    pub(super) by: By,
}

/// A mode of the gateway.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Mode {
    Search,
    Dynamic,
    Passthrough,
}

/// The way between client and gateway.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Transport {
    Stdio,
    Http,
}

/// How a tool is called.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum By {
    /// By its own name, as the client shows it.
    Itself,
    /// By way of `call_tool`.
    CallTool,
    /// From a program that the model writes.
    Script,
}

impl Mode {
    pub(super) const fn word(self) -> &'static str {
        match self {
            Self::Search => "search",
            Self::Dynamic => "dynamic",
            Self::Passthrough => "passthrough",
        }
    }
}

impl Transport {
    pub(super) const fn word(self) -> &'static str {
        match self {
            Self::Stdio => "stdio",
            Self::Http => "http",
        }
    }
}

impl By {
    pub(super) const fn words(self) -> &'static str {
        match self {
            Self::Itself => "by its own name",
            Self::CallTool => "by `call_tool`",
            Self::Script => "from a program",
        }
    }
}

const fn cell(
    mode: Mode,
    transport: Transport,
    steps: &'static [&'static str],
    requests: usize,
    by: By,
) -> Cell {
    Cell { mode, transport, steps, requests, by }
}

use By::{CallTool, Itself, Script};
use Mode::{Dynamic, Passthrough, Search};
use Transport::{Http, Stdio};

/// Searches and calls what was found; where the list grows, once more, which tells a late list from one that stays.
const GROWS: &[&str] = &["search", "tool", "tool"];
const CALLS: &[&str] = &["search", "call"];

/// A client whose list grows in time.
const IN_TIME: [Cell; 4] = [
    cell(Search, Stdio, CALLS, 2, CallTool),
    cell(Dynamic, Stdio, GROWS, 2, Itself),
    cell(Search, Http, CALLS, 2, CallTool),
    cell(Dynamic, Http, GROWS, 2, Itself),
];

/// A program in the older era, which sees a list that grows.
const SESSIONS: &[Cell] = &[
    IN_TIME[0],
    IN_TIME[1],
    cell(Passthrough, Stdio, &["tool"], 1, Itself),
    IN_TIME[2],
    IN_TIME[3],
];

/// A program in the newer era, which has no list that grows.
const STATELESS: &[Cell] = &[
    cell(Search, Stdio, CALLS, 2, CallTool),
    cell(Dynamic, Stdio, GROWS, 2, CallTool),
    cell(Passthrough, Stdio, &["tool"], 1, Itself),
    cell(Search, Http, CALLS, 2, CallTool),
];

/// The inspector connects anew for each request.
const INSPECTED: &[Cell] =
    &[cell(Search, Stdio, CALLS, 2, CallTool), cell(Search, Http, CALLS, 2, CallTool)];

const CLAUDE: &str = "@anthropic-ai/claude-code-linux-x64";
const CODEX: &str = "@openai/codex-linux-x64";
const GEMINI: &str = "@google/gemini-cli";

/// A model that Codex does not know; it then does without what depends on the model.
const UNKNOWN: &str = "scripted";

/// Every row, the programs of vendors first.
pub(super) const ROWS: [Row; 15] = [
    Row {
        id: "claude-code",
        title: "Claude Code",
        variant: "",
        package: CLAUDE,
        program: Program::Claude { defers: true },
        cells: &[
            IN_TIME[0],
            IN_TIME[1],
            cell(Passthrough, Stdio, &["load", "tool"], 2, Itself),
            IN_TIME[2],
            IN_TIME[3],
        ],
    },
    Row {
        id: "claude-code-plain",
        title: "Claude Code",
        variant: "`ENABLE_TOOL_SEARCH=false`",
        package: CLAUDE,
        program: Program::Claude { defers: false },
        cells: &[IN_TIME[0], IN_TIME[1], cell(Passthrough, Stdio, &["tool"], 1, Itself)],
    },
    Row {
        id: "codex",
        title: "Codex",
        variant: "gpt-6.2-sol, which writes programs",
        package: CODEX,
        program: Program::Codex { model: "gpt-6.2-sol" },
        cells: &[
            cell(Search, Stdio, &["script"], 1, Script),
            cell(Dynamic, Stdio, &["script"], 1, Script),
            cell(Passthrough, Stdio, &["script"], 1, Script),
            cell(Search, Http, &["script"], 1, Script),
        ],
    },
    Row {
        id: "codex-deferring",
        title: "Codex",
        variant: "gpt-5.5, which has `tool_search`",
        package: CODEX,
        program: Program::Codex { model: "gpt-5.5" },
        cells: &[
            cell(Search, Stdio, &["find", "search", "call"], 3, CallTool),
            cell(Dynamic, Stdio, &["find", "search", "tool", "tool"], 3, CallTool),
            cell(Passthrough, Stdio, &["load", "tool"], 2, Itself),
        ],
    },
    Row {
        id: "codex-plain",
        title: "Codex",
        variant: "a model that it does not know",
        package: CODEX,
        program: Program::Codex { model: UNKNOWN },
        cells: &[
            cell(Search, Stdio, CALLS, 2, CallTool),
            cell(Dynamic, Stdio, GROWS, 2, CallTool),
            cell(Passthrough, Stdio, &["tool"], 1, Itself),
            cell(Search, Http, CALLS, 2, CallTool),
        ],
    },
    Row {
        id: "gemini-cli",
        title: "Gemini CLI",
        variant: "",
        package: GEMINI,
        program: Program::Gemini,
        cells: SESSIONS,
    },
    python("mcp", "sessions", SESSIONS),
    python("mcp", "stateless", STATELESS),
    python("fastmcp", "sessions", SESSIONS),
    python("fastmcp", "stateless", STATELESS),
    node("sdk", "sessions", SESSIONS),
    node("client", "sessions", SESSIONS),
    node("client", "stateless", STATELESS),
    node("inspector", "sessions", INSPECTED),
    node("inspector", "stateless", INSPECTED),
];

const fn python(library: &'static str, era: &'static str, cells: &'static [Cell]) -> Row {
    Row {
        id: match library.as_bytes() {
            b"mcp" => "python-mcp",
            _ => "python-fastmcp",
        },
        title: match library.as_bytes() {
            b"mcp" => "Python `mcp`",
            _ => "Python `fastmcp`",
        },
        variant: era,
        package: library,
        program: Program::Python { library, era },
        cells,
    }
}

const fn node(library: &'static str, era: &'static str, cells: &'static [Cell]) -> Row {
    let (id, title, package) = match library.as_bytes() {
        b"sdk" => ("typescript-sdk", "TypeScript SDK 1", "@modelcontextprotocol/sdk"),
        b"client" => ("typescript-client", "TypeScript SDK 2", "@modelcontextprotocol/client"),
        _ => ("inspector", "Inspector `--cli`", "@modelcontextprotocol/inspector"),
    };
    Row { id, title, variant: era, package, program: Program::Node { library, era }, cells }
}

impl Row {
    /// Says whether it is a program of a vendor, before a model.
    pub(super) const fn has_model(&self) -> bool {
        !matches!(self.program, Program::Python { .. } | Program::Node { .. })
    }

    /// The name of the folder of a run.
    pub(super) fn folder(&self, cell: &Cell) -> String {
        let era = match self.program {
            Program::Python { era, .. } | Program::Node { era, .. } => format!("-{era}"),
            _ => String::new(),
        };
        format!("{}{era}-{}-{}", self.id, cell.mode.word(), cell.transport.word())
    }
}

#[cfg(test)]
mod tests {
    use super::{Mode, ROWS};
    use std::collections::HashSet;

    #[test]
    fn every_run_has_a_folder_of_its_own() {
        let all: Vec<String> =
            ROWS.iter().flat_map(|row| row.cells.iter().map(|cell| row.folder(cell))).collect();
        assert_eq!(all.iter().collect::<HashSet<_>>().len(), all.len());
    }

    #[test]
    fn programs_of_vendors_are_run_in_every_mode() {
        for row in ROWS.iter().filter(|row| row.has_model()) {
            for mode in [Mode::Search, Mode::Dynamic, Mode::Passthrough] {
                assert!(row.cells.iter().any(|cell| cell.mode == mode), "{} {mode:?}", row.id);
            }
        }
    }
}
