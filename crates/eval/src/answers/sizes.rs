//! How long answers are, in bytes and in tokens.

use oncue_tools::{Catalog, Grants, OpenTools};
use serde::Serialize;

use super::Form;

/// How long the answers of one form are.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Sizes {
    /// The form.
    pub form: &'static str,
    /// How many hits it asks for.
    pub hits: usize,
    /// Searches that found something; only they count.
    pub answers: usize,
    /// Bytes of an answer.
    pub bytes: Spread,
    /// Tokens of an answer, by the tokenizer `o200k_base`.
    pub tokens: Spread,
}

/// Some figures, as their middle and their upper end.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Spread {
    /// Half of the figures are at most this.
    pub median: usize,
    /// Of a hundred, 99 are at most this.
    pub p99: usize,
    /// The largest.
    pub max: usize,
}

impl Spread {
    /// The spread of `figures`, by the nearest rank; zeros where there are none.
    ///
    /// ```
    /// use oncue_eval::answers::Spread;
    ///
    /// let spread = Spread::of((1..=200).collect());
    /// assert_eq!(spread, Spread { median: 100, p99: 198, max: 200 });
    /// ```
    #[must_use]
    pub fn of(mut figures: Vec<usize>) -> Self {
        figures.sort_unstable();
        let at = |hundredths: usize| {
            let rank = (figures.len() * hundredths).div_ceil(100);
            figures.get(rank.saturating_sub(1)).copied().unwrap_or_default()
        };
        Self { median: at(50), p99: at(99), max: at(100) }
    }
}

/// Searches `catalog` with every query, and returns how long the answers in each form are; `done` is told of each query.
#[must_use]
pub fn measure(
    catalog: &Catalog,
    queries: &[&str],
    forms: &[Form<'_>],
    done: &mut dyn FnMut(),
) -> Vec<Sizes> {
    let grants = Grants::all();
    let tokenizer = tiktoken_rs::o200k_base_singleton();
    let mut lengths = vec![(Vec::new(), Vec::new()); forms.len()];
    for query in queries {
        let tools = OpenTools::new(catalog, &grants);
        for (form, (bytes, tokens)) in forms.iter().zip(&mut lengths) {
            let found = tools.find(*query, form.hits);
            if !found.tools.is_empty() {
                let text = (form.write)(&found);
                bytes.push(text.len());
                tokens.push(tokenizer.encode_ordinary(&text).len());
            }
        }
        done();
    }
    let sizes = forms.iter().zip(lengths).map(|(form, (bytes, tokens))| Sizes {
        form: form.name,
        hits: form.hits,
        answers: bytes.len(),
        bytes: Spread::of(bytes),
        tokens: Spread::of(tokens),
    });
    sizes.collect()
}
