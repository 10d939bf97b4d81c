//! The catalogs that are served.

use std::path::Path;

use oncue_mcp::{Members, Raw};
use serde::Deserialize;

/// What the command carries: a server a line.
const EMBEDDED: &[u8] = include_bytes!("../../../../cli/data/catalog.jsonl.zlib");

/// One server's tools.
#[derive(Deserialize)]
pub(crate) struct File {
    pub(crate) server: String,
    pub(crate) tools: Vec<Raw>,
}

impl File {
    /// Iterates over the names of the tools.
    pub(crate) fn names(&self) -> impl Iterator<Item = String> {
        let name = |raw: &Raw| Members::of(Some(raw)).expect("an object").read("name");
        self.tools.iter().map(move |raw| name(raw).expect("a name"))
    }
}

/// Returns the catalogs in the order of their servers.
pub(crate) fn files() -> Vec<File> {
    let mut files = match std::env::var_os("ONCUE_DATA") {
        Some(folder) => of_folder(&Path::new(&folder).join("catalogs")),
        None => embedded(),
    };
    files.sort_by(|left, right| left.server.cmp(&right.server));
    assert!(files.len() >= 80, "{} catalogs", files.len());
    files
}

fn of_folder(folder: &Path) -> Vec<File> {
    let entries = std::fs::read_dir(folder).unwrap_or_else(|error| panic!("{folder:?}: {error}"));
    let paths = entries.map(|entry| entry.expect("an entry").path());
    let paths = paths.filter(|path| path.extension().is_some_and(|it| it == "json"));
    paths
        .map(|path| {
            let text = std::fs::read_to_string(&path).expect("a text");
            serde_json::from_str(&text).unwrap_or_else(|error| panic!("{path:?}: {error}"))
        })
        .collect()
}

fn embedded() -> Vec<File> {
    let bytes = miniz_oxide::inflate::decompress_to_vec_zlib(EMBEDDED).expect("it unpacks");
    let text = String::from_utf8(bytes).expect("text");
    let lines = text.lines().filter(|line| !line.is_empty());
    lines.map(|line| serde_json::from_str(line).expect("a catalog")).collect()
}
