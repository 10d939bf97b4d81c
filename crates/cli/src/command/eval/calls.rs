//! `oncue eval calls`: which tool a model calls first, and what helps it.

use std::collections::BTreeMap;
use std::env;
use std::io::Write;
use std::sync::Arc;

use indicatif::{ProgressBar, ProgressStyle};
use oncue_agent::Model;
use oncue_eval::first_call::{
    Kind, LADDER, LabelledRequest, Memory, RequestSet, Rung, Setting, Share, Summary, Verdict,
    measure, summarize,
};
use oncue_providers::Endpoint;
use oncue_tools::VectorStore;
use serde::Serialize;

use crate::args::Calls;
use crate::command::write_json;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::models::{embedder, kept};
use crate::table::Table;
use crate::text::printable;

pub(in crate::command) fn calls(
    args: &Calls,
    out: &mut dyn Write,
    err: &mut dyn Write,
) -> Result<Exit, Failure> {
    let set = RequestSet::read(&args.folder).map_err(Failure::input)?;
    let requests = chosen(&set, args);
    if requests.is_empty() {
        return Err(Failure::nothing(format!(
            "no request of the part `{}` has a text in `{}`",
            args.part, args.language
        )));
    }
    let model = model(args)?;
    let helps = helps(args);
    let embedder = embedder(args.embedder.embedder.as_deref())?;
    let store = kept();
    let meaning = embedder.as_ref().map(|embedder| (embedder, &store as &dyn VectorStore));
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .map_err(Failure::input)?;
    let bar = bar(requests.len() * helps.len());
    let mut table = Table::new(&HEADINGS, 1);
    for Rung { name, profile } in &helps {
        bar.set_message(name.clone());
        let mut verdicts = Vec::new();
        let setting =
            Setting { model: &model, language: &args.language, profile: *profile, meaning };
        for request in &requests {
            let Some(catalog) = set.catalogs.get(&request.catalog) else { continue };
            let measured = measure(&setting, catalog, request);
            let verdict = runtime.block_on(measured).map_err(Failure::input)?;
            bar.inc(1);
            let Some(verdict) = verdict else { continue };
            if let Some(why) = &verdict.failed {
                bar.finish_and_clear();
                return Err(Failure::input(anyhow::anyhow!("{why}"))
                    .hint("see that the model answers, and go on: answers in --memory are kept"));
            }
            if args.json {
                write_json(out, &Line { help: name, language: &args.language, verdict: &verdict })?;
                out.flush()?;
            }
            verdicts.push(verdict);
        }
        let summaries = summarize(&verdicts);
        table.push(row(name, &summaries));
    }
    bar.finish_and_clear();
    if args.markdown {
        out.write_all(table.markdown().as_bytes())?;
    } else if !args.json {
        out.write_all(table.plain().as_bytes())?;
        writeln!(err, "shares in percent; steps and tokens a request that needs a hidden tool")?;
    }
    Ok(Exit::Ok)
}

const HEADINGS: [&str; 9] = [
    "help", "hidden", "95 %", "hidden, or a lookup", "inline", "no tool", "steps", "tokens",
    "requests",
];

/// One request and what came of it, as JSON.
#[derive(Serialize)]
struct Line<'v> {
    help: &'v str,
    language: &'v str,
    #[serde(flatten)]
    verdict: &'v Verdict,
}

fn model(args: &Calls) -> Result<Arc<dyn Model>, Failure> {
    let lookup = |name: &str| env::var(name).ok();
    let endpoint = Endpoint::parse(&args.model, lookup).map_err(Failure::input)?;
    let endpoint = endpoint.with_lenient_calls(args.lenient);
    let endpoint = if args.can_narrow { endpoint.with_narrowing(true) } else { endpoint };
    let model = endpoint.open().map_err(Failure::input)?;
    Ok(match &args.memory {
        None => model,
        Some(file) => Arc::new(Memory::open(model, file).map_err(Failure::input)?),
    })
}

/// Returns the ways to help that were asked for; all of the ladder where none was.
fn helps(args: &Calls) -> Vec<&Rung> {
    let helps: Vec<&Rung> = args.rung.iter().chain(&args.settings).collect();
    if helps.is_empty() { LADDER.iter().collect() } else { helps }
}

fn chosen<'s>(set: &'s RequestSet, args: &Calls) -> Vec<&'s LabelledRequest> {
    let mut taken: BTreeMap<(&str, Kind), usize> = BTreeMap::new();
    let is_wanted = |request: &&LabelledRequest| {
        (args.part == "all" || request.part == args.part)
            && (args.catalog.is_empty() || args.catalog.contains(&request.catalog))
            && request.text.contains_key(&args.language)
    };
    let within = |request: &&'s LabelledRequest| {
        let count = taken.entry((&request.catalog, request.kind)).or_default();
        *count += 1;
        args.limit.is_none_or(|limit| *count <= limit)
    };
    set.requests.iter().filter(is_wanted).filter(within).collect()
}

fn bar(total: usize) -> ProgressBar {
    // It draws on standard error, and nothing where that is no terminal.
    let bar = ProgressBar::new(total as u64);
    if let Ok(style) = ProgressStyle::with_template("{msg} {wide_bar} {pos}/{len} {eta}") {
        bar.set_style(style);
    }
    bar
}

fn row(name: &str, summaries: &BTreeMap<Kind, Summary>) -> Vec<String> {
    let of = |kind: Kind| summaries.get(&kind);
    let share = |share: Option<Share>| match share {
        Some(share) => format!("{:.0}", share.percent()),
        None => "–".to_owned(),
    };
    let hidden = of(Kind::Hidden);
    let (low, high) = hidden.map(|summary| summary.right.interval()).unwrap_or_default();
    let or_lookup = hidden.map(|summary| Share {
        count: summary.right.count + summary.lookup.count,
        of: summary.right.of,
    });
    let number = |value: Option<f64>, digits: usize| match value {
        Some(value) => format!("{value:.digits$}"),
        None => "–".to_owned(),
    };
    vec![
        printable(name),
        share(hidden.map(|summary| summary.right)),
        format!("{low:.0}–{high:.0}"),
        share(or_lookup),
        share(of(Kind::Inline).map(|summary| summary.right)),
        share(of(Kind::None).map(|summary| summary.right)),
        number(hidden.map(|summary| summary.steps), 1),
        number(hidden.map(|summary| summary.tokens), 0),
        summaries.values().map(|summary| summary.right.of).sum::<usize>().to_string(),
    ]
}
