//! Searchers by data sets.

use oncue_eval::rivals::Compared;

use crate::table::Table;
use crate::text::printable;

/// What stands where a searcher was not asked.
const NONE: &str = "–";

/// Recall of every searcher on every set.
pub(super) fn recalls(lines: &[Compared]) -> Table {
    table(lines, |line| Some(format!("{:.1}", line.recall_5 * 100.0)))
}

/// How much more ours finds than each other.
pub(super) fn differences(lines: &[Compared]) -> Table {
    table(lines, |line| {
        let (mean, [low, high]) = (line.difference?, line.ci95_difference?);
        let [mean, low, high] = [mean, low, high].map(|share| share * 100.0);
        Some(format!("{mean:+.1} [{low:+.1}, {high:+.1}]"))
    })
}

/// A table with a row for each searcher for which any set has a cell, in the order in which they were asked.
fn table(lines: &[Compared], cell: impl Fn(&Compared) -> Option<String>) -> Table {
    let sets = distinct(lines.iter().map(|line| line.dataset.as_str()));
    let searchers = distinct(lines.iter().map(|line| line.searcher.as_str()));
    let headings: Vec<String> =
        ["searcher", "by"].into_iter().chain(sets.iter().copied()).map(printable).collect();
    let headings: Vec<&str> = headings.iter().map(String::as_str).collect();
    let mut table = Table::new(&headings, 2);
    for searcher in searchers {
        let of_both = |set: &&str| {
            lines.iter().find(|line| line.searcher == searcher && line.dataset == *set)
        };
        let cells: Vec<Option<String>> =
            sets.iter().map(|set| of_both(set).and_then(&cell)).collect();
        if cells.iter().all(Option::is_none) {
            continue;
        }
        let made = lines.iter().find(|line| line.searcher == searcher).map_or("", |line| line.made);
        let mut row = vec![printable(searcher), made.to_owned()];
        row.extend(cells.into_iter().map(|cell| cell.unwrap_or_else(|| NONE.to_owned())));
        table.push(row);
    }
    table
}

fn distinct<'l>(names: impl Iterator<Item = &'l str>) -> Vec<&'l str> {
    let mut found: Vec<&str> = Vec::new();
    for name in names {
        if !found.contains(&name) {
            found.push(name);
        }
    }
    found
}
