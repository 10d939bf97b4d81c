//! What the runs say of clients, held against the table from which the gateway knows them. Pure but for the reading of that table.

use std::fs;
use std::path::Path;

use anyhow::{Context, Result};
use serde::Deserialize;

use super::rows::{Mode, ROWS, Transport};
use super::verdict::Measured;

/// The table from which the gateway knows clients.
pub(super) const TABLE: &str = "crates/gateway/data/clients.toml";

#[derive(Deserialize)]
struct Table {
    client: Vec<Known>,
}

/// A row of the table.
#[derive(Clone, Debug, Deserialize)]
struct Known {
    name: String,
    relists: String,
    defers: bool,
    shows: Option<String>,
}

/// What the runs of one client show.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Facts {
    /// The name that it gives itself.
    pub(super) name: String,
    /// What people call it, and its version.
    pub(super) title: String,
    /// Whether and when a list that has grown is seen.
    pub(super) relists: Option<&'static str>,
    /// Whether it keeps tools from its model by itself.
    pub(super) defers: bool,
    /// Whether the model sees the gateway's own tools at first, however the client is set up.
    pub(super) sees: bool,
}

/// Returns what the runs of vendors' programs show, a client each; of a client that was run in part nothing can be said.
pub(super) fn facts(measured: &[Measured]) -> Vec<Facts> {
    let mut all: Vec<Facts> = Vec::new();
    for it in measured.iter().filter(|it| it.row.has_model() && is_whole(it, measured)) {
        let Some(name) = &it.seen.name else { continue };
        let at = all.iter().position(|facts| facts.name == *name).unwrap_or_else(|| {
            let title = format!("{} {}", it.row.title, it.version);
            let name = name.clone();
            all.push(Facts { name, title, relists: None, defers: false, sees: true });
            all.len() - 1
        });
        let Some(facts) = all.get_mut(at) else { continue };
        let has_search = it.cell.steps.contains(&"search");
        match it.cell.mode {
            Mode::Dynamic if has_search => facts.relists = Some(worse(facts.relists, it)),
            Mode::Passthrough if it.seen.shown.is_empty() => facts.defers = true,
            Mode::Search if it.cell.transport == Transport::Stdio => {
                facts.sees &= !it.seen.shown.is_empty();
            }
            _ => {}
        }
    }
    all
}

/// Says whether a client was run in every way that there is.
fn is_whole(it: &Measured, measured: &[Measured]) -> bool {
    let mut rows = ROWS.iter().filter(|row| row.title == it.row.title);
    rows.all(|row| measured.iter().any(|other| other.row.id == row.id))
}

/// The worse of what was seen before and what this run shows.
fn worse(before: Option<&'static str>, it: &Measured) -> &'static str {
    const ORDER: [&str; 3] = ["in-time", "late", "never"];
    let now = match it.seen.joined {
        Some(1) => 0,
        Some(_) => 1,
        None => 2,
    };
    let before = before.and_then(|word| ORDER.iter().position(|it| *it == word)).unwrap_or(0);
    ORDER.get(now.max(before)).copied().unwrap_or("never")
}

/// Returns where the table says something else, each with the line to change.
pub(super) fn differences(root: &Path, facts: &[Facts]) -> Result<Vec<String>> {
    let text = fs::read_to_string(root.join(TABLE)).with_context(|| format!("no `{TABLE}`"))?;
    let table: Table = toml::from_str(&text).with_context(|| format!("`{TABLE}` is unreadable"))?;
    Ok(facts.iter().flat_map(|facts| compared(&text, &table.client, facts)).collect())
}

fn compared(text: &str, table: &[Known], facts: &Facts) -> Vec<String> {
    let Facts { name, title, .. } = facts;
    let Some(known) = table.iter().find(|known| is(&known.name, name)) else {
        return vec![format!("{TABLE}: no row for `{name}` ({title})")];
    };
    let mut all = Vec::new();
    let mut differs = |key: &str, wanted: String| {
        let line = line_of(text, &known.name, key);
        all.push(format!("{TABLE}:{line}: {title} was seen otherwise: write `{key} = {wanted}`"));
    };
    if let Some(relists) = facts.relists.filter(|relists| *relists != known.relists) {
        differs("relists", format!("\"{relists}\""));
    }
    if facts.defers != known.defers {
        differs("defers", facts.defers.to_string());
    }
    if let Some(key) = &known.shows
        && !facts.sees
    {
        let line = line_of(text, &known.name, "shows");
        all.push(format!("{TABLE}:{line}: {title} hides the gateway's own tools despite `{key}`"));
    }
    all
}

/// Says whether a name of the table, which may end in `*`, is this client's.
fn is(known: &str, name: &str) -> bool {
    let (known, name) = (known.to_lowercase(), name.to_lowercase());
    known.strip_suffix('*').map_or(known == name, |begin| name.starts_with(begin))
}

/// Returns the number of the line with `key` in the row of this name, or of the row.
fn line_of(text: &str, name: &str, key: &str) -> usize {
    let lines: Vec<&str> = text.lines().collect();
    let begin = lines.iter().position(|line| *line == format!("name = \"{name}\"")).unwrap_or(0);
    let row = lines.iter().skip(begin).take_while(|line| !line.starts_with('['));
    let within = row.clone().position(|line| line.starts_with(&format!("{key} ="))).unwrap_or(0);
    begin + within + 1
}

#[cfg(test)]
mod tests {
    use super::{Facts, Known, compared};

    const TEXT: &str = "[[client]]\nname = \"b\"\nrelists = \"never\"\ndefers = false\n\n[[client]]\nname = \"a*\"\nrelists = \"never\"\ndefers = true\nshows = \"k\"\n";

    fn check(facts: &Facts, expected: &[&str]) {
        let known = |name: &str, defers, shows: Option<&str>| Known {
            name: name.to_owned(),
            relists: "never".to_owned(),
            defers,
            shows: shows.map(str::to_owned),
        };
        let table = [known("b", false, None), known("a*", true, Some("k"))];
        assert_eq!(compared(TEXT, &table, facts), expected);
    }

    #[test]
    fn a_difference_names_the_line_to_change() {
        let facts = Facts {
            name: "A-cli".to_owned(),
            title: "A 1".to_owned(),
            relists: Some("never"),
            defers: true,
            sees: true,
        };
        check(&facts, &[]);
        check(
            &Facts { relists: Some("late"), defers: false, ..facts.clone() },
            &[
                "crates/gateway/data/clients.toml:8: A 1 was seen otherwise: write `relists = \"late\"`",
                "crates/gateway/data/clients.toml:9: A 1 was seen otherwise: write `defers = false`",
            ],
        );
        check(
            &Facts { sees: false, ..facts.clone() },
            &["crates/gateway/data/clients.toml:10: A 1 hides the gateway's own tools despite `k`"],
        );
        check(
            &Facts { name: "c".to_owned(), ..facts },
            &["crates/gateway/data/clients.toml: no row for `c` (A 1)"],
        );
    }
}
