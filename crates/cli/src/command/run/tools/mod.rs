//! The tools of `oncue run`: programs that files declare, MCP servers, and those of the demo. They live as long as the command.

mod capture;
mod file;
mod parameters;
mod process;
mod program;
mod row;
mod rules;
mod template;

use std::io::Write;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use oncue_decl::Row;
use oncue_tools::Tool;

use self::program::Program;
use self::rules::Place;
use super::demo;
use crate::command::gateway::{Behind, Offered, is_settings};
use crate::failure::Failure;

/// What stands for the tools of the demo; a file of this name is `./demo`.
const DEMO: &str = "demo";

/// The tools that were asked for.
pub(crate) struct Toolbox {
    /// The tools in declared order.
    pub(crate) tools: Vec<Arc<dyn Tool>>,
    /// Those of them that are programs.
    programs: Vec<Arc<Program>>,
    /// Where they come from, as messages name it.
    pub(crate) sources: Vec<String>,
    /// The tools of MCP servers.
    pub(crate) offered: Vec<Offered>,
    /// Those servers, behind settings of a gateway.
    servers: Vec<Behind>,
}

impl Toolbox {
    /// Reads what `sources` name: files that declare tools, settings of a gateway, or the demo; nothing means the demo.
    ///
    /// # Errors
    ///
    /// A file cannot be read, or a row of it is wrong; the error names file, row and fix.
    pub(crate) async fn open(sources: &[String], err: &mut dyn Write) -> Result<Self, Failure> {
        let demo = [DEMO.to_owned()];
        let sources = if sources.is_empty() { &demo } else { sources };
        let mut toolbox = Self {
            tools: Vec::new(),
            programs: Vec::new(),
            sources: sources.to_vec(),
            offered: Vec::new(),
            servers: Vec::new(),
        };
        let mut places = Vec::new();
        for source in sources {
            if source == DEMO {
                let tools = demo::tools();
                places.extend(tools.iter().map(|_| None));
                toolbox.tools.extend(tools);
                continue;
            }
            let path = Path::new(source);
            if std::fs::read_to_string(path).is_ok_and(|text| is_settings(path, &text)) {
                let behind = Behind::open(path, err).await?;
                toolbox.offered.extend(behind.offered());
                toolbox.servers.push(behind);
                continue;
            }
            for (at, program) in file::read(path)?.into_iter().enumerate() {
                let program = Arc::new(program);
                places.push(Some(Place { file: source.clone(), row: at + 1 }));
                toolbox.tools.push(Arc::<Program>::clone(&program));
                toolbox.programs.push(program);
            }
        }
        rules::check(places.iter().map(Option::as_ref).zip(toolbox.rows()))?;
        Ok(toolbox)
    }

    /// Returns what stops the MCP servers, and must be held until the end.
    pub(crate) fn take_servers(&mut self) -> Vec<Behind> {
        std::mem::take(&mut self.servers)
    }

    /// Iterates over the rows of the tools, those of MCP servers left out.
    pub(crate) fn rows(&self) -> impl Iterator<Item = &Row> {
        self.tools.iter().map(|tool| tool.definition().row())
    }

    /// Returns the longest time that a program may take.
    pub(crate) fn time_max(&self) -> Duration {
        self.programs.iter().map(|program| program.time()).max().unwrap_or_default()
    }

    /// Fails where a program is not there.
    pub(crate) fn look_for_programs(&self) -> Result<(), Failure> {
        for program in &self.programs {
            if let Some(missing) = program.missing() {
                let (name, missing) = (program.row().name(), missing.display());
                let error = anyhow::anyhow!("the program `{missing}` of `{name}` is not there");
                return Err(
                    Failure::input(error).hint("install it, or name it by its path in `command`")
                );
            }
        }
        Ok(())
    }
}
