//! Text to the numbers of the pieces that a model knows.
//!
//! Of all ways to cut a text into pieces the likeliest is taken (Kudo: *Subword Regularization*, 2018, section 3.2; SentencePiece calls it `unigram`).

mod normal;

use yada::DoubleArray;

pub(crate) use normal::Normalizer;

/// The number of a piece.
pub(crate) type Token = u32;

/// Stands for a character that no piece has.
const UNKNOWN: Token = 0;
/// Stands before every text.
const BEGIN: Token = 1;
/// Stands behind every text.
const END: Token = 2;
/// How much less likely than the least likely piece an unknown character is, in natural logarithms; as SentencePiece has it.
const UNKNOWN_PENALTY: f64 = 10.0;

/// A double-array trie whose keys are texts.
pub(crate) struct Trie<B: AsRef<[u8]>>(DoubleArray<Held<B>>);

/// Bytes as the trie wants them.
struct Held<B>(B);

impl<B: AsRef<[u8]>> std::ops::Deref for Held<B> {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        self.0.as_ref()
    }
}

impl<B: AsRef<[u8]>> Trie<B> {
    /// Returns the trie that `bytes` hold, or `None` where they hold none.
    pub(crate) fn new(bytes: B) -> Option<Self> {
        DoubleArray::new(Held(bytes)).ok().map(Self)
    }

    /// Iterates over the keys that `text` begins with, shortest first, as value and length in bytes.
    fn heads<'a>(&'a self, text: &'a [u8]) -> impl Iterator<Item = (u32, usize)> {
        self.0.common_prefix_search(text)
    }
}

/// The pieces of a model with their likelihoods, and how text is brought to them.
pub(crate) struct Tokenizer<B: AsRef<[u8]>> {
    normalizer: Normalizer<B>,
    /// The pieces, with their numbers as values.
    pieces: Trie<B>,
    /// The logarithm of how likely each piece is, by number.
    scores: Vec<f32>,
    /// That of an unknown character.
    unknown: f64,
}

/// The best way to a place in a text.
#[derive(Clone, Copy)]
struct Way {
    score: f64,
    /// Where the last piece begins, in bytes.
    from: usize,
    piece: Token,
}

impl<B: AsRef<[u8]>> Tokenizer<B> {
    pub(crate) fn new(normalizer: Normalizer<B>, pieces: Trie<B>, scores: Vec<f32>) -> Self {
        let least = scores.iter().copied().fold(f32::INFINITY, f32::min);
        Self { normalizer, pieces, scores, unknown: f64::from(least) - UNKNOWN_PENALTY }
    }

    /// Returns the pieces of `text` between those that stand for beginning and end, at most `max` of them; what is behind those is not read.
    pub(crate) fn tokens(&self, text: &str, max: usize) -> Vec<Token> {
        let normal = self.normalizer.normal(text);
        let mut tokens = vec![BEGIN];
        match normal.is_empty() {
            true => tokens.push(UNKNOWN),
            false => tokens.extend(self.likeliest(&normal)),
        }
        tokens.truncate(max.saturating_sub(1));
        tokens.push(END);
        tokens
    }

    /// Returns the likeliest cut of `text`; of equally likely ones the one with the longer last pieces.
    fn likeliest(&self, text: &str) -> Vec<Token> {
        let nowhere = Way { score: f64::NEG_INFINITY, from: 0, piece: UNKNOWN };
        let mut ways = vec![nowhere; text.len() + 1];
        if let Some(start) = ways.first_mut() {
            start.score = 0.0;
        }
        for (from, character) in text.char_indices() {
            let Some(&Way { score: before, .. }) = ways.get(from) else { continue };
            let first = character.len_utf8();
            let mut reach = |len: usize, piece: Token, gain: f64| {
                if let Some(way) = ways.get_mut(from + len).filter(|way| before + gain > way.score)
                {
                    *way = Way { score: before + gain, from, piece };
                }
            };
            let mut is_known = false;
            let rest = text.as_bytes().get(from..).unwrap_or_default();
            for (piece, len) in self.pieces.heads(rest) {
                let score =
                    self.scores.get(piece as usize).copied().map_or(self.unknown, f64::from);
                reach(len, piece, score);
                is_known |= len == first;
            }
            if !is_known {
                reach(first, UNKNOWN, self.unknown);
            }
        }
        walked_back(&ways)
    }
}

fn walked_back(ways: &[Way]) -> Vec<Token> {
    let mut tokens = Vec::new();
    let mut at = ways.len().saturating_sub(1);
    while at > 0 {
        let Some(way) = ways.get(at) else { break };
        tokens.push(way.piece);
        at = way.from;
    }
    tokens.reverse();
    tokens
}
