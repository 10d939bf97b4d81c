//! Hits and their explanations, for a person and as JSON.

use std::io::{self, Write};

use anstyle::{AnsiColor, Style};
use oncue_eval::retrieval::{DEFAULT_RANKER, WORDS_RANKER, ranker};
use oncue_search::{
    Asked, Candidates, Explanation, FieldScore, Hit, Meaning, Query, Ranker, required, search,
};
use oncue_tools::{Embedder, Tuning, meaning_now};
use serde::Serialize;

use crate::args::RankerArgs;
use crate::catalog::Catalog;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::models::{Awaited, awaited, tuning};
use crate::text::{columns, cut, first_sentence, printable, width};

const NAME: Style = AnsiColor::Green.on_default().bold();
const DIM: Style = Style::new().dimmed();

/// Refuses a query in which nothing is asked; `command` is what was typed.
pub(super) fn asked(query: &str, command: &str) -> Result<(), Failure> {
    if Query::parse(query).is_blank() {
        let error = anyhow::anyhow!("the query is empty");
        let hint = format!("say what the tool should do: oncue {command} 'csv export'");
        return Err(Failure { exit: Exit::Usage, error, hint: Some(hint) });
    }
    Ok(())
}

/// What orders the hits. Lives as long as the command.
pub(super) struct Ranking {
    pub(super) ranker: Box<dyn Ranker>,
    /// Whether the ranker was named; otherwise words rank where nobody tells what they mean.
    is_named: bool,
    /// What tells what words mean, where the ranker reads it.
    embedder: Option<Awaited>,
    /// What requests have taught of tools.
    tuning: Option<Tuning>,
}

impl Ranking {
    pub(super) fn new(args: &RankerArgs) -> Result<Self, Failure> {
        let embedder = match args.ranker.as_deref() {
            Some(name) if !ranker(name).map_err(Failure::input)?.reads_meaning() => None,
            _ => awaited(args.embedder.embedder.as_deref())?,
        };
        let usual = if embedder.is_some() { DEFAULT_RANKER } else { WORDS_RANKER };
        let name = args.ranker.as_deref().unwrap_or(usual);
        let ranker = ranker(name).map_err(Failure::input)?;
        let model = embedder.as_ref().map(|embedder| -> &dyn Embedder { embedder });
        let tuning = tuning(args.tuning.as_deref(), model)?;
        Ok(Self { ranker, is_named: args.ranker.is_some(), embedder, tuning })
    }

    /// Returns the catalog with what its tools mean, and what `text` means; a model that is away is told of on `err`, and words rank.
    pub(super) fn told(
        &mut self,
        mut catalog: Catalog,
        text: &str,
        err: &mut dyn Write,
    ) -> Result<(Catalog, Option<Meaning>), Failure> {
        let Some(embedder) = &self.embedder else { return Ok((catalog, None)) };
        catalog = catalog.with_meaning(embedder, self.tuning.as_ref());
        let meaning = meaning_now(embedder, text);
        if let Some(error) = embedder.failure() {
            writeln!(err, "warning: {}; words alone rank", printable(&error.to_string()))?;
            if !self.is_named {
                self.ranker = ranker(WORDS_RANKER).map_err(Failure::input)?;
            }
        }
        Ok((catalog, meaning))
    }
}

/// Returns every candidate that fits the query, by the form of the query: first the `limit` that a model would get, then the rest by score.
///
/// A short answer makes room for other needs and a listing of everything does not, so the two are asked for apart.
pub(super) fn matching<'a>(
    query: &Query,
    asked: Asked<'_>,
    candidates: &Candidates<'a>,
    ranker: &dyn Ranker,
    limit: usize,
) -> Vec<Hit<'a>> {
    let ask = |max| match query {
        Query::Keyword(_) => search(asked, candidates, ranker, max),
        Query::Required { required: word, .. } => required(word, asked, candidates, ranker, max),
        Query::Select(names) => names.iter().flat_map(|name| named(name, candidates)).collect(),
    };
    let mut hits = ask(limit);
    let place = |hit: &Hit<'a>| (hit.source, hit.position);
    let shown: Vec<(&str, u32)> = hits.iter().map(place).collect();
    hits.extend(ask(candidates.len()).into_iter().filter(|hit| !shown.contains(&place(hit))));
    hits
}

/// Returns the tools called exactly `name`, or else those whose name, with or without its source, `name` spells.
pub(super) fn named<'a>(name: &str, candidates: &Candidates<'a>) -> Vec<Hit<'a>> {
    let spelled = candidates.spelled(name);
    let exact: Vec<Hit<'a>> =
        spelled.iter().filter(|hit| hit.document.row.name() == name).copied().collect();
    if exact.is_empty() { spelled } else { exact }
}

/// Returns the words of `query` that rank; what a ranker explains.
pub(super) fn ranking_text(query: &Query) -> &str {
    match query {
        Query::Keyword(text) => text,
        Query::Required { ranking, .. } => ranking,
        Query::Select(_) => "",
    }
}

/// Returns the tool's source and name as a person reads them: `github/create_issue`.
pub(super) fn label(hit: &Hit<'_>) -> String {
    let name = printable(hit.document.row.name());
    if hit.source.is_empty() { name } else { format!("{}/{name}", printable(hit.source)) }
}

/// A hit with its rank and why it ranks there.
pub(super) struct Ranked<'a> {
    pub(super) rank: usize,
    pub(super) hit: Hit<'a>,
    pub(super) why: Explanation,
}

/// A hit as JSON.
#[derive(Serialize)]
pub(super) struct HitJson<'a> {
    rank: usize,
    source: &'a str,
    name: &'a str,
    title: &'a str,
    description: &'a str,
    score: f32,
    exact: bool,
    fields: Vec<FieldJson<'a>>,
    meaning: f32,
    missing: &'a [String],
    ignored: &'a [String],
}

/// What one field gives to a score, as JSON.
#[derive(Serialize)]
struct FieldJson<'a> {
    field: String,
    score: f32,
    words: &'a [String],
}

impl<'a> Ranked<'a> {
    /// Explains the first `limit` of `hits`.
    pub(super) fn explained(
        asked: Asked<'_>,
        hits: &[Hit<'a>],
        limit: usize,
        candidates: &Candidates<'a>,
        ranker: &dyn Ranker,
    ) -> Vec<Self> {
        let explain = |(place, hit): (usize, &Hit<'a>)| Self {
            rank: place + 1,
            hit: *hit,
            why: ranker.explain(asked, candidates, hit),
        };
        hits.iter().take(limit).enumerate().map(explain).collect()
    }

    pub(super) fn json(&self) -> HitJson<'_> {
        let row = &self.hit.document.row;
        HitJson {
            rank: self.rank,
            source: self.hit.source,
            name: row.name(),
            title: row.title(),
            description: row.description(),
            score: self.hit.score,
            exact: self.hit.exact,
            fields: self.why.fields.iter().map(field_json).collect(),
            meaning: self.why.meaning,
            missing: &self.why.missing,
            ignored: &self.why.ignored,
        }
    }
}

/// Writes each hit as rank, name and score, with what `beside` says on the same line and what `below` says under it.
pub(super) fn write(
    out: &mut dyn Write,
    hits: &[Ranked<'_>],
    beside: impl Fn(&Ranked<'_>) -> String,
    below: impl Fn(&Ranked<'_>) -> Vec<String>,
) -> io::Result<()> {
    let columns = columns();
    let labels: Vec<String> = hits.iter().map(|ranked| label(&ranked.hit)).collect();
    let label_width = labels.iter().map(|label| width(label)).max().unwrap_or(0);
    let rank_width = hits.iter().map(|ranked| ranked.rank).max().unwrap_or(0).to_string().len() + 1;
    for (ranked, label) in hits.iter().zip(&labels) {
        let space = " ".repeat(label_width - width(label));
        let score = format!("{:>5.2}", ranked.hit.score);
        let used = rank_width + 2 + label_width + 2 + score.len() + 2;
        let beside = cut(&beside(ranked), columns.saturating_sub(used).max(1));
        let line = format!(
            "{:>rank_width$}  {NAME}{label}{NAME:#}{space}  {score}  {beside}",
            ranked.rank
        );
        writeln!(out, "{}", line.trim_end())?;
        for text in below(ranked) {
            let indent = rank_width + 2;
            let text = cut(&text, columns.saturating_sub(indent).max(1));
            writeln!(out, "{}{DIM}{text}{DIM:#}", " ".repeat(indent))?;
        }
    }
    Ok(())
}

/// Returns the first sentence of what the tool does, if it says any.
pub(super) fn summary(ranked: &Ranked<'_>) -> Vec<String> {
    let sentence = first_sentence(ranked.hit.document.row.description());
    if sentence.is_empty() { Vec::new() } else { vec![sentence] }
}

/// Returns the words that each field matches.
pub(super) fn matched(ranked: &Ranked<'_>) -> String {
    let exact = Some(exactness(ranked)).filter(|text| !text.is_empty());
    let fields = ranked.why.fields.iter().map(|field| {
        let words = printable(&field.words.join(", "));
        format!("{}: {words}", field.field)
    });
    let meaning = (ranked.why.meaning > 0.0).then(|| format!("meaning: {:.2}", ranked.why.meaning));
    exact.into_iter().chain(fields).chain(meaning).collect::<Vec<_>>().join("  ")
}

/// Returns `exact name` for a tool whose name the query spells.
pub(super) fn exactness(ranked: &Ranked<'_>) -> String {
    if ranked.hit.exact { "exact name".to_owned() } else { String::new() }
}

fn field_json(field: &FieldScore) -> FieldJson<'_> {
    FieldJson { field: field.field.to_string(), score: field.score, words: &field.words }
}
