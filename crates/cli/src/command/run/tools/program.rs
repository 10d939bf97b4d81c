//! A program as a tool.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::time::Duration;

use oncue_decl::Row;
use oncue_tools::{
    Arguments, BoxFuture, CallContext, Concurrency, Content, Definition, ErrorKind, Output, Tool,
    ToolError,
};
use serde_json::Value;

use super::file::RowFault;
use super::parameters::Parameters;
use super::process::{Ended, Start};
use super::row::{Argument, Declared, Form, Stdin, Variable};
use super::template::Template;
use crate::limits::{OUTPUT_BYTES_MAX, PROGRAM_TIME_DEFAULT};

/// What every program gets of this process's environment.
const ENVIRONMENT: &[&str] = &[
    "PATH", "HOME", "LANG", "TMPDIR",
    // Nothing starts without these where they exist.
    "SYSTEMROOT", "TEMP", "TMP", "USERPROFILE", "PATHEXT",
];

/// A tool that runs a program.
pub(crate) struct Program {
    definition: Definition,
    concurrency: Concurrency,
    program: OsString,
    template: Template,
    stdin: Stdin,
    cwd: Option<PathBuf>,
    env: Vec<(OsString, OsString)>,
    form: Form,
    /// Exit codes that are no failure.
    success: Vec<i32>,
    time: Duration,
}

impl Program {
    /// A tool of a row; relative paths are taken from `folder`.
    pub(super) fn new(declared: Declared, folder: &Path) -> Result<Self, RowFault> {
        let parameters = Parameters::of(declared.parameters.as_ref())?;
        let (program, arguments) = program(&declared.command, folder)?;
        let template = Template::new(arguments, declared.leading_dash, &parameters.names)?;
        if declared.stdin == Stdin::None
            && let Some(unused) =
                parameters.names.iter().find(|name| !template.places().any(|it| it == *name))
        {
            return Err(RowFault::new(
                format!("parameter `{unused}` goes nowhere"),
                format!(
                    "put `{{{unused}}}` into `command`, or give the program all of them: stdin = \"json\""
                ),
            ));
        }
        let definition = Definition::new(declared.row(), Some(parameters.schema));
        if let Some(fault) = definition.schema_fault() {
            return Err(RowFault::new(
                format!("parameters are no JSON Schema: {fault}"),
                "mend the schema under `[tool.parameters]`",
            ));
        }
        Ok(Self {
            definition,
            concurrency: match declared.parallel {
                true => Concurrency::Parallel,
                false => Concurrency::Sequential,
            },
            program,
            template,
            stdin: declared.stdin,
            cwd: declared.cwd.map(|cwd| folder.join(cwd)),
            env: environment(&declared.env),
            form: declared.output,
            success: declared.success,
            time: declared.timeout.unwrap_or(PROGRAM_TIME_DEFAULT),
        })
    }

    /// Returns the row of the tool.
    pub(super) fn row(&self) -> &Row {
        self.definition.row()
    }

    /// Returns how long a call may take.
    pub(super) fn time(&self) -> Duration {
        self.time
    }

    /// Returns the program, where it cannot be found.
    pub(crate) fn missing(&self) -> Option<&OsString> {
        let path = Path::new(&self.program);
        let is_found = match path.components().count() {
            1 => self.search_path().any(|folder| is_program(&folder.join(path))),
            _ => is_program(path),
        };
        (!is_found).then_some(&self.program)
    }

    fn search_path(&self) -> impl Iterator<Item = PathBuf> {
        let path = self.env.iter().find(|(variable, _)| variable == "PATH").map(|(_, value)| value);
        path.map(std::env::split_paths).into_iter().flatten()
    }

    async fn run(&self, arguments: &Arguments) -> Result<Output, ToolError> {
        let name = self.row().name();
        let filled = self.template.fill(arguments.object()).map_err(|unfit| {
            let text = format!("{unfit}. Nothing was run; call {name} again.");
            ToolError::of(ErrorKind::Arguments, text)
        })?;
        let start = Start {
            program: &self.program,
            arguments: filled,
            cwd: self.cwd.as_ref(),
            env: &self.env,
            input: (self.stdin == Stdin::Json).then(|| arguments.raw().get().to_owned()),
            time: self.time,
        };
        let ended = start.run().await.map_err(|error| {
            let program = self.program.display();
            let text = format!("The program of '{name}' could not be started. Do not repeat the call; tell the user that `{program}` does not run here.");
            ToolError::new(text).with_cause(error)
        })?;
        self.read(&ended)
    }

    /// Returns what the model reads of a program that has come to its end.
    fn read(&self, ended: &Ended) -> Result<Output, ToolError> {
        let name = self.row().name();
        let Some(status) = ended.status else {
            let time = humantime::format_duration(self.time);
            let text = format!(
                "'{name}' took longer than {time} and was stopped; it may have done part of its work. Check what it did before you call {name} again, and ask for less at once."
            );
            return Err(ToolError::of(ErrorKind::TimedOut, text));
        };
        if !status.code().is_some_and(|code| self.success.contains(&code)) {
            let said = [&ended.error, &ended.output].map(|captured| captured.text());
            let said = said.iter().map(|text| text.trim()).find(|text| !text.is_empty());
            let said = said.map(tail).unwrap_or_else(|| "nothing".to_owned());
            let text = format!(
                "'{name}' failed ({status}). It wrote: {said}\nCorrect the arguments and call {name} again, or tell the user what is in the way."
            );
            return Err(ToolError::new(text));
        }
        let text = ended.output.text();
        if self.form == Form::Json
            && ended.output.is_whole()
            && let Ok(value) = serde_json::from_str::<Value>(&text)
        {
            return Ok(Output::from(Content::Json(value)));
        }
        if text.trim().is_empty() {
            return Ok(Output::from(format!("'{name}' has ended well and wrote nothing.")));
        }
        let output = Output::from(text);
        match ended.output.is_whole() {
            true => Ok(output),
            false => Ok(output.and(format!(
                "'{name}' wrote {} bytes; these are the first {OUTPUT_BYTES_MAX}. Ask for less at once to see the rest.",
                ended.output.total
            ))),
        }
    }
}

impl Tool for Program {
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
        Box::pin(async move { self.run(&arguments).await })
    }
}

/// Takes the command apart: what is run, and with what.
fn program<'c>(
    command: &'c [Argument],
    folder: &Path,
) -> Result<(OsString, &'c [Argument]), RowFault> {
    const EXAMPLE: &str = "write the program first: command = [\"wc\", \"-l\", \"--\", \"{path}\"]";
    let Some((Argument::One(program), arguments)) = command.split_first() else {
        return Err(RowFault::new("`command` names no program", EXAMPLE));
    };
    if program.trim().is_empty() {
        return Err(RowFault::new("`command` names no program", EXAMPLE));
    }
    if program.contains('{') {
        return Err(RowFault::new(
            format!(
                "the program `{program}` has a place for an argument, and a model must not choose what is run"
            ),
            EXAMPLE,
        ));
    }
    let path = Path::new(program);
    // A bare name is looked up on PATH; a path is one of the file's folder.
    let program = match path.components().count() {
        1 if !program.contains(std::path::MAIN_SEPARATOR) => OsString::from(program),
        _ => folder.join(path).into_os_string(),
    };
    Ok((program, arguments))
}

/// Returns the environment of a program: a few variables that everything needs, and those that are named.
fn environment(named: &BTreeMap<String, Variable>) -> Vec<(OsString, OsString)> {
    let own = |name: &str| std::env::var_os(name).map(|value| (OsString::from(name), value));
    let usual = ENVIRONMENT.iter().filter(|name| !named.contains_key(**name));
    let mut all: Vec<(OsString, OsString)> = usual.filter_map(|name| own(name)).collect();
    for (name, variable) in named {
        match variable {
            Variable::Value(value) => all.push((name.into(), value.into())),
            Variable::Inherited(true) => all.extend(own(name)),
            Variable::Inherited(false) => {}
        }
    }
    all
}

fn is_program(path: &Path) -> bool {
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        path.metadata().is_ok_and(|meta| meta.is_file() && meta.permissions().mode() & 0o111 != 0)
    }
    #[cfg(not(unix))]
    {
        path.is_file() || path.with_extension("exe").is_file()
    }
}

/// Returns the end of a long text.
fn tail(text: &str) -> String {
    use crate::limits::ERROR_BYTES_MAX;
    let start = text.ceil_char_boundary(text.len().saturating_sub(ERROR_BYTES_MAX));
    text.get(start..).unwrap_or_default().to_owned()
}

#[cfg(test)]
mod tests;
