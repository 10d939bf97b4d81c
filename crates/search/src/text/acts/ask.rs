//! What a request asks to be done.

use super::{Act, MANY, act, each_word, is_plural, of_group, turned};
use crate::text::language::Language;
use crate::text::lowered_stretches;
use crate::text::phrases::{may_have_phrase, phrase};

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

#[cfg(test)]
mod tests {
    use super::{Act, Ask};

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
}
