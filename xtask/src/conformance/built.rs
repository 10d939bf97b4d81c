//! The programs that the suite is run against.

use std::path::{Path, PathBuf};

use anyhow::Result;

use crate::built::programs;

/// Where the programs lie.
pub(super) struct Built {
    pub(super) server: PathBuf,
    pub(super) client: PathBuf,
    pub(super) gateway: PathBuf,
}

impl Built {
    /// Builds them.
    pub(super) fn build(root: &Path) -> Result<Self> {
        let (server, client, gateway) = ("conformance-server", "conformance-client", "oncue");
        let protocol = ["-p", "oncue-mcp", "--example", server, "--example", client];
        let words = [&protocol[..], &["-p", "oncue-cli", "--bin", gateway]].concat();
        eprintln!("$ cargo build {}", words.join(" "));
        let [server, client, gateway] = programs(root, &words, [server, client, gateway])?;
        Ok(Self { server, client, gateway })
    }
}
