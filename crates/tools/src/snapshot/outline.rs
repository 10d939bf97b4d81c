//! A name reduced so far that most names can be told to be far from it at a glance. Made with its entry.

use crate::limits::ECHO_CHARS_MAX;

/// Which letters a name has, and how many characters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Outline {
    /// One bit for each letter that occurs; letters far apart in Unicode share bits.
    letters: u64,
    /// How many characters there are.
    chars: usize,
}

impl Outline {
    pub(crate) fn of(letters: &[char]) -> Self {
        let bit = |&c: &char| 1_u64 << (u32::from(c) % u64::BITS);
        Self {
            letters: letters.iter().map(bit).fold(0, |all, bit| all | bit),
            chars: letters.len(),
        }
    }

    /// Says whether `edits` single changes may lead from one name to the other; never no where they do.
    pub(crate) fn may_be_within(self, edits: usize, other: Self) -> bool {
        // A change takes away one letter at most and brings one at most.
        let changed = (self.letters ^ other.letters).count_ones() as usize;
        self.chars.abs_diff(other.chars) <= edits && changed <= 2 * edits
    }
}

/// Returns what is left of a name when case and separators do not count.
pub(crate) fn letters(name: &str) -> Vec<char> {
    name.chars()
        .filter(|c| c.is_alphanumeric())
        .flat_map(char::to_lowercase)
        .take(ECHO_CHARS_MAX)
        .collect()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::{Outline, letters};

    #[test]
    fn most_names_are_far_at_a_glance() {
        let near = |left: &str, right: &str| {
            Outline::of(&letters(left)).may_be_within(2, Outline::of(&letters(right)))
        };
        assert!(near("startExport", "start_export") && near("kitten", "sittin"));
        assert!(!near("startExport", "readTable") && !near("abc", "abcdef"));
    }

    proptest! {
        #[test]
        fn a_change_or_two_never_look_far(
            name in "[a-f파일0]{0,8}", at in any::<[prop::sample::Index; 2]>(), with in any::<[Option<char>; 2]>()
        ) {
            let before: Vec<char> = name.chars().collect();
            let mut after = before.clone();
            for (at, with) in at.iter().zip(with) {
                let at = at.index(after.len() + 1);
                match with {
                    Some(c) if at < after.len() && c.is_alphabetic() => after[at] = c,
                    Some(c) => after.insert(at, c),
                    None if at < after.len() => drop(after.remove(at)),
                    None => {}
                }
            }
            prop_assert!(Outline::of(&before).may_be_within(2, Outline::of(&after)));
        }
    }
}
