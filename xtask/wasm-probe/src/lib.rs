//! One answer that depends on rows, schemas, text analysis and ranking, to be asked for natively and under wasm32.

mod answer;
mod export;

pub use answer::answer;
