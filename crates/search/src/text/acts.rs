//! What is done to a thing, in the words of a request and of a tool's name.

use super::language::Language;
use super::phrases::{may_have_phrase, phrase};
use super::scan::{self, Kind};
use super::{fold, lowered_stretches, verbs};

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

/// What a tool does to what, in the words of its name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Deed {
    /// What it does, by its first verb.
    pub(crate) act: Option<Act>,
    /// To what: the stems of the other words.
    pub(crate) thing: Vec<String>,
    /// Whether to several at once.
    pub(crate) is_many: bool,
    /// Whether it takes back what its name would do without `un`.
    pub(crate) undoes: bool,
}

/// What a request asks to be done.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Ask {
    /// Acts that its words ask for, each once; one where the request says it plainly.
    pub(crate) acts: Vec<Act>,
    /// Whether something is to be taken back.
    pub(crate) undoes: bool,
    /// Its words, folded, in order.
    words: Vec<String>,
}

/// Verbs that say what is done and stand for no others.
const VERBS: &[(Act, &[&str])] = &[
    (Act::Copy, &["clone", "copi", "duplic"]),
    (Act::Put, &["put", "store", "upsert", "write"]),
    (Act::Create, &["append", "draft", "invit", "upload"]),
    (Act::Change, &["correct", "mark", "move", "renam"]),
    (Act::Delete, &["detach", "revok", "wipe"]),
];

/// Words of a request that ask for an act and are no verbs of it.
const ASKING: &[(Act, &[&str])] = &[
    (Act::Create, &["new", "another"]),
    (
        Act::Delete,
        &[
            "away", "cancel", "clean", "close", "destroy", "detach", "dismiss", "empty", "end",
            "leave", "longer", "off", "out", "purge", "reset", "revoke", "stop", "undo",
            "uninstall", "unlink", "unsubscribe", "wipe", "without",
        ],
    ),
];

/// Words with which a question begins: whoever asks one wants to look, whatever verbs follow.
const QUESTIONS: &[&str] =
    &["are", "does", "how", "is", "what", "when", "where", "which", "who", "whose", "why"];

/// Words before the verb of a request that say nothing of it.
const POLITE: &[&str] = &[
    "also", "and", "can", "could", "d", "go", "ahead", "hello", "help", "hey", "hi", "i", "just",
    "kindly", "let", "lets", "like", "me", "must", "need", "now", "ok", "please", "s", "should",
    "then", "to", "us", "want", "we", "will", "would", "you",
];

/// Verbs with which a request begins, words of which one comes later, and what is asked by both; the first that fits holds.
const OPENINGS: &[(&[&str], &[&str], Act)] = &[
    (&["give"], &["name", "title", "names", "titles"], Act::Change),
    (&["check", "tick", "cross"], &["off"], Act::Change),
    (&["switch", "turn"], &["on", "off", "into"], Act::Change),
    (&["find", "work", "print", "check"], &["out"], Act::Read),
    (&["leave"], &["comment", "message", "note", "reply", "review"], Act::Create),
    (
        &["take", "throw", "get", "pull", "kick", "move", "strip"],
        &["away", "off", "out", "rid", "back"],
        Act::Delete,
    ),
    (&["call"], &["off"], Act::Delete),
    (&["put", "write"], &["down"], Act::Create),
    (&["set"], &["up"], Act::Create),
    (&["empty", "drop", "cancel", "dismiss", "undo", "purge"], &[], Act::Delete),
    (&["clone", "copy", "duplicate"], &[], Act::Copy),
    (&["post", "invite", "draft"], &[], Act::Create),
    (&["count", "display", "print", "tell", "view", "give"], &[], Act::Read),
    (
        &[
            "adjust", "correct", "extend", "fix", "increase", "lower", "mark", "move", "raise",
            "rename", "rewrite", "shorten",
        ],
        &[],
        Act::Change,
    ),
    (&["write"], &[], Act::Put),
];

/// Words that ask for what was done to be undone.
const UNDOING: &[&str] = &["back", "longer", "off", "out", "stop", "undo", "withdraw"];

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

/// Words that say that one is meant, also of several.
const ONE: &[&str] = &["one", "only", "single"];

impl Ask {
    /// Reads a request.
    pub(crate) fn of(text: &str) -> Self {
        let mut words: Vec<String> = Vec::new();
        each_word(text, &mut |word| words.push(word.to_owned()));
        let is_undoing = |word: &String| {
            UNDOING.contains(&word.as_str()) || turned(&Language::English.stem(word)).is_some()
        };
        let acts = acts(text, &words);
        Self { acts, undoes: words.iter().any(is_undoing), words }
    }

    /// Says whether the request speaks of several of a thing, where it says so.
    pub(crate) fn means_many(&self, thing: &[String]) -> Option<bool> {
        if self.words.iter().any(|word| ONE.contains(&word.as_str())) {
            return Some(false);
        }
        if self.words.iter().any(|word| MANY.contains(&word.as_str())) {
            return Some(true);
        }
        let what = thing.last()?;
        let mut said = self.words.iter().filter(|word| *Language::English.stem(word) == **what);
        let first = is_plural(said.next()?);
        said.all(|word| is_plural(word) == first).then_some(first)
    }

    /// Says whether a word of the request, of at least three letters, is one of these.
    pub(crate) fn says_any(&self, words: &[String]) -> bool {
        let is_said = |word: &String| word.chars().count() > 2 && self.words.contains(word);
        words.iter().any(is_said)
    }
}

/// Returns what a request asks to be done, each act once; one act where it is a question or begins with a verb.
fn acts(text: &str, words: &[String]) -> Vec<Act> {
    let says = |list: &[&str], word: &String| list.contains(&word.as_str());
    let mut acts: Vec<Act> = Vec::new();
    if words.first().is_some_and(|word| says(QUESTIONS, word)) {
        acts.extend(words.iter().flat_map(|word| asking(word)));
        acts.extend(words.iter().filter_map(|word| act(word)));
        acts.retain(|act| *act == Act::Delete);
        acts.push(Act::Read);
        acts.dedup();
        return acts;
    }
    let begins = words.iter().position(|word| !says(POLITE, word));
    let Some((verb, rest)) = begins.and_then(|at| words.get(at..)?.split_first()) else {
        return acts;
    };
    let opens = |(verbs, later, _): &&(&[&str], &[&str], Act)| {
        says(verbs, verb) && (later.is_empty() || rest.iter().any(|word| says(later, word)))
    };
    if let Some((_, _, act)) = OPENINGS.iter().find(opens) {
        return vec![*act];
    }
    let stretches = lowered_stretches(text);
    let phrase = may_have_phrase(text).then(|| phrase(&stretches)).flatten();
    let begins_so = phrase.as_ref().is_some_and(|phrase| {
        let first = phrase.stretches.first().and_then(|&at| stretches.get(at));
        first.is_some_and(|first| first == verb)
    });
    let phrase = phrase.and_then(|phrase| of_group(phrase.group));
    // What begins a request is what is asked for.
    if let Some(act) = if begins_so { phrase } else { act(verb) } {
        return vec![act];
    }
    for word in words {
        acts.extend(asking(word).chain(act(word)));
    }
    acts.extend(phrase);
    acts.sort_unstable();
    acts.dedup();
    acts
}

/// Returns what a word asks for that is no verb of it.
fn asking(word: &str) -> impl Iterator<Item = Act> {
    ASKING.iter().filter(move |(_, words)| words.contains(&word)).map(|(act, _)| *act)
}

impl Deed {
    /// Reads the name of a tool.
    pub(crate) fn of(name: &str) -> Self {
        let mut deed = Self { act: None, thing: Vec::new(), is_many: false, undoes: false };
        each_word(name, &mut |word| {
            if MANY.contains(&word) {
                deed.is_many = true;
                return;
            }
            if deed.act.is_none() {
                deed.act = act(word);
                if deed.act.is_some() {
                    return;
                }
            }
            let stem = Language::English.stem(word);
            match turned(&stem) {
                Some(base) => {
                    deed.undoes = true;
                    deed.thing.push(base.to_owned());
                }
                None => deed.thing.push(stem.into_owned()),
            }
        });
        let mut last = None;
        each_word(name, &mut |word| last = Some(is_plural(word)));
        deed.is_many |= last == Some(true);
        deed
    }

    /// Returns the thing without these words.
    pub(crate) fn thing_without(&self, words: &[String]) -> Vec<&str> {
        let is_other =
            |stem: &&str| !words.iter().any(|word| *Language::English.stem(word) == **stem);
        self.thing.iter().map(String::as_str).filter(is_other).collect()
    }
}

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
    use super::{Act, Ask, Deed, TURNED};
    use crate::text::language::Language;

    #[test]
    fn a_request_asks_by_verbs_phrases_and_questions() {
        let cases: [(&str, &[Act]); 17] = [
            ("list the open issues", &[Act::Read]),
            ("which issues are open?", &[Act::Read]),
            ("What happens if I delete it?", &[Act::Delete, Act::Read]),
            ("remove the tag", &[Act::Delete]),
            ("get rid of the tag", &[Act::Delete]),
            ("could you please throw the list away", &[Act::Delete]),
            ("put Anna into the group", &[Act::Create]),
            ("rename it, that is an update", &[Act::Change]),
            ("Give the page another name", &[Act::Change]),
            ("tick off the second task", &[Act::Change]),
            ("Duplicate the list", &[Act::Copy]),
            ("Write a comment on it", &[Act::Put]),
            ("post an update", &[Act::Create]),
            ("I want to find out who it was", &[Act::Read]),
            ("cancel the meeting", &[Act::Delete]),
            ("an update of the list, with new rows", &[Act::Read, Act::Create, Act::Change]),
            ("weather in Paris", &[]),
        ];
        for (text, expected) in cases {
            assert_eq!(Ask::of(text).acts, expected, "{text}");
        }
    }

    #[test]
    fn a_name_does_what_its_first_verb_says_to_the_rest() {
        let cases = [
            ("delete_feature_flags", Some(Act::Delete), "featur flag", true, false),
            ("FeatureFlag.list", Some(Act::Read), "featur flag", false, false),
            ("create_update", Some(Act::Create), "updat", false, false),
            ("bulk_publish_note", None, "publish note", true, false),
            ("unapprove_request", None, "approv request", false, true),
            ("put_role_policy", Some(Act::Put), "role polici", false, false),
            ("get_status", Some(Act::Read), "status", false, false),
            ("weather", None, "weather", false, false),
        ];
        for (name, act, thing, is_many, undoes) in cases {
            let deed = Deed::of(name);
            assert_eq!((deed.act, deed.thing.join(" ")), (act, thing.to_owned()), "{name}");
            assert_eq!((deed.is_many, deed.undoes), (is_many, undoes), "{name}");
        }
    }

    #[test]
    fn a_request_says_how_many_it_means() {
        let thing = ["role".to_owned(), "polici".to_owned()];
        for (text, many) in [
            ("which policies does the role have", Some(true)),
            ("show the policy of the role", Some(false)),
            ("a policy of all policies", Some(true)),
            ("one of the policies", Some(false)),
            ("the policy among policies", None),
            ("what may the role do", None),
        ] {
            assert_eq!(Ask::of(text).means_many(&thing), many, "{text}");
        }
    }

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
