use std::path::{Path, PathBuf};
use std::time::Duration;

use proptest::prelude::*;
use secrecy::ExposeSecret;

use super::{FORMS, Foreign, Form, project_of};
use crate::config::{
    Context, Environment, Folders, HttpKind, Launch, Loaded, Syntax, Template, Transport, Upstream,
};
use crate::limits::UPSTREAMS_MAX;

fn context() -> Context {
    Context { home: Some(PathBuf::from("/h/ada")), cwd: Some(PathBuf::from("/h/ada/shop")) }
}

fn read(file: &str, text: &str) -> Foreign {
    Foreign::detect(Path::new(file), text, &context()).unwrap()
}

fn environment() -> Environment {
    Environment::new([("TOKEN", "t0k"), ("HOST", "h.example"), ("PATH", "/bin")])
}

/// What a start of the upstream would need, on one line.
fn launch(upstream: &Upstream) -> String {
    match upstream.launch(&environment()) {
        Err(error) => format!("! {error}: {}", error.missing),
        Ok(Launch::Stdio { command, args, env, cwd }) => {
            let args: Vec<&str> = args.iter().map(ExposeSecret::expose_secret).collect();
            let env = env.iter().filter(|(name, _)| *name != "PATH");
            let env: Vec<String> =
                env.map(|(name, value)| format!("{name}={}", value.expose_secret())).collect();
            let cwd = cwd.map(|cwd| cwd.display().to_string()).unwrap_or_default();
            format!("{} {command} {} in {cwd}", env.join(" "), args.join(" "))
        }
        Ok(Launch::Http { url, headers, kind }) => {
            let headers: Vec<String> = headers
                .iter()
                .map(|(name, value)| format!("{name}: {}", value.expose_secret()))
                .collect();
            format!("{kind:?} {} {}", url.expose_secret(), headers.join(", "))
        }
    }
}

/// Reads a file and holds its form and its servers against what is expected.
fn check(file: &str, text: &str, form: Form, expected: &[&str]) {
    let read = read(file, text);
    assert_eq!(read.form, form, "{file}");
    let mut lines: Vec<String> = read
        .upstreams
        .iter()
        .map(|upstream| format!("{} = {}", upstream.id, launch(upstream).trim()))
        .collect();
    lines.extend(read.set_aside.iter().map(|aside| format!("{} ? {}", aside.name, aside.fault)));
    assert_eq!(lines, expected, "{file}");
}

#[test]
fn claude_code_names_variables_in_braces() {
    let text = r#"{"mcpServers": {
        "a": {"command": "npx", "args": ["-y", "${PKG:-srv}"], "env": {"T": "${TOKEN}"}},
        "b": {"type": "http", "url": "https://${HOST}/mcp", "headers": {"Authorization": "Bearer ${TOKEN}"}},
        "c": {"type": "sse", "url": "https://c.example/sse"},
        "d": {"command": "x", "env": {"T": "${NONE}"}}
    }}"#;
    check(
        "/h/ada/shop/.mcp.json",
        text,
        Form::ClaudeCode,
        &[
            "a = T=t0k npx -y srv in /h/ada/shop",
            "b = Streamable https://h.example/mcp Authorization: Bearer t0k",
            "c = Sse https://c.example/sse",
            "d = ! cannot start `d`: `env.T` needs a variable: the variable `NONE` is not set",
        ],
    );
}

#[test]
fn claude_code_keeps_servers_of_a_user_and_of_projects_in_one_file() {
    let text = r#"{"numStartups": 3, "mcpServers": {"a": {"command": "user"}, "b": {"command": "b"}},
        "projects": {"/h/ada/shop": {"mcpServers": {"a": {"command": "local"}}},
                     "/h/ada/other": {"mcpServers": {"c": {"command": "c"}}}}}"#;
    check("/h/ada/.claude.json", text, Form::ClaudeCode, &["a = local  in", "b = b  in"]);
}

#[test]
fn claude_desktop_takes_texts_as_they_stand() {
    let text = r#"{"mcpServers": {"a": {"command": "npx", "args": ["${TOKEN}"]}}}"#;
    let file = "/h/ada/.config/Claude/claude_desktop_config.json";
    check(file, text, Form::ClaudeDesktop, &["a = npx ${TOKEN} in"]);
}

#[test]
fn vs_code_has_comments_questions_and_folders() {
    let text = r#"{
      // what it asks
      "inputs": [
        {"type": "promptString", "id": "token", "password": true},
        {"type": "promptString", "id": "region", "default": "eu"},
      ],
      "servers": {
        "a": {"type": "stdio", "command": "python", "args": ["${workspaceFolder}/s.py"],
              "env": {"T": "${input:token}", "R": "${input:region}", "PORT": 3000, "X": null}},
        "b": {"url": "https://b.example", "headers": {"X-T": "${env:TOKEN}"}},
        "c": {"command": "${command:pick.one}"},
        "d": {"command": "x", "cwd": "sub"},
      }
    }"#;
    check(
        "/h/ada/shop/.vscode/mcp.json",
        text,
        Form::VsCode,
        &[
            "a = PORT=3000 R=eu T=t0k python /h/ada/shop/s.py in /h/ada/shop",
            "b = Auto https://b.example X-T: t0k",
            "d = x  in /h/ada/shop/sub",
            "c ? /h/ada/shop/.vscode/mcp.json:11:26: `c.command` refers to `${command:…}`, which only the client itself can resolve; write the value, or a variable",
        ],
    );
}

#[test]
fn cursor_and_windsurf_name_variables_by_env() {
    let text = r#"{"mcpServers": {
        "a": {"command": "s", "args": ["${userHome}", "${env:TOKEN}"], "envFile": ".env"},
        "b": {"url": "https://b.example/mcp"}}}"#;
    check(
        "/h/ada/.cursor/mcp.json",
        text,
        Form::Cursor,
        &["a = s /h/ada t0k in", "b = Auto https://b.example/mcp"],
    );
    let notes = read("/h/ada/.cursor/mcp.json", text).notes;
    let notes: Vec<String> =
        notes.iter().map(|note| format!("{}: {}", note.place.line, note.what)).collect();
    assert_eq!(notes, ["2: `a.envFile` is not used (in a file of Cursor)"]);
    let text = r#"{"mcpServers": {
        "a": {"serverUrl": "https://a.example", "headers": {"K": "${env:TOKEN}"}, "disabledTools": ["x"]},
        "b": {"command": "s", "disabled": true}}}"#;
    let file = "/h/ada/.codeium/windsurf/mcp_config.json";
    check(file, text, Form::Windsurf, &["a = Auto https://a.example K: t0k", "b = s  in"]);
    let read = read(file, text);
    assert!(read.upstreams[0].tools.hides("x") && !read.upstreams[1].is_enabled);
}

#[test]
fn gemini_names_variables_by_a_dollar_and_tools_by_lists() {
    let text = r#"{"theme": "x", "mcp": {"excluded": ["b"]}, "mcpServers": {
        "a": {"command": "s", "args": ["$TOKEN", "^x$", "$NONE"], "timeout": 30000, "trust": true,
              "includeTools": ["r", "w"], "excludeTools": ["w"], "description": "d"},
        "b": {"httpUrl": "https://b.example"},
        "c": {"url": "https://c.example", "type": "http"}}}"#;
    let file = "/h/ada/.gemini/settings.json";
    check(
        file,
        text,
        Form::Gemini,
        &[
            "a = s t0k ^x$ $NONE in",
            "b = Streamable https://b.example",
            "c = Streamable https://c.example",
        ],
    );
    let read = read(file, text);
    let [a, b, c] = read.upstreams.as_slice() else { panic!() };
    assert_eq!(a.timeouts.call, Some(Duration::from_secs(30)));
    assert!(a.tools.hides("w") && a.tools.hides("z") && !a.tools.hides("r"));
    assert_eq!([a.is_enabled, b.is_enabled, c.is_enabled], [true, false, true]);
}

#[test]
fn codex_names_variables_by_keys() {
    let text = r#"
model = "x"
[mcp_servers.a]
command = "s"
args = ["${TOKEN}"]
env_vars = ["TOKEN", { name = "HOST", source = "local" }]
startup_timeout_sec = 2.5
tool_timeout_sec = 90
enabled_tools = ["r"]
[mcp_servers.a.env]
K = "v"
[mcp_servers.b]
url = "https://b.example"
bearer_token_env_var = "TOKEN"
http_headers = { X = "1" }
env_http_headers = { Y = "HOST" }
enabled = false
[mcp_servers.c]
url = "https://c.example"
bearer_token = "canary"
"#;
    let file = "/h/ada/.codex/config.toml";
    check(
        file,
        text,
        Form::Codex,
        &[
            "a = HOST=h.example K=v TOKEN=t0k s ${TOKEN} in",
            "b = Streamable https://b.example X: 1, Y: h.example, Authorization: Bearer t0k",
            "c ? /h/ada/.codex/config.toml:20:16: `mcp_servers.c.bearer_token` is refused by the client itself; name a variable by `bearer_token_env_var`",
        ],
    );
    let read = read(file, text);
    assert_eq!(read.upstreams[0].timeouts.start, Some(Duration::from_millis(2_500)));
    assert_eq!(read.upstreams[0].timeouts.call, Some(Duration::from_secs(90)));
    assert!(!read.upstreams[1].is_enabled);
}

#[test]
fn what_the_clients_own_commands_write_is_read() {
    // As `codex mcp add`, `claude mcp add` and `gemini mcp add` leave it (0.171.0, 2.1.197, 0.61.0).
    let codex = "[mcp_servers.s]\ncommand = \"npx\"\nargs = [\"-y\", \"srv\"]\n\n[mcp_servers.s.env]\nA = \"b\"\n\n[mcp_servers.r]\nurl = \"https://r.example/mcp\"\nbearer_token_env_var = \"TOKEN\"\n";
    check(
        "/h/ada/.codex/config.toml",
        codex,
        Form::Codex,
        &[
            "s = A=b npx -y srv in",
            "r = Streamable https://r.example/mcp Authorization: Bearer t0k",
        ],
    );
    let claude = r#"{"numStartups": 1, "mcpServers": {"s": {"type": "stdio", "command": "npx", "args": ["-y", "srv"], "env": {"A": "b"}}},
        "projects": {"/h/ada/shop": {"allowedTools": [], "mcpServers": {"l": {"type": "stdio", "command": "npx", "args": ["z"], "env": {}}}}}}"#;
    check(
        "/h/ada/.claude.json",
        claude,
        Form::ClaudeCode,
        &["l = npx z in", "s = A=b npx -y srv in"],
    );
    let gemini = r#"{"mcpServers": {"r": {"url": "https://r.example/mcp", "type": "http", "headers": {"X": "y"}, "timeout": 5000}}}"#;
    check(
        "/h/ada/.gemini/settings.json",
        gemini,
        Form::Gemini,
        &["r = Streamable https://r.example/mcp X: y"],
    );
}

#[test]
fn one_bad_server_leaves_its_siblings_alone() {
    let text = r#"{"mcpServers": {
        "number": {"command": 5}, "": {"command": "x"}, "none": {}, "text": "x",
        "both": {"command": "x", "url": "https://x.example"}, "ws": {"type": "ws", "url": "x"},
        "arg": {"command": "x", "args": "canary"}, "url": {"url": "canary"},
        "cr": {"url": "https://x.example", "headers": {"A": "a\r\nB: canary"}},
        "twice": {"command": "first"}, "twice": {"command": "second"},
        "good": {"command": "x"}}}"#;
    let read = read("servers.json", text);
    assert_eq!(read.form, Form::Standard);
    let good: Vec<String> = read.upstreams.iter().map(launch).collect();
    assert_eq!(good, [" second  in ", " x  in "]);
    let aside: Vec<&str> = read.set_aside.iter().map(|aside| aside.name.as_str()).collect();
    assert_eq!(aside, ["number", "", "none", "text", "both", "ws", "arg", "url", "cr"]);
    assert!(!format!("{read:?}").contains("canary"));
    assert_eq!(read.notes.len(), 1, "that `twice` stands twice");
}

#[test]
fn what_holds_no_servers_is_refused() {
    let of = |file: &str, text| Foreign::detect(Path::new(file), text, &context()).unwrap_err();
    assert!(of("x.json", "{}").what.starts_with("it holds no servers"));
    assert!(of("x.json", "[]").what.starts_with("it holds no servers"));
    assert_eq!(of(".mcp.json", "[]").what, "the file must be a table, here it is a list");
    assert_eq!(
        of(".mcp.json", r#"{"mcpServers": 1}"#).what,
        "`mcpServers` must be a table, here it is a number"
    );
}

#[test]
fn a_file_is_of_a_project_by_where_it_stands() {
    for (file, expected) in [
        ("/p/.mcp.json", Some("/p")),
        ("/p/.vscode/mcp.json", Some("/p")),
        ("/p/.codex/config.toml", Some("/p")),
        ("/h/ada/.codex/config.toml", None),
        ("/h/ada/.claude.json", None),
        ("servers.json", None),
        (".mcp.json", None),
    ] {
        let found = project_of(Path::new(file), Some(Path::new("/h/ada")));
        assert_eq!(found.as_deref(), expected.map(Path::new), "{file}");
    }
}

#[test]
fn every_kind_of_server_type_is_known_or_refused() {
    let kind = |name: &str| {
        let text = format!(r#"{{"mcpServers": {{"a": {{"type": "{name}", "url": "http://a"}}}}}}"#);
        match read("x.json", &text).upstreams.first().map(|upstream| upstream.transport.clone()) {
            Some(Transport::Http(http)) => Some(http.kind),
            Some(Transport::Stdio(_)) | None => None,
        }
    };
    for name in ["http", "streamable-http", "streamableHttp"] {
        assert_eq!(kind(name), Some(HttpKind::Streamable), "{name}");
    }
    assert_eq!((kind("sse"), kind("stdio"), kind("ws")), (Some(HttpKind::Sse), None, None));
}

#[test]
fn the_rows_of_forms_are_whole() {
    for row in FORMS {
        assert_eq!(row.form.row().map(|found| found.title), Some(row.title));
        assert!(row.keys.contains(&"command"), "{}", row.title);
    }
}

#[test]
fn a_file_has_so_many_servers_and_no_more() {
    for (count, aside) in [(UPSTREAMS_MAX - 1, 0), (UPSTREAMS_MAX, 0), (UPSTREAMS_MAX + 1, 1)] {
        let entries: Vec<String> =
            (0..count).map(|at| format!("\"s{at}\": {{\"command\": \"x\"}}")).collect();
        let read = read("x.json", &format!("{{\"mcpServers\": {{{}}}}}", entries.join(",")));
        assert_eq!((read.upstreams.len(), read.set_aside.len()), (count - aside, aside));
    }
}

#[test]
fn a_header_is_set_once() {
    let text =
        r#"{"mcpServers": {"a": {"url": "http://a", "headers": {"X": "1", "Y": "2", "x": "3"}}}}"#;
    check("x.json", text, Form::Standard, &["a = Auto http://a Y: 2, x: 3"]);
}

/// Pieces of files, so that made-up texts reach further than to their first sign.
fn soup() -> impl Strategy<Value = String> {
    let pieces = [
        "{", "}", "[", "]", ":", ",", "\"", "\n", "=", "$", "${", "}", "a", "\"mcpServers\"",
        "\"servers\"", "\"command\"", "\"url\"", "\"env\"", "\"args\"", "\"x\"", "null", "1",
        "[mcp_servers.a]", "[upstream.a]", "command = \"x\"", "//", "#", "é", "\u{feff}", "\\u",
    ];
    prop::collection::vec(proptest::sample::select(pieces.to_vec()), 0..24)
        .prop_map(|pieces| pieces.concat())
}

proptest! {
    #[test]
    fn reading_is_total(text in prop_oneof![soup(), any::<String>()]) {
        for file in [".mcp.json", ".vscode/mcp.json", "x.json", "config.toml", "oncue.toml"] {
            let none = |_: &Path| unreachable!("nothing is imported");
            Loaded::parse(Path::new(file), &text, &context(), &none).ok();
        }
        for row in FORMS {
            Foreign::read(row.form, Path::new("x.json"), &text, &context()).ok();
        }
    }

    #[test]
    fn what_a_template_writes_it_reads_back(text in "[a$\\{}:-]{0,12}") {
        for syntax in [Syntax::Literal, Syntax::Native, Syntax::Braces, Syntax::Dollar] {
            let folders = Folders::default();
            let Ok(template) = Template::parse(&text, syntax, &folders) else { continue };
            let again = Template::parse(&template.written(), Syntax::Native, &folders);
            let of = |template: &Template| {
                let text = template.resolve(&Environment::new([("a", "v")]));
                text.map(|text| text.expose_secret().to_owned())
            };
            prop_assert_eq!(of(&again.unwrap()), of(&template), "{} {:?}", text, syntax);
        }
    }
}
