//! What a ranker is asked.

use crate::Meaning;
use crate::vectors::Told;

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
    /// How close candidates are to that, where it was worked out.
    pub(crate) told: Option<&'q Told<'q>>,
}

impl<'q> Asked<'q> {
    /// Returns the same words with what they mean.
    #[must_use]
    pub fn meaning(self, meaning: Option<&'q Meaning>) -> Self {
        Self { meaning, told: None, ..self }
    }
}

impl<'q> From<&'q str> for Asked<'q> {
    fn from(text: &'q str) -> Self {
        Self { text, meaning: None, told: None }
    }
}

impl<'q> From<&'q String> for Asked<'q> {
    fn from(text: &'q String) -> Self {
        text.as_str().into()
    }
}
