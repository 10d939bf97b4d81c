//! What the rows of all files together must satisfy.

use oncue_decl::{Fault, Row, check as faults};
use oncue_tools::{Tool, ToolSearch};

use super::file::{RowFault, failure};
use crate::failure::Failure;

/// Where a row stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Place {
    pub(super) file: String,
    /// From 1.
    pub(super) row: usize,
}

/// Refuses rows that break a rule; rows without a place come with the command.
pub(super) fn check<'r>(
    rows: impl Iterator<Item = (Option<&'r Place>, &'r Row)>,
) -> Result<(), Failure> {
    let search = ToolSearch::new();
    let search = search.definition().row().clone();
    let (mut places, mut all) = (vec![None], vec![search.clone()]);
    for (place, row) in rows {
        places.push(place);
        all.push(row.clone());
    }
    let Some(fault) = faults(&all, search.name()).into_iter().next() else { return Ok(()) };
    let named = |name: &str| -> Vec<Option<&Place>> {
        let of_name = all.iter().zip(&places).filter(|(row, _)| alike(row.name(), name));
        of_name.map(|(_, place)| *place).collect()
    };
    let places = named(subject(&fault));
    let hint = match &fault {
        Fault::DuplicateName(_) => {
            let rows: Vec<String> = places.iter().map(|place| place_text(*place)).collect();
            let rows = rows.join(" or ");
            Some(format!("names must differ in more than case, `-` and `_`; rename {rows}"))
        }
        _ => None,
    };
    let text = fault.to_string();
    let (what, mend) = text.split_once(": ").unwrap_or((&text, "mend the row"));
    let fault = RowFault::new(what, hint.unwrap_or_else(|| mend.to_owned()));
    match places.into_iter().flatten().next_back() {
        Some(place) => Err(failure(&place.file, place.row, None, &fault)),
        None => Err(Failure::input(anyhow::anyhow!("{what}")).hint(fault.hint)),
    }
}

/// Returns the name that a fault is about.
fn subject(fault: &Fault) -> &str {
    match fault {
        Fault::DuplicateName(name)
        | Fault::IllegalName(name)
        | Fault::NoDescription(name)
        | Fault::GatedReadOnly(name)
        | Fault::NoKeywords(name)
        | Fault::LoopRowIsNotSearch(name) => name,
        _ => "",
    }
}

fn place_text(place: Option<&Place>) -> String {
    match place {
        Some(Place { file, row }) => format!("row {row} of `{file}`"),
        None => "what comes with the command".to_owned(),
    }
}

/// Says whether two names are one to a model.
fn alike(left: &str, right: &str) -> bool {
    left.replace('-', "_").eq_ignore_ascii_case(&right.replace('-', "_"))
}

#[cfg(test)]
mod tests {
    use oncue_decl::Row;

    use super::{Place, check};

    fn told(rows: &[(&str, usize, Row)]) -> String {
        let places: Vec<Place> = rows
            .iter()
            .map(|(file, row, _)| Place { file: (*file).to_owned(), row: *row })
            .collect();
        let rows = rows.iter().map(|(_, _, row)| row);
        let Err(failure) = check(places.iter().map(Some).zip(rows)) else { return String::new() };
        let mut told = Vec::new();
        failure.report(&mut anstream::StripStream::new(&mut told));
        String::from_utf8(told).unwrap()
    }

    #[test]
    fn a_name_that_stands_twice_is_told_with_both_places() {
        let row = |name: &'static str| Row::inline(name, "Does it");
        assert_eq!(told(&[("a.toml", 7, row("export")), ("a.toml", 12, row("exports"))]), "");
        assert_eq!(
            told(&[("a.toml", 7, row("ex-port")), ("b.toml", 12, row("ex_Port"))]),
            "error: failed to read tools `b.toml`: row 12: duplicate name `ex_Port`\n\n\
             hint: names must differ in more than case, `-` and `_`; rename row 7 of `a.toml` or row 12 of `b.toml`\n"
        );
        assert_eq!(
            told(&[("a.toml", 1, row("toolsearch"))]),
            "error: failed to read tools `a.toml`: row 1: duplicate name `toolsearch`\n\n\
             hint: names must differ in more than case, `-` and `_`; rename what comes with the command or row 1 of `a.toml`\n"
        );
    }

    #[test]
    fn a_row_that_breaks_a_rule_is_told_with_the_fix() {
        assert_eq!(
            told(&[
                ("a.toml", 1, Row::inline("a", "A")),
                ("a.toml", 2, Row::discoverable("b", "B"))
            ]),
            "error: failed to read tools `a.toml`: row 2: `b` is discoverable without keywords\n\n\
             hint: add the words people use for it, or make it inline\n"
        );
        assert_eq!(
            told(&[("a.toml", 1, Row::inline("a b", "A"))]),
            "error: failed to read tools `a.toml`: row 1: illegal name `a b`\n\n\
             hint: use 1 to 64 of `A-Z a-z 0-9 _ -`\n"
        );
    }
}
