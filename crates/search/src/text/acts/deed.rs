//! What a tool does, by its name.

use super::{Act, MANY, act, each_word, is_plural, turned};
use crate::text::language::Language;

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

#[cfg(test)]
mod tests {
    use super::{Act, Deed};

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
}
