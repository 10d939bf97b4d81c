//! What is done to a thing, in the words of a request and of a tool's name.
//!
//! | file | holds |
//! |---|---|
//! | `mod` | [`Act`], and the verbs that say one |
//! | `ask` | [`Ask`]: what a request asks to be done |
//! | `deed` | [`Deed`]: what a tool does, by its name |

mod ask;
mod deed;

use super::language::Language;
use super::scan::{self, Kind};
use super::{fold, verbs};

pub(crate) use ask::Ask;
pub(crate) use deed::Deed;

/// What is done to a thing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Act {
    /// It is looked at.
    Read,
    /// It is made.
    Create,
    /// Another like it is made.
    Copy,
    /// It is put in place, whether it was there before or not.
    Put,
    /// It is changed.
    Change,
    /// It is taken away.
    Delete,
}

impl Act {
    /// Says whether what does this does what is `asked`.
    pub(crate) fn does(self, asked: Self) -> bool {
        let makes = |act| matches!(act, Self::Create | Self::Change);
        self == asked || self == Self::Put && makes(asked) || asked == Self::Put && makes(self)
    }
}

/// Verbs that say what is done and stand for no others.
const VERBS: &[(Act, &[&str])] = &[
    (Act::Copy, &["clone", "copi", "duplic"]),
    (Act::Put, &["put", "store", "upsert", "write"]),
    (Act::Create, &["append", "draft", "invit", "upload"]),
    (Act::Change, &["correct", "mark", "move", "renam"]),
    (Act::Delete, &["detach", "revok", "wipe"]),
];

/// Verbs that `un`, `de` or `dis` turns round, as stems.
const TURNED: &[(&str, &str)] = &[
    ("deactiv", "activ"),
    ("detach", "attach"),
    ("disabl", "enabl"),
    ("disconnect", "connect"),
    ("unapprov", "approv"),
    ("unarch", "archiv"),
    ("unarchiv", "archiv"),
    ("unassign", "assign"),
    ("unblock", "block"),
    ("unfollow", "follow"),
    ("unlik", "like"),
    ("unlink", "link"),
    ("unlock", "lock"),
    ("unmut", "mute"),
    ("unpin", "pin"),
    ("unpublish", "publish"),
    ("unschedul", "schedul"),
    ("unshar", "share"),
    ("unstar", "star"),
    ("unsubscrib", "subscrib"),
    ("unwatch", "watch"),
];

/// Words that say that several are meant.
const MANY: &[&str] =
    &["all", "batch", "both", "bulk", "each", "every", "many", "multi", "multiple", "several"];

/// Returns the words of a name, in lower case, each with its stem.
pub(crate) fn name_words(name: &str) -> Vec<(String, String)> {
    let mut words = Vec::new();
    each_word(name, &mut |word| {
        words.push((word.to_owned(), Language::English.stem(word).into_owned()));
    });
    words
}

/// Calls `sink` for each word of `text`, folded, and for each part of an identifier.
fn each_word(text: &str, sink: &mut dyn FnMut(&str)) {
    scan::pieces(&fold::composed(text), &mut |piece| {
        if matches!(piece.kind, Kind::Word | Kind::Digits) {
            sink(piece.folded);
        }
    });
}

fn act(word: &str) -> Option<Act> {
    let stem = Language::English.stem(word);
    let own = VERBS.iter().find(|(_, stems)| stems.contains(&&*stem)).map(|(act, _)| *act);
    own.or_else(|| verbs::groups(&stem).iter().find_map(|group| of_group(group)))
}

fn of_group(group: &str) -> Option<Act> {
    match group {
        "~get" | "~list" | "~find" => Some(Act::Read),
        "~create" => Some(Act::Create),
        "~update" => Some(Act::Change),
        "~delete" => Some(Act::Delete),
        _ => None,
    }
}

/// Returns the stem of the verb that the verb of this stem takes back.
fn turned(stem: &str) -> Option<&'static str> {
    TURNED.iter().find(|(turned, _)| *turned == stem).map(|(_, base)| *base)
}

fn is_plural(word: &str) -> bool {
    let ends = |end: &str| word.ends_with(end);
    word.len() > 3 && ends("s") && !ends("ss") && !ends("us") && !ends("is")
}

#[cfg(test)]
mod tests {
    use super::{Act, Language, TURNED};

    #[test]
    fn verbs_that_are_turned_round_are_stems() {
        for (stem, base) in TURNED {
            assert_ne!(stem, base);
            assert!(!stem.ends_with('e') && !Language::English.stem(stem).is_empty());
        }
        for (word, base) in [
            ("unassigned", "assign"),
            ("unapprove", "approv"),
            ("unarchive", "archiv"),
            ("disable", "enabl"),
            ("unsubscribe", "subscrib"),
            ("unpublish", "publish"),
            ("unlike", "like"),
            ("unmute", "mute"),
            ("unshare", "share"),
        ] {
            assert_eq!(super::turned(&Language::English.stem(word)), Some(base), "{word}");
        }
    }

    #[test]
    fn verbs_of_their_own_are_stems() {
        let stems = super::VERBS.iter().flat_map(|(_, stems)| *stems);
        for stem in stems {
            // The stem of "append" is a stem again, and so for the rest.
            assert_eq!(Language::English.stem(stem), *stem);
        }
        assert_eq!(super::act("renames"), Some(Act::Change));
        assert_eq!(super::act("revoked"), Some(Act::Delete));
    }

    #[test]
    fn what_puts_in_place_makes_and_changes() {
        assert!(Act::Put.does(Act::Create) && Act::Change.does(Act::Put));
        assert!(!Act::Put.does(Act::Delete) && !Act::Create.does(Act::Change));
        assert!(Act::Copy.does(Act::Copy) && !Act::Create.does(Act::Copy));
    }
}
