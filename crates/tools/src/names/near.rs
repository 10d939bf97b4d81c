//! Names that nearly are the one asked for: offered to whoever asked, never put in its place.

use std::collections::BTreeSet;

use strsim::osa_distance;

use crate::limits::{NEAR_CHARS_MIN, NEAR_EDITS_MAX, NEAR_NAMES_MAX};

/// Returns those of `known` that go by a name near to `name`: at most [`NEAR_NAMES_MAX`], nearest first, then in their own order.
///
/// Each comes with the two names that it goes by, such as its name in its source and the one with the source in front.
/// Near is what differs in case and separators only, or else in at most [`NEAR_EDITS_MAX`] changes.
///
/// ```
/// use oncue_tools::near;
///
/// let known = [("mail/send", ["send", "mail__send"]), ("mail/list", ["list", "mail__list"])];
/// assert_eq!(near("Mail.snd", known), ["mail/send"]);
/// assert_eq!(near("delete", known), [""; 0]);
/// ```
pub fn near<T: Ord, N: AsRef<str>>(
    name: &str,
    known: impl IntoIterator<Item = (T, [N; 2])>,
) -> Vec<T> {
    let wanted = letters(name);
    if wanted.is_empty() {
        return Vec::new();
    }
    let mut nearest: BTreeSet<(usize, T)> = BTreeSet::new();
    for (tool, names) in known {
        let edits = names.iter().filter_map(|name| edits(&wanted, &letters(name.as_ref())));
        let Some(edits) = edits.min() else { continue };
        nearest.insert((edits, tool));
        if nearest.len() > NEAR_NAMES_MAX {
            nearest.pop_last();
        }
    }
    nearest.into_iter().map(|(_, tool)| tool).collect()
}

/// Returns how many single changes lead from one name to the other, if they are near.
fn edits(left: &str, right: &str) -> Option<usize> {
    if left == right {
        return Some(0);
    }
    let chars = [left, right].map(|name| name.chars().count());
    let too_short = chars.iter().any(|&chars| chars < NEAR_CHARS_MIN);
    if too_short || chars[0].abs_diff(chars[1]) > NEAR_EDITS_MAX {
        return None;
    }
    Some(osa_distance(left, right)).filter(|&edits| edits <= NEAR_EDITS_MAX)
}

/// Returns what is left of a name when case and separators do not count.
fn letters(name: &str) -> String {
    name.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}

/// Which letters a name has, and how many characters: enough to tell at a glance that most names are not near.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Outline {
    /// A bit for each letter that occurs and one for each that occurs again; letters far apart in Unicode share bits.
    letters: u64,
    /// How many characters there are.
    chars: usize,
}

impl Outline {
    pub(crate) fn of(name: &str) -> Self {
        let mut outline = Self { letters: 0, chars: 0 };
        for c in letters(name).chars() {
            let once = 1_u64 << (u32::from(c) % (u64::BITS / 2));
            let bit = if outline.letters & once == 0 { once } else { once << (u64::BITS / 2) };
            outline.letters |= bit;
            outline.chars += 1;
        }
        outline
    }

    /// Says whether the names may be near; never no where they are.
    pub(crate) fn may_be_near(self, other: Self) -> bool {
        // A change adds one letter and takes one away, at most, and each of the two changes one bit.
        let changed = (self.letters ^ other.letters).count_ones() as usize;
        self.chars.abs_diff(other.chars) <= NEAR_EDITS_MAX && changed <= 2 * NEAR_EDITS_MAX
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::{Outline, near};

    fn distance(left: &str, right: &str) -> usize {
        near(left, [(0, [right; 2])]).len()
    }

    #[test]
    fn near_is_spelling_and_two_changes() {
        let cases = [
            ("startExport", "start_export", 1),
            ("startExport", "startExports", 1),
            ("starExport", "startExporr", 1),
            ("satrtExpotr", "startExport", 1),
            ("startExport", "stopExport", 0),
            ("abc", "abd", 0),
            ("abc", "a-b-c", 1),
            ("kitten", "sittin", 1),
            ("kitten", "sitting", 0),
            ("aaaa", "aaaaaa", 1),
            ("aaaa", "aaaaaaa", 0),
            ("파일찾기", "파일찾가", 1),
            ("", "", 0),
            ("_", "-", 0),
        ];
        for (left, right, expected) in cases {
            assert_eq!(distance(left, right), expected, "{left:?} {right:?}");
            assert_eq!(distance(right, left), expected, "{right:?} {left:?}");
        }
    }

    #[test]
    fn the_five_nearest_come_in_order() {
        let known = ["exports", "exported", "exporters", "export", "ex_port", "exporter", "import"];
        let known = known.map(|name| (name, [name, "something else"]));
        assert_eq!(
            near("export", known),
            ["ex_port", "export", "exports", "exported", "exporter"],
            "two of no change, one of one, and of those with two changes the first by name"
        );
    }

    #[test]
    fn most_names_are_far_at_a_glance() {
        let near = |left, right| Outline::of(left).may_be_near(Outline::of(right));
        assert!(near("startExport", "start_export") && near("kitten", "sittin"));
        assert!(!near("startExport", "readTable") && !near("abc", "abcdef"));
        assert!(!near("aabbcc", "abcdef"), "how often a letter occurs counts");
    }

    proptest! {
        #[test]
        fn what_is_near_never_looks_far(
            name in "[a-f파일0]{4,9}", at in any::<[prop::sample::Index; 2]>(), with in any::<[Option<char>; 2]>()
        ) {
            let mut after: Vec<char> = name.chars().collect();
            for (at, with) in at.iter().zip(with) {
                let at = at.index(after.len());
                match with {
                    Some(c) if c.is_lowercase() => after[at] = c,
                    Some(c) if c.is_ascii() && at > 0 => after.swap(at - 1, at),
                    Some(c) => after.insert(at, c),
                    None => drop(after.remove(at)),
                }
            }
            let after: String = after.into_iter().collect();
            if distance(&name, &after) == 1 {
                prop_assert!(Outline::of(&name).may_be_near(Outline::of(&after)), "{}", after);
            }
        }
    }
}
