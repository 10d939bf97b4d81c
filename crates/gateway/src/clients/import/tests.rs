use std::io;
use std::path::{Path, PathBuf};

use super::{Import, Secrets};
use crate::clients::{Client, ClientFile, ClientScope, ImportFile};
use crate::config::{ConfigError, Context, Environment, Launch, Loaded, Surroundings, Upstream};

const FILES: [(Client, &str, &str); 4] = [
    (
        Client::ClaudeCode,
        "/p/.mcp.json",
        r#"{"mcpServers": {
            "github": {"command": "npx", "args": ["-y", "gh"], "env": {"GITHUB_TOKEN": "c4n4ry", "MODE": "a$b$$"}},
            "docs": {"type": "http", "url": "https://docs.example/mcp", "headers": {"Authorization": "Bearer ${DOCS}"}},
            "oncue": {"command": "/opt/oncue", "args": ["serve"]}}}"#,
    ),
    (
        Client::Cursor,
        "/h/.cursor/mcp.json",
        r#"{"mcpServers": {
            "github": {"command": "other"},
            "documentation": {"type": "http", "url": "https://docs.example/mcp", "headers": {"Authorization": "Bearer ${env:DOCS}"}}}}"#,
    ),
    (
        Client::Codex,
        "/h/.codex/config.toml",
        "[mcp_servers.github]\nurl = \"https://api.example\"\nhttp_headers = { Authorization = \"Bearer c4n4ry\" }\nenabled = false\ntool_timeout_sec = 90\nenabled_tools = [\"a\"]\n[mcp_servers.literal]\ncommand = \"x\"\nargs = [\"${x}\", \"$${y}\"]\nenv_vars = [\"DOCS\"]\n",
    ),
    (Client::Gemini, "/h/.gemini/settings.json", "{"),
];

fn file(client: Client, path: &str) -> ImportFile {
    ClientFile { client, scope: ClientScope::User, path: PathBuf::from(path) }.into()
}

fn import() -> Import {
    let files = FILES.map(|(client, path, _)| file(client, path));
    let read = |path: &Path| {
        let found = FILES.iter().find(|(_, known, _)| Path::new(known) == path);
        found.map(|(_, _, text)| (*text).to_owned()).ok_or_else(|| ConfigError::Unreadable {
            file: String::new(),
            source: io::ErrorKind::NotFound.into(),
        })
    };
    let context = Context { home: Some("/h".into()), cwd: Some("/p".into()) };
    Import::of(&files, &context, &Surroundings::default(), &read)
}

#[test]
fn a_server_comes_once_and_clashing_names_get_numbers() {
    let import = import();
    let ids: Vec<&str> =
        import.upstreams.iter().map(|imported| imported.upstream.id.as_str()).collect();
    assert_eq!(ids, ["github", "docs", "github-2", "github-3", "literal"]);
    let also: Vec<String> =
        import.upstreams[1].also.iter().map(|place| place.to_string()).collect();
    assert_eq!(also, ["/h/.cursor/mcp.json:3:13"]);
    let renamed: Vec<String> = import
        .renamed
        .iter()
        .map(|renamed| format!("{} {} {}", renamed.place, renamed.from, renamed.to))
        .collect();
    assert_eq!(
        renamed,
        ["/h/.cursor/mcp.json:2:13 github github-2", "/h/.codex/config.toml:1:14 github github-3"]
    );
    let aside: Vec<&str> = import.set_aside.iter().map(|aside| aside.name.as_str()).collect();
    assert_eq!(aside, ["/h/.gemini/settings.json"]);
    assert_eq!(import.notes.len(), 1, "that the gateway itself is left out");
}

/// What a start of each upstream would need, where every variable holds its own name.
fn launches<'u>(upstreams: impl Iterator<Item = &'u Upstream>) -> Vec<String> {
    use secrecy::ExposeSecret;
    let names = ["DOCS", "GITHUB_GITHUB_TOKEN", "GITHUB_3_AUTHORIZATION"];
    let environment = Environment::new(names.map(|name| (name, name)));
    let launch = |upstream: &Upstream| match upstream.launch(&environment).unwrap() {
        Launch::Stdio { command, args, env, cwd } => {
            let args: Vec<&str> = args.iter().map(ExposeSecret::expose_secret).collect();
            let env: Vec<(&String, &str)> =
                env.iter().map(|(name, value)| (name, value.expose_secret())).collect();
            format!("{command} {args:?} {env:?} {cwd:?}")
        }
        Launch::Http { url, headers, kind } => {
            let headers: Vec<(&String, &str)> =
                headers.iter().map(|(name, value)| (name, value.expose_secret())).collect();
            format!("{} {headers:?} {kind:?}", url.expose_secret())
        }
    };
    let whole = |upstream: &Upstream| {
        format!(
            "{} {} {} {:?} {:?}",
            upstream.id,
            launch(upstream),
            upstream.is_enabled,
            upstream.timeouts,
            upstream.tools
        )
    };
    upstreams.map(whole).collect()
}

fn parsed(text: &str) -> Loaded {
    let none = |_: &Path| panic!("nothing is imported");
    Loaded::parse(Path::new("/c/oncue.toml"), text, &Context::default(), &none).unwrap()
}

#[test]
fn the_file_says_what_the_clients_files_said() {
    let import = import();
    let (text, found) = import.render(Secrets::Keep);
    let before = launches(import.upstreams.iter().map(|imported| &imported.upstream));
    assert_eq!(launches(parsed(&text).settings.upstreams.iter()), before, "{text}");
    assert!(text.starts_with("# from /p/.mcp.json\n[upstream.github]\n"), "{text}");
    assert!(text.contains("# also in /h/.cursor/mcp.json\n"), "{text}");
    let places: Vec<String> =
        found.iter().map(|secret| format!("{} {}", secret.upstream, secret.what)).collect();
    assert_eq!(places, ["github env.GITHUB_TOKEN", "github-3 headers.Authorization"]);
    assert!(found.iter().all(|secret| secret.variable.is_none()));
}

// case: C61
#[test]
fn secrets_become_variables_when_asked() {
    let import = import();
    let (text, found) = import.render(Secrets::Variables);
    assert!(!text.contains("c4n4ry"), "{text}");
    let variables: Vec<&str> =
        found.iter().filter_map(|secret| secret.variable.as_deref()).collect();
    assert_eq!(variables, ["GITHUB_GITHUB_TOKEN", "GITHUB_3_AUTHORIZATION"]);
    let launches = launches(parsed(&text).settings.upstreams.iter()).join("\n");
    assert!(launches.contains("(\"Authorization\", \"Bearer GITHUB_3_AUTHORIZATION\")"));
    assert!(launches.contains("(\"GITHUB_TOKEN\", \"GITHUB_GITHUB_TOKEN\")"));
    assert!(!format!("{import:?} {found:?}").contains("c4n4ry"));
}

/// An import of one file of Claude Desktop, which takes texts as they stand.
fn import_of(text: &str) -> Import {
    let file = file(Client::ClaudeDesktop, "/h/claude_desktop_config.json");
    let read = |_: &Path| Ok(text.to_owned());
    Import::of(&[file], &Context::default(), &Surroundings::default(), &read)
}

#[test]
fn any_name_and_text_survives() {
    let import = import_of(
        r#"{"mcpServers": {
            "a.b": {"command": "C:\\x y", "args": ["line\none", "\"quoted\" 'both'", "${NAME}", "$$", "é\u0007", ""]},
            "x \"y\"": {"command": "x", "env": {"A.B": "\"no comment", "C": "'''"}},
            "数据库": {"command": "x", "args": ["]", "\"\"\"", "\\"]}}}"#,
    );
    assert_eq!(import.upstreams.len(), 3);
    let (text, _) = import.render(Secrets::Keep);
    let before = launches(import.upstreams.iter().map(|imported| &imported.upstream));
    assert_eq!(launches(parsed(&text).settings.upstreams.iter()), before, "{text}");
}

#[test]
fn no_two_secrets_get_one_variable() {
    let import = import_of(
        r#"{"mcpServers": {
            "a-b": {"command": "x", "env": {"TOKEN": "1"}}, "a_b": {"command": "y", "env": {"TOKEN": "2"}},
            "数据": {"command": "z", "env": {"TOKEN": "3"}}, "文件": {"command": "z", "env": {"TOKEN": "4"}},
            "1": {"command": "z", "env": {"TOKEN": "5"}}}}"#,
    );
    let (_, found) = import.render(Secrets::Variables);
    let variables: Vec<&str> =
        found.iter().filter_map(|secret| secret.variable.as_deref()).collect();
    assert_eq!(variables, ["A_B_TOKEN", "A_B_TOKEN_2", "___TOKEN", "___TOKEN_2", "_1_TOKEN"]);
}

#[test]
fn a_variable_that_is_named_already_stands_for_no_secret() {
    let file = file(Client::Cursor, "/h/.cursor/mcp.json");
    let read = |_: &Path| {
        let text = r#"{"mcpServers": {"a": {"command": "x", "env": {"TOKEN": "c4n4ry", "X": "${env:A_TOKEN}"}}}}"#;
        Ok(text.to_owned())
    };
    let import = Import::of(&[file], &Context::default(), &Surroundings::default(), &read);
    let (text, _) = import.render(Secrets::Variables);
    assert!(text.contains(r#"TOKEN = "${A_TOKEN_2}", X = "${A_TOKEN}""#), "{text}");
}

#[test]
fn a_long_name_leaves_room_for_its_number() {
    let long = "é".repeat(64);
    let files = [(Client::Cursor, "1"), (Client::Windsurf, "2"), (Client::VsCode, "3")]
        .map(|(client, path)| file(client, path));
    let read = |path: &Path| {
        let key = if path == Path::new("3") { "servers" } else { "mcpServers" };
        Ok(format!("{{\"{key}\": {{\"{long}\": {{\"command\": \"{}\"}}}}}}", path.display()))
    };
    let import = Import::of(&files, &Context::default(), &Surroundings::default(), &read);
    let ids: Vec<String> =
        import.upstreams.iter().map(|imported| imported.upstream.id.to_string()).collect();
    let short = "é".repeat(62);
    assert_eq!(ids, [long, format!("{short}-2"), format!("{short}-3")]);
}

#[test]
fn a_named_file_is_read_as_what_it_is() {
    let files =
        [("/x/servers.json", None), ("/x/oncue.toml", None), ("/x/.codex/config.toml", None)]
            .map(|(path, form)| ImportFile { path: path.into(), form });
    let read = |path: &Path| {
        let text = match path.to_str().unwrap() {
            "/x/servers.json" => "{\"mcpServers\": {\"a\": {\"command\": \"x\"}}}",
            "/x/oncue.toml" => "[upstream.b]\ncommand = \"x\"\n",
            _ => "[mcp_servers.c]\ncommand = \"y\"\n",
        };
        Ok(text.to_owned())
    };
    let import = Import::of(&files, &Context::default(), &Surroundings::default(), &read);
    let ids: Vec<&str> =
        import.upstreams.iter().map(|imported| imported.upstream.id.as_str()).collect();
    assert_eq!(ids, ["a", "c"]);
    let aside: Vec<&str> = import.set_aside.iter().map(|aside| aside.name.as_str()).collect();
    assert_eq!(aside, ["/x/oncue.toml"], "the native form is no client's");
}
