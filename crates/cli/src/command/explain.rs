//! `oncue explain`: why tools rank where they do, and which word would have found one.

mod words;

use std::io::{self, Write};

use oncue_search::{Asked, Hit, Query, Ranker, held_back};
use oncue_tools::meaning_now;
use serde::Serialize;

use self::words::{Word, words_that_find};
use super::hits::{self, HitJson, Ranked};
use super::{JSON_VERSION, show, write_json};
use crate::args::Explain;
use crate::catalog::Catalog;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::limits::{ABOVE_SHOWN, RANK_FOUND, WORDS_SHOWN};
use crate::models;
use crate::text::{counted, grouped, printable};

#[derive(Serialize)]
struct Answer<'a> {
    version: u32,
    query: &'a str,
    ranker: &'a str,
    tools: usize,
    matching: usize,
    hits: Vec<HitJson<'a>>,
    /// The tool that was asked for; absent without `--tool`.
    #[serde(skip_serializing_if = "Option::is_none")]
    tool: Option<ToolJson<'a>>,
}

#[derive(Serialize)]
struct ToolJson<'a> {
    /// Its rank; null where it does not match.
    rank: Option<usize>,
    /// Whether it yields to tools of other sources, since its own has its share of the answer.
    held_back: bool,
    explanation: HitJson<'a>,
    above: Vec<AboveJson<'a>>,
    words: &'a [Word],
}

#[derive(Serialize)]
struct AboveJson<'a> {
    rank: usize,
    source: &'a str,
    name: &'a str,
    by: f32,
}

/// Where the asked tool stands.
struct Standing<'a> {
    rank: Option<usize>,
    held_back: bool,
    ranked: Ranked<'a>,
    above: Vec<(usize, Hit<'a>)>,
    words: Vec<Word>,
}

pub(super) fn run(
    args: &Explain,
    out: &mut dyn Write,
    err: &mut dyn Write,
) -> Result<Exit, Failure> {
    hits::asked(&args.query, "explain")?;
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
    let standing = match &args.tool {
        Some(name) => Some(standing(name, args, (&query, asked), &matching, &catalog, &*ranker)?),
        None => None,
    };
    let hits = Ranked::explained(asked, &matching, limit, &candidates, &*ranker);
    if args.json {
        let answer = Answer {
            version: JSON_VERSION,
            query: &args.query,
            ranker: ranker.name(),
            tools: catalog.len(),
            matching: matching.len(),
            hits: hits.iter().map(Ranked::json).collect(),
            tool: standing.as_ref().map(Standing::json),
        };
        write_json(out, &answer)?;
    } else if let Some(standing) = &standing {
        standing.write(out, matching.len())?;
    } else {
        hits::write(out, &hits, hits::exactness, reasons)?;
        out.flush()?;
        let (shown, all) = (grouped(hits.len()), grouped(matching.len()));
        writeln!(err, "{shown} of {all} matching, {} searched", counted(catalog.len(), "tool"))?;
    }
    let found = standing.map_or(!hits.is_empty(), |standing| standing.rank.is_some());
    Ok(if found { Exit::Ok } else { Exit::Nothing })
}

fn standing<'a>(
    name: &str,
    args: &Explain,
    (query, asked): (&Query, Asked<'_>),
    matching: &[Hit<'a>],
    catalog: &'a Catalog,
    ranker: &dyn Ranker,
) -> Result<Standing<'a>, Failure> {
    let candidates = &catalog.candidates();
    let named = hits::named(name, candidates);
    let tool = match named.as_slice() {
        [tool] => *tool,
        [] => {
            let command = format!("explain '{}'", printable(&args.query));
            return Err(show::unknown(name, catalog, &command));
        }
        [first, ..] => {
            let labels: Vec<String> = named.iter().map(hits::label).collect();
            let failure =
                Failure::nothing(format!("`{name}` is the name of {}", labels.join(", ")));
            let (query, first) = (printable(&args.query), hits::label(first));
            return Err(
                failure.hint(format!("name one of them: oncue explain '{query}' --tool '{first}'"))
            );
        }
    };
    let is_tool = |hit: &Hit<'_>| (hit.source, hit.position) == (tool.source, tool.position);
    let place = matching.iter().position(is_tool);
    let ranked_above = &matching[..place.unwrap_or(matching.len())];
    let above = ranked_above.iter().copied().zip(1..).map(|(hit, rank)| (rank, hit));
    let hit = place.and_then(|place| matching.get(place)).copied().unwrap_or(Hit {
        score: 0.0,
        own: 0.0,
        exact: false,
        ..tool
    });
    let is_held_back = match query {
        Query::Keyword(_) => {
            let limit = usize::from(args.ranking.limit);
            held_back(asked, candidates, ranker, limit).iter().any(is_tool)
        }
        Query::Select(_) | Query::Required { .. } => false,
    };
    let why = ranker.explain(asked, candidates, &hit);
    let words = match (query, place) {
        (_, Some(0)) | (Query::Select(_), _) => Vec::new(),
        _ => words_that_find(&tool, query, candidates, ranker),
    };
    Ok(Standing {
        rank: place.map(|place| place + 1),
        held_back: is_held_back,
        ranked: Ranked { rank: place.map_or(0, |place| place + 1), hit, why },
        above: above.take(ABOVE_SHOWN).collect(),
        words,
    })
}

impl Standing<'_> {
    fn json(&self) -> ToolJson<'_> {
        let above = self.above.iter().map(|(rank, hit)| AboveJson {
            rank: *rank,
            source: hit.source,
            name: hit.document.row.name(),
            by: hit.score - self.ranked.hit.score,
        });
        ToolJson {
            rank: self.rank,
            held_back: self.held_back,
            explanation: self.ranked.json(),
            above: above.collect(),
            words: &self.words,
        }
    }

    fn write(&self, out: &mut dyn Write, matching: usize) -> io::Result<()> {
        let label = hits::label(&self.ranked.hit);
        match self.rank {
            Some(rank) => {
                writeln!(out, "{label}: rank {} of {} matching", grouped(rank), grouped(matching))?;
            }
            None => writeln!(out, "{label}: does not match")?,
        }
        if self.held_back {
            let source = printable(self.ranked.hit.source);
            writeln!(out, "  held back: {source} has its share, and tools of others fit as well")?;
        }
        let is_common = self.rank.is_none() && self.ranked.why.score == 0.0;
        if is_common && !self.ranked.why.fields.is_empty() {
            writeln!(out, "  what it shares with the query is too common to tell tools apart")?;
        }
        for reason in reasons(&self.ranked) {
            writeln!(out, "  {reason}")?;
        }
        if !self.above.is_empty() {
            writeln!(out, "\nAbove it:")?;
            for (rank, hit) in &self.above {
                let by = hit.score - self.ranked.hit.score;
                let exact = if hit.exact { "  exact name" } else { "" };
                writeln!(out, "{rank:>3}  {by:>+6.2}  {}{exact}", hits::label(hit))?;
            }
        }
        self.write_words(out)
    }

    fn write_words(&self, out: &mut dyn Write) -> io::Result<()> {
        if self.rank == Some(1) {
            return Ok(());
        }
        if self.words.is_empty() {
            return writeln!(out, "\nNo single word of its own brings it to rank {RANK_FOUND}");
        }
        writeln!(out, "\nWith one more word:")?;
        for word in self.words.iter().take(WORDS_SHOWN) {
            writeln!(out, "{:>3}  {}", word.rank, printable(&word.word))?;
        }
        Ok(())
    }
}

/// Returns a line for each matching field, and one for what is missing and one for what decides nothing.
fn reasons(ranked: &Ranked<'_>) -> Vec<String> {
    let why = &ranked.why;
    let mut lines = Vec::new();
    for field in &why.fields {
        let words = printable(&field.words.join(", "));
        lines.push(format!("{:<15} {:>5.2}  {words}", field.field.to_string(), field.score));
    }
    if !why.missing.is_empty() {
        lines.push(format!("{:<15}        {}", "missing", printable(&why.missing.join(", "))));
    }
    if !why.ignored.is_empty() {
        lines.push(format!("{:<15}        {}", "ignored", printable(&why.ignored.join(", "))));
    }
    lines
}
