//! Text as the model was trained to read it: normalisation form KC with the exceptions of its own table, and `▁` for white space.

use std::str;

use super::Trie;

/// What stands for a space.
const SPACE: &str = "\u{2581}";

/// The character table of a SentencePiece model (`precompiled_charsmap` of its normaliser): a double-array trie over the texts that are replaced, and the replacements, each ended by a zero byte.
pub(crate) struct Normalizer<B: AsRef<[u8]>> {
    replaced: Trie<B>,
    replacements: B,
}

impl<B: AsRef<[u8]>> Normalizer<B> {
    pub(crate) fn new(replaced: Trie<B>, replacements: B) -> Self {
        Self { replaced, replacements }
    }

    /// Returns the normal form of `text`: characters replaced, white space joined to one [`SPACE`] before each word, none at the end; empty for a blank text.
    pub(crate) fn normal(&self, text: &str) -> String {
        let mut normal = String::with_capacity(text.len() + SPACE.len());
        let mut rest = text;
        let mut is_after_space = true;
        while !rest.is_empty() {
            let (piece, tail) = self.first(rest);
            rest = tail;
            for character in piece.chars() {
                if character == ' ' {
                    is_after_space = true;
                    continue;
                }
                if is_after_space {
                    normal.push_str(SPACE);
                    is_after_space = false;
                }
                normal.push(character);
            }
        }
        normal
    }

    /// Returns what the longest replaceable head of `text` becomes, or else its first character, and what is behind it.
    fn first<'t>(&'t self, text: &'t str) -> (&'t str, &'t str) {
        let replaced = self.replaced.heads(text.as_bytes()).last();
        let found = replaced.and_then(|(value, len)| {
            let (_, tail) = text.split_at_checked(len)?;
            Some((self.replacement(value)?, tail))
        });
        found.unwrap_or_else(|| {
            let first = text.chars().next().map_or(0, char::len_utf8);
            text.split_at(first)
        })
    }

    fn replacement(&self, at: u32) -> Option<&str> {
        let bytes = self.replacements.as_ref().get(at as usize..)?;
        let end = bytes.iter().position(|&byte| byte == 0)?;
        str::from_utf8(bytes.get(..end)?).ok()
    }
}
