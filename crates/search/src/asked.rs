//! What a ranker is asked.

use crate::Meaning;

/// A text to rank by, and what it means where a model has told.
///
/// Words alone are enough for every ranker; the meaning is what some make better use of.
///
/// ```
/// use oncue_search::Asked;
///
/// let asked = Asked::from("money back");
/// assert_eq!(asked.text, "money back");
/// assert!(asked.meaning.is_none());
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Asked<'q> {
    /// The words.
    pub text: &'q str,
    /// What they mean, as vectors of one model.
    pub meaning: Option<&'q Meaning>,
}

impl<'q> Asked<'q> {
    /// Returns the same words with what they mean.
    #[must_use]
    pub fn meaning(self, meaning: Option<&'q Meaning>) -> Self {
        Self { meaning, ..self }
    }
}

impl<'q> From<&'q str> for Asked<'q> {
    fn from(text: &'q str) -> Self {
        Self { text, meaning: None }
    }
}

impl<'q> From<&'q String> for Asked<'q> {
    fn from(text: &'q String) -> Self {
        text.as_str().into()
    }
}
