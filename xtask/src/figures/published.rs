//! Figures that others, and the founding ranker, reach on the same sets; measured with their own released code.

/// The data sets with published figures, in the order of the columns.
pub(crate) const SETS: [&str; 9] = [
    "livemcp", "livemcp-i18n", "functionchat-ko", "gtc", "metatool", "restbench",
    "stabletoolbench", "bfcl", "sealtools",
];

/// Recall within 5 hits in percent; `None` where it was not measured.
type Row = [Option<u8>; SETS.len()];

/// Searchers that match words.
pub(super) const LEXICAL: [(&str, Row); 8] = [
    ("pydantic-ai 2.68", of([26, 31, 4, 65, 21, 18, 3, 54, 44])),
    ("Claude Code 2.1.197", first_six([35, 32, 2, 66, 16, 23])),
    ("FastMCP 4.2 BM25", of([48, 42, 45, 76, 40, 35, 57, 81, 82])),
    ("tantivy 0.27 defaults", of([48, 41, 48, 76, 40, 39, 51, 79, 84])),
    ("bm25s defaults", of([52, 39, 46, 73, 42, 40, 62, 80, 83])),
    ("toolhunch 0.3", of([50, 41, 31, 75, 47, 39, 66, 77, 85])),
    ("Ratel 0.12", of([55, 43, 48, 71, 62, 47, 61, 86, 80])),
    ("BM25F by hand", of([54, 46, 80, 72, 60, 48, 67, 83, 88])),
];

/// Searchers that embed texts with a model, alone or beside words.
pub(super) const DENSE: [(&str, Row); 3] = [
    ("all-MiniLM-L6", first_six([57, 51, 15, 77, 73, 51])),
    ("USE multilingual", first_six([54, 82, 87, 79, 69, 43])),
    ("BM25 and USE, by reciprocal rank", first_six([53, 71, 81, 80, 67, 45])),
];

/// The founding keyword ranker, as published.
pub(super) const FOUNDING: Row = of([31, 31, 52, 69, 24, 24, 9, 47, 30]);

/// The same, by another reading of its text, as `docs/retrieval.md` tells; in tenths of a percent.
pub(super) const FOUNDING_READ_ANEW: [u16; SETS.len()] =
    [306, 310, 523, 687, 240, 243, 89, 472, 297];

const fn of(row: [u8; SETS.len()]) -> Row {
    let [a, b, c, d, e, f, g, h, i] = row;
    [Some(a), Some(b), Some(c), Some(d), Some(e), Some(f), Some(g), Some(h), Some(i)]
}

const fn first_six(row: [u8; 6]) -> Row {
    let [a, b, c, d, e, f] = row;
    [Some(a), Some(b), Some(c), Some(d), Some(e), Some(f), None, None, None]
}
