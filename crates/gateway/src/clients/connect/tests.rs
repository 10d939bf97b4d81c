use std::path::Path;

use proptest::prelude::*;

use super::{Change, ConnectError, Endpoint, Entry, Others, connect};
use crate::clients::{Client, ClientScope, EntryName, Platform};
use crate::config::{Context, Foreign, Loaded, Transport};

fn stdio() -> Entry {
    Entry::new(Endpoint::Stdio {
        command: "/opt/oncue".into(),
        args: ["serve", "--config", "/c/oncue.toml"].map(str::to_owned).to_vec(),
    })
}

fn http() -> Entry {
    Entry::new(Endpoint::Http { url: "http://127.0.0.1:8787/mcp".into() })
}

/// What leaving changes, under the usual name.
fn disconnect(
    client: Client,
    path: &Path,
    before: &str,
    backups: &[String],
) -> Result<Change, ConnectError> {
    super::disconnect(client, path, before, &EntryName::default(), backups)
}

fn path(client: Client) -> std::path::PathBuf {
    let (home, project) = (Path::new("/h"), Path::new("/p"));
    client.file(ClientScope::User, Platform::Linux, home, project).unwrap()
}

/// What the file holds once the client is connected.
fn connected(client: Client, before: Option<&str>, entry: &Entry, others: Others) -> String {
    connect(client, &path(client), before, entry, others).unwrap().after.unwrap()
}

fn kept(client: Client, before: &str) -> String {
    connected(client, Some(before), &stdio(), Others::Keep)
}

#[test]
fn a_new_file_holds_the_entry_as_the_client_wants_it() {
    let new = |client, entry: &Entry| connected(client, None, entry, Others::Keep);
    let entry = "      \"command\": \"/opt/oncue\",\n      \"args\": [\"serve\", \"--config\", \"/c/oncue.toml\"]\n    }\n  }\n}\n";
    assert_eq!(
        new(Client::ClaudeDesktop, &stdio()),
        format!("{{\n  \"mcpServers\": {{\n    \"oncue\": {{\n{entry}")
    );
    assert_eq!(
        new(Client::VsCode, &stdio()),
        format!("{{\n  \"servers\": {{\n    \"oncue\": {{\n      \"type\": \"stdio\",\n{entry}")
    );
    assert_eq!(
        new(Client::Gemini, &http()),
        "{\n  \"mcpServers\": {\n    \"oncue\": {\n      \"type\": \"http\",\n      \"url\": \"http://127.0.0.1:8787/mcp\"\n    }\n  }\n}\n"
    );
    assert_eq!(
        new(Client::Codex, &stdio()),
        "[mcp_servers.oncue]\ncommand = \"/opt/oncue\"\nargs = [\"serve\", \"--config\", \"/c/oncue.toml\"]\n"
    );
    let refused =
        connect(Client::ClaudeDesktop, &path(Client::ClaudeDesktop), None, &http(), Others::Keep);
    assert_eq!(refused.unwrap_err(), ConnectError::NoHttp(Client::ClaudeDesktop));
}

#[test]
fn every_client_reads_back_what_was_written() {
    for client in Client::ALL {
        for entry in [stdio(), http()] {
            let Ok(change) = connect(client, &path(client), None, &entry, Others::Keep) else {
                continue;
            };
            let text = change.after.unwrap();
            let read = Foreign::read(client.form(), &path(client), &text, &Context::default());
            let read = read.unwrap();
            assert!(read.set_aside.is_empty() && read.notes.is_empty(), "{client}");
            let [upstream] = read.upstreams.as_slice() else { panic!("{client}") };
            match (&upstream.transport, &entry.endpoint) {
                (Transport::Stdio(stdio), Endpoint::Stdio { command, args }) => {
                    assert_eq!((stdio.program(), stdio.args.len()), (command.clone(), args.len()));
                }
                (Transport::Http(http), Endpoint::Http { .. }) => {
                    assert_eq!(http.server(), "http://127.0.0.1:8787");
                }
                _ => panic!("{client}"),
            }
        }
    }
}

const COMMENTED: &str = r#"{
    // my servers
    "servers": {
        "a": { "command": "x", "env": {"T": "c4n4ry"} }, // the first
        /* the second */
        "b": { "command": "y" }
    },
    "inputs": []
}
"#;

#[test]
fn comments_order_and_form_stay() {
    let after = kept(Client::VsCode, COMMENTED);
    let lines: Vec<&str> = after.lines().collect();
    for line in COMMENTED.lines().filter(|line| !line.contains("\"b\"")) {
        assert!(lines.contains(&line), "{line}\n{after}");
    }
    assert!(
        after.contains("        \"b\": { \"command\": \"y\" },\n        \"oncue\": {\n"),
        "{after}"
    );
    let toml = "# mine\nmodel = \"x\" # good\n\n[mcp_servers.a]\ncommand = 'x'\n\n[tui]\nx   = 1\n";
    let after = kept(Client::Codex, toml);
    assert_eq!(
        after,
        format!(
            "{toml}\n[mcp_servers.oncue]\ncommand = \"/opt/oncue\"\nargs = [\"serve\", \"--config\", \"/c/oncue.toml\"]\n"
        )
    );
}

#[test]
fn what_is_right_already_is_not_changed() {
    for client in Client::ALL {
        for before in [None, Some("")] {
            let once = connected(client, before, &stdio(), Others::Keep);
            assert_eq!(kept(client, &once), once, "{client}");
        }
    }
    let written_otherwise = "{\"mcpServers\":{\"oncue\":{\"args\":[\"serve\",\"--config\",\"\\u002fc/oncue.toml\"],\"command\":\"/opt/oncue\",\"timeout\":5}}}";
    assert_eq!(kept(Client::Cursor, written_otherwise), written_otherwise);
}

#[test]
fn an_entry_that_leads_elsewhere_is_brought_up_to_date_and_keeps_the_rest() {
    let before = "{\"mcpServers\": {\"oncue\": {\"url\": \"http://old\", \"timeout\": 5}}}";
    let after = kept(Client::Cursor, before);
    let tree: serde_json::Value = serde_json::from_str(&after).unwrap();
    assert_eq!(
        tree["mcpServers"]["oncue"],
        serde_json::json!({"timeout": 5, "command": "/opt/oncue", "args": ["serve", "--config", "/c/oncue.toml"]})
    );
    let before = "[mcp_servers.oncue] # mine\nurl = \"http://old\"\ntool_timeout_sec = 5\n";
    let after = kept(Client::Codex, before);
    assert!(after.contains("tool_timeout_sec = 5") && !after.contains("url"), "{after}");
    assert!(after.starts_with("[mcp_servers.oncue] # mine\n"), "{after}");
}

#[test]
fn other_servers_are_taken_out_when_asked() {
    let change =
        connect(Client::VsCode, Path::new("mcp.json"), Some(COMMENTED), &stdio(), Others::Move);
    let change = change.unwrap();
    assert_eq!(change.moved, ["a", "b"]);
    let read = |text: &str| {
        let read =
            Foreign::read(Client::VsCode.form(), Path::new("mcp.json"), text, &Context::default());
        let ids = read.unwrap().upstreams.into_iter().map(|upstream| upstream.id.to_string());
        ids.collect::<Vec<_>>()
    };
    let after = change.after.unwrap();
    assert_eq!(read(&after), ["oncue"]);
    let toml =
        "[mcp_servers.a]\ncommand = \"x\"\n\n[mcp_servers.a.env]\nT = \"1\"\n\n[tui]\nx = 1\n";
    let change =
        connect(Client::Codex, Path::new("config.toml"), Some(toml), &stdio(), Others::Move);
    let change = change.unwrap();
    assert_eq!(change.moved, ["a"]);
    let after = change.after.unwrap();
    assert!(!after.contains("mcp_servers.a") && after.contains("[tui]\nx = 1\n"), "{after}");
    let back = disconnect(Client::Codex, Path::new("config.toml"), &after, &[toml.to_owned()]);
    assert_eq!(back.unwrap().after.as_deref(), Some(toml), "the servers come back");
}

#[test]
fn a_server_that_is_taken_out_and_in_no_settings_is_lost() {
    let before = r#"{"mcpServers": {
        "same": {"command": "x", "args": ["1"], "env": {"TOKEN": "c4n4ry"}},
        "renamed": {"url": "https://a.example/mcp", "headers": {"Authorization": "Bearer c4n4ry"}},
        "other": {"command": "x", "args": ["2"]}, "broken": {}}}"#;
    let settings = "[upstream.same]\ncommand = \"x\"\nargs = [\"1\"]\nenv = { TOKEN = \"${T}\" }\n[upstream.b]\nurl = \"https://a.example/mcp\"\n[upstream.other]\ncommand = \"y\"\n";
    let none = |_: &Path| panic!("nothing is imported");
    let loaded =
        Loaded::parse(Path::new("/c/oncue.toml"), settings, &Context::default(), &none).unwrap();
    let change = |others| {
        connect(Client::Cursor, &path(Client::Cursor), Some(before), &stdio(), others).unwrap()
    };
    let context = Context { home: Some("/h".into()), cwd: None };
    let lost = |others| change(others).lost(&context, &loaded.settings);
    assert_eq!(lost(Others::Move), ["other", "broken"]);
    assert_eq!(lost(Others::Keep), [""; 0]);
}

#[test]
fn an_entry_of_another_name_stands_beside_the_usual_one() {
    let named = Entry { name: "tools-2".parse().unwrap(), ..http() };
    for client in Client::ALL.into_iter().filter(|&client| client != Client::ClaudeDesktop) {
        let usual = connected(client, None, &stdio(), Others::Keep);
        let both = connected(client, Some(&usual), &named, Others::Keep);
        let change = super::disconnect(client, &path(client), &both, &named.name, &[]).unwrap();
        assert!(change.diff().contains("http://127.0.0.1:8787/mcp"), "{}", change.diff());
        assert!(!change.diff().contains("/c/oncue.toml"), "{}", change.diff());
        assert_eq!(change.after.as_deref(), Some(usual.as_str()), "{client}");
    }
}

#[test]
fn leaving_gives_the_file_back_byte_for_byte() {
    let json = [
        "{}",
        "{}\n",
        "{\"mcpServers\": {}}",
        "{\"mcpServers\":{\"a\":{\"command\":\"x\"}}}",
        "\u{feff}{\r\n\t\"mcpServers\": {\r\n\t\t\"a\": {\"command\": \"x\"},\r\n\t},\r\n}\r\n",
        "// only a comment\n{ \"a\" : 1 }",
        COMMENTED,
    ];
    let toml =
        ["", "a = 1", "a = 1\n", "a = 1\r\n[b]\r\n", "mcp_servers = { a = { command = \"x\" } }\n"];
    for (client, texts) in
        [(Client::Cursor, &json[..]), (Client::VsCode, &json), (Client::Codex, &toml)]
    {
        for before in texts {
            for entry in [stdio(), http()] {
                for others in [Others::Keep, Others::Move] {
                    let after = connected(client, Some(before), &entry, others);
                    let backups = ["{\"x\": 1}".to_owned(), (*before).to_owned()];
                    let back = disconnect(client, &path(client), &after, &backups).unwrap();
                    assert_eq!(back.after.as_deref(), Some(*before), "{client} {before:?}");
                }
            }
        }
    }
    for client in Client::ALL {
        let after = connected(client, None, &stdio(), Others::Keep);
        let back = disconnect(client, &path(client), &after, &[]).unwrap();
        assert_eq!(back.after, None, "{client}: a file of ours alone goes");
    }
}

#[test]
fn leaving_without_a_backup_takes_the_entry_alone() {
    for before in ["a = 1\n", "# c\n[x]\ny = 1\n\n", "a = 1\r\n"] {
        let after = kept(Client::Codex, before);
        let back = disconnect(Client::Codex, &path(Client::Codex), &after, &[]).unwrap();
        assert_eq!(back.after.as_deref(), Some(before), "{before:?}");
    }
    let after = kept(Client::VsCode, COMMENTED).replace("\"y\"", "\"changed\"");
    let back = disconnect(Client::VsCode, &path(Client::VsCode), &after, &[COMMENTED.to_owned()]);
    let back = back.unwrap().after.unwrap();
    assert_eq!(back, COMMENTED.replace("\"y\"", "\"changed\""), "and the file is not set back");
    let none = disconnect(Client::VsCode, &path(Client::VsCode), COMMENTED, &[]).unwrap();
    assert!(none.is_empty());
}

#[test]
fn a_file_that_is_not_what_it_should_be_is_left_alone() {
    for (client, text) in [
        (Client::Cursor, "{"),
        (Client::Cursor, "[]"),
        (Client::Cursor, "{\"mcpServers\": []}"),
        (Client::Codex, "a = "),
        (Client::Codex, "mcp_servers = 1"),
    ] {
        let change = connect(client, &path(client), Some(text), &stdio(), Others::Keep);
        assert!(matches!(change, Err(ConnectError::File(_))), "{text}");
    }
}

// case: C61
#[test]
fn a_shown_change_holds_nothing_of_others() {
    let toml = "# key c4n4ry\n\"a#\\\"\" = 'c4n4ry#' # c4n4ry\n'#' = 1 # c4n4ry\n[mcp_servers.a] # c4n4ry\ncommand = \"x\" # c4n4ry\nenv = { T = \"c4n4ry\" }\nargs = [\"c4n4ry\", \"\"\"\nc4n4ry\n# c4n4ry\n\"\"\"]\n";
    let json = "{\n  // c4n4ry\n  \"token\": \"c4n4ry\", \"hooks\": {\"command\": \"c4n4ry\"},\n  \"mcpServers\": {\n    \"a\": {\"url\": \"c4n4ry\", \"env\": {\"type\": \"c4n4ry\"}}\n  }\n}\n";
    for (client, text) in
        [(Client::Codex, toml), (Client::ClaudeCode, json), (Client::VsCode, COMMENTED)]
    {
        for others in [Others::Keep, Others::Move] {
            let change = connect(client, &path(client), Some(text), &stdio(), others).unwrap();
            let shown = format!("{}\n{change:?}", change.diff());
            assert!(!shown.contains("c4n4ry"), "{shown}");
            assert!(shown.contains("/opt/oncue"), "{shown}");
        }
    }
}

#[test]
fn a_change_is_shown_as_lines() {
    let before = "{\n  \"mcpServers\": {\n    \"a\": {\n      \"command\": \"x\"\n    }\n  }\n}\n";
    let change = connect(
        Client::Windsurf,
        Path::new("mcp_config.json"),
        Some(before),
        &http(),
        Others::Keep,
    );
    assert_eq!(
        change.unwrap().diff(),
        "--- mcp_config.json\n+++ mcp_config.json\n@@ -3,4 +3,7 @@\n     \"a\": {\n       \"command\": \"x\"\n+    },\n+    \"oncue\": {\n+      \"serverUrl\": \"http://127.0.0.1:8787/mcp\"\n     }\n   }\n"
    );
}

/// Texts like those of clients' files: nested values with comments, any spacing, commas at the end.
fn json_text() -> impl Strategy<Value = String> {
    let space = || proptest::sample::select(vec!["", " ", "\n", "\r\n  ", " // c\n", " /* c */ "]);
    let entry = ("[a-c]", space(), space()).prop_map(|(name, before, after)| {
        format!("{before}\"{name}\":{after}{{\"command\": \"x\"{before}}}{after}")
    });
    let entries = prop::collection::vec(entry, 0..4);
    (space(), entries, any::<bool>(), space(), space(), any::<bool>()).prop_map(
        |(before, entries, comma, inside, after, has_more)| {
            let end = if comma && !entries.is_empty() { "," } else { "" };
            let more = if has_more { ", \"z\": [1, 2]" } else { "" };
            let servers = entries.join(",");
            format!(
                "{before}{{{inside}\"mcpServers\": {{{servers}{end}{inside}}}{more}{after}}}{after}"
            )
        },
    )
}

proptest! {
    #[test]
    fn connecting_and_leaving_is_nothing(before in json_text()) {
        let path = path(Client::Cursor);
        let after = connected(Client::Cursor, Some(&before), &stdio(), Others::Keep);
        let read = |text: &str| Foreign::read(Client::Cursor.form(), &path, text, &Context::default());
        let (old, new) = (read(&before).unwrap(), read(&after).unwrap());
        prop_assert_eq!(old.upstreams.len() + 1, new.upstreams.len(), "{}", after);
        prop_assert_eq!(&kept(Client::Cursor, &after), &after);
        let back = disconnect(Client::Cursor, &path, &after, std::slice::from_ref(&before)).unwrap();
        prop_assert_eq!(back.after.as_deref(), Some(before.as_str()));
        let alone = disconnect(Client::Cursor, &path, &after, &[]).unwrap().after;
        let alone = read(alone.as_deref().unwrap_or("{}")).unwrap();
        prop_assert_eq!(alone.upstreams.len(), old.upstreams.len());
    }
}
