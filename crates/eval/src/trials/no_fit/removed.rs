//! The catalog's own requests, without the tools that serve them.

use std::collections::BTreeSet;

use super::{Impossible, language};
use crate::retrieval::Dataset;
use crate::trials::words::Traits;

/// Returns the requests of `dataset`, each with the tools to take out: those that serve it, and whatever is nearly one of them.
///
/// Near is a rule apart from any search: the same name but for case and separators, names that begin and end with the same word, or three in five of the words of both descriptions in common.
#[must_use]
pub fn removed(dataset: &Dataset) -> Vec<Impossible<'_>> {
    let traits: Vec<Traits> = dataset.tools.iter().map(Traits::of).collect();
    let near = |place: usize| -> Vec<usize> {
        let Some(gold) = traits.get(place) else { return Vec::new() };
        traits
            .iter()
            .enumerate()
            .filter(|(_, other)| gold.is_near(other))
            .map(|(at, _)| at)
            .collect()
    };
    let mut known: Vec<Option<Vec<usize>>> = vec![None; traits.len()];
    let impossible = |query: &'_ crate::retrieval::LabelledQuery| {
        let mut without = BTreeSet::new();
        for &place in query.groups.iter().flatten() {
            if let Some(known) = known.get_mut(place) {
                without.extend(known.get_or_insert_with(|| near(place)).iter().copied());
            }
        }
        without.into_iter().collect()
    };
    let without: Vec<Vec<usize>> = dataset.queries.iter().map(impossible).collect();
    let pairs = dataset.queries.iter().zip(without);
    pairs
        .map(|(query, without)| Impossible {
            id: &query.id,
            text: &query.text,
            lang: language(&query.text, &query.lang),
            asked: &dataset.name,
            without,
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::removed;
    use crate::retrieval::Dataset;

    #[test]
    fn what_serves_goes_with_what_is_near_it() {
        let tools = r#"{"id": "1", "name": "get_weather", "description": "Tells how warm it is"}
{"id": "2", "name": "get_current_weather"}
{"id": "3", "name": "forecast", "description": "Tells how warm it gets"}
{"id": "4", "name": "get_time", "description": "Tells how late it is at a place"}
{"id": "5", "name": "getWeather"}"#;
        let queries = r#"{"id": "q", "query": "weather", "relevant": ["1"], "lang": "en"}
{"id": "r", "query": "time", "relevant": ["4", "gone"], "lang": "en"}"#;
        let dataset = Dataset::parse("d", "dev", tools, queries).expect("well formed");
        let found: Vec<Vec<usize>> =
            removed(&dataset).into_iter().map(|asked| asked.without).collect();
        // `forecast` shares four of six words with `get_weather`; `get_time` four of nine.
        assert_eq!(found, [vec![0, 1, 2, 4], vec![3]]);
    }
}
