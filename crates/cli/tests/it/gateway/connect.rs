//! `oncue connect` and `oncue disconnect`.

use std::path::Path;

use oncue_gateway::clients::{Client, ClientScope, Platform};
use serde_json::json;

use super::{Place, SETTINGS, without_times};
use crate::oncue::Answer;

/// A file of a client that starts the one server of [`SETTINGS`].
const CURSOR: &str = "{\n  // mine\n  \"mcpServers\": {\n    \"memory\": {\"command\": \"npx\", \"args\": [\"memory\"]}\n  }\n}\n";

/// Returns the file of a client, from the folder of the place.
fn file(client: Client, scope: ClientScope) -> Option<String> {
    let path = client.file(scope, Platform::current(), Path::new("ada"), Path::new("project"))?;
    Some(path.to_str().expect("UTF-8").to_owned())
}

fn is_toml(file: &str) -> bool {
    file.ends_with(".toml")
}

/// What stands in a file of a client before anything is done, in any spelling that is not ours.
fn before(file: &str) -> &'static str {
    match is_toml(file) {
        true => "# mine\nmodel = 'x'\n\n[mcp_servers.a]\ncommand='y'\n\n[tui]\nx   = 1",
        false => "{ \"theme\" : \"dark\", // mine\n\t\"list\": [1,2,],\n}",
    }
}

#[test]
fn every_client_is_connected_and_gets_its_file_back() {
    let clients = Client::ALL.map(Client::id);
    for scope in [ClientScope::User, ClientScope::Project] {
        let place = Place::of(&[("project/oncue.toml", SETTINGS)]);
        let files: Vec<(&str, String)> = Client::ALL
            .into_iter()
            .filter_map(|client| Some((client.id(), file(client, scope)?)))
            .collect();
        for (_, file) in &files {
            place.write(file, before(file));
        }
        let of_scope: Vec<&str> = files.iter().map(|(client, _)| *client).collect();
        let all = |command| {
            let args = [&[command], &*of_scope, &["--scope", scope.word(), "--yes"]].concat();
            place.oncue(&args)
        };
        let connected = all("connect");
        assert_eq!(connected.code, 0, "{connected:?}");
        for (client, file) in &files {
            let text = place.read(file).expect("it is there");
            let text = place.without_paths(&text);
            assert!(
                text.contains("serve") && text.contains("project/oncue.toml"),
                "{client}: {text}"
            );
            assert!(text.contains("ONCUE"), "{client}: {text}");
        }
        let again = all("connect");
        assert_eq!((again.code, again.out.as_str()), (0, ""));
        assert!(again.err.contains("is connected already"), "{again:?}");
        let left = all("disconnect");
        assert_eq!(left.code, 0, "{left:?}");
        for (client, file) in &files {
            assert_eq!(place.read(file).as_deref(), Some(before(file)), "{client}");
        }
        let again = all("disconnect");
        assert_eq!((again.code, again.out.as_str()), (0, ""));
        assert!(again.err.contains("is not connected"), "{again:?}");
    }
    assert_eq!(clients.len(), 7);
}

#[test]
fn a_file_that_was_not_there_goes_again() {
    let place = Place::of(&[("project/oncue.toml", SETTINGS)]);
    for client in Client::ALL {
        let file = file(client, ClientScope::User).expect("each has one of its user");
        let connected = place.oncue(&["connect", client.id(), "--yes"]);
        assert!(connected.err.starts_with(&format!("wrote `{file}`\nhint: ")), "{connected:?}");
        assert!(place.read(&file).is_some(), "{client}");
        let left = place.oncue(&["disconnect", client.id(), "--yes"]);
        assert_eq!(
            without_times(&left.err),
            format!("removed `{file}`; what was there is in `{file}.oncue-TIME.bak`\n"),
            "{client}"
        );
        assert_eq!(place.read(&file), None, "{client}");
    }
}

#[test]
fn the_change_is_shown_and_told() {
    let place = Place::of(&[("project/oncue.toml", SETTINGS), ("ada/.cursor/mcp.json", CURSOR)]);
    let found = place.oncue(&["connect", "cursor", "--yes"]);
    assert_eq!(
        found.out,
        "--- ada/.cursor/mcp.json
+++ ada/.cursor/mcp.json
@@ -2,5 +2,9 @@
   // …
   \"mcpServers\": {
-    \"memory\": {\"command\": \"npx\", \"args\": [\"…\"]}
+    \"memory\": {\"command\": \"npx\", \"args\": [\"…\"]},
+    \"oncue\": {
+      \"command\": \"ONCUE\",
+      \"args\": [\"serve\", \"--config\", \"project/oncue.toml\"]
+    }
   }
 }
"
    );
    assert_eq!(
        without_times(&found.err),
        "wrote `ada/.cursor/mcp.json`; what was there is in `ada/.cursor/mcp.json.oncue-TIME.bak`\n\
         hint: restart the client to use it; take it back: oncue disconnect cursor\n"
    );
}

#[test]
fn without_a_terminal_somebody_must_have_agreed() {
    let place = Place::of(&[("project/oncue.toml", SETTINGS), ("ada/.cursor/mcp.json", CURSOR)]);
    for (json, why) in [
        (&[][..], "nobody can be asked: standard input is no terminal"),
        (&["--json"], "nobody is asked with `--json`"),
    ] {
        let typed = [&["connect", "cursor", "--name", "tools"], json].concat();
        let found = place.oncue(&typed);
        assert_eq!((found.code, found.out.is_empty()), (5, !json.is_empty()), "{found:?}");
        assert_eq!(
            found.err,
            format!(
                "error: {why}\n\n\
                 hint: only look with `--dry-run`, or agree to it: oncue {} --yes\n",
                typed.join(" ")
            )
        );
    }
    assert_eq!(place.read("ada/.cursor/mcp.json").as_deref(), Some(CURSOR));
    assert_eq!(place.names("ada/.cursor"), ["mcp.json"]);
    place.oncue(&["connect", "cursor", "--yes"]);
    let connected = place.read("ada/.cursor/mcp.json");
    assert_eq!(place.oncue(&["disconnect", "cursor"]).code, 5);
    assert_eq!(place.read("ada/.cursor/mcp.json"), connected);
}

#[test]
fn a_dry_run_changes_nothing() {
    let place = Place::of(&[("project/oncue.toml", SETTINGS), ("ada/.cursor/mcp.json", CURSOR)]);
    let found = place.oncue(&["connect", "cursor", "--dry-run"]);
    assert_eq!((found.code, found.err.as_str()), (0, "nothing was changed (`--dry-run`)\n"));
    assert!(found.out.contains("+    \"oncue\": {\n"), "{found:?}");
    assert_eq!(place.read("ada/.cursor/mcp.json").as_deref(), Some(CURSOR));
    let both = place.oncue(&["connect", "cursor", "--dry-run", "--yes"]);
    assert_eq!(both.code, 2, "{both:?}");
}

#[test]
fn json_tells_each_change() {
    let place = Place::of(&[("project/oncue.toml", SETTINGS), ("ada/.cursor/mcp.json", CURSOR)]);
    let shown = place.oncue(&["connect", "cursor", "--dry-run"]).out;
    let planned = place.oncue(&["connect", "cursor", "--dry-run", "--json"]);
    let change = |changed: bool, backup: Option<&str>| {
        json!({"version": 1, "changes": [{
            "client": "cursor", "file": "ada/.cursor/mcp.json", "diff": shown, "moved": [],
            "changed": changed, "backup": backup,
        }]})
    };
    assert_eq!((planned.json(), planned.err.as_str()), (change(false, None), ""));
    let made = place.oncue(&["connect", "cursor", "--yes", "--json"]);
    let made = Answer { out: without_times(&made.out), ..made };
    let backup = "ada/.cursor/mcp.json.oncue-TIME.bak";
    assert_eq!((made.json(), made.err.as_str()), (change(true, Some(backup)), ""));
    let idle = place.oncue(&["connect", "cursor", "--json"]);
    assert_eq!((idle.code, &idle.json()["changes"][0]["diff"]), (0, &"".into()));
}

#[test]
fn a_gateway_that_runs_needs_no_settings() {
    let place = Place::of(&[]);
    let url = "http://127.0.0.1:8787/mcp";
    let found = place.oncue(&[
        "connect", "cursor", "vscode", "--scope", "project", "--http", url, "--name", "tools",
        "--yes",
    ]);
    assert_eq!(
        found.err,
        "wrote `project/.cursor/mcp.json`\nwrote `project/.vscode/mcp.json`\n\
         hint: restart the client to use it; take it back: oncue disconnect cursor vscode --scope project --name tools\n"
    );
    assert_eq!(
        place.read("project/.cursor/mcp.json").as_deref(),
        Some(
            "{\n  \"mcpServers\": {\n    \"tools\": {\n      \"url\": \"http://127.0.0.1:8787/mcp\"\n    }\n  }\n}\n"
        )
    );
    let refused = place.oncue(&["connect", "cursor", "claude-desktop", "--http", url, "--yes"]);
    assert_eq!((refused.code, refused.out.as_str()), (3, ""), "{refused:?}");
    assert!(
        refused.err.ends_with("hint: leave `--http` out: oncue connect claude-desktop\n"),
        "{refused:?}"
    );
    assert_eq!(place.read("ada/.cursor/mcp.json"), None, "one that is refused stops all");
    assert_eq!(place.oncue(&["connect", "cursor", "--http", "localhost", "--yes"]).code, 2);
}

#[test]
fn a_gateway_that_would_not_start_connects_nobody() {
    let place = Place::of(&[]);
    let missing = place.oncue(&["connect", "cursor", "--yes"]);
    assert_eq!((missing.code, missing.out.as_str()), (3, ""));
    assert!(missing.err.contains("from your clients' files: oncue import\n"), "{missing:?}");
    place.write("project/o.toml", "moed = \"search\"\n");
    let wrong = place.oncue(&["connect", "cursor", "--config", "o.toml", "--yes"]);
    assert_eq!(wrong.code, 3);
    assert!(
        wrong.err.starts_with(
            "error: the gateway would not start with these settings: project/o.toml:1:1: "
        ),
        "{wrong:?}"
    );
    assert!(
        wrong.err.ends_with("hint: see all that is wrong: oncue check project/o.toml\n"),
        "{wrong:?}"
    );
    assert_eq!(place.read("ada/.cursor/mcp.json"), None);
}

#[test]
fn servers_are_moved_only_where_the_gateway_has_them() {
    let place = Place::of(&[("project/oncue.toml", SETTINGS), ("ada/.cursor/mcp.json", CURSOR)]);
    let found = place.oncue(&["connect", "cursor", "--move", "--yes"]);
    assert_eq!(found.code, 0, "{found:?}");
    let text = place.read("ada/.cursor/mcp.json").expect("it is there");
    assert!(!text.contains("memory") && text.contains("// mine"), "{text}");
    assert_eq!(place.oncue(&["disconnect", "cursor", "--yes"]).code, 0);
    assert_eq!(place.read("ada/.cursor/mcp.json").as_deref(), Some(CURSOR));

    let other = CURSOR.replace("[\"memory\"]", "[\"other\"]");
    place.write("ada/.cursor/mcp.json", &other);
    let refused = place.oncue(&["connect", "cursor", "--move", "--yes"]);
    assert_eq!((refused.code, refused.out.as_str()), (3, ""));
    assert!(
        refused
            .err
            .starts_with("error: the gateway does not have `memory` of `ada/.cursor/mcp.json`\n"),
        "{refused:?}"
    );
    place.write("project/oncue.toml", "[import]\nfiles = [\"../ada/.cursor/mcp.json\"]\n");
    let refused = place.oncue(&["connect", "cursor", "--move", "--yes"]);
    assert_eq!(refused.code, 3);
    assert!(refused.err.contains("they must stay there"), "{refused:?}");
    assert_eq!(place.read("ada/.cursor/mcp.json"), Some(other));
}

#[test]
fn a_clients_file_that_is_broken_is_left_alone() {
    let place = Place::of(&[("project/oncue.toml", SETTINGS), ("ada/.cursor/mcp.json", "{")]);
    for command in ["connect", "disconnect"] {
        let found = place.oncue(&[command, "vscode", "cursor", "--yes"]);
        assert_eq!((found.code, found.out.as_str()), (3, ""), "{found:?}");
        assert!(found.err.contains("ada/.cursor/mcp.json"), "{found:?}");
    }
    assert_eq!(place.read("ada/.cursor/mcp.json").as_deref(), Some("{"));
    assert_eq!(place.names("ada"), [".cursor"], "no other client was changed");
}

#[test]
fn some_clients_have_no_file_of_a_project() {
    let place = Place::of(&[("project/oncue.toml", SETTINGS)]);
    let found = place.oncue(&["connect", "windsurf", "--scope", "project", "--yes"]);
    assert_eq!(
        (found.code, found.err.as_str()),
        (
            3,
            "error: `windsurf` has no file of a project\n\nhint: name the user's: `--scope user`\n"
        )
    );
}
