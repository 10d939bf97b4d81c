//! `oncue import`: the settings of a gateway, from the files of clients.

mod json;
mod report;

use std::io::Write;
use std::path::{Path, PathBuf};

use anyhow::anyhow;
use oncue_gateway::clients::{
    Change, Client, ClientFile, ClientScope, Import, ImportFile, Secrets, SecretsFound,
};
use oncue_gateway::config::{Surroundings, read_text};

use self::json::write_answer;
use self::report::{write_found, write_servers};
use super::change::{kept, shown, stamp};
use super::here::Here;
use crate::args;
use crate::exit::Exit;
use crate::failure::{Failure, write_hint};
use crate::text::{counted, shell_word};

/// Everything that an import has found and done. Lives as long as the command.
struct Report {
    sources: Vec<Source>,
    import: Import,
    secrets: Vec<SecretsFound>,
    target: Target,
    state: State,
}

/// A file that was read.
struct Source {
    path: PathBuf,
    /// Whose it is; absent where it was named.
    known: Option<(Client, ClientScope)>,
}

/// Where the settings go.
enum Target {
    File(PathBuf),
    StandardOutput,
}

/// What became of the file.
enum State {
    /// It was not to be written.
    Planned,
    /// It says this already.
    Same,
    /// It was written; what was there is in the backup.
    Written(Option<PathBuf>),
}

pub(in crate::command) fn run(
    args: &args::Import,
    out: &mut dyn Write,
    err: &mut dyn Write,
) -> Result<Exit, Failure> {
    let here = Here::of_process()?;
    let target = Target::of(args, &here)?;
    let sources = sources(args, &here)?;
    let files: Vec<ImportFile> = sources.iter().map(Source::file).collect();
    let surroundings = Surroundings::of_process();
    let import = Import::of(&files, &here.context, &surroundings, &read_text);
    named_files_are_read(args, &here, &import)?;
    let (text, secrets) = import.render(secrets(args, &target));
    let is_empty = import.upstreams.is_empty();
    let mut report = Report { sources, import, secrets, target, state: State::Planned };
    if !is_empty && !args.dry_run {
        report.state = report.target.write(text, args.force, out)?;
    }
    if args.json {
        write_answer(&report, out)?;
    } else {
        if let Target::File(_) = report.target {
            write_servers(&report, out)?;
        }
        out.flush()?;
        write_found(&report, err)?;
    }
    if is_empty {
        return Err(nothing(&report));
    }
    if !args.json {
        write_end(&report, args, err)?;
    }
    Ok(Exit::Ok)
}

impl Source {
    fn file(&self) -> ImportFile {
        let form = self.known.map(|(client, _)| client.form());
        ImportFile { path: self.path.clone(), form }
    }
}

/// Returns the files that are meant: those that are named, and those of clients.
fn sources(args: &args::Import, here: &Here) -> Result<Vec<Source>, Failure> {
    let named =
        args.from.iter().map(|path| Source { path: here.context.absolute(path), known: None });
    let mut sources: Vec<Source> = named.collect();
    if args.from.is_empty() || !args.client.is_empty() {
        let found = here.client_files(&args.client).into_iter();
        sources.extend(found.map(|ClientFile { client, scope, path }| Source {
            path,
            known: Some((client, scope)),
        }));
    }
    match sources.is_empty() {
        false => Ok(sources),
        true => Err(Failure::nothing("no file of a client was found".to_owned())
            .hint("name one: oncue import --from FILE")),
    }
}

/// A file that somebody named is wanted; one that was found may be set aside.
fn named_files_are_read(args: &args::Import, here: &Here, import: &Import) -> Result<(), Failure> {
    let named: Vec<String> =
        args.from.iter().map(|path| here.context.absolute(path).display().to_string()).collect();
    match import.set_aside.iter().find(|aside| named.contains(&aside.name)) {
        Some(aside) => Err(Failure::input(anyhow!("{}", aside.fault))
            .hint("name the file of a client, such as .mcp.json")),
        None => Ok(()),
    }
}

/// What is shown on a screen holds no secret unless that is asked for.
fn secrets(args: &args::Import, target: &Target) -> Secrets {
    match (args.secrets, target) {
        (Some(secrets), _) => secrets.into(),
        (None, Target::File(_)) => Secrets::Keep,
        (None, Target::StandardOutput) => Secrets::Variables,
    }
}

impl Target {
    fn of(args: &args::Import, here: &Here) -> Result<Self, Failure> {
        if args.out.as_deref() != Some(Path::new("-")) {
            return here.settings_file(args.out.as_deref()).map(Self::File);
        }
        match args.json {
            true => Err(Failure::usage("`--out -` and `--json` both write to standard output")),
            false => Ok(Self::StandardOutput),
        }
    }

    fn write(&self, text: String, force: bool, out: &mut dyn Write) -> Result<State, Failure> {
        let path = match self {
            Self::File(path) => path,
            Self::StandardOutput => {
                out.write_all(text.as_bytes())?;
                return Ok(State::Written(None));
            }
        };
        let before = match path.try_exists() {
            Ok(false) => None,
            _ => Some(read_text(path).map_err(Failure::input)?),
        };
        let change = Change::of_settings(path, before, text);
        if change.is_empty() {
            return Ok(State::Same);
        }
        if change.before.is_some() && !force {
            let error = anyhow!("`{}` is there and says something else", shown(path));
            return Err(Failure::output(error).hint(
                "replace it, with a backup, by `--force`; write elsewhere by `--out FILE`; look by `--dry-run`",
            ));
        }
        let applied = change.apply(&stamp()).map_err(Failure::output)?;
        Ok(State::Written(applied.backup))
    }
}

fn nothing(report: &Report) -> Failure {
    let count = counted(report.sources.len(), "file");
    Failure::nothing(format!("no server can be imported from {count}"))
        .hint("name another file: oncue import --from FILE")
}

/// Tells what was written, and what to type next.
fn write_end(report: &Report, args: &args::Import, err: &mut dyn Write) -> Result<(), Failure> {
    let Target::File(path) = &report.target else { return Ok(()) };
    let file = shown(path);
    match &report.state {
        State::Planned => {
            let is_there = path.exists() && !args.force;
            let also = if is_there { "; it is there, so that needs `--force`" } else { "" };
            writeln!(err, "nothing was written (`--dry-run`); it would be `{file}`{also}")?;
            return Ok(());
        }
        State::Same => writeln!(err, "`{file}` says this already")?,
        State::Written(backup) => {
            let count = counted(report.import.upstreams.len(), "upstream");
            writeln!(err, "wrote `{file}`: {count}{}", kept(backup.as_deref()))?;
        }
    }
    let (file, config) = match args.out.is_some() {
        true => {
            let word = shell_word(&path.to_string_lossy());
            (format!(" {word}"), format!(" --config {word}"))
        }
        false => (String::new(), String::new()),
    };
    let mut clients: Vec<&str> = Vec::new();
    for (client, _) in report.sources.iter().filter_map(|source| source.known) {
        if !clients.contains(&client.id()) {
            clients.push(client.id());
        }
    }
    let clients = if clients.is_empty() { "CLIENT".to_owned() } else { clients.join(" ") };
    let hint =
        format!("look at it: oncue check{file}; then use it: oncue connect {clients}{config}");
    write_hint(err, &hint);
    Ok(())
}
