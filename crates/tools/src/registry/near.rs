//! Names that nearly are the one asked for: offered to the model, never put in its place.

use std::collections::BTreeSet;
use std::sync::Arc;

use crate::Entry;
use crate::limits::{ECHO_CHARS_MAX, NEAR_NAMES_MAX};

/// Most single changes that make two names near, in changes of one character.
const EDITS_MAX: usize = 2;

/// Shortest name that may be near by changes, in characters; shorter ones are near to everything.
const EDITABLE_CHARS_MIN: usize = 4;

/// Returns the names of at most [`NEAR_NAMES_MAX`] of `entries` that are near to `name`, nearest first, then by name.
///
/// Near is what differs in case and separators only, in the source in front, or in at most two characters.
pub(super) fn near<'a>(name: &str, entries: impl Iterator<Item = &'a Arc<Entry>>) -> Vec<Arc<str>> {
    let wanted = letters(name);
    if wanted.is_empty() {
        return Vec::new();
    }
    let mut nearest: BTreeSet<(usize, Arc<str>)> = BTreeSet::new();
    for entry in entries {
        let whole = distance(&wanted, &letters(entry.exposed()));
        let bare = distance(&wanted, &letters(entry.identity().name()));
        let Some(edits) = whole.into_iter().chain(bare).min() else { continue };
        nearest.insert((edits, entry.exposed_shared()));
        if nearest.len() > NEAR_NAMES_MAX {
            nearest.pop_last();
        }
    }
    nearest.into_iter().map(|(_, name)| name).collect()
}

/// What is left of a name when case and separators do not count.
fn letters(name: &str) -> Vec<char> {
    name.chars()
        .filter(|c| c.is_alphanumeric())
        .flat_map(char::to_lowercase)
        .take(ECHO_CHARS_MAX)
        .collect()
}

/// Returns how many single changes lead from one name to the other, if they are near.
fn distance(left: &[char], right: &[char]) -> Option<usize> {
    if left == right {
        return Some(0);
    }
    let shorter = left.len().min(right.len());
    if shorter < EDITABLE_CHARS_MIN || left.len().abs_diff(right.len()) > EDITS_MAX {
        return None;
    }
    // What is alike at both ends takes no change, and the rest is mostly short.
    let head = left.iter().zip(right).take_while(|(l, r)| l == r).count();
    let tail = |name: &[char]| name.iter().skip(head).copied().rev().collect::<Vec<_>>();
    let (left, right) = (tail(left), tail(right));
    let alike = left.iter().zip(&right).take_while(|(l, r)| l == r).count();
    let edits = edits(left.get(alike..)?, right.get(alike..)?);
    (edits <= EDITS_MAX).then_some(edits)
}

/// The number of insertions, deletions and replacements between two texts, by rows of the table.
fn edits(left: &[char], right: &[char]) -> usize {
    let mut row: Vec<usize> = (0..=right.len()).collect();
    for (at, l) in left.iter().enumerate() {
        let mut diagonal = at;
        let mut before = at + 1;
        let mut next = vec![before];
        for (r, &above) in right.iter().zip(row.iter().skip(1)) {
            before = (diagonal + usize::from(l != r)).min(before + 1).min(above + 1);
            diagonal = above;
            next.push(before);
        }
        row = next;
    }
    row.last().copied().unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::{distance, letters};

    #[test]
    fn near_is_spelling_and_two_changes() {
        let cases = [
            ("startExport", "start_export", Some(0)),
            ("startExport", "startExports", Some(1)),
            ("starExport", "startExporr", Some(2)),
            ("startExport", "stopExport", None),
            ("abc", "abd", None),
            ("abc", "a-b-c", Some(0)),
            ("kitten", "sittin", Some(2)),
            ("kitten", "sitting", None),
            ("aaaa", "aaaaaa", Some(2)),
            ("파일찾기", "파일찾가", Some(1)),
        ];
        for (left, right, expected) in cases {
            let (left, right) = (letters(left), letters(right));
            assert_eq!(distance(&left, &right), expected, "{left:?} {right:?}");
            assert_eq!(distance(&right, &left), expected, "{right:?} {left:?}");
        }
    }
}
