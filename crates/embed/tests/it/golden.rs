//! Pieces and vectors of texts in many scripts, as `tests/data/golden.py` has written them down.

use npyz::NpyFile;
use oncue_embed::{DEFAULT_MODEL, Precision, SentenceEncoder, known_as};
use serde::Deserialize;

use crate::model::{is_installed, models};

#[derive(Deserialize)]
pub(crate) struct Golden {
    pub(crate) text: String,
    pub(crate) tokens: Vec<u32>,
}

fn golden() -> Vec<(Golden, Vec<f32>)> {
    let lines = include_str!("../data/golden.jsonl").lines();
    let texts = lines.map(|line| serde_json::from_str(line).unwrap());
    let file = NpyFile::new(&include_bytes!("../data/golden.npy")[..]).unwrap();
    let numbers: Vec<f32> = file.into_vec().unwrap();
    texts.zip(numbers.chunks_exact(512).map(<[f32]>::to_vec)).collect()
}

fn encoder(precision: Precision) -> SentenceEncoder {
    models().open(known_as(DEFAULT_MODEL).unwrap(), precision).unwrap()
}

pub(crate) fn cosine(left: &[f32], right: &[f32]) -> f64 {
    let dot = |a: &[f32], b: &[f32]| -> f64 {
        a.iter().zip(b).map(|(a, b)| f64::from(*a) * f64::from(*b)).sum()
    };
    dot(left, right) / (dot(left, left) * dot(right, right)).sqrt()
}

/// The least cosine between our vectors and the reference's.
fn least_cosine(encoder: &SentenceEncoder) -> f64 {
    let golden = golden();
    assert_eq!(golden.len(), 30);
    let texts: Vec<&str> = golden.iter().map(|(golden, _)| golden.text.as_str()).collect();
    let vectors = encoder.vectors(&texts);
    let cosines = vectors.iter().zip(&golden).map(|(ours, (_, theirs))| cosine(ours, theirs));
    cosines.fold(1.0, f64::min)
}

#[test]
fn texts_are_cut_into_the_same_pieces() {
    if !is_installed() {
        return;
    }
    let encoder = encoder(Precision::Bytes);
    for (Golden { text, tokens }, _) in golden() {
        assert_eq!(encoder.tokens(&text), tokens, "{text:?}");
    }
}

#[test]
fn vectors_in_floating_point_are_those_of_the_reference() {
    if is_installed() {
        let cosine = least_cosine(&encoder(Precision::Floats));
        assert!(cosine >= 0.9999, "{cosine}");
    }
}

#[test]
fn vectors_in_bytes_are_close_to_the_reference() {
    if is_installed() {
        let cosine = least_cosine(&encoder(Precision::Bytes));
        assert!(cosine >= 0.995, "{cosine}");
    }
}

#[test]
fn a_text_has_one_vector_whatever_stands_beside_it() {
    if !is_installed() {
        return;
    }
    let encoder = encoder(Precision::Bytes);
    let golden = golden();
    let texts: Vec<&str> = golden.iter().map(|(golden, _)| golden.text.as_str()).collect();
    let together = encoder.vectors(&texts);
    for (text, vector) in texts.iter().zip(&together) {
        assert_eq!(&encoder.vectors(&[text])[0], vector, "{text:?}");
    }
    assert!(encoder.vectors(&[]).is_empty());
}

#[test]
fn what_means_the_same_lies_together_in_every_language() {
    if !is_installed() {
        return;
    }
    let encoder = encoder(Precision::Bytes);
    let [refund, weather] = ["Get my money back", "What will the weather be tomorrow?"]
        .map(|t| encoder.vectors(&[t]).remove(0));
    for text in
        ["환불해 주세요", "返金してください", "请把钱退给我", "Quiero que me devuelvan mi dinero"]
    {
        let vector = encoder.vectors(&[text]).remove(0);
        assert!(cosine(&vector, &refund) > cosine(&vector, &weather) + 0.2, "{text}");
    }
}
