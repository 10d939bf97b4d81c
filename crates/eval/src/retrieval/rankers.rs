//! Rankers by the name under which they are chosen and reported.

use oncue_search::Ranker;
use oncue_search::rank::{Bm25f, Dense, Hybrid, Keyword};

/// The ranker used where none is named.
pub const DEFAULT_RANKER: &str = "hybrid";

/// The ranker by words alone, which the default one is where no model tells what they mean.
pub const WORDS_RANKER: &str = "bm25f";

/// Makes a ranker with its default weights.
type Make = fn() -> Box<dyn Ranker>;

const RANKERS: &[(&str, Make)] = &[
    ("bm25f", || Box::new(Bm25f::default())),
    ("dense", || Box::new(Dense::default())),
    ("hybrid", || Box::new(Hybrid::default())),
    ("keyword", || Box::new(Keyword)),
];

/// There is no ranker of that name.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("unknown ranker `{name}`; known are {}", ranker_names().collect::<Vec<_>>().join(", "))]
pub struct UnknownRanker {
    name: String,
}

/// Returns the ranker called `name`, with its default weights.
///
/// # Errors
///
/// [`UnknownRanker`], which lists the known names.
///
/// # Examples
///
/// ```
/// use oncue_eval::retrieval::ranker;
///
/// assert_eq!(ranker("keyword").map(|found| found.name()), Ok("keyword"));
/// assert!(ranker("vibes").is_err_and(|error| error.to_string().contains("keyword")));
/// ```
pub fn ranker(name: &str) -> Result<Box<dyn Ranker>, UnknownRanker> {
    RANKERS
        .iter()
        .find(|(known, _)| *known == name)
        .map(|(_, make)| make())
        .ok_or_else(|| UnknownRanker { name: name.to_owned() })
}

/// Iterates over the names of the rankers.
pub fn ranker_names() -> impl Iterator<Item = &'static str> {
    RANKERS.iter().map(|(name, _)| *name)
}

#[cfg(test)]
mod tests {
    use super::{DEFAULT_RANKER, ranker, ranker_names};

    #[test]
    fn every_name_makes_the_ranker_that_reports_it() {
        for name in ranker_names() {
            assert_eq!(ranker(name).map(|found| found.name()), Ok(name));
        }
        assert!(ranker(DEFAULT_RANKER).is_ok());
    }
}
