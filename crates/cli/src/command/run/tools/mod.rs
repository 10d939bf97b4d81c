//! The tools of `oncue run`: programs that files declare. They live as long as the command.

mod capture;
mod file;
mod parameters;
mod process;
mod program;
mod row;
mod rules;
mod template;

use std::path::Path;
use std::sync::Arc;

use oncue_tools::Tool;

use self::program::Program;
use self::rules::Place;
use crate::failure::Failure;

/// The tools that were asked for.
pub(crate) struct Toolbox {
    /// The tools in declared order.
    pub(crate) tools: Vec<Arc<dyn Tool>>,
    /// Those of them that are programs.
    programs: Vec<Arc<Program>>,
    /// Where they come from, as messages name it.
    pub(crate) sources: Vec<String>,
}

impl Toolbox {
    /// Reads the files that `sources` name.
    ///
    /// # Errors
    ///
    /// A file cannot be read, or a row of it is wrong; the error names file, row and fix.
    pub(crate) fn open(sources: &[String]) -> Result<Self, Failure> {
        let mut places = Vec::new();
        let mut programs = Vec::new();
        for source in sources {
            for (at, program) in file::read(Path::new(source))?.into_iter().enumerate() {
                places.push(Place { file: source.clone(), row: at + 1 });
                programs.push(Arc::new(program));
            }
        }
        rules::check(places.iter().map(Some).zip(programs.iter().map(|program| program.row())))?;
        let tools =
            programs.iter().map(|program| -> Arc<dyn Tool> { Arc::<Program>::clone(program) });
        Ok(Self { tools: tools.collect(), programs, sources: sources.to_vec() })
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
