//! An encoder in use.

use std::fmt;

use oncue_tools::{BoxFuture, EmbedError, Embedder};

use crate::KnownModel;
use crate::encoder::kernel::Kernel;
use crate::encoder::layer::Arithmetic;
use crate::encoder::{Encoder, WIDTH};
use crate::file::Section;
use crate::limits::{TEXT_BYTES_MAX, TEXT_TOKENS_MAX};

/// How an encoder computes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Precision {
    /// In bytes, with the fastest instructions of the processor; every processor gives the same vectors.
    #[default]
    Bytes,
    /// In floating point: what bytes are held against. Slower, and 14 MB larger in memory.
    Floats,
}

impl Precision {
    pub(crate) fn arithmetic(self) -> Arithmetic {
        match self {
            Self::Bytes => Arithmetic::Bytes(Kernel::best()),
            Self::Floats => Arithmetic::Floats,
        }
    }
}

/// Turns sentences of any of its languages into vectors such that what means the same lies together.
///
/// Cheap to share by reference; the file of the model stays mapped as long as it lives.
/// A text costs about 2.4 million multiplications a piece, and a piece is a short word or a part of one.
pub struct SentenceEncoder {
    model: &'static KnownModel,
    precision: Precision,
    encoder: Encoder<Section>,
}

impl SentenceEncoder {
    pub(crate) fn new(
        model: &'static KnownModel,
        precision: Precision,
        encoder: Encoder<Section>,
    ) -> Self {
        Self { model, precision, encoder }
    }

    /// Returns what the model is.
    #[must_use]
    pub fn known(&self) -> &'static KnownModel {
        self.model
    }

    /// Returns one vector of length 1 for each text, in order.
    ///
    /// Of a text at most [`TEXT_TOKENS_MAX`] pieces are read.
    #[must_use]
    pub fn vectors(&self, texts: &[&str]) -> Vec<Vec<f32>> {
        let heads: Vec<&str> =
            texts.iter().map(|text| &text[..text.floor_char_boundary(TEXT_BYTES_MAX)]).collect();
        self.encoder.vectors(&heads, TEXT_TOKENS_MAX)
    }

    /// Returns the numbers of the pieces that are read of `text`.
    #[must_use]
    pub fn tokens(&self, text: &str) -> Vec<u32> {
        self.encoder.tokenizer.tokens(text, TEXT_TOKENS_MAX)
    }
}

impl Embedder for SentenceEncoder {
    fn model(&self) -> &str {
        self.model.name
    }

    fn width(&self) -> usize {
        WIDTH
    }

    fn embed<'a>(
        &'a self,
        texts: &'a [&'a str],
    ) -> BoxFuture<'a, Result<Vec<Vec<f32>>, EmbedError>> {
        Box::pin(async move { Ok(self.vectors(texts)) })
    }

    fn embed_now(&self, texts: &[&str]) -> Option<Vec<Vec<f32>>> {
        Some(self.vectors(texts))
    }
}

impl fmt::Debug for SentenceEncoder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SentenceEncoder")
            .field("model", &self.model.name)
            .field("precision", &self.precision)
            .finish_non_exhaustive()
    }
}
