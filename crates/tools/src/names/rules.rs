//! What a name may look like for a reader, and how a tool's name is made for it. The table is compiled in.

use super::{Identity, hash};
use crate::limits::{NAME_CHARS_MAX, NAME_CHARS_MIN, NAME_HASH_DIGITS, SOURCE_CHARS_MAX};

/// Stands between source and tool.
const SEPARATOR: &str = "__";

/// What a model vendor or a client allows in a name.
///
/// ```
/// use oncue_tools::NameRules;
///
/// let rules = NameRules::DEFAULT;
/// assert_eq!(rules.name("github", "create_issue"), "github__create_issue");
/// assert_eq!(rules.name("", "readTable"), "readTable");
///
/// let dotted = rules.name("google-workspace", "docs.getText");
/// assert!(dotted.starts_with("google-workspace__docs_getText_"));
/// assert!(rules.admits(&dotted));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NameRules {
    reader: &'static str,
    chars_max: usize,
    own_chars_max: usize,
    charset: Charset,
}

/// Which characters a name may have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Charset {
    /// Characters allowed beside ASCII letters and digits.
    beside_alphanumeric: &'static str,
    /// Whether the first one must be a letter or `_`.
    begins_with_letter: bool,
}

/// What every vendor and client allows.
const ANY: Charset = Charset { beside_alphanumeric: "_-", begins_with_letter: false };

/// The same, with a letter or `_` in front.
const LETTER_FIRST: Charset = Charset { begins_with_letter: true, ..ANY };

impl NameRules {
    /// The names of this program: short enough for every client in [`NameRules::ALL`].
    ///
    /// The program's own tools get no prefix from a gateway and may be as long as a row's name.
    pub const DEFAULT: Self = Self::row("default", NAME_CHARS_MAX, oncue_decl::NAME_CHARS_MAX, ANY);

    /// Every reader whose limits are known.
    ///
    /// For clients that put `mcp__gateway__` and the like in front, that is already taken off.
    pub const ALL: &[Self] = &[
        Self::DEFAULT,
        Self::row("anthropic", 128, 128, ANY),
        Self::row("openai", 64, 64, ANY),
        Self::row("bedrock", 64, 64, ANY),
        Self::row("gemini", 64, 64, LETTER_FIRST),
        Self::row("claude-code", 50, 50, ANY),
        Self::row("claude", 64, 64, ANY),
        Self::row("vscode", 64, 64, ANY),
        Self::row("copilot-cli", 128, 128, ANY),
        Self::row("cursor", 53, 53, ANY),
        Self::row("gemini-cli", 52, 52, ANY),
    ];

    const fn row(
        reader: &'static str,
        chars_max: usize,
        own_chars_max: usize,
        charset: Charset,
    ) -> Self {
        Self { reader, chars_max, own_chars_max, charset }
    }

    /// Returns the rules of a reader by its name in [`NameRules::ALL`].
    ///
    /// ```
    /// use oncue_tools::NameRules;
    ///
    /// assert_eq!(NameRules::of("openai").map(|rules| rules.chars_max()), Some(64));
    /// assert_eq!(NameRules::of("nobody"), None);
    /// ```
    #[must_use]
    pub fn of(reader: &str) -> Option<Self> {
        Self::ALL.iter().find(|rules| rules.reader == reader).copied()
    }

    /// Returns the rules with another bound for every name, in characters; it is raised to [`NAME_CHARS_MIN`] where it is lower.
    #[must_use]
    pub fn with_chars_max(self, chars_max: usize) -> Self {
        let chars_max = chars_max.max(NAME_CHARS_MIN);
        Self { chars_max, own_chars_max: chars_max, ..self }
    }

    /// Returns who reads names of this kind, such as `openai`.
    #[must_use]
    pub const fn reader(&self) -> &'static str {
        self.reader
    }

    /// Returns the longest name of an upstream's tool, in characters.
    #[must_use]
    pub const fn chars_max(&self) -> usize {
        self.chars_max
    }

    /// Returns the name that stands for the tool `name` of `source`; a function of the two and of nothing else.
    #[must_use]
    pub fn name(&self, source: &str, name: &str) -> String {
        if source.is_empty() { self.own(name) } else { self.of_source(source, name) }
    }

    /// Returns the name that stands for a tool.
    #[must_use]
    pub fn name_of(&self, tool: &Identity) -> String {
        self.name(tool.source(), tool.name())
    }

    /// Returns what every name of a tool of `source` begins with, and no other source's; empty for the program itself.
    ///
    /// ```
    /// use oncue_tools::NameRules;
    ///
    /// assert_eq!(NameRules::DEFAULT.prefix("github"), "github__");
    /// ```
    #[must_use]
    pub fn prefix(&self, source: &str) -> String {
        if source.is_empty() { String::new() } else { self.slug(source) + SEPARATOR }
    }

    /// Says whether `name` is a text that the reader accepts as a name.
    #[must_use]
    pub fn admits(&self, name: &str) -> bool {
        let longest = self.chars_max.max(self.own_chars_max);
        !name.is_empty() && name.len() <= longest && self.is_spelled_legally(name)
    }

    fn own(&self, name: &str) -> String {
        let keeps = !name.is_empty()
            && name.len() <= self.own_chars_max
            && self.is_spelled_legally(name)
            && !name.contains(SEPARATOR)
            && !looks_hashed(name);
        if keeps {
            return name.to_owned();
        }
        self.hashed("tool", name, self.own_chars_max, &hash::digits(&["", name]))
    }

    fn of_source(&self, source: &str, name: &str) -> String {
        let prefix = self.prefix(source);
        let room = self.chars_max.saturating_sub(prefix.len());
        let keeps = !name.is_empty()
            && name.len() <= room
            && name.chars().all(|c| self.charset.has(c))
            && !looks_hashed(name);
        if keeps {
            return prefix + name;
        }
        // The prefix is in front, so the first character of the rest is free.
        let rest = Self { charset: Charset { begins_with_letter: false, ..self.charset }, ..*self };
        prefix + &rest.hashed("tool", name, room, &hash::digits(&[source, name]))
    }

    /// What stands for a source. A `_` at its end, or a separator inside, could be read as the beginning of a tool.
    fn slug(&self, source: &str) -> String {
        let keeps = source.len() <= SOURCE_CHARS_MAX
            && self.is_spelled_legally(source)
            && !source.contains(SEPARATOR)
            && !source.ends_with('_')
            && !looks_hashed(source);
        if keeps {
            return source.to_owned();
        }
        self.hashed("server", source, SOURCE_CHARS_MAX, &hash::digits(&[source]))
    }

    /// Returns what is legal in `text`, shortened, with the hash behind it, at most `room` characters in all.
    fn hashed(&self, fallback: &str, text: &str, room: usize, digits: &str) -> String {
        let room = room.saturating_sub(NAME_HASH_DIGITS + 1);
        let mut kept = self.cleaned(text, room);
        if kept.is_empty() {
            kept = fallback.chars().take(room).collect();
        }
        format!("{kept}_{digits}")
    }

    /// Returns the legal characters of `text`, with one `_` for every run of others, without `_` at the ends.
    fn cleaned(&self, text: &str, room: usize) -> String {
        let mut kept = String::new();
        for c in text.chars() {
            if kept.len() >= room {
                break;
            }
            let c = if self.charset.has(c) { c } else { '_' };
            let repeats = c == '_' && (kept.is_empty() || kept.ends_with('_'));
            let begins_illegally = kept.is_empty() && !self.charset.may_begin(c);
            if !repeats && !begins_illegally {
                kept.push(c);
            }
        }
        kept.truncate(kept.trim_end_matches('_').len());
        kept
    }

    fn is_spelled_legally(&self, text: &str) -> bool {
        text.chars().all(|c| self.charset.has(c))
            && text.chars().next().is_some_and(|c| self.charset.may_begin(c))
    }
}

impl Charset {
    fn has(self, c: char) -> bool {
        c.is_ascii_alphanumeric() || self.beside_alphanumeric.contains(c)
    }

    fn may_begin(self, c: char) -> bool {
        !self.begins_with_letter || c.is_ascii_alphabetic() || c == '_'
    }
}

/// Says whether `text` ends like a name that got a hash, which must then be told apart by a hash of its own.
fn looks_hashed(text: &str) -> bool {
    text.rsplit_once('_').is_some_and(|(_, end)| {
        end.len() == NAME_HASH_DIGITS && end.bytes().all(|b| matches!(b, b'0'..=b'9' | b'a'..=b'f'))
    })
}

#[cfg(test)]
mod tests;
