//! `oncue search`: what a model would be given for a query.

use std::io::Write;

use oncue_search::{Asked, Query};
use oncue_tools::meaning_now;
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
    let (ranker, encoder) = hits::ranking(&args.ranking)?;
    let mut catalog = Catalog::open(&args.catalog, err)?;
    if let Some(encoder) = &encoder {
        catalog = catalog.with_meaning(encoder);
    }
    let candidates = catalog.candidates();
    let query = Query::parse(&args.query);
    let limit = usize::from(args.ranking.limit);
    let text = hits::ranking_text(&query);
    let meaning = encoder.as_ref().and_then(|encoder| meaning_now(encoder, text));
    let asked = Asked::from(text).meaning(meaning.as_ref());
    let matching = hits::matching(&query, asked, &candidates, &*ranker, limit);
    let hits = Ranked::explained(asked, &matching, limit, &candidates, &*ranker);
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
