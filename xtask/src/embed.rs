//! Makes the catalog that the command carries: real tools of permissively licensed servers, in one compressed file, and the index over them.
//!
//! `cargo xtask embed-catalog FOLDER` reads a folder with one catalog file a server and writes the packed catalog, its NOTICE and its index.
//! `cargo xtask embed-index` writes the index alone, as every change of text analysis or of the weights of fields asks for.
//! The same folder gives the same bytes.

use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

use crate::machine::{cargo, run};

/// Licences that allow the texts to be passed on with a notice; a file's own field must be exactly one of these.
const LICENCES: [&str; 3] = ["Apache-2.0", "ISC", "MIT"];

/// Most tools in the packed catalog.
const TOOLS_MAX: usize = 3_000;

/// A server with more tools is left out, so that no one server is a tenth of the catalog.
const TOOLS_PER_SERVER_MAX: usize = 300;

/// How hard the catalog is packed: the most.
const DEFLATE_LEVEL: u8 = 10;

/// The servers that newcomers know, which come first; the others follow by name.
const WELL_KNOWN: [&str; 40] = [
    "github", "gitlab", "git", "slack", "notion", "google-workspace", "google-maps",
    "google-drive-piotr", "playwright", "puppeteer", "chrome-devtools", "fetch", "time",
    "brave-search", "tavily", "firecrawl", "perplexity", "context7", "postgres", "mongodb",
    "redis-official", "elasticsearch", "clickhouse", "airtable", "asana", "monday", "shortcut",
    "hubspot", "figma", "kubernetes", "terraform", "grafana", "circleci", "argocd", "azure",
    "gcloud", "cloud-run", "postman", "home-assistant", "desktop-commander",
];

/// What the NOTICE says before its table.
const NOTICE_HEAD: &str = "# Notice

`catalog.jsonl.zlib` holds the names, titles, descriptions, input schemas and annotations of the tools of these MCP servers, as each server listed them.
They are the work of the servers' authors, under the licences that the packages' metadata names.
Output schemas and vendor metadata are left out; what is there is unchanged.
`cargo xtask embed-catalog FOLDER` makes both files.

| server | package | version | licence | tools |
|---|---|---|---|---|
";

/// Where the command keeps its catalog, from the root of the workspace.
const TARGET: &str = "crates/cli/data";

/// Writes the packed catalog and its NOTICE from the catalog files in `folder`.
pub(crate) fn embed_catalog(folder: &Path, root: &Path) -> Result<bool> {
    let target = root.join(TARGET);
    let files = files(folder)?;
    let chosen = chosen(servers(&files)?);
    let mut lines = String::new();
    let mut notice = NOTICE_HEAD.to_owned();
    for server in &chosen {
        // Line feeds in JSON stand between tokens only, so a definition written over several lines becomes one.
        lines.push_str(&serde_json::to_string(server)?.replace(['\n', '\r'], " "));
        lines.push('\n');
        let Server { server, package, version, license, tools } = server;
        writeln!(notice, "| {server} | {package} | {version} | {license} | {} |", tools.len())?;
    }
    let packed = miniz_oxide::deflate::compress_to_vec_zlib(lines.as_bytes(), DEFLATE_LEVEL);
    fs::write(target.join("catalog.jsonl.zlib"), &packed)?;
    fs::write(target.join("NOTICE.md"), notice)?;
    let tools: usize = chosen.iter().map(|server| server.tools.len()).sum();
    let (servers, bytes, packed) = (chosen.len(), lines.len(), packed.len());
    println!("{tools} tools of {servers} servers: {bytes} bytes, packed {packed}");
    embed_index(root)
}

/// Writes the index over the packed catalog, by the command itself.
pub(crate) fn embed_index(root: &Path) -> Result<bool> {
    let file = root.join(TARGET).join("index.bin");
    // The command is built with whatever index is there, and it is built first where there is none.
    if !file.exists() {
        fs::write(&file, [])?;
    }
    let words = ["run", "-q", "-p", "oncue-cli", "--", "index"];
    run(cargo().args(words).arg(&file).current_dir(root))?;
    println!("index of {} bytes", fs::metadata(&file)?.len());
    Ok(true)
}

/// Reads the catalog files of a folder in the order of their names.
fn files(folder: &Path) -> Result<Vec<(PathBuf, String)>> {
    let entries =
        fs::read_dir(folder).with_context(|| format!("failed to list `{}`", folder.display()))?;
    let mut paths: Vec<PathBuf> =
        entries.map(|entry| Ok(entry?.path())).collect::<std::io::Result<_>>()?;
    paths.retain(|path| path.extension().is_some_and(|extension| extension == "json"));
    paths.sort();
    let read = |path: PathBuf| {
        let text = fs::read_to_string(&path)
            .with_context(|| format!("failed to read `{}`", path.display()))?;
        Ok((path, text))
    };
    paths.into_iter().map(read).collect()
}

fn servers(files: &[(PathBuf, String)]) -> Result<Vec<Server<'_>>> {
    let mut servers = Vec::new();
    for (path, text) in files {
        servers.push(
            serde_json::from_str(text)
                .with_context(|| format!("no catalog of one server: `{}`", path.display()))?,
        );
    }
    Ok(servers)
}

/// Returns the servers that may and shall be passed on, well-known ones first.
fn chosen(mut servers: Vec<Server<'_>>) -> Vec<Server<'_>> {
    let rank = |server: &Server<'_>| {
        WELL_KNOWN.iter().position(|known| *known == server.server).unwrap_or(WELL_KNOWN.len())
    };
    servers.retain(|server| {
        LICENCES.contains(&server.license.as_str())
            && (1..=TOOLS_PER_SERVER_MAX).contains(&server.tools.len())
    });
    servers.sort_by(|left, right| (rank(left), &left.server).cmp(&(rank(right), &right.server)));
    let mut tools = 0;
    servers.retain(|server| {
        let fits = tools + server.tools.len() <= TOOLS_MAX;
        tools += if fits { server.tools.len() } else { 0 };
        fits
    });
    servers
}

/// A server, in its catalog file and as a line of the packed catalog.
#[derive(Deserialize, Serialize)]
struct Server<'a> {
    server: String,
    package: String,
    version: String,
    license: String,
    #[serde(borrow)]
    tools: Vec<Tool<'a>>,
}

/// The parts of a definition that are passed on, unchanged.
#[derive(Deserialize, Serialize)]
struct Tool<'a> {
    #[serde(borrow)]
    name: &'a RawValue,
    #[serde(borrow, default, skip_serializing_if = "Option::is_none")]
    title: Option<&'a RawValue>,
    #[serde(borrow, default, skip_serializing_if = "Option::is_none")]
    description: Option<&'a RawValue>,
    #[serde(borrow, default, rename = "inputSchema", skip_serializing_if = "Option::is_none")]
    input_schema: Option<&'a RawValue>,
    #[serde(borrow, default, skip_serializing_if = "Option::is_none")]
    annotations: Option<&'a RawValue>,
}
