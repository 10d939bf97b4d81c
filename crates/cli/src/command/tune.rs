//! `oncue tune`: learn from a log of requests what people want of tools, if that helps.

use std::fs::File;
use std::io::{self, Read, Write};
use std::path::Path;

use futures_util::FutureExt;
use oncue_embed::{SentenceEncoder, write_tuning};
use oncue_eval::retrieval::{Bench, Dataset};
use oncue_eval::tune::{HeldOut, Logged, Needs, held_out, logged, meanings, taught};
use oncue_search::rank::Hybrid;
use serde::Serialize;

use super::eval::bench;
use super::{JSON_VERSION, write_json};
use crate::args::{EmbedderArgs, Tune};
use crate::catalog::Catalog;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::limits::LOG_BYTES_MAX;
use crate::models::{NO_MODEL, encoder};
use crate::progress::bar;
use crate::text::{counted, grouped, printable};

/// Unknown names that are shown.
const UNKNOWN_SHOWN: usize = 5;

#[derive(Serialize)]
struct Answer<'a> {
    version: u32,
    #[serde(flatten)]
    found: &'a HeldOut,
    /// Tools in the catalog, and those of them that requests have taught something of.
    tools: usize,
    tools_taught: usize,
    /// Names that mean no tool, or several, with how often they were written.
    unknown: &'a std::collections::BTreeMap<String, usize>,
    /// The file that was written, if one was.
    written: Option<String>,
}

pub(super) fn run(args: &Tune, out: &mut dyn Write, err: &mut dyn Write) -> Result<Exit, Failure> {
    let encoder = needed(&args.embedder)?;
    let catalog = Catalog::open(&args.catalog, err)?;
    let tools = catalog.definitions().map(|(source, tool)| (source, tool.document()));
    let shown = printable(&args.log.display().to_string());
    let Logged { dataset, unknown } = logged(&shown, tools, &read(&args.log)?)
        .map_err(|error| Failure::input(error).hint(HINT_LINE))?;
    if !args.json && !unknown.is_empty() {
        let names: Vec<&str> = unknown.keys().take(UNKNOWN_SHOWN).map(String::as_str).collect();
        let more = if unknown.len() > names.len() { ", …" } else { "" };
        let (count, names) = (counted(unknown.len(), "name"), printable(&names.join(", ")));
        writeln!(err, "warning: {count} that no tool has, or several: {names}{more}")?;
    }
    if dataset.queries.is_empty() {
        return Err(
            Failure::nothing(format!("`{shown}` has no request for these tools")).hint(HINT_LINE)
        );
    }
    let bench = bench(&dataset, Some(&encoder));
    let (found, meanings) = examined(&dataset, &bench, &encoder)?;
    let tuning = taught(&dataset, &meanings, &encoder, &|_| true);
    let is_gain = found.is_gain();
    if is_gain {
        write_tuning(&args.out, &tuning).map_err(Failure::output)?;
    }
    let written = is_gain.then(|| args.out.display().to_string());
    let tools_taught = tuning.lessons().count();
    if args.json {
        let tools = catalog.len();
        let version = JSON_VERSION;
        let unknown = &unknown;
        write_json(out, &Answer { version, found: &found, tools, tools_taught, unknown, written })?;
    } else {
        let requests = counted(found.requests, "request");
        let tools = counted(catalog.len(), "tool");
        writeln!(out, "{requests} for {} of {tools}", grouped(tools_taught))?;
        write_found(&found, out)?;
        out.flush()?;
        match written {
            Some(file) => {
                let file = printable(&file);
                writeln!(err, "written to {file}")?;
                writeln!(
                    err,
                    "\nhint: oncue search 'what people ask' --tuning {file}, or `tuning = \"{file}\"` in the settings of a gateway"
                )?;
            }
            None => write_no_gain(&found, err)?,
        }
    }
    Ok(if is_gain { Exit::Ok } else { Exit::Nothing })
}

const HINT_LINE: &str = r#"a line is {"query": "my money back", "tools": ["shop/refund_payment"]}"#;

/// Returns the model, without which nothing can be learnt.
pub(super) fn needed(args: &EmbedderArgs) -> Result<SentenceEncoder, Failure> {
    let name = args.embedder.as_deref().filter(|&name| name != NO_MODEL);
    encoder(name)?.ok_or_else(|| {
        Failure::input(anyhow::anyhow!(
            "no embedding model is installed, and without one nothing can be learnt"
        ))
        .hint("oncue model install use-multilingual")
    })
}

/// Returns what requests gain by what the others teach, and what each of them means.
pub(super) fn examined(
    dataset: &Dataset,
    bench: &Bench<'_>,
    encoder: &SentenceEncoder,
) -> Result<(HeldOut, Vec<Vec<f32>>), Failure> {
    let bar = bar(&dataset.name, dataset.queries.len() * 2);
    let mut told = |done: usize| bar.set_position(done as u64);
    // A model in this process answers at once.
    let meanings = meanings(dataset, encoder, &mut told).now_or_never();
    let meanings = meanings.transpose().map_err(Failure::input)?.unwrap_or_default();
    let ranker = Hybrid::default();
    let found = held_out(dataset, bench, &meanings, encoder, &ranker, &mut || bar.inc(1));
    bar.finish_and_clear();
    Ok((found, meanings))
}

fn write_found(found: &HeldOut, out: &mut dyn Write) -> io::Result<()> {
    let [low, high] = found.gain_ci95.map(|gain| gain * 100.0);
    let (before, after) = (found.before * 100.0, found.after * 100.0);
    writeln!(
        out,
        "recall within 5 hits, of requests whose like was not learnt: {before:.1} → {after:.1} %, {:+.1} [{low:+.1}, {high:+.1}]",
        after - before
    )?;
    for (of, Needs { all, before, after }) in
        [("tools taught by others", found.taught), ("tools that are not", found.untaught)]
    {
        let (all, before, after) = (grouped(all), grouped(before), grouped(after));
        writeln!(out, "  needs of {of}: {before} → {after} of {all}")?;
    }
    Ok(())
}

fn write_no_gain(found: &HeldOut, err: &mut dyn Write) -> io::Result<()> {
    writeln!(err, "nothing written: no gain is shown by {}", counted(found.requests, "request"))?;
    let gain = found.after - found.before;
    let [low, _] = found.gain_ci95;
    if gain > 0.0 {
        // The interval narrows with the root of the requests.
        let needed = found.requests as f64 * ((gain - low) / gain).powi(2);
        let needed = grouped(needed.ceil().max(1.0) as usize);
        writeln!(err, "\nhint: a gain of this size would show in about {needed} requests")?;
    }
    Ok(())
}

fn read(path: &Path) -> Result<String, Failure> {
    let mut text = String::new();
    let shown = printable(&path.display().to_string());
    let reading = if path.as_os_str() == "-" {
        io::stdin().lock().take(LOG_BYTES_MAX + 1).read_to_string(&mut text)
    } else {
        File::open(path).and_then(|file| file.take(LOG_BYTES_MAX + 1).read_to_string(&mut text))
    };
    reading.map_err(|error| {
        Failure::input(anyhow::Error::new(error).context(format!("failed to read `{shown}`")))
    })?;
    if text.len() as u64 > LOG_BYTES_MAX {
        return Err(Failure::input(anyhow::anyhow!(
            "`{shown}` is larger than {LOG_BYTES_MAX} bytes"
        )));
    }
    Ok(text)
}
