//! A query that is a list: several needs at once, each with its share of the answer.

use crate::limits::NEEDS_MAX;
use crate::search::search_one;
use crate::{Asked, Candidates, Hit, Ranker};

/// Returns the needs of `text`: its parts between semicolons and line breaks, at most [`NEEDS_MAX`], of which the last has all the rest.
///
/// A text without either is one need, and a blank one none.
///
/// ```
/// use oncue_search::needs;
///
/// assert_eq!(needs("read a file; send it by mail;"), ["read a file", "send it by mail"]);
/// assert_eq!(needs("ファイルを読む；送る"), ["ファイルを読む", "送る"]);
/// assert_eq!(needs("read a file, and send it"), ["read a file, and send it"]);
/// assert!(needs(" ;\n").is_empty());
/// ```
#[must_use]
pub fn needs(text: &str) -> Vec<&str> {
    let is_end = |c: char| matches!(c, ';' | '\u{ff1b}' | '\n' | '\r');
    let blank_or_end = |c: char| c.is_whitespace() || is_end(c);
    let mut needs = Vec::new();
    let mut rest = text.trim_matches(blank_or_end);
    while !rest.is_empty() {
        let end = if needs.len() + 1 < NEEDS_MAX { rest.find(is_end) } else { None };
        let (need, after) = rest.split_at(end.unwrap_or(rest.len()));
        needs.push(need.trim());
        rest = after.trim_start_matches(blank_or_end);
    }
    needs
}

/// Returns at most `max` candidates that fit any of `needs`, in turn: the best of each, then the second of each, and so on, each tool once.
///
/// A need has at least its share of the answer, and more where others find less.
/// Scores are those of the need that brought the tool, so they are comparable within one need only.
/// The vector of a whole list says nothing of one need: each has its own, or none.
/// Of more than [`NEEDS_MAX`] needs the first are asked.
///
/// ```
/// use std::sync::Arc;
/// use oncue_decl::Row;
/// use oncue_search::{Admit, Document, Index, rank::Bm25f, search_needs};
///
/// let tool = |name: &'static str| Arc::new(Document::new(Row::inline(name, "")));
/// let index = Index::default()
///     .replaced("", vec![tool("read_file"), tool("file_info"), tool("send_mail"), tool("file_list")]);
/// let hits = search_needs(&["read the file", "mail"], &index.candidates(Admit::All), &Bm25f::default(), 3);
/// let names: Vec<_> = hits.iter().map(|hit| hit.document.row.name()).collect();
/// assert_eq!(names[..2], ["read_file", "send_mail"]);
/// assert_eq!(names.len(), 3);
/// ```
#[must_use]
pub fn search_needs<'a, 'q, N: Into<Asked<'q>> + Copy>(
    needs: &[N],
    candidates: &Candidates<'a>,
    ranker: &dyn Ranker,
    max: usize,
) -> Vec<Hit<'a>> {
    let asked = needs.iter().take(NEEDS_MAX);
    let lists: Vec<Vec<Hit<'a>>> =
        asked.map(|need| search_one((*need).into(), candidates, ranker, max)).collect();
    let mut hits: Vec<Hit<'a>> = Vec::new();
    for rank in 0..max {
        for hit in lists.iter().filter_map(|list| list.get(rank)) {
            if hits.len() < max && !hits.iter().any(|known| known.is_same_tool(hit)) {
                hits.push(*hit);
            }
        }
    }
    hits
}

#[cfg(test)]
mod tests {
    use super::needs;
    use crate::limits::NEEDS_MAX;

    #[test]
    fn needs_are_what_stands_between_semicolons_and_line_breaks() {
        let cases: [(&str, &[&str]); 7] = [
            ("", &[]),
            (" \r\n ; ", &[]),
            ("read file", &["read file"]),
            ("read file;", &["read file"]),
            (";; a ;\n; b\r\nc ", &["a", "b", "c"]),
            ("a;a", &["a", "a"]),
            ("찾기；보내기", &["찾기", "보내기"]),
        ];
        for (text, expected) in cases {
            assert_eq!(needs(text), expected, "{text:?}");
        }
    }

    #[test]
    fn the_last_of_too_many_needs_has_all_the_rest() {
        let text = ["x"; NEEDS_MAX + 3].join("; ");
        let found = needs(&text);
        assert_eq!(found.len(), NEEDS_MAX);
        assert_eq!(found[0], "x");
        assert_eq!(found[NEEDS_MAX - 1], "x; x; x; x");
    }
}
