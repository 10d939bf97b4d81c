//! `oncue search`: what a model would be given for a query.

use std::io::Write;

use oncue_search::{Apart, Asked, Hit, Query, differences};
use oncue_tools::meaning_now;
use serde::Serialize;

use super::hits::{self, HitJson, Ranked};
use super::{JSON_VERSION, write_json};
use crate::args::Search;
use crate::catalog::{Catalog, SetAside};
use crate::exit::Exit;
use crate::failure::Failure;
use crate::models;
use crate::text::{columns, counted, cut, grouped, printable};

#[derive(Serialize)]
struct Answer<'a> {
    version: u32,
    query: &'a str,
    ranker: &'a str,
    tools: usize,
    matching: usize,
    hits: Vec<HitJson<'a>>,
    /// Hits that are like each other, with the words that tell them apart.
    families: Vec<Vec<ApartJson>>,
    set_aside: &'a [SetAside],
}

/// A hit among those that are like it.
#[derive(Serialize)]
struct ApartJson {
    rank: usize,
    words: Vec<String>,
}

pub(super) fn run(
    args: &Search,
    out: &mut dyn Write,
    err: &mut dyn Write,
) -> Result<Exit, Failure> {
    hits::asked(&args.query, "search")?;
    let (ranker, encoder) = hits::ranking(&args.ranking)?;
    let tuning = models::tuning(args.ranking.tuning.as_deref(), encoder.as_ref())?;
    let mut catalog = Catalog::open(&args.catalog, err)?;
    if let Some(encoder) = &encoder {
        catalog = catalog.with_meaning(encoder, tuning.as_ref());
    }
    let candidates = catalog.candidates();
    let query = Query::parse(&args.query);
    let limit = usize::from(args.ranking.limit);
    let text = hits::ranking_text(&query);
    let meaning = encoder.as_ref().and_then(|encoder| meaning_now(encoder, text));
    let asked = Asked::from(text).meaning(meaning.as_ref());
    let matching = hits::matching(&query, asked, &candidates, &*ranker, limit);
    let shown: Vec<Hit<'_>> = matching.iter().take(limit).copied().collect();
    let families = differences(&shown);
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
                families: families.into_iter().map(family_json).collect(),
                set_aside: &catalog.set_aside,
            },
        )?;
    } else if !hits.is_empty() {
        hits::write(out, &hits, hits::matched, hits::summary)?;
        for family in &families {
            writeln!(out, "{}", cut(&told_apart(family), columns()))?;
        }
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

fn family_json(family: Vec<Apart>) -> Vec<ApartJson> {
    family.into_iter().map(|Apart { place, words }| ApartJson { rank: place + 1, words }).collect()
}

/// Returns one line for hits that are like each other: `alike: 1 create, 3 delete`.
fn told_apart(family: &[Apart]) -> String {
    let told = |apart: &Apart| {
        let words = printable(&apart.words.join(" "));
        format!("{} {}", apart.place + 1, if words.is_empty() { "–" } else { &words })
    };
    format!("alike: {}", family.iter().map(told).collect::<Vec<_>>().join(", "))
}

fn nothing(args: &Search, tools: usize, err: &mut dyn Write) -> Result<Exit, Failure> {
    if !args.json {
        writeln!(err, "none of {} fits `{}`", counted(tools, "tool"), args.query)?;
        writeln!(err, "\nhint: say it in other words, or ask for one need at a time")?;
    }
    Ok(Exit::Nothing)
}
