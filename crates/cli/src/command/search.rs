//! `oncue search`: what a model would be given for a query.

use std::io::Write;

use oncue_eval::retrieval::{DEFAULT_RANKER, ranker};
use oncue_search::Query;
use serde::Serialize;

use super::hits::{self, HitJson, Ranked};
use super::{JSON_VERSION, write_json};
use crate::args::Search;
use crate::catalog::{Catalog, SetAside};
use crate::exit::Exit;
use crate::failure::Failure;
use crate::text::{counted, grouped};

#[derive(Serialize)]
struct Answer<'a> {
    version: u32,
    query: &'a str,
    ranker: &'a str,
    tools: usize,
    matching: usize,
    hits: Vec<HitJson<'a>>,
    set_aside: &'a [SetAside],
}

pub(super) fn run(
    args: &Search,
    out: &mut dyn Write,
    err: &mut dyn Write,
) -> Result<Exit, Failure> {
    hits::asked(&args.query, "search")?;
    let ranker =
        ranker(args.ranking.ranker.as_deref().unwrap_or(DEFAULT_RANKER)).map_err(Failure::input)?;
    let catalog = Catalog::open(&args.catalog, err)?;
    let candidates = catalog.candidates();
    let query = Query::parse(&args.query);
    let limit = usize::from(args.ranking.limit);
    let matching = hits::matching(&query, &candidates, &*ranker, limit);
    let text = hits::ranking_text(&query);
    let hits = Ranked::explained(text, &matching, limit, &candidates, &*ranker);
    if args.json {
        write_json(
            out,
            &Answer {
                version: JSON_VERSION,
                query: &args.query,
                ranker: ranker.name(),
                tools: catalog.len(),
                matching: matching.len(),
                hits: hits.iter().map(Ranked::json).collect(),
                set_aside: &catalog.set_aside,
            },
        )?;
    } else if !hits.is_empty() {
        hits::write(out, &hits, hits::matched, hits::summary)?;
        // The summary comes after the hits also where both go to one terminal.
        out.flush()?;
        let (shown, all) = (grouped(hits.len()), grouped(matching.len()));
        writeln!(err, "{shown} of {all} matching, {} searched", counted(catalog.len(), "tool"))?;
    }
    if hits.is_empty() {
        return nothing(args, catalog.len(), err);
    }
    Ok(Exit::Ok)
}

fn nothing(args: &Search, tools: usize, err: &mut dyn Write) -> Result<Exit, Failure> {
    if !args.json {
        writeln!(err, "none of {} fits `{}`", counted(tools, "tool"), args.query)?;
        writeln!(err, "\nhint: say it in other words, or ask for one need at a time")?;
    }
    Ok(Exit::Nothing)
}
