//! English verbs of several words, which mean what one verb of a tool's name means: "get rid of" is to delete, "put … into" is to add.

/// A phrase in a text: the group of verbs that it stands for and the stretches that it is made of.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Phrase {
    pub(crate) group: &'static str,
    pub(crate) stretches: Vec<usize>,
}

/// A first word, what follows it at once, what must follow later in the text (any one of them), and the group.
struct Pattern {
    first: &'static [&'static str],
    next: Option<&'static str>,
    later: &'static [&'static str],
    group: &'static str,
}

const PATTERNS: &[Pattern] = &[
    Pattern { first: &["get", "gets", "getting"], next: Some("rid"), later: &[], group: "~delete" },
    Pattern {
        first: &["throw", "throws", "throwing"],
        next: None,
        later: &["away", "out"],
        group: "~delete",
    },
    Pattern {
        first: &["take", "takes", "taking"],
        next: None,
        later: &["off", "out", "away"],
        group: "~delete",
    },
    Pattern {
        first: &["put", "puts", "putting"],
        next: None,
        later: &["in", "into", "on", "onto"],
        group: "~create",
    },
    // A stop word elsewhere, since most that is asked for is "made".
    Pattern { first: &["make", "makes", "making"], next: None, later: &[], group: "~create" },
    Pattern { first: &["set", "sets", "setting"], next: Some("up"), later: &[], group: "~create" },
    Pattern { first: &["call", "calls", "calling"], next: Some("off"), later: &[], group: "~stop" },
];

/// Says whether `text` may have a phrase; quick, since every query is asked.
pub(crate) fn may_have_phrase(text: &str) -> bool {
    let is_first = |word: &str| {
        let firsts = PATTERNS.iter().flat_map(|pattern| pattern.first);
        firsts.into_iter().any(|first| first.eq_ignore_ascii_case(word))
    };
    text.split(|c: char| !c.is_alphanumeric()).any(is_first)
}

/// Returns the first phrase of a text whose words, in lower case, are `words`.
///
/// What is said between the two halves of a phrase ("throw *the list* away") is no part of it.
pub(crate) fn phrase(words: &[String]) -> Option<Phrase> {
    words.iter().enumerate().find_map(|(at, word)| {
        let fits = |pattern: &&Pattern| pattern.first.contains(&word.as_str());
        PATTERNS.iter().filter(fits).find_map(|pattern| pattern.met(words, at))
    })
}

impl Pattern {
    fn met(&self, words: &[String], at: usize) -> Option<Phrase> {
        let mut stretches = vec![at];
        if let Some(next) = self.next {
            words.get(at + 1).filter(|word| *word == next)?;
            stretches.push(at + 1);
        }
        if !self.later.is_empty() {
            let rest = words.iter().enumerate().skip(at + 1);
            stretches
                .push(rest.into_iter().find(|(_, word)| self.later.contains(&word.as_str()))?.0);
        }
        Some(Phrase { group: self.group, stretches })
    }
}

#[cfg(test)]
mod tests {
    use super::{PATTERNS, may_have_phrase, phrase};
    use crate::text::verbs;

    fn found(text: &str) -> Option<(&'static str, Vec<usize>)> {
        let words: Vec<String> = text.split(' ').map(str::to_lowercase).collect();
        let found = phrase(&words).map(|phrase| (phrase.group, phrase.stretches));
        assert!(found.is_none() || may_have_phrase(text), "{text}");
        found
    }

    #[test]
    fn a_phrase_is_found_with_or_without_words_between_its_halves() {
        assert_eq!(found("please get rid of it"), Some(("~delete", vec![1, 2])));
        assert_eq!(found("Throw the old list away"), Some(("~delete", vec![0, 4])));
        assert_eq!(found("put Anna into the group"), Some(("~create", vec![0, 2])));
        assert_eq!(found("set up a queue"), Some(("~create", vec![0, 1])));
        for text in ["take a screenshot", "get the list", "set the time", "throw an error", "put"] {
            assert_eq!(found(text), None, "{text}");
        }
    }

    #[test]
    fn most_texts_are_not_looked_at() {
        assert!(may_have_phrase("Now: PUT it there"));
        assert!(!may_have_phrase("list the output, settings and intakes"));
    }

    #[test]
    fn every_group_is_one_that_verbs_have() {
        for pattern in PATTERNS {
            let verb = pattern.group.trim_start_matches('~');
            let verb = crate::text::language::Language::English.stem(verb);
            assert!(verbs::groups(&verb).contains(&pattern.group), "{}", pattern.group);
        }
    }
}
