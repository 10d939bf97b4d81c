//! Patterns that name tools in grants.

use std::fmt;

/// A text in which `*` stands for any run of characters, the empty one too; everything else stands for itself.
///
/// There are no other signs and no escapes: names of tools and upstreams have no `*`.
///
/// ```
/// use oncue_tools::Glob;
///
/// let glob = Glob::new("list_*");
/// assert!(glob.matches("list_files") && glob.matches("list_"));
/// assert!(!glob.matches("relist_files") && !glob.matches("LIST_files"));
/// ```
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct Glob(Box<str>);

impl Glob {
    /// A glob of this text.
    #[must_use]
    pub fn new(text: impl Into<Box<str>>) -> Self {
        Self(text.into())
    }

    /// Returns the glob that matches every text.
    #[must_use]
    pub fn any() -> Self {
        Self::new("*")
    }

    /// Says whether the whole of `text` matches.
    #[must_use]
    pub fn matches(&self, text: &str) -> bool {
        let Some((head, rest)) = self.0.split_once('*') else { return *self.0 == *text };
        let Some(text) = text.strip_prefix(head) else { return false };
        let (middle, tail) = rest.rsplit_once('*').unwrap_or(("", rest));
        let Some(mut text) = text.strip_suffix(tail) else { return false };
        // Each part at its first place leaves the most room for the parts behind it.
        for part in middle.split('*') {
            let Some((_, after)) = text.split_once(part) else { return false };
            text = after;
        }
        true
    }

    /// Returns the text of the glob.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Debug for Glob {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Glob({:?})", self.0)
    }
}

/// Some tools of some sources: upstream and name are matched apart, never as one glued text.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct ToolPattern {
    /// Matches the id of the source; the program's own tools have the empty id.
    pub source: Glob,
    /// Matches the exact name of the tool in its source.
    pub name: Glob,
}

impl ToolPattern {
    /// Tools of these names in these sources.
    ///
    /// ```
    /// use oncue_tools::ToolPattern;
    ///
    /// let pattern = ToolPattern::new("github", "list_*");
    /// assert!(pattern.matches("github", "list_issues"));
    /// assert!(!pattern.matches("gitlab", "list_issues"));
    /// ```
    #[must_use]
    pub fn new(source: &str, name: &str) -> Self {
        Self { source: Glob::new(source), name: Glob::new(name) }
    }

    /// Tools of these names, whatever their source.
    #[must_use]
    pub fn named(name: &str) -> Self {
        Self { source: Glob::any(), name: Glob::new(name) }
    }

    /// Says whether the tool `name` of `source` is one of these.
    #[must_use]
    pub fn matches(&self, source: &str, name: &str) -> bool {
        self.source.matches(source) && self.name.matches(name)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::Glob;

    /// The definition read literally, exponential and obviously right.
    fn oracle(glob: &[char], text: &[char]) -> bool {
        match (glob, text) {
            ([], []) => true,
            (['*', rest @ ..], _) => (0..=text.len()).any(|skip| oracle(rest, &text[skip..])),
            ([sign, glob @ ..], [letter, text @ ..]) => sign == letter && oracle(glob, text),
            _ => false,
        }
    }

    #[test]
    fn a_glob_matches_the_whole_text() {
        let cases = [
            ("", "", true),
            ("", "a", false),
            ("*", "", true),
            ("a*a", "a", false),
            ("a*a", "aa", true),
            ("*b*b*", "ab", false),
            ("*b*b*", "abcb", true),
            ("이름*", "이름표", true),
            ("a.c", "abc", false),
            ("a?c", "abc", false),
        ];
        for (glob, text, expected) in cases {
            assert_eq!(Glob::new(glob).matches(text), expected, "{glob:?} {text:?}");
        }
    }

    proptest! {
        #[test]
        fn a_glob_agrees_with_its_definition(glob in "[ab*]{0,7}", text in "[ab]{0,8}") {
            let letters = |text: &str| text.chars().collect::<Vec<_>>();
            prop_assert_eq!(
                Glob::new(glob.as_str()).matches(&text),
                oracle(&letters(&glob), &letters(&text))
            );
        }
    }
}
