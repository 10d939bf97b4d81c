//! Sentence models in ONNX, with the feature `onnx`: any that makes one vector of the pieces of a text.
//!
//! | file | holds |
//! |---|---|
//! | `mod` | [`OnnxEncoder`]: a model in use |
//! | `folder` | which files make up a model, and what they say of it |
//! | `graph` | from the numbers of pieces to a vector |

mod folder;
mod graph;

use std::fmt;
use std::path::Path;

use oncue_tools::{BoxFuture, EmbedError, Embedder};
use tokenizers::{Tokenizer, TruncationParams};

use crate::ModelError;
use crate::limits::{ONNX_TEXT_BYTES_MAX, ONNX_TEXT_TOKENS_MAX};
use folder::Folder;
use graph::Graph;

/// A sentence model in ONNX: `model.onnx` with `tokenizer.json` beside it, as makers publish them.
///
/// The vectors of pieces are averaged, or that of the first taken where the model's folder says so (`1_Pooling/config.json`); a model that gives one vector a text is taken at its word.
/// What stands in front of queries and passages is read from `config_sentence_transformers.json`, where it says so.
///
/// A text is computed by itself, so that it has one vector whatever stands beside it.
/// Other than with [`SentenceEncoder`](crate::SentenceEncoder) the last digits of vectors differ from processor to processor.
pub struct OnnxEncoder {
    /// What tells its vectors from those of others.
    identity: String,
    tokenizer: Tokenizer,
    graph: Graph,
    width: usize,
    /// What stands in front of a query.
    query: String,
    /// What stands in front of a text that is searched.
    passage: String,
}

impl OnnxEncoder {
    /// Opens the model at `path`: a folder with `model.onnx` (or `onnx/model.onnx`) and `tokenizer.json`, or the file of the model.
    ///
    /// # Errors
    ///
    /// A file is missing, or is no such model.
    pub fn open(path: impl AsRef<Path>) -> Result<Self, ModelError> {
        let folder = Folder::of(path.as_ref())?;
        let bytes = folder.tokenizer()?;
        let unusable = |what: String| ModelError::unusable(&folder.tokenizer, what);
        let mut tokenizer =
            Tokenizer::from_bytes(&bytes).map_err(|error| unusable(error.to_string()))?;
        let truncation =
            TruncationParams { max_length: ONNX_TEXT_TOKENS_MAX, ..TruncationParams::default() };
        tokenizer
            .with_padding(None)
            .with_truncation(Some(truncation))
            .map_err(|error| unusable(error.to_string()))?;
        let graph = Graph::open(&folder)?;
        let (query, passage) = folder.prompts();
        let name = folder.name();
        let digest = folder.digest(&bytes)?;
        let mut encoder = Self {
            identity: format!("onnx:{name}#{digest}"),
            tokenizer,
            graph,
            width: 0,
            query: String::new(),
            passage: String::new(),
        };
        // A model that cannot be run says so when it is opened.
        let told = encoder.vector("a").map_err(|what| ModelError::unusable(&folder.model, what))?;
        encoder.width = told.len();
        Ok(encoder.with_prefixes(query, passage))
    }

    /// Returns the model with what stands in front of queries and of texts that are searched.
    #[must_use]
    pub fn with_prefixes(self, query: impl Into<String>, passage: impl Into<String>) -> Self {
        let passage = passage.into();
        let (bare, _) = self.identity.split_once('?').unwrap_or((&self.identity, ""));
        let identity = match passage.is_empty() {
            true => bare.to_owned(),
            false => format!("{bare}?passage={passage}"),
        };
        Self { identity, query: query.into(), passage, ..self }
    }

    /// Says whether something stands in front of queries or of texts that are searched.
    #[must_use]
    pub fn has_prefixes(&self) -> bool {
        !self.query.is_empty() || !self.passage.is_empty()
    }

    /// Returns the numbers of the pieces that are read of `text`.
    ///
    /// # Errors
    ///
    /// The tokenizer cannot read it.
    pub fn tokens(&self, text: &str) -> Result<Vec<u32>, EmbedError> {
        self.pieces(text).map_err(|what| self.error(what))
    }

    /// Returns one vector of length 1 for each text, in order, with nothing in front of them.
    ///
    /// Of a text at most [`ONNX_TEXT_TOKENS_MAX`] pieces are read.
    ///
    /// # Errors
    ///
    /// The model cannot be run on a text.
    pub fn vectors(&self, texts: &[&str]) -> Result<Vec<Vec<f32>>, EmbedError> {
        self.prefixed("", texts)
    }

    fn prefixed(&self, prefix: &str, texts: &[&str]) -> Result<Vec<Vec<f32>>, EmbedError> {
        let vector = |text: &&str| match prefix {
            "" => self.vector(text),
            prefix => self.vector(&format!("{prefix}{text}")),
        };
        texts.iter().map(vector).collect::<Result<_, _>>().map_err(|what| self.error(what))
    }

    fn vector(&self, text: &str) -> Result<Vec<f32>, String> {
        let mut vector = self.graph.vector(&self.pieces(text)?)?;
        let squares: f64 = vector.iter().map(|number| f64::from(*number).powi(2)).sum();
        let length = squares.sqrt();
        if !length.is_normal() {
            return Err("it makes a vector of no length".to_owned());
        }
        vector.iter_mut().for_each(|number| *number = (f64::from(*number) / length) as f32);
        Ok(vector)
    }

    fn pieces(&self, text: &str) -> Result<Vec<u32>, String> {
        let head = text.get(..text.floor_char_boundary(ONNX_TEXT_BYTES_MAX)).unwrap_or_default();
        let encoding = self.tokenizer.encode_fast(head, true).map_err(|error| error.to_string())?;
        Ok(encoding.get_ids().to_vec())
    }

    fn error(&self, reason: String) -> EmbedError {
        EmbedError { model: self.identity.clone(), reason }
    }
}

impl Embedder for OnnxEncoder {
    fn model(&self) -> &str {
        &self.identity
    }

    fn width(&self) -> usize {
        self.width
    }

    fn embed<'a>(
        &'a self,
        texts: &'a [&'a str],
    ) -> BoxFuture<'a, Result<Vec<Vec<f32>>, EmbedError>> {
        Box::pin(async move { self.prefixed(&self.passage, texts) })
    }

    fn embed_query<'a>(
        &'a self,
        texts: &'a [&'a str],
    ) -> BoxFuture<'a, Result<Vec<Vec<f32>>, EmbedError>> {
        Box::pin(async move { self.prefixed(&self.query, texts) })
    }

    fn embed_now(&self, texts: &[&str]) -> Option<Vec<Vec<f32>>> {
        self.prefixed(&self.query, texts).ok()
    }
}

impl fmt::Debug for OnnxEncoder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("OnnxEncoder").field("model", &self.identity).finish_non_exhaustive()
    }
}
