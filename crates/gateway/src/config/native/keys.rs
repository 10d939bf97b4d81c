//! Every table of `oncue.toml` and its keys: what is accepted, and what the documentation says.

use crate::config::tree::{Key, Table};

const fn key(name: &'static str, default: &'static str, means: &'static str) -> Key {
    Key { name, default, means }
}

/// The top of the file.
pub(crate) const FILE: Table = Table {
    title: "The file",
    keys: &[
        key(
            "mode",
            "\"auto\"",
            "what a client sees: `search` (a tool that searches and one that calls), `dynamic` (what is found joins the list), `passthrough` (every tool), or `auto` (what suits the client, `search` where nothing is known about it)",
        ),
        key("answer_bytes", "3200", "how large the answer of a search may be, in bytes"),
        key("name_chars", "48", "how long the exposed name of a tool may be, in characters"),
        key(
            "pinned",
            "[]",
            "tools that are listed from the start, as `UPSTREAM/TOOL`; `*` stands for any run of characters",
        ),
        key(
            "state_dir",
            "",
            "where catalogs, tokens and records are kept; without it the usual place of the system",
        ),
        key(
            "embedder",
            "",
            "the embedding model that tells what tools and queries mean: one that is installed, `VENDOR:MODEL`, `embeddings:MODEL@URL` or `onnx:PATH` ([retrieval.md](retrieval.md#other-models)), or `none` for words alone; without it the usual one if `oncue model install` has installed it",
        ),
        key(
            "tuning",
            "",
            "what requests have taught of tools, a file that `oncue tune` has written",
        ),
        key(
            "requests",
            "",
            "a file to which searches are added that have led to a call, for `oncue tune`; without it nothing of them is kept",
        ),
        key("audit", "true", "whether calls, denials and changes are recorded"),
        key("http", "", "serving over HTTP (below)"),
        key("wording", "", "other texts for the gateway's own tools (below)"),
        key("telemetry", "", "what is told to the outside (below)"),
        key("timeouts", "", "times for all upstreams (below)"),
        key("limits", "", "bounds in the place of the gateway's own (below)"),
        key("import", "", "files of clients that are read too (below)"),
        key("grant", "", "rows that say what holders of tokens may do (below)"),
        key("upstream", "", "the MCP servers, each a table `[upstream.NAME]` (below)"),
    ],
};

/// `[http]`.
pub(crate) const HTTP: Table = Table {
    title: "`[http]`",
    keys: &[
        key(
            "bind",
            "",
            "the address to listen on, such as `127.0.0.1:8787`; without it the gateway serves over its standard input and output",
        ),
        key(
            "allowed_hosts",
            "[]",
            "names in `Host` that are answered beside those of this machine",
        ),
        key(
            "allowed_origins",
            "[]",
            "origins of web pages that are answered, such as `https://app.example`",
        ),
    ],
};

/// `[wording]`.
pub(crate) const WORDING: Table = Table {
    title: "`[wording]`",
    keys: &[
        key("search", "", "the description of the tool that searches"),
        key("call", "", "the description of the tool that calls"),
        key("instructions", "", "what clients are told when they connect"),
    ],
};

/// `[telemetry]`.
pub(crate) const TELEMETRY: Table = Table {
    title: "`[telemetry]`",
    keys: &[
        key("otlp", "", "the address that traces and metrics are sent to"),
        key("prometheus", "false", "whether `/metrics` is served; it needs `http.bind`"),
    ],
};

/// `[timeouts]`, for all upstreams and for one.
pub(crate) const TIMEOUTS: Table = Table {
    title: "`[timeouts]` and `[upstream.NAME.timeouts]`",
    keys: &[
        key("call", "\"60s\"", "how long a call may take"),
        key("start", "\"30s\"", "how long an upstream may take to start"),
        key("list", "\"30s\"", "how long listing its tools may take"),
        key("idle", "", "how long it may be idle before it is stopped; without it, it is not"),
    ],
};

/// `[limits]`.
pub(crate) const LIMITS: Table = Table {
    title: "`[limits]`",
    keys: &[
        key("upstream_message_bytes", "", "largest message from an upstream, in bytes"),
        key("client_message_bytes", "", "largest message from a client, in bytes"),
        key(
            "result_bytes",
            "",
            "largest result that a model reads, in bytes; the rest can be fetched",
        ),
        key("calls_per_principal", "", "most calls in flight of one principal"),
        key("calls_per_upstream", "", "most calls in flight at one upstream"),
        key("calls", "", "most calls in flight"),
        key("connections", "", "most connections of clients"),
    ],
};

/// `[import]`.
pub(crate) const IMPORT: Table = Table {
    title: "`[import]`",
    keys: &[key(
        "files",
        "[]",
        "files of clients whose servers are upstreams too, from the folder of this file; they are read as they are",
    )],
};

/// `[[grant]]`.
pub(crate) const GRANT: Table = Table {
    title: "`[[grant]]`",
    keys: &[
        key(
            "principal",
            "",
            "whom the row is for, by name; `*` stands for any run of characters (required)",
        ),
        key(
            "scope",
            "\"read\"",
            "how far it reaches: `read`, `stage` (prepare what a person reviews) or `write`",
        ),
        key("upstreams", "", "the upstreams; without it all, `[]` for none"),
        key("tools", "", "the tools, as `UPSTREAM/TOOL`; without it all, `[]` for none"),
        key("denied", "[]", "tools that stay denied whatever else is granted"),
        key("unasked", "[]", "gated tools that run without asking"),
    ],
};

/// `[upstream.NAME]`.
pub(crate) const UPSTREAM: Table = Table {
    title: "`[upstream.NAME]`",
    keys: &[
        key("command", "", "the program of a server that runs here (this or `url`)"),
        key("args", "[]", "its arguments"),
        key("env", "{}", "variables that are set for it"),
        key(
            "inherit",
            "[]",
            "variables that it inherits beyond the usual ones; `NAME*` stands for all that begin like it",
        ),
        key("cwd", "", "its folder, from that of this file; without it that of the gateway"),
        key("url", "", "the address of a server that runs elsewhere (this or `command`)"),
        key("headers", "{}", "headers for every request to it"),
        key(
            "transport",
            "\"auto\"",
            "what it speaks: `streamable`, `sse` (the older protocol), or `auto`",
        ),
        key("enabled", "true", "whether it is used"),
        key("namespaced", "true", "whether its name stands in front of its tools' names"),
        key("description", "", "a sentence about it, for the tool that searches"),
        key("only", "", "the tools that there are, by name; without it all, `[]` for none"),
        key("hidden", "[]", "tools that there are not, whatever `only` says"),
        key("pinned", "[]", "tools that are listed from the start"),
        key("tool", "{}", "what is changed about single tools (below)"),
        key("timeouts", "", "times of its own (above)"),
    ],
};

/// `[upstream.NAME.tool.TOOL]`.
pub(crate) const TOOL: Table = Table {
    title: "`[upstream.NAME.tool.TOOL]`",
    keys: &[
        key("rename", "", "another name for it outside"),
        key("description", "", "another description"),
        key(
            "keywords",
            "[]",
            "the words that people use for it, 32 at most, each of 64 characters at most; a search reads them, and nobody is shown them",
        ),
        key("tier", "", "`silent` (its calls disturb nobody) or `gated`"),
    ],
};

/// All tables, in the order of the documentation.
pub(crate) const ALL: [&Table; 10] =
    [&FILE, &HTTP, &WORDING, &TELEMETRY, &TIMEOUTS, &LIMITS, &IMPORT, &GRANT, &UPSTREAM, &TOOL];
