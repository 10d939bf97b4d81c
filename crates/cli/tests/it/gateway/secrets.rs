//! Secrets of clients' files: no command tells one.

use super::Place;

/// In every place where a file may hold a secret.
const SECRET: &str = "c4n4ry";

const FILES: [(&str, &str); 4] = [
    (
        "project/.mcp.json",
        r#"{"mcpServers": {
  "a": {"command": "npx", "args": ["--token", "c4n4ry", "--key=c4n4ry"], "env": {"TOKEN": "c4n4ry", "MODE": "c4n4ry"}, "cwd": "c4n4ry"},
  "b": {"type": "http", "url": "https://c4n4ry:c4n4ry@b.example/c4n4ry?key=c4n4ry#c4n4ry", "headers": {"Authorization": "Bearer c4n4ry", "X-Mode": "c4n4ry"}},
  "c": {"url": ["c4n4ry"]}, "d": "c4n4ry", "e": {"command": 7, "env": {"TOKEN": "c4n4ry"}},
  "f": {"command": "npx", "env": {"TOKEN": ["c4n4ry"]}, "type": "stdio"}}}"#,
    ),
    (
        "ada/.cursor/mcp.json",
        "{ // c4n4ry\n \"token\": \"c4n4ry\", /* c4n4ry */\n \"mcpServers\": {\"a\": {\"command\": \"npx\", \"env\": {\"TOKEN\": \"c4n4ry-2\"}}}}",
    ),
    (
        "ada/.codex/config.toml",
        "# c4n4ry\nkey = \"c4n4ry\"\n[mcp_servers.t]\nurl = \"https://t.example/mcp\" # c4n4ry\nhttp_headers = { Authorization = \"Bearer c4n4ry\" }\n",
    ),
    ("ada/.claude.json", "{\"c4n4ry\": c4n4ry}"),
];

// case: C61
#[test]
fn no_command_tells_a_secret() {
    let place = Place::of(&FILES);
    let clients = ["claude-code", "cursor", "codex", "vscode"];
    let silent = |args: &[&str], code: i32| {
        for json in [&[][..], &["--json"]] {
            let args = [args, json].concat();
            let found = place.oncue(&args);
            assert_eq!(found.code, code, "{args:?} {found:?}");
            let said = format!("{}{}", found.out, found.err);
            assert!(!said.is_empty() && !said.contains(SECRET), "{args:?} {said}");
        }
    };
    silent(&["import", "--dry-run"], 0);
    silent(&["import", "--from", "../ada/.claude.json"], 3);
    silent(&["import", "--out", "oncue.toml"], 0);
    let written = place.read("project/oncue.toml").expect("it is written");
    assert!(written.contains(SECRET), "{written}");
    place.write(
        "project/other.toml",
        "mode = \"c4n4ry\"\n[upstream.x]\ncommand = \"npx\"\nenv = { TOKEN = 1, c4n4ry-2 }\n",
    );
    silent(&["import", "--out", "other.toml"], 4);
    silent(&["import", "--out", "other.toml", "--force"], 0);
    silent(&["check"], 0);
    silent(&["check", ".mcp.json"], 3);
    silent(&["check", "../ada/.claude.json"], 3);
    place.write("project/wrong.toml", "mode = \"c4n4ry\"\naudit = \"c4n4ry\"\n[upstream.x]\ncommand = [\"c4n4ry\"]\nurl = 7\nenv = \"c4n4ry\"\n");
    silent(&["check", "wrong.toml"], 3);
    silent(&["connect", "cursor", "--config", "wrong.toml", "--yes"], 3);
    silent(&["connect", "claude-code", "--yes"], 3);
    for moves in [&[][..], &["--move"]] {
        let of_user = &clients[1..];
        silent(&[&["connect"], of_user, moves, &["--dry-run"]].concat(), 0);
        silent(&[&["connect"], of_user, moves, &["--yes"]].concat(), 0);
        silent(&[&["disconnect"], of_user, &["--dry-run"]].concat(), 0);
        silent(&[&["disconnect"], of_user, &["--yes"]].concat(), 0);
    }
    silent(&["connect", "claude-code", "--scope", "project", "--yes"], 0);
    silent(&["disconnect", "claude-code", "--scope", "project", "--yes"], 0);
    for (name, text) in FILES {
        assert_eq!(place.read(name).as_deref(), Some(text), "{name} is what it was");
    }
}
