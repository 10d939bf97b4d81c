//! Every bound of this crate: what is read of a tool and of a query, so that no text, however long, buys rank or time.

/// Terms of a tool's name that are indexed.
pub const NAME_TERMS_MAX: usize = 64;
/// Bytes of a title, of the keywords together, and of a source id that are indexed.
pub const LABEL_BYTES_MAX: usize = 1_024;
/// Bytes of a description that are indexed.
pub const DESCRIPTION_BYTES_MAX: usize = 4_096;
/// Bytes of parameter names, and of parameter texts, that are indexed.
pub const PARAMETER_BYTES_MAX: usize = 8_192;
/// Distinct terms that a tool's parameters may contribute.
pub const PARAMETER_TERMS_MAX: usize = 256;
/// Occurrences of a term in one field that count; more of them buy nothing.
pub const COUNT_MAX: u16 = 2;
/// Depth to which a schema is walked, in nested schemas.
pub const SCHEMA_DEPTH_MAX: usize = 32;
/// Schemas that are visited within one tool's schema.
pub const SCHEMA_NODES_MAX: usize = 4_000;
/// Fixed values (`enum`, `const`) that are read within one tool's schema.
pub const SCHEMA_VALUES_MAX: usize = 500;
/// Bytes of a query that are read.
pub const QUERY_BYTES_MAX: usize = 4_096;
/// Distinct terms of a query that rank; of more, the rarest are kept.
pub const QUERY_TERMS_MAX: usize = 64;

/// Sentences of a query whose meaning is asked for beside that of the whole.
pub const QUERY_SENTENCES_MAX: usize = 8;
/// Bytes of the text that stands for a tool before a model of meaning.
pub const PASSAGE_BYTES_MAX: usize = 1_024;
/// Bytes of a description that stand in that text where no sentence ends.
pub const PASSAGE_SENTENCE_BYTES_MAX: usize = 200;
/// Parameters whose names stand in that text.
pub const PASSAGE_PARAMETERS_MAX: usize = 32;

/// Longest word, and longest run of digits, that is a term, in bytes; longer ones are data, not words.
pub const WORD_BYTES_MAX: usize = 64;
/// Longest identifier that is also kept whole, in bytes of its folded form.
pub const WHOLE_BYTES_MAX: usize = 64;
/// Stems remembered while an index is built; a catalog of 15,000 real tools has about 30,000 distinct words.
pub const STEMS_MAX: usize = 65_536;

/// Hits of an answer up to which each makes room for other needs; a longer answer is a listing, and its cost would grow with the square of its length.
pub const SPREAD_HITS_MAX: usize = 100;

/// Needs of one query that are asked apart, each a search of its own.
pub const NEEDS_MAX: usize = 8;
/// Fewest hits among which siblings are put in order, in hits; a shorter answer is the head of those.
pub const SIBLINGS_HITS_MIN: usize = 10;
/// Longest answer in which siblings are put in order, in hits; a longer one is a listing.
pub const SIBLINGS_HITS_MAX: usize = 100;
/// Shortest answer of which a source has a share, in hits; of fewer places a share says nothing.
pub const SLOTS_HITS_MIN: usize = 3;
/// Longest answer of which a source has a share, in hits; a longer one is a listing.
pub const SLOTS_HITS_MAX: usize = 100;

/// Returns the longest head of `text` within `bytes`, cut between characters.
pub(crate) fn head(text: &str, bytes: usize) -> &str {
    text.get(..text.floor_char_boundary(bytes)).unwrap_or(text)
}
