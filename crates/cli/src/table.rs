//! A table as aligned text or as Markdown.

use crate::text::width;

/// Spaces between columns.
const GAP: usize = 2;

/// Rows of cells under headings; the first column is text, the others are numbers and aligned right.
pub(crate) struct Table {
    /// The headings, and then the rows, each with as many cells.
    rows: Vec<Vec<String>>,
    /// How many columns from the left hold text.
    texts: usize,
}

impl Table {
    /// A table with these headings, of which the first `texts` are over columns of text.
    pub(crate) fn new(headings: &[&str], texts: usize) -> Self {
        Self { rows: vec![headings.iter().map(|&text| text.to_owned()).collect()], texts }
    }

    /// Adds a row.
    pub(crate) fn push(&mut self, row: Vec<String>) {
        self.rows.push(row);
    }

    /// Returns the table as lines like [`plain`](Self::plain), without those `dispensable` headings, in their order, for which `columns` have no room.
    pub(crate) fn fitted(mut self, columns: usize, dispensable: &[&str]) -> String {
        for heading in dispensable {
            let wide = self.widths().iter().map(|width| width + GAP).sum::<usize>();
            if wide <= columns.saturating_add(GAP) {
                break;
            }
            let place = self.rows.first().and_then(|row| row.iter().position(|at| at == heading));
            if let Some(place) = place {
                for row in self.rows.iter_mut().filter(|row| row.len() > place) {
                    row.remove(place);
                }
            }
        }
        self.plain()
    }

    /// Returns the table as lines with two spaces between columns.
    pub(crate) fn plain(&self) -> String {
        let widths = self.widths();
        let mut text = String::new();
        for row in &self.rows {
            let cells: Vec<String> = self.padded(row, &widths);
            text.push_str(cells.join(&" ".repeat(GAP)).trim_end());
            text.push('\n');
        }
        text
    }

    /// Returns the table in Markdown.
    pub(crate) fn markdown(&self) -> String {
        let mut text = String::new();
        for (place, row) in self.rows.iter().enumerate() {
            let cells: Vec<String> = row.iter().map(|cell| cell.replace('|', "\\|")).collect();
            text.push_str(&format!("| {} |\n", cells.join(" | ")));
            if place == 0 {
                let rule = |column| if column < self.texts { "---" } else { "---:" };
                let rules: Vec<&str> = (0..row.len()).map(rule).collect();
                text.push_str(&format!("| {} |\n", rules.join(" | ")));
            }
        }
        text
    }

    fn widths(&self) -> Vec<usize> {
        let columns = self.rows.iter().map(Vec::len).max().unwrap_or(0);
        let widest = |column: usize| {
            let cells = self.rows.iter().filter_map(|row| row.get(column));
            cells.map(|cell| width(cell)).max().unwrap_or(0)
        };
        (0..columns).map(widest).collect()
    }

    fn padded(&self, row: &[String], widths: &[usize]) -> Vec<String> {
        let pad = |(column, (cell, columns)): (usize, (&String, &usize))| {
            let space = " ".repeat(columns.saturating_sub(width(cell)));
            if column < self.texts { format!("{cell}{space}") } else { format!("{space}{cell}") }
        };
        row.iter().zip(widths).enumerate().map(pad).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::Table;

    #[test]
    fn numbers_stand_right_and_text_stands_left() {
        let mut table = Table::new(&["group", "queries", "mrr"], 1);
        table.push(vec!["lang:한국어".into(), "8".into(), "12.5".into()]);
        table.push(vec!["a|b".into(), "1,036".into(), "0.5".into()]);
        assert_eq!(
            table.plain(),
            "group        queries   mrr\nlang:한국어        8  12.5\na|b            1,036   0.5\n"
        );
        assert_eq!(
            table.markdown(),
            "| group | queries | mrr |\n| --- | ---: | ---: |\n| lang:한국어 | 8 | 12.5 |\n| a\\|b | 1,036 | 0.5 |\n"
        );
    }

    #[test]
    fn a_narrow_table_does_without_what_it_can() {
        let table = || {
            let mut table = Table::new(&["set", "tools", "mrr", "µs"], 1);
            table.push(vec!["gtc".into(), "60".into(), "12.5".into(), "8".into()]);
            table
        };
        let whole = "set  tools   mrr  µs\ngtc     60  12.5   8\n";
        let narrow = "set   mrr  µs\ngtc  12.5   8\n";
        assert_eq!(table().fitted(20, &["tools"]), whole);
        assert_eq!(table().fitted(19, &["tools"]), narrow);
        assert_eq!(table().fitted(1, &["tools"]), narrow);
        assert_eq!(table().fitted(usize::MAX, &["tools"]), whole);
    }
}
