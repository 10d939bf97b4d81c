//! What a server of the tests is told to do.

use serde::Deserialize;
use serde_json::json;
use serde_json::value::{RawValue, to_raw_value};

use crate::Listed;
use crate::fault::Fault;

/// A script. What is not said is as with any good server.
#[derive(Debug, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(crate) struct Script {
    /// Its tools.
    pub(crate) tools: Vec<String>,
    /// A file with an object whose `tools` are listed word for word in place of those.
    pub(crate) catalog: Option<String>,
    /// What stands in front of each result, with the tool's name there.
    pub(crate) label: Option<String>,
    /// Lists that follow each other: the tool `next`, which each of them has too, goes on to the next one, and 5 ms behind its answer it is told that the list has changed.
    pub(crate) lists: Vec<Vec<String>>,
    /// Tools on a page.
    pub(crate) page: Option<usize>,
    /// What it does wrong.
    pub(crate) fault: Option<Fault>,
    /// When: `start`, `init`, `list`, `call`, `shutdown`.
    pub(crate) phase: String,
    /// A file; the fault holds while it is there.
    #[serde(rename = "while")]
    pub(crate) hold: Option<String>,
    /// A file in which each start is noted.
    pub(crate) starts: Option<String>,
    /// A file in which each request that is taken back is noted.
    pub(crate) cancels: Option<String>,
    /// Whether it goes on when its input ends.
    pub(crate) is_stubborn: bool,
}

impl Default for Script {
    fn default() -> Self {
        Self {
            tools: vec!["echo".to_owned()],
            catalog: None,
            label: None,
            lists: Vec::new(),
            page: None,
            fault: None,
            phase: "call".to_owned(),
            hold: None,
            starts: None,
            cancels: None,
            is_stubborn: false,
        }
    }
}

impl Script {
    /// Returns the tools as they are listed; nothing where their file cannot be read.
    pub(crate) fn listed(&self) -> Option<Vec<Listed>> {
        #[derive(Deserialize)]
        struct Catalog {
            tools: Vec<Box<RawValue>>,
        }
        #[derive(Deserialize)]
        struct Named {
            name: String,
        }
        if !self.lists.is_empty() {
            return self.list(0);
        }
        let Some(file) = &self.catalog else {
            return self.tools.iter().map(|name| plain(name)).collect();
        };
        let text = std::fs::read_to_string(file).ok()?;
        let catalog: Catalog = serde_json::from_str(&text).ok()?;
        let listed = catalog.tools.into_iter().map(|raw| {
            let named: Named = serde_json::from_str(raw.get()).ok()?;
            Some(Listed { name: named.name, raw })
        });
        listed.collect()
    }
}

impl Script {
    /// Returns one of the lists that follow each other; the last one stays.
    pub(crate) fn list(&self, place: usize) -> Option<Vec<Listed>> {
        let list = self.lists.get(place).or(self.lists.last())?;
        list.iter().map(String::as_str).chain(["next"]).map(plain).collect()
    }
}

fn plain(name: &str) -> Option<Listed> {
    let hint = if name.starts_with("delete") { json!({}) } else { json!({ "readOnlyHint": true }) };
    let tool = json!({
        "name": name,
        "description": format!("Does what {name} says"),
        "inputSchema": { "type": "object" },
        "annotations": hint,
    });
    Some(Listed { name: name.to_owned(), raw: to_raw_value(&tool).ok()? })
}
