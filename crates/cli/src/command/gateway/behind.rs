//! What is behind a gateway, for commands that are none: its servers' tools, called through the gateway's one path. Lives as long as the command.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use oncue_gateway::catalog::{call_params, output};
use oncue_mcp::{CallError, Connection};
use oncue_tools::{
    Arguments, BoxFuture, CallContext, Concurrency, Definition, Entry, ErrorKind, Output, Tool,
    ToolError,
};

use serde_json::{Map, Value};

use super::call::{PATIENCE, client};
use super::serve::{House, settings};
use crate::failure::Failure;

/// The servers of some settings.
pub(crate) struct Behind {
    house: House,
    client: Connection,
}

/// Says whether a file that is named as one of tools holds the settings of a gateway, its own ones or those of a client.
pub(crate) fn is_settings(file: &Path, text: &str) -> bool {
    match file.extension().and_then(|end| end.to_str()) {
        Some("toml") => toml::from_str::<toml::Table>(text).is_ok_and(|it| {
            ["upstream", "import", "mcp_servers"].iter().any(|key| it.contains_key(*key))
        }),
        Some("json") => {
            // Catalogs are large and hold no such key at their top.
            text.contains("\"mcpServers\"")
                && serde_json::from_str::<Map<String, Value>>(text)
                    .is_ok_and(|it| it.contains_key("mcpServers"))
        }
        _ => false,
    }
}

impl Behind {
    /// Opens what the settings in `file` name, and waits until it is known what each server offers; what cannot be known is said on `err`.
    ///
    /// # Errors
    ///
    /// The settings cannot be read.
    pub(crate) async fn open(file: &Path, err: &mut dyn Write) -> Result<Self, Failure> {
        let loaded = settings(Some(&PathBuf::from(file)))?;
        for aside in &loaded.set_aside {
            writeln!(err, "warning: `{}` is left out: {}", aside.name, aside.fault)?;
        }
        let house = House::open(None, loaded.settings, None)?;
        house.gateway.settled().await;
        for status in house.gateway.status() {
            if let Some(error) = status.last_error.filter(|_| status.read_ms.is_none()) {
                writeln!(err, "warning: the tools of `{}` are not known: {error}", status.id)?;
            }
        }
        let client = client(&house).await?;
        Ok(Self { house, client })
    }

    /// Returns the tools of all servers, those of one behind each other.
    pub(crate) fn offered(&self) -> Vec<Offered> {
        let snapshot = self.house.gateway.catalog().snapshot();
        let offered = |entry: &Arc<Entry>| {
            let name = entry.exposed().to_owned();
            let tool = Called {
                definition: entry.definition().clone().with_exposed(entry.exposed()),
                concurrency: entry.tool().concurrency(),
                client: self.client.clone(),
                name: name.clone(),
            };
            Offered { source: entry.source().to_owned(), name, tool: Arc::new(tool) }
        };
        snapshot.sources().flat_map(|source| snapshot.tools_of(source)).map(offered).collect()
    }

    /// Returns the definitions of each server's tools.
    pub(crate) fn definitions(&self) -> Vec<(String, Vec<Definition>)> {
        let snapshot = self.house.gateway.catalog().snapshot();
        let of = |source: &str| {
            snapshot.tools_of(source).iter().map(|entry| entry.definition().clone()).collect()
        };
        snapshot.sources().map(|source| (source.to_owned(), of(source))).collect()
    }

    /// Stops what was started.
    pub(crate) async fn close(&self) {
        self.house.close().await;
    }
}

/// A tool that a server offers.
pub(crate) struct Offered {
    /// The server.
    pub(crate) source: String,
    /// What the tool is called here.
    pub(crate) name: String,
    pub(crate) tool: Arc<dyn Tool>,
}

/// A tool behind the gateway.
struct Called {
    /// What the gateway calls it.
    name: String,
    definition: Definition,
    concurrency: Concurrency,
    client: Connection,
}

impl Tool for Called {
    fn definition(&self) -> &Definition {
        &self.definition
    }

    fn concurrency(&self) -> Concurrency {
        self.concurrency
    }

    fn call<'a>(
        &'a self,
        _: &'a CallContext<'a>,
        arguments: Arguments,
    ) -> BoxFuture<'a, Result<Output, ToolError>> {
        Box::pin(async move {
            let params = call_params(&self.name, &arguments)?;
            match self.client.call("tools/call", params, PATIENCE, None).await {
                Ok(result) => output(&result),
                Err(error @ CallError::TimedOut { .. }) => {
                    Err(ToolError::of(ErrorKind::TimedOut, error.to_string()))
                }
                Err(error) => Err(ToolError::new(error.to_string())),
            }
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn settings_are_told_from_files_of_tools_and_from_catalogs() {
        for (file, text, is) in [
            ("oncue.toml", "[upstream.a]\ncommand = \"x\"", true),
            ("oncue.toml", "[import]\nfiles = []", true),
            ("config.toml", "[mcp_servers.a]\ncommand = \"x\"", true),
            ("tools.toml", "[[tool]]\nname = \"upstream\"", false),
            ("tools.toml", "no TOML", false),
            (".mcp.json", "{\"mcpServers\":{}}", true),
            ("catalog.json", "{\"tools\":[{\"name\":\"mcpServers\"}]}", false),
            ("catalog.jsonl", "{\"mcpServers\":{}}", false),
        ] {
            assert_eq!(is_settings(Path::new(file), text), is, "{file}: {text}");
        }
    }
}
