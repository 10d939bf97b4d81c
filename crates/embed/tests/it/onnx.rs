//! Models in ONNX against their reference runtime, as `tests/data/onnx.py` has written it down.

use std::path::{Path, PathBuf};

use npyz::NpyFile;
use oncue_embed::{ModelError, OnnxEncoder};
use oncue_tools::{Embedder, meaning_now};

use crate::golden::{Golden, cosine};

/// Where `cargo xtask models` puts the model.
fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../target/minilm")
}

/// Returns the model; `None` where it is not there. A check of everything cannot go on without it.
fn encoder() -> Option<OnnxEncoder> {
    let is_there = folder().is_dir();
    assert!(is_there || std::env::var_os("CI").is_none(), "no model: cargo xtask models");
    is_there.then(|| OnnxEncoder::open(folder()).unwrap())
}

fn golden() -> Vec<(Golden, Vec<f32>)> {
    let lines = include_str!("../data/onnx.jsonl").lines();
    let texts = lines.map(|line| serde_json::from_str(line).unwrap());
    let file = NpyFile::new(&include_bytes!("../data/onnx.npy")[..]).unwrap();
    let numbers: Vec<f32> = file.into_vec().unwrap();
    texts.zip(numbers.chunks_exact(384).map(<[f32]>::to_vec)).collect()
}

#[test]
fn texts_are_cut_into_the_same_pieces_and_have_the_same_vectors() {
    let Some(encoder) = encoder() else { return };
    let golden = golden();
    assert_eq!((golden.len(), encoder.width()), (16, 384));
    for (Golden { text, tokens }, theirs) in golden {
        assert_eq!(encoder.tokens(&text).unwrap(), tokens, "{text:?}");
        let ours = encoder.vectors(&[&text]).unwrap().remove(0);
        let cosine = cosine(&ours, &theirs);
        assert!(cosine >= 0.999, "{text:?}: {cosine}");
    }
}

#[test]
fn the_model_is_named_by_its_folder_and_what_it_is() {
    let Some(encoder) = encoder() else { return };
    let name = encoder.model().to_owned();
    let digest = name.strip_prefix("onnx:minilm#").unwrap();
    assert!(digest.len() == 12 && digest.bytes().all(|byte| byte.is_ascii_hexdigit()), "{name}");
    assert!(!encoder.has_prefixes());
    let prefixed = encoder.with_prefixes("q: ", "p: ").with_prefixes("query: ", "passage: ");
    assert_eq!(prefixed.model(), format!("{name}?passage=passage: "));
    assert!(prefixed.has_prefixes());
}

#[test]
fn queries_and_passages_have_in_front_what_the_model_wants() {
    let Some(encoder) = encoder() else { return };
    let [query, passage] =
        ["query: refund", "passage: refund"].map(|text| encoder.vectors(&[text]).unwrap());
    let encoder = encoder.with_prefixes("query: ", "passage: ");
    assert_eq!(encoder.embed_now(&["refund"]), Some(query));
    let told = embedded(&encoder, "refund");
    assert_eq!(told, passage);
    assert!(meaning_now(&encoder, "refund").is_some());
}

/// The vectors of a text that is searched; a model in this process answers at once.
fn embedded(encoder: &OnnxEncoder, text: &str) -> Vec<Vec<f32>> {
    let texts = [text];
    let mut told = encoder.embed(&texts);
    let mut context = std::task::Context::from_waker(std::task::Waker::noop());
    match told.as_mut().poll(&mut context) {
        std::task::Poll::Ready(told) => told.unwrap(),
        std::task::Poll::Pending => unreachable!("it waits for nothing"),
    }
}

#[test]
fn what_is_no_model_says_which_file_is_wrong() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path();
    let error = OnnxEncoder::open(path).unwrap_err();
    let missing = path.join("tokenizer.json");
    assert!(matches!(&error, ModelError::Unreadable { path, .. } if *path == missing), "{error}");
    std::fs::write(&missing, "{}").unwrap();
    let error = OnnxEncoder::open(path).unwrap_err();
    assert!(matches!(&error, ModelError::Unusable { path, .. } if *path == missing), "{error}");
    let tokenizer = r###"{"version": "1.0", "truncation": null, "padding": null, "added_tokens": [], "normalizer": null, "pre_tokenizer": {"type": "Whitespace"}, "post_processor": null, "decoder": null, "model": {"type": "WordPiece", "unk_token": "u", "continuing_subword_prefix": "##", "max_input_chars_per_word": 100, "vocab": {"u": 0, "a": 1}}}"###;
    std::fs::write(&missing, tokenizer).unwrap();
    let model = path.join("model.onnx");
    std::fs::write(&model, "no model").unwrap();
    let error = OnnxEncoder::open(path).unwrap_err();
    assert!(matches!(&error, ModelError::Unusable { path, .. } if *path == model), "{error}");
}
