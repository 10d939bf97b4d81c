//! `oncue import`.

use serde_json::json;

use super::{Place, without_times};
use crate::oncue::Answer;

/// Files of three clients: one server stands in two of them, and `github` is two servers.
const FILES: [(&str, &str); 3] = [
    (
        "project/.mcp.json",
        r#"{"mcpServers": {
  "github": {"command": "npx", "args": ["gh"], "env": {"GITHUB_TOKEN": "s3cret-0123456789"}},
  "docs": {"type": "http", "url": "https://docs.example/mcp", "headers": {"Authorization": "Bearer ${DOCS_TOKEN}"}},
  "broken": {"comand": "npx"}
}}"#,
    ),
    (
        "ada/.cursor/mcp.json",
        r#"{"mcpServers": {
  "github": {"command": "npx", "args": ["other"]},
  "documentation": {"type": "http", "url": "https://docs.example/mcp", "headers": {"Authorization": "Bearer ${env:DOCS_TOKEN}"}}
}}"#,
    ),
    ("ada/.codex/config.toml", "[mcp_servers.files]\ncommand = \"npx\"\nenabled = false\n"),
];

/// Where the settings go on this system when nobody says.
const USUAL: &str = if cfg!(windows) {
    "ada/AppData/Roaming/oncue/oncue.toml"
} else {
    "ada/.config/oncue/oncue.toml"
};

/// The settings that the files become, with what stands for the secret.
fn settings(place: &Place, secret: &str) -> String {
    let root = place.path("");
    format!(
        "# from {root}project/.mcp.json
[upstream.github]
command = \"npx\"
args = [\"gh\"]
env = {{ GITHUB_TOKEN = \"{secret}\" }}
cwd = \"{root}project\"

# from {root}project/.mcp.json
# also in {root}ada/.cursor/mcp.json
[upstream.docs]
url = \"https://docs.example/mcp\"
headers = {{ Authorization = \"Bearer ${{DOCS_TOKEN}}\" }}
transport = \"streamable\"

# from {root}ada/.cursor/mcp.json
[upstream.github-2]
command = \"npx\"
args = [\"other\"]

# from {root}ada/.codex/config.toml
[upstream.files]
command = \"npx\"
enabled = false
"
    )
}

const TABLE: &str = "\
upstream  reached by            enabled  from
github    npx                   yes      project/.mcp.json
docs      https://docs.example  yes      project/.mcp.json, ada/.cursor/mcp.json
github-2  npx                   yes      ada/.cursor/mcp.json
files     npx                   no       ada/.codex/config.toml
";

const FOUND: &str = "\
claude-code, project: `project/.mcp.json`: 2 servers
cursor, user: `ada/.cursor/mcp.json`: 2 servers
codex, user: `ada/.codex/config.toml`: 1 server
warning: `broken` is set aside: project/.mcp.json:4:13: it has no `command` or `url`
warning: ada/.cursor/mcp.json:2:3: `github` is `github-2` now, since it is another server than the `github` before it
";

const KEPT: &str = "warning: 1 secret written out in the file, which its owner alone can read: `env.GITHUB_TOKEN` of `github`; `--secrets variables` puts variables in the place of those in `env` and `headers`\n";

const NEXT: &str =
    "hint: look at it: oncue check; then use it: oncue connect claude-code cursor codex\n";

#[test]
fn servers_of_three_clients_become_one_file() {
    let place = Place::of(&FILES);
    assert_eq!(
        place.oncue(&["import"]),
        Answer {
            code: 0,
            out: TABLE.to_owned(),
            err: format!("{FOUND}{KEPT}wrote `{USUAL}`: 4 upstreams\n{NEXT}"),
        }
    );
    assert_eq!(place.read(USUAL), Some(settings(&place, "s3cret-0123456789")));
    let again = place.oncue(&["import"]);
    assert_eq!((again.code, again.out.as_str()), (0, TABLE));
    assert!(again.err.ends_with(&format!("`{USUAL}` says this already\n{NEXT}")), "{again:?}");
}

#[cfg(unix)]
#[test]
fn the_file_is_for_its_owner_alone() {
    use std::os::unix::fs::PermissionsExt;
    let place = Place::of(&FILES);
    place.oncue(&["import"]);
    let mode = std::fs::metadata(place.path(USUAL)).expect("it is there").permissions().mode();
    assert_eq!(mode & 0o777, 0o600);
}

#[test]
fn secrets_become_variables_that_are_told() {
    let place = Place::of(&FILES);
    let told = "set `GITHUB_GITHUB_TOKEN` where the gateway starts: it stands for `env.GITHUB_TOKEN` of `github`\n";
    let found = place.oncue(&["import", "--secrets", "variables", "--out", "a b/o.toml"]);
    assert_eq!(found.code, 0, "{found:?}");
    assert_eq!(
        found.err,
        format!(
            "{FOUND}{told}wrote `project/a b/o.toml`: 4 upstreams\nhint: look at it: oncue check 'project/a b/o.toml'; then use it: oncue connect claude-code cursor codex --config 'project/a b/o.toml'\n"
        )
        .replace("'project/", "'project/")
    );
    assert_eq!(place.read("project/a b/o.toml"), Some(settings(&place, "${GITHUB_GITHUB_TOKEN}")));
}

#[test]
fn standard_output_holds_the_settings_and_no_secret_unless_asked() {
    let place = Place::of(&FILES);
    for (secrets, expected) in [
        (&[][..], "${GITHUB_GITHUB_TOKEN}"),
        (&["--secrets", "variables"], "${GITHUB_GITHUB_TOKEN}"),
        (&["--secrets", "keep"], "s3cret-0123456789"),
    ] {
        let found = place.oncue(&[&["import", "--out", "-"], secrets].concat());
        assert_eq!(found.out, place.without_paths(&settings(&place, expected)));
        assert!(found.err.starts_with(FOUND), "{found:?}");
        assert!(!found.err.contains("s3cret"), "{found:?}");
    }
    assert_eq!(place.read(USUAL), None);
    let both = place.oncue(&["import", "--out", "-", "--json"]);
    assert_eq!((both.code, both.out.as_str()), (2, ""), "{both:?}");
}

#[test]
fn a_file_that_says_something_else_is_replaced_on_request_only() {
    let place = Place::of(&FILES);
    place.write("project/oncue.toml", "mode = \"search\"\n");
    let refused = place.oncue(&["import"]);
    assert_eq!(
        refused,
        Answer {
            code: 4,
            out: String::new(),
            err: "error: `project/oncue.toml` is there and says something else\n\n\
                  hint: replace it, with a backup, by `--force`; write elsewhere by `--out FILE`; look by `--dry-run`\n"
                .into(),
        }
    );
    assert_eq!(place.read("project/oncue.toml").as_deref(), Some("mode = \"search\"\n"));
    let forced = place.oncue(&["import", "--force"]);
    assert_eq!(forced.code, 0, "{forced:?}");
    let wrote = "wrote `project/oncue.toml`: 4 upstreams; what was there is in `project/oncue.toml.oncue-TIME.bak`\n";
    assert!(without_times(&forced.err).ends_with(&format!("{wrote}{NEXT}")), "{forced:?}");
    assert_eq!(place.read("project/oncue.toml"), Some(settings(&place, "s3cret-0123456789")));
    let names = place.names("project");
    let [_, _, backup] = names.as_slice() else { panic!("{names:?}") };
    let backup = place.read(&format!("project/{backup}"));
    assert_eq!(backup.as_deref(), Some("mode = \"search\"\n"));
    assert_eq!(place.read(USUAL), None);
}

#[test]
fn a_dry_run_writes_nothing() {
    let place = Place::of(&FILES);
    let found = place.oncue(&["import", "--dry-run"]);
    assert_eq!((found.code, found.out.as_str()), (0, TABLE));
    let end = format!("nothing was written (`--dry-run`); it would be `{USUAL}`");
    assert!(found.err.ends_with(&format!("{end}\n")), "{found:?}");
    assert_eq!(place.read(USUAL), None);
    place.write(USUAL, "mode = \"search\"\n");
    let found = place.oncue(&["import", "--dry-run"]);
    assert!(
        found.err.ends_with(&format!("{end}; it is there, so that needs `--force`\n")),
        "{found:?}"
    );
    assert_eq!(place.read(USUAL).as_deref(), Some("mode = \"search\"\n"));
}

#[test]
fn json_tells_the_same() {
    let place = Place::of(&FILES);
    let at =
        |file: &str, line: u64, column: u64| json!({"file": file, "line": line, "column": column});
    let found = place.oncue(&["import", "--json"]);
    assert_eq!((found.code, found.err.as_str()), (0, ""));
    let project = "project/.mcp.json";
    let user = "ada/.cursor/mcp.json";
    let upstream = |id: &str,
                    transport: &str,
                    target: &str,
                    enabled: bool,
                    places: serde_json::Value| {
        json!({"id": id, "transport": transport, "target": target, "enabled": enabled, "places": places})
    };
    let docs = json!([at(project, 3, 3), at(user, 3, 3)]);
    assert_eq!(
        found.json(),
        json!({
            "version": 1, "file": USUAL, "written": true, "backup": null,
            "sources": [
                {"file": project, "client": "claude-code", "scope": "project", "servers": 2},
                {"file": user, "client": "cursor", "scope": "user", "servers": 2},
                {"file": "ada/.codex/config.toml", "client": "codex", "scope": "user", "servers": 1},
            ],
            "upstreams": [
                upstream("github", "stdio", "npx", true, json!([at(project, 2, 3)])),
                upstream("docs", "http", "https://docs.example", true, docs),
                upstream("github-2", "stdio", "npx", true, json!([at(user, 2, 3)])),
                upstream("files", "stdio", "npx", false, json!([at("ada/.codex/config.toml", 1, 14)])),
            ],
            "renamed": [{"place": at(user, 2, 3), "from": "github", "to": "github-2"}],
            "set_aside": [{"name": "broken", "place": at(project, 4, 13), "what": "it has no `command` or `url`", "hint": ""}],
            "notes": [],
            "secrets": [{"upstream": "github", "place": at(project, 2, 3), "what": "env.GITHUB_TOKEN", "variable": null}],
        })
    );
    assert_eq!(place.oncue(&["import", "--json", "--dry-run"]).json()["written"], false);
}

#[test]
fn clients_and_files_can_be_named() {
    let place = Place::of(&FILES);
    place.write(
        "project/more.json",
        r#"{"mcpServers": {"more": {"command": "npx", "args": ["more"]}}}"#,
    );
    let ids = |args: &[&str]| -> Vec<String> {
        let answer = place.oncue(&[&["import", "--dry-run", "--json"], args].concat()).json();
        let upstreams = answer["upstreams"].as_array().expect("a list").iter();
        upstreams.map(|upstream| upstream["id"].as_str().expect("a name").to_owned()).collect()
    };
    assert_eq!(ids(&["--client", "cursor"]), ["github", "documentation"]);
    assert_eq!(ids(&["--from", "more.json"]), ["more"]);
    assert_eq!(ids(&["--from", "more.json", "--client", "codex"]), ["more", "files"]);
    let missing = place.oncue(&["import", "--from", "nowhere.json"]);
    assert_eq!((missing.code, missing.out.as_str()), (3, ""));
    let expected = "error: project/nowhere.json:1:1: failed to read `project/nowhere.json`: ";
    assert!(missing.err.starts_with(expected), "{missing:?}");
    place.write("project/oncue.toml", "mode = \"search\"\n");
    let own = place.oncue(&["import", "--from", "oncue.toml", "--out", "x.toml"]);
    assert_eq!((own.code, place.read("project/x.toml")), (3, None), "{own:?}");
}

#[test]
fn where_there_is_nothing_that_is_told() {
    let place = Place::of(&[]);
    let found = place.oncue(&["import"]);
    assert_eq!(
        found,
        Answer {
            code: 1,
            out: String::new(),
            err:
                "error: no file of a client was found\n\nhint: name one: oncue import --from FILE\n"
                    .into(),
        }
    );
    place.write("ada/.claude.json", "{\"theme\": \"dark\"}");
    let found = place.oncue(&["import"]);
    assert_eq!((found.code, found.out.as_str(), place.read(USUAL)), (1, "", None));
    assert!(
        found.err.starts_with(
            "claude-code, user: `ada/.claude.json`: 0 servers\nerror: no server can be imported from 1 file\n"
        ),
        "{found:?}"
    );
}
