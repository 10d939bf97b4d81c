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
    /// It is changed.
    Change,
    /// It is taken away.
    Delete,
}

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

/// Returns what a request asks to be done, each act once.
pub(crate) fn asked_acts(text: &str) -> Vec<Act> {
    let mut acts = Vec::new();
    let mut is_question = None;
    each_word(text, &mut |word| {
        is_question.get_or_insert_with(|| QUESTIONS.contains(&word));
        let asking = ASKING.iter().filter(|(_, words)| words.contains(&word));
        acts.extend(asking.map(|(act, _)| *act).chain(act(word)));
    });
    if may_have_phrase(text) {
        let phrase = phrase(&lowered_stretches(text));
        acts.extend(phrase.and_then(|phrase| of_group(phrase.group)));
    }
    if is_question == Some(true) {
        acts.retain(|act| *act == Act::Delete);
        acts.push(Act::Read);
    }
    acts.sort_unstable();
    acts.dedup();
    acts
}

/// Returns what a tool of this name does, by the first verb of it.
pub(crate) fn name_act(name: &str) -> Option<Act> {
    let mut found = None;
    each_word(name, &mut |word| {
        if found.is_none() {
            found = act(word);
        }
    });
    found
}

/// Returns the words of a name, in lower case, each with its stem.
pub(crate) fn name_words(name: &str) -> Vec<(String, String)> {
    let mut words = Vec::new();
    each_word(name, &mut |word| {
        words.push((word.to_owned(), Language::English.stem(word).into_owned()));
    });
    words
}

/// Returns to what a tool of this name does it: the words of the name but for its first verb, without plurals.
pub(crate) fn name_thing(name: &str) -> Vec<String> {
    let mut has_act = false;
    let mut thing = Vec::new();
    each_word(name, &mut |word| {
        if !has_act && act(word).is_some() {
            has_act = true;
        } else {
            thing.push(Language::English.stem(word).into_owned());
        }
    });
    thing
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
    verbs::groups(&Language::English.stem(word)).iter().find_map(|group| of_group(group))
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

#[cfg(test)]
mod tests {
    use super::{Act, asked_acts, name_act, name_thing};

    #[test]
    fn a_request_asks_by_verbs_phrases_and_questions() {
        let cases: [(&str, &[Act]); 10] = [
            ("list the open issues", &[Act::Read, Act::Create]),
            ("which issues are open?", &[Act::Read]),
            ("What happens if I delete it?", &[Act::Read, Act::Delete]),
            ("remove the tag", &[Act::Delete]),
            ("get rid of the tag", &[Act::Read, Act::Delete]),
            ("throw the list away", &[Act::Read, Act::Delete]),
            ("put Anna into the group", &[Act::Create]),
            ("rename it, that is an update", &[Act::Change]),
            ("cancel the meeting", &[Act::Delete]),
            ("weather in Paris", &[]),
        ];
        for (text, expected) in cases {
            assert_eq!(asked_acts(text), expected, "{text}");
        }
    }

    #[test]
    fn a_name_does_what_its_first_verb_says_to_the_rest() {
        let cases = [
            ("delete_feature_flags", Some(Act::Delete), "featur flag"),
            ("FeatureFlag.list", Some(Act::Read), "featur flag"),
            ("create_update", Some(Act::Create), "updat"),
            ("weather", None, "weather"),
        ];
        for (name, act, thing) in cases {
            assert_eq!((name_act(name), name_thing(name).join(" ")), (act, thing.to_owned()));
        }
    }
}
