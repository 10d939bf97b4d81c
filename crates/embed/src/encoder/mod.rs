//! The Universal Sentence Encoder, multilingual, third version: a table of pieces, convolutions over 2, 3 and 5 of them, and four small dense layers.
//!
//! Chidambaram and others: *Learning Cross-Lingual Sentence Representations via a Multi-task Dual-Encoder Model*, 2019; Yang and others: *Multilingual Universal Sentence Encoder for Semantic Retrieval*, 2019, section 3 (the variant with convolutions).
//! A sentence costs about 2.4 million multiplications a piece and 1.7 million in all besides.

pub(crate) mod kernel;
pub(crate) mod layer;
pub(crate) mod norm;

use std::ops::Range;

use crate::tokens::{Token, Tokenizer};
use layer::{Layer, Rows};
use norm::{Norm, to_unit_length};

/// Numbers of a piece in the table, and of a vector.
pub(crate) const WIDTH: usize = 512;
/// Numbers of a piece in a branch.
pub(crate) const BRANCH_WIDTH: usize = 256;
/// Numbers of a sentence between the dense layers.
pub(crate) const HIDDEN: usize = 320;
/// For each branch how many pieces a convolution sees, and how many of them are in front.
pub(crate) const BRANCHES: [(usize, usize); 3] = [(2, 0), (3, 1), (5, 2)];
/// Pieces that are computed together: enough to read the weights seldom, few enough for the cache.
const BATCH_TOKENS: usize = 384;
/// Numbers of a piece in front of the branches.
pub(crate) const PROJECTED: usize = BRANCHES.len() * BRANCH_WIDTH;
/// Numbers of a piece behind the branches.
pub(crate) const FEATURES: usize = WIDTH + PROJECTED;

/// The table of pieces: bytes, and for each residue of a piece's number what a step and a zero are.
pub(crate) struct Table<B> {
    pub(crate) bytes: B,
    pub(crate) scale: Vec<f32>,
    pub(crate) zero: Vec<f32>,
}

/// The layers of one branch.
pub(crate) struct Branch<B> {
    pub(crate) project: Layer<B>,
    pub(crate) first: Layer<B>,
    pub(crate) second: Layer<B>,
}

/// The layers behind the branches, one sentence a row.
pub(crate) struct Head<B> {
    pub(crate) norm: Norm,
    pub(crate) pool: Layer<B>,
    pub(crate) hidden: Residual<B>,
    pub(crate) output: Residual<B>,
}

/// Two layers beside one that goes around them.
pub(crate) struct Residual<B> {
    pub(crate) inner: Layer<B>,
    pub(crate) outer: Layer<B>,
    pub(crate) around: Layer<B>,
}

/// Tokens to vectors.
pub(crate) struct Encoder<B: AsRef<[u8]>> {
    pub(crate) tokenizer: Tokenizer<B>,
    pub(crate) table: Table<B>,
    pub(crate) branches: [Branch<B>; 3],
    /// Over the projections of all branches together.
    pub(crate) projected: Norm,
    pub(crate) head: Head<B>,
}

impl<B: AsRef<[u8]>> Encoder<B> {
    /// Returns one vector of length 1 for each text, of which at most `max` pieces are read.
    pub(crate) fn vectors(&self, texts: &[&str], max: usize) -> Vec<Vec<f32>> {
        let mut vectors = Vec::with_capacity(texts.len());
        let mut tokens: Vec<Token> = Vec::new();
        let mut sentences: Vec<Range<usize>> = Vec::new();
        for text in texts {
            let more = self.tokenizer.tokens(text, max);
            if !sentences.is_empty() && tokens.len() + more.len() > BATCH_TOKENS {
                vectors.extend(self.batch(&tokens, &sentences));
                tokens.clear();
                sentences.clear();
            }
            sentences.push(tokens.len()..tokens.len() + more.len());
            tokens.extend(more);
        }
        vectors.extend(self.batch(&tokens, &sentences));
        vectors
    }

    /// Returns what the branches begin with, side by side.
    fn projections(&self, pieces: &Rows) -> Vec<f32> {
        let mut projections = vec![0.0; pieces.scale.len() * PROJECTED];
        for (at, branch) in self.branches.iter().enumerate() {
            let rows = branch.project.of_rows(pieces);
            put(&mut projections, PROJECTED, at * BRANCH_WIDTH, &rows, BRANCH_WIDTH);
        }
        self.projected.apply(&mut projections);
        projections
    }

    fn batch(&self, tokens: &[Token], sentences: &[Range<usize>]) -> Vec<Vec<f32>> {
        if sentences.is_empty() {
            return Vec::new();
        }
        let pieces = self.table.rows(tokens);
        let mut features = vec![0.0; tokens.len() * FEATURES];
        put(&mut features, FEATURES, 0, &pieces.numbers(WIDTH), WIDTH);
        let projections = self.projections(&pieces);
        for (at, (branch, seen)) in self.branches.iter().zip(BRANCHES).enumerate() {
            let rows = columns(&projections, PROJECTED, at * BRANCH_WIDTH, BRANCH_WIDTH);
            let rows = branch.features(rows, sentences, seen);
            put(&mut features, FEATURES, WIDTH + at * BRANCH_WIDTH, &rows, BRANCH_WIDTH);
        }
        self.head.norm.apply(&mut features);
        self.head.vectors(&features, sentences)
    }
}

/// Writes rows of `width` numbers into longer rows, from the place `at` on.
fn put(into: &mut [f32], long: usize, at: usize, rows: &[f32], width: usize) {
    for (into, row) in into.chunks_exact_mut(long).zip(rows.chunks_exact(width)) {
        into[at..at + width].copy_from_slice(row);
    }
}

/// Returns `width` numbers of each row from the place `at` on.
fn columns(rows: &[f32], long: usize, at: usize, width: usize) -> Vec<f32> {
    rows.chunks_exact(long).flat_map(|row| &row[at..at + width]).copied().collect()
}

impl<B: AsRef<[u8]>> Table<B> {
    fn rows(&self, tokens: &[Token]) -> Rows {
        let mut rows = Rows::default();
        for &token in tokens {
            let token = token as usize;
            let from = token * WIDTH;
            match self.bytes.as_ref().get(from..from + WIDTH) {
                Some(row) => rows.bytes.extend_from_slice(row),
                None => rows.bytes.resize(rows.bytes.len() + WIDTH, 0),
            }
            rows.scale.push(self.scale[token % self.scale.len()]);
            rows.zero.push(self.zero[token % self.zero.len()]);
        }
        rows.summed(WIDTH)
    }
}

impl<B: AsRef<[u8]>> Branch<B> {
    /// Two convolutions, each beside a way around it.
    fn features(
        &self,
        mut rows: Vec<f32>,
        sentences: &[Range<usize>],
        seen: (usize, usize),
    ) -> Vec<f32> {
        for layer in [&self.first, &self.second] {
            let outputs = layer.of(&windows(&rows, sentences, seen));
            for (row, output) in rows.iter_mut().zip(outputs) {
                *row += output.max(0.0);
            }
        }
        rows
    }
}

/// Returns for each row the rows that a convolution sees from there, one behind the other; beyond a sentence there are zeros.
fn windows(rows: &[f32], sentences: &[Range<usize>], (seen, before): (usize, usize)) -> Vec<f32> {
    let mut windows = Vec::with_capacity(rows.len() * seen);
    for sentence in sentences {
        for at in sentence.clone() {
            for place in 0..seen {
                let row = (at + place).checked_sub(before).filter(|row| sentence.contains(row));
                match row {
                    Some(row) => {
                        windows.extend_from_slice(&rows[row * BRANCH_WIDTH..][..BRANCH_WIDTH]);
                    }
                    None => windows.resize(windows.len() + BRANCH_WIDTH, 0.0),
                }
            }
        }
    }
    windows
}

impl<B: AsRef<[u8]>> Residual<B> {
    fn of(&self, input: &[f32]) -> Vec<f32> {
        let mut inner = self.inner.of(input);
        positive(&mut inner);
        let mut sums = self.around.of(input);
        sums.iter_mut().zip(self.outer.of(&inner)).for_each(|(sum, number)| *sum += number);
        sums
    }
}

fn positive(numbers: &mut [f32]) {
    numbers.iter_mut().for_each(|number| *number = number.max(0.0));
}

impl<B: AsRef<[u8]>> Head<B> {
    fn vectors(&self, features: &[f32], sentences: &[Range<usize>]) -> Vec<Vec<f32>> {
        // The projection is linear, so the features of a sentence are summed before it.
        let mut sums = Vec::with_capacity(sentences.len() * FEATURES);
        for sentence in sentences {
            let from = sums.len();
            sums.resize(from + FEATURES, 0.0);
            let rows = &features[sentence.start * FEATURES..sentence.end * FEATURES];
            for row in rows.chunks_exact(FEATURES) {
                sums[from..].iter_mut().zip(row).for_each(|(sum, number)| *sum += number);
            }
            // Brought to a mean here, and back behind the layer: its bias counts once a piece.
            let share = 1.0 / sentence.len() as f32;
            sums[from..].iter_mut().for_each(|sum| *sum *= share);
        }
        let mut pooled = self.pool.of(&sums);
        for (row, sentence) in pooled.chunks_exact_mut(WIDTH).zip(sentences) {
            let root = (sentence.len() as f32).sqrt();
            row.iter_mut().for_each(|number| *number *= root);
        }
        let mut hidden = self.hidden.of(&pooled);
        positive(&mut hidden);
        let mut vectors = self.output.of(&hidden);
        vectors.iter_mut().for_each(|number| *number = number.tanh());
        vectors
            .chunks_exact_mut(WIDTH)
            .map(|row| {
                to_unit_length(row);
                row.to_vec()
            })
            .collect()
    }
}
