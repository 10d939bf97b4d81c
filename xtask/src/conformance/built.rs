//! The programs that the suite is run against.

use std::path::{Path, PathBuf};
use std::process::Stdio;

use anyhow::{Context, Result, ensure};
use serde::Deserialize;

use crate::machine::cargo;
use crate::workspace::Target;

/// Where the programs lie.
pub(super) struct Built {
    pub(super) server: PathBuf,
    pub(super) client: PathBuf,
    pub(super) gateway: PathBuf,
}

/// One line of cargo's JSON messages, as far as it is read here.
#[derive(Deserialize)]
struct Artifact {
    target: Target,
    executable: Option<PathBuf>,
}

impl Built {
    /// Builds them.
    pub(super) fn build(root: &Path) -> Result<Self> {
        let (server, client) = ("conformance-server", "conformance-client");
        let words = ["build", "-q", "--message-format", "json-render-diagnostics"];
        let protocol = ["-p", "oncue-mcp", "--example", server, "--example", client];
        let command = ["-p", "oncue-cli", "--bin", "oncue"];
        let mut build = cargo();
        build.args(words).args(protocol).args(command).current_dir(root);
        eprintln!("$ cargo build {} {}", protocol.join(" "), command.join(" "));
        let output = build.stdin(Stdio::null()).stderr(Stdio::inherit()).output();
        let output = output.context("failed to start cargo")?;
        ensure!(output.status.success(), "what is tested does not build");
        let messages = String::from_utf8_lossy(&output.stdout);
        let lies = |name: &str| {
            let artifacts = messages.lines().filter_map(|line| serde_json::from_str(line).ok());
            let mut built = artifacts.filter(|artifact: &Artifact| artifact.target.name == name);
            let found = built.find_map(|artifact| artifact.executable);
            found.with_context(|| format!("cargo does not say where `{name}` lies"))
        };
        Ok(Self { server: lies(server)?, client: lies(client)?, gateway: lies("oncue")? })
    }
}
