//! One list of rows, written once; every other list follows from it, and a test checks it.

use oncue::{Exposure, Row, Scope, rows};

static ROWS: &[Row] = &[
    Row::declare("ToolSearch", "Finds tools by what they do").part_of_loop().inline(),
    Row::declare("readTable", "Reads rows of a table")
        .silent()
        .exposure(Exposure::ReadOnly)
        .inline(),
    Row::declare("openTable", "Opens a table at once")
        .exposure(Exposure::Full)
        .acts_where_proposes("proposeOpenTable")
        .inline(),
    Row::declare("proposeOpenTable", "Offers a table that the user may open")
        .silent()
        .exposure(Exposure::Staged)
        .proposes_where_acts("openTable")
        .inline(),
    Row::declare("startExport", "Writes a table to a file")
        .keywords(&["csv", "download", "save as"])
        .exposure(Exposure::Full)
        .discoverable(),
];

fn names<'r>(rows: impl Iterator<Item = &'r Row>) -> Vec<&'r str> {
    rows.map(Row::name).collect()
}

fn main() {
    println!("inline: {:?}", names(rows::inline(ROWS)));
    println!("gated: {:?}", names(rows::gated(ROWS)));
    for (row, scope) in rows::tiers(ROWS) {
        println!("{scope:?} opens {}", row.name());
    }
    assert_eq!(names(rows::discoverable(ROWS)), ["startExport"]);
    assert_eq!(names(rows::gated(ROWS)), ["openTable", "startExport"]);
    assert_eq!(names(rows::admitted(ROWS, Scope::Stage)), ["readTable", "proposeOpenTable"]);
    assert_eq!(rows::check(ROWS, "ToolSearch"), []);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_rows_hold_together() {
        assert_eq!(rows::check(ROWS, "ToolSearch"), []);
    }
}
