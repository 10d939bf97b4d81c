//! `oncue eval attack`: what an adversary gets who owns one server.

use std::io::Write;
use std::sync::Arc;

use futures_util::FutureExt;
use oncue_eval::trials::attack::{Embed, Line, Part, attacks, market, measure};
use oncue_search::Document;
use oncue_tools::Embedder;

use super::folders;
use super::retrieval::{rankers, sound};
use crate::args::Attack;
use crate::catalog::Catalog;
use crate::command::write_json;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::models::awaited;
use crate::progress::bar;
use crate::table::Table;
use crate::text::{counted, grouped};

const HEADINGS: [&str; 11] = [
    "attack", "ranker", "requests", "asked", "R@5 before", "after", "95 % of the change",
    "share of 5", "largest", "above 2 of 5", "first",
];

pub(in crate::command) fn attack(
    args: &Attack,
    out: &mut dyn Write,
    err: &mut dyn Write,
) -> Result<Exit, Failure> {
    let model = awaited(args.embedder.embedder.as_deref())?;
    let rankers = rankers(&args.ranker, model.is_some())?;
    let embedder = model.as_ref().map(|model| -> &dyn Embedder { model });
    let datasets = folders::all(&args.folders, &args.split, err)?;
    let catalog = Catalog::open(&args.catalog, err)?;
    let candidates = catalog.candidates();
    let others: Vec<(&str, Arc<Document>)> =
        candidates.iter().map(|hit| (hit.source, Arc::clone(hit.document))).collect();
    let market = market(&datasets, others);
    let tell = |text: &str| {
        // What was waited for is there at once.
        let told = embedder.and_then(|embedder| embedder.embed(&[text]).now_or_never());
        told.and_then(|told| told.ok()?.pop()).unwrap_or_default()
    };
    let attacks = attacks(&market, model.is_some().then_some(&tell as &Embed<'_>));
    let asked = market.dataset.queries.len() * (attacks.len() + 1) * rankers.len();
    let bar = bar("attacks", asked);
    let mut lines = Vec::new();
    for ranker in &rankers {
        lines.extend(measure(&market, &attacks, &**ranker, embedder, &mut || bar.inc(1)));
    }
    bar.finish_and_clear();
    sound(model.as_ref())?;
    if args.json {
        lines.iter().try_for_each(|line| write_json(out, line))?;
        return Ok(Exit::Ok);
    }
    let tools = counted(market.dataset.tools.len(), "tool");
    let servers = counted(market.sources(), "server");
    let queries = counted(market.dataset.queries.len(), "request");
    writeln!(out, "{tools} of {servers}, {queries}; the adversary has one server more.\n")?;
    let table = table(&lines);
    let text = if args.markdown { table.markdown() } else { table.plain() };
    writeln!(out, "{text}\nShares in %, changes in points.")?;
    Ok(Exit::Ok)
}

fn table(lines: &[Line]) -> Table {
    let percent = |share: f64| format!("{:.1}", share * 100.0);
    let mut table = Table::new(&HEADINGS, 3);
    for line in lines {
        let [low, high] = line.ci95_change.map(|change| format!("{:+.1}", change * 100.0));
        let part = match line.part {
            Part::Seen => "seen",
            Part::HeldOut => "held out",
        };
        table.push(vec![
            line.attack.to_owned(),
            line.ranker.clone(),
            part.to_owned(),
            grouped(line.queries),
            percent(line.before),
            percent(line.after),
            format!("{low} to {high}"),
            percent(line.share),
            percent(line.share_max),
            percent(line.crowded),
            percent(line.first),
        ]);
    }
    table
}
