//! The tables of the documents, and the same as JSON. Pure.

use serde_json::{Value, json};

use super::bench::Bench;
use super::facts::Facts;
use super::rows::{By, Mode, Transport};
use super::verdict::Measured;

/// Returns the table of every run.
pub(super) fn matrix(measured: &[Measured]) -> String {
    let head = "| client | version | speaks | mode | over | the model sees at first | requests until the call | after the search | called |\n|---|---|---|---|---|---|--:|--:|---|\n";
    let line = |it: &Measured| {
        let by = it.seen.by.map_or("never", |by| by.words());
        format!(
            "| {} | {} | {} | {} | {} | {} | {} | {} | {by} |\n",
            title(it),
            it.version,
            it.seen.speaks.as_deref().unwrap_or("–"),
            it.cell.mode.word(),
            it.cell.transport.word(),
            sees(it),
            number(it.seen.requests),
            number(it.seen.from_search),
        )
    };
    measured.iter().map(line).fold(head.to_owned(), |text, line| text + &line)
}

/// Returns the table of the programs of vendors alone, over streams.
pub(super) fn short(measured: &[Measured]) -> String {
    let head = "| client | version | mode | the model sees at first | requests until the call | after the search | called |\n|---|---|---|---|--:|--:|---|\n";
    let of_vendors =
        measured.iter().filter(|it| it.row.has_model() && it.cell.transport == Transport::Stdio);
    let line = |it: &Measured| {
        let by = it.seen.by.map_or("never", |by| by.words());
        let (requests, after) = (number(it.seen.requests), number(it.seen.from_search));
        let (mode, version) = (it.cell.mode.word(), &it.version);
        format!(
            "| {} | {version} | {mode} | {} | {requests} | {after} | {by} |\n",
            title(it),
            sees(it)
        )
    };
    let table = of_vendors.map(line).fold(head.to_owned(), |text, line| text + &line);
    let others: Vec<String> = libraries(measured);
    format!(
        "{table}\nOver HTTP it is the same; programs on {} find and call tools in every era that they speak.\n",
        others.join(", ")
    )
}

/// The libraries that were run, each with its version.
fn libraries(measured: &[Measured]) -> Vec<String> {
    let mut all = Vec::new();
    for it in measured.iter().filter(|it| !it.row.has_model()) {
        let library = format!("{} {}", it.row.title, it.version);
        if !all.contains(&library) {
            all.push(library);
        }
    }
    all
}

/// Returns what was learnt of each program of a vendor.
pub(super) fn facts(bench: &Bench, measured: &[Measured], facts: &[Facts]) -> String {
    let head = "| client | calls itself | tools are called | of our instructions it shows | a found tool joins its list | keeps tools from the model |\n|---|---|---|--:|---|---|\n";
    let mut text = head.to_owned();
    let mut ids: Vec<&str> = Vec::new();
    for it in measured.iter().filter(|it| it.row.has_model()) {
        if ids.contains(&it.row.id) {
            continue;
        }
        ids.push(it.row.id);
        let runs: Vec<&Measured> =
            measured.iter().filter(|other| other.row.id == it.row.id).collect();
        let name = it.seen.name.as_deref().unwrap_or("");
        let known = facts.iter().find(|facts| facts.name == name);
        let joins = match known.and_then(|facts| facts.relists) {
            Some("in-time") => "on the next request",
            Some("late") => "one request late",
            _ => "never",
        };
        let is_hidden =
            runs.iter().any(|it| it.cell.mode == Mode::Passthrough && it.seen.shown.is_empty());
        text += &format!(
            "| {} {} | `{name}` | {} | {} | {joins} | {} |\n",
            title(it),
            it.version,
            names(bench, &runs),
            instructions(bench, &runs),
            if is_hidden { "yes" } else { "no" },
        );
    }
    text
}

/// How many characters of the instructions of `search` mode reach the model.
fn instructions(bench: &Bench, runs: &[&Measured]) -> String {
    let told = runs.iter().find(|it| it.cell.mode == Mode::Search).and_then(|it| it.seen.told);
    let all = bench.instructions.get(&Mode::Search).map_or(0, |text| text.chars().count());
    match told {
        None => String::new(),
        Some(told) => format!("{told} of {all} characters"),
    }
}

/// How the client writes the names of the gateway's tools.
fn names(bench: &Bench, runs: &[&Measured]) -> String {
    let shown = runs.iter().max_by_key(|it| it.seen.shown.len()).map(|it| &it.seen.shown);
    let Some(shown) = shown.filter(|shown| !shown.is_empty()) else {
        let called = runs.iter().find_map(|it| it.seen.called.as_ref()?.strip_suffix("call_tool"));
        return called.map_or_else(|| "in programs".to_owned(), |prefix| format!("`{prefix}NAME`"));
    };
    let own = shown.iter().find_map(|name| name.strip_suffix("search_tools"));
    let own = own.or_else(|| shown.iter().find_map(|name| name.strip_suffix("everything__echo")));
    let prefix = own.unwrap_or_default();
    let listed = bench.listed.get(&Mode::Passthrough).map(Vec::as_slice).unwrap_or_default();
    if shown.len() < listed.len() {
        return format!("`{prefix}NAME`");
    }
    let kept = |name: &&String| shown.contains(&format!("{prefix}{name}"));
    let plain = |name: &&String| shown.contains(&format!("{prefix}{}", name.replace('-', "_")));
    let (all, kept, plain) =
        (listed.len(), listed.iter().filter(kept).count(), listed.iter().filter(plain).count());
    match (kept == all, plain == all) {
        (true, _) => format!("`{prefix}NAME`, all {all} as they are"),
        (_, true) => format!("`{prefix}NAME`, with `_` for `-`"),
        _ => format!("`{prefix}NAME`, {kept} of {all} as they are"),
    }
}

/// Returns every run and fact as JSON.
pub(super) fn json(measured: &[Measured], facts: &[Facts]) -> Value {
    let run = |it: &Measured| {
        json!({
            "client": it.row.id,
            "title": it.row.title,
            "variant": it.row.variant,
            "version": it.version,
            "mode": it.cell.mode.word(),
            "transport": it.cell.transport.word(),
            "name": it.seen.name,
            "speaks": it.seen.speaks,
            "shown": it.seen.shown,
            "shown_bytes": it.seen.bytes,
            "instructions_chars": it.seen.told,
            "requests": it.seen.requests,
            "after_search": it.seen.from_search,
            "joined_after": it.seen.joined,
            "called": it.seen.by.map(|by| by.words()),
            "wrong": it.wrong,
        })
    };
    let fact = |it: &Facts| json!({ "name": it.name, "client": it.title, "relists": it.relists, "defers": it.defers, "sees": it.sees });
    json!({
        "runs": measured.iter().map(run).collect::<Vec<_>>(),
        "facts": facts.iter().map(fact).collect::<Vec<_>>(),
    })
}

fn title(it: &Measured) -> String {
    match it.row.variant {
        "" => it.row.title.to_owned(),
        variant => format!("{} ({variant})", it.row.title),
    }
}

fn sees(it: &Measured) -> String {
    let tools = match it.seen.shown.len() {
        0 if it.cell.by == By::Script => return "a tool that runs programs".to_owned(),
        0 => return "the client's own search".to_owned(),
        1 => "1 tool".to_owned(),
        count => format!("{count} tools"),
    };
    match it.seen.bytes {
        None => tools,
        Some(bytes) => format!("{tools}, {:.1} kB", bytes as f64 / 1_000.0),
    }
}

fn number(value: Option<usize>) -> String {
    value.map_or_else(|| "–".to_owned(), |value| value.to_string())
}
