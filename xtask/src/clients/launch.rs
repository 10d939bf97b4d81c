//! How each client is started: a home of its own, no keys, nothing sent to anyone, and the gateway as its only server.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::Result;
use serde_json::{Value, json};

use super::bench::Bench;
use super::rows::{Program, Row};
use super::supply::{PINS, package};

/// The name under which clients know the gateway.
pub(super) const SERVER: &str = "oncue";

/// What stands for a key.
const NO_KEY: &str = "none";

/// What the model is told, which plays by a plan anyway.
const PROMPT: &str = "go";

/// How a client reaches the gateway.
pub(super) enum Reach {
    /// It starts it, by these words.
    Words(Vec<String>),
    /// It is there already.
    Url(String),
}

/// Where one run takes place.
pub(super) struct Place {
    /// What it writes.
    pub(super) folder: PathBuf,
    /// The user's home.
    home: PathBuf,
    /// Where the client is started.
    project: PathBuf,
}

impl Place {
    pub(super) fn make(folder: PathBuf) -> Result<Self> {
        if folder.exists() {
            fs::remove_dir_all(&folder)?;
        }
        let (home, project) = (folder.join("home"), folder.join("project"));
        fs::create_dir_all(&home)?;
        fs::create_dir_all(&project)?;
        Ok(Self { folder, home, project })
    }
}

/// Returns the command of a client; `vendor` is where its model answers.
pub(super) fn command(
    bench: &Bench,
    row: &Row,
    place: &Place,
    reach: &Reach,
    vendor: &str,
) -> Result<Command> {
    let mut command = match row.program {
        Program::Claude { defers } => claude(bench, place, reach, vendor, defers)?,
        Program::Codex { model } => codex(bench, place, reach, vendor, model)?,
        Program::Gemini => gemini(bench, place, reach, vendor)?,
        Program::Python { library, era } => {
            let mut command = clean(&bench.python, bench, place);
            command.arg(bench.root.join(PINS).join("sdk.py"));
            library_words(&mut command, place, reach, library, era);
            command
        }
        Program::Node { library, era } => {
            let mut command = clean(&bench.node, bench, place);
            command.arg(bench.root.join(PINS).join("sdk.mjs"));
            library_words(&mut command, place, reach, library, era);
            command.env("CLIENTS", bench.root.join(super::supply::FOLDER));
            command
        }
    };
    command.current_dir(&place.project);
    Ok(command)
}

/// A command that inherits nothing.
fn clean(program: &Path, bench: &Bench, place: &Place) -> Command {
    let node = bench.node.parent().unwrap_or(Path::new("/"));
    let mut command = Command::new(program);
    command
        .env_clear()
        .env("PATH", format!("{}:/usr/local/bin:/usr/bin:/bin", node.display()))
        .env("HOME", &place.home)
        .env("LANG", "C.UTF-8")
        .env("PYTHONDONTWRITEBYTECODE", "1");
    command
}

fn library_words(command: &mut Command, place: &Place, reach: &Reach, library: &str, era: &str) {
    command.arg(place.folder.join("plan.json")).args([library, era]);
    match reach {
        Reach::Words(words) => command.args(words),
        Reach::Url(url) => command.arg(url),
    };
}

/// An entry of the form that most clients share.
fn entry(reach: &Reach, url_key: &str) -> Value {
    match reach {
        Reach::Words(words) => json!({ "command": words.first(), "args": words.get(1..) }),
        Reach::Url(url) => json!({ url_key: url }),
    }
}

fn claude(
    bench: &Bench,
    place: &Place,
    reach: &Reach,
    vendor: &str,
    defers: bool,
) -> Result<Command> {
    let mut entry = entry(reach, "url");
    if matches!(reach, Reach::Url(_)) {
        entry["type"] = json!("http");
    }
    let servers = place.folder.join("servers.json");
    fs::write(&servers, json!({ "mcpServers": { SERVER: entry } }).to_string())?;
    let program = package(&bench.root, "@anthropic-ai/claude-code-linux-x64/claude");
    let mut command = clean(&program, bench, place);
    command
        .args(["-p", PROMPT, "--strict-mcp-config", "--mcp-config"])
        .arg(servers)
        .args(["--permission-mode", "bypassPermissions", "--output-format", "json"])
        .env("ANTHROPIC_BASE_URL", vendor)
        .env("ANTHROPIC_API_KEY", NO_KEY)
        .env("CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC", "1")
        .env("DISABLE_TELEMETRY", "1")
        .env("DISABLE_AUTOUPDATER", "1")
        // Root may bypass permissions where nothing can be harmed.
        .env("IS_SANDBOX", "1");
    if !defers {
        command.env("ENABLE_TOOL_SEARCH", "false");
    }
    Ok(command)
}

fn codex(
    bench: &Bench,
    place: &Place,
    reach: &Reach,
    vendor: &str,
    model: &str,
) -> Result<Command> {
    let server = match reach {
        Reach::Words(words) => {
            format!("command = {}\nargs = {}\n", json!(words.first()), json!(words.get(1..)))
        }
        Reach::Url(url) => format!("url = {}\n", json!(url)),
    };
    let settings = format!(
        "model = \"{model}\"\nmodel_provider = \"scripted\"\napproval_policy = \"never\"\n\
         sandbox_mode = \"danger-full-access\"\ncheck_for_update_on_startup = false\n\
         [analytics]\nenabled = false\n\
         [model_providers.scripted]\nname = \"scripted\"\nbase_url = \"{vendor}/v1\"\n\
         wire_api = \"responses\"\nenv_key = \"SCRIPTED_KEY\"\n\
         [mcp_servers.{SERVER}]\n{server}"
    );
    let home = place.home.join(".codex");
    fs::create_dir_all(&home)?;
    fs::write(home.join("config.toml"), settings)?;
    let program = "@openai/codex-linux-x64/vendor/x86_64-unknown-linux-musl/bin/codex";
    let mut command = clean(&package(&bench.root, program), bench, place);
    command
        .args(["exec", "--skip-git-repo-check", PROMPT])
        .env("CODEX_HOME", home)
        .env("SCRIPTED_KEY", NO_KEY);
    Ok(command)
}

fn gemini(bench: &Bench, place: &Place, reach: &Reach, vendor: &str) -> Result<Command> {
    let mut entry = entry(reach, "httpUrl");
    entry["trust"] = json!(true);
    let settings = json!({
        "mcpServers": { SERVER: entry },
        "security": { "auth": { "selectedType": "gemini-api-key" } },
        "telemetry": { "enabled": false },
        "privacy": { "usageStatisticsEnabled": false },
        "general": { "enableAutoUpdate": false, "enableAutoUpdateNotification": false },
    });
    let home = place.home.join(".gemini");
    fs::create_dir_all(&home)?;
    fs::write(home.join("settings.json"), settings.to_string())?;
    let mut command = clean(&bench.node, bench, place);
    command
        .arg(package(&bench.root, "@google/gemini-cli/bundle/gemini.js"))
        .args(["-p", PROMPT, "--yolo", "--output-format", "json"])
        .env("GOOGLE_GEMINI_BASE_URL", vendor)
        .env("GEMINI_API_KEY", NO_KEY)
        .env("GEMINI_CLI_TRUST_WORKSPACE", "true");
    Ok(command)
}
