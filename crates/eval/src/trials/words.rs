//! Words by a rule of its own, apart from the analysis of the search that is on trial.

use std::collections::BTreeSet;

use crate::retrieval::LabelledTool;

/// Share of words in common from which two descriptions say the same.
const SAME_DESCRIPTION: f64 = 0.6;

/// A tool as another is compared with it.
pub(super) struct Traits {
    /// Letters and digits of the name, in lower case.
    squashed: String,
    /// The first word of the name and its last, where it has several.
    ends: Option<(String, String)>,
    /// The words of the description.
    description: BTreeSet<String>,
}

impl Traits {
    pub(super) fn of(tool: &LabelledTool) -> Self {
        let name = tool.document.row.name();
        let ends = match words(name).as_slice() {
            [verb, .., object] => Some((verb.clone(), singular(object).to_owned())),
            _ => None,
        };
        Self {
            squashed: name
                .chars()
                .filter(|c| c.is_alphanumeric())
                .collect::<String>()
                .to_lowercase(),
            ends,
            description: words(tool.document.row.description()).into_iter().collect(),
        }
    }

    /// Says whether the two have the same name but for case and separators.
    pub(super) fn has_name_of(&self, other: &Self) -> bool {
        self.squashed == other.squashed
    }

    /// Says whether three in five of the words of both descriptions are in both.
    pub(super) fn says_what(&self, other: &Self) -> bool {
        // What is shared is at most the smaller set, and what either has is at least the larger.
        let (small, large) = (self.description.len(), other.description.len());
        let (small, large) = (small.min(large), small.max(large));
        if small == 0 || (small as f64) < SAME_DESCRIPTION * large as f64 {
            return false;
        }
        let shared = self.description.intersection(&other.description).count();
        let either = small + large - shared;
        shared as f64 >= SAME_DESCRIPTION * either as f64
    }

    /// Says whether the two stand for one another: the same name, nearly the same description, or names that begin and end alike (`get_weather`, `getCurrentWeather`).
    pub(super) fn is_near(&self, other: &Self) -> bool {
        let same_ends = self.ends.is_some() && self.ends == other.ends;
        self.has_name_of(other) || same_ends || self.says_what(other)
    }
}

/// Returns the words of `text` in lower case: runs of letters or digits, identifiers taken apart where case changes.
pub(super) fn words(text: &str) -> Vec<String> {
    let mut words: Vec<String> = Vec::new();
    let mut word = String::new();
    let mut before = ' ';
    for c in text.chars() {
        let is_new = c.is_uppercase() && before.is_lowercase();
        if (!c.is_alphanumeric() || is_new) && !word.is_empty() {
            words.push(std::mem::take(&mut word));
        }
        if c.is_alphanumeric() {
            word.extend(c.to_lowercase());
        }
        before = c;
    }
    if !word.is_empty() {
        words.push(word);
    }
    words
}

/// The word without a plural's s.
fn singular(word: &str) -> &str {
    word.strip_suffix('s').filter(|rest| rest.len() > 2 && !rest.ends_with('s')).unwrap_or(word)
}

#[cfg(test)]
mod tests {
    use super::{Traits, words};
    use crate::retrieval::Dataset;

    fn near(left: (&str, &str), right: (&str, &str)) -> bool {
        let line = |id, (name, description): (&str, &str)| {
            format!(
                "{{\"id\": \"{id}\", \"name\": \"{name}\", \"description\": \"{description}\"}}"
            )
        };
        let tools = [line(1, left), line(2, right)].join("\n");
        let set = Dataset::parse("d", "dev", &tools, "").expect("well formed");
        Traits::of(&set.tools[0]).is_near(&Traits::of(&set.tools[1]))
    }

    #[test]
    fn identifiers_come_apart_where_case_changes() {
        assert_eq!(words("getUserByID"), ["get", "user", "by", "id"]);
        assert_eq!(words("movie.get_details-v2"), ["movie", "get", "details", "v2"]);
        assert_eq!(words("날씨를 알려줘!"), ["날씨를", "알려줘"]);
    }

    #[test]
    fn near_are_the_same_name_the_same_ends_or_three_words_in_five() {
        assert!(near(("send_mail", ""), ("sendMail", "")));
        assert!(near(("get_weather", ""), ("getCurrentWeathers", "")));
        assert!(!near(("get_weather", ""), ("get_time", "")));
        // One word is no verb with an object.
        assert!(!near(("weather", ""), ("mail", "")));
        // Three of five words are shared, and then three of six.
        assert!(near(("a", "reads one file now"), ("b", "reads one file later")));
        assert!(!near(("a", "reads one file now here"), ("b", "reads one file later")));
        assert!(!near(("a", ""), ("b", "")));
    }
}
