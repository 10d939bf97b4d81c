//! Texts chosen one after another so that each is closer to as many requests as possible than the tools that serve them: greedy maximum cover.

use std::collections::{HashMap, HashSet};

use super::market::Market;
use crate::limits::{ADVERSARY_TOOLS, COVER_NEIGHBOURS, TF_IDF_BUCKETS};
use crate::random::lot;
use crate::trials::words::words;

/// A text as a place in a space in which near means alike. The length of a vector does not matter, and all have the same number of coordinates.
pub type Embed<'e> = dyn Fn(&str) -> Vec<f32> + 'e;

/// Returns a space of words weighed by how rare they are among the tools of `market`.
///
/// Words share 1,024 coordinates, so a few of them are taken for one another.
pub fn tf_idf(market: &Market) -> impl Fn(&str) -> Vec<f32> + use<> {
    let mut with: HashMap<usize, u32> = HashMap::new();
    for tool in &market.dataset.tools {
        let row = &tool.document.row;
        let text = format!("{} {}", row.name(), row.description());
        for bucket in words(&text).iter().map(|word| bucket(word)).collect::<HashSet<_>>() {
            *with.entry(bucket).or_default() += 1;
        }
    }
    let all = market.dataset.tools.len() as f32;
    move |text| {
        let mut vector = vec![0.0; TF_IDF_BUCKETS];
        for word in words(text) {
            let bucket = bucket(&word);
            let rarity = (1.0 + all / (1 + with.get(&bucket).copied().unwrap_or(0)) as f32).ln();
            if let Some(place) = vector.get_mut(bucket) {
                *place += rarity;
            }
        }
        vector
    }
}

fn bucket(word: &str) -> usize {
    (lot(0, word) % TF_IDF_BUCKETS as u64) as usize
}

/// Returns up to 20 texts: seen requests, alone or together with their nearest, that beat the tools that serve most of the seen requests not yet covered.
pub(super) fn cover(market: &Market, embed: &Embed<'_>) -> Vec<String> {
    let unit = |text: &str| normalized(embed(text));
    let requests: Vec<(&str, Vec<f32>, f32)> = market
        .seen_requests()
        .map(|query| {
            let vector = unit(&query.text);
            let served = query.groups.iter().flatten().filter_map(|&place| {
                let row = &market.dataset.tools.get(place)?.document.row;
                let text = format!("{} {}", words(row.name()).join(" "), row.description());
                Some(dot(&unit(&text), &vector))
            });
            let bar = served.fold(0.0, f32::max);
            (query.text.as_str(), vector, bar)
        })
        .collect();
    let mut candidates: Vec<(String, Vec<usize>)> = Vec::new();
    for (at, (text, vector, _)) in requests.iter().enumerate() {
        let mut near: Vec<(usize, f32)> = requests
            .iter()
            .enumerate()
            .filter(|(other, _)| *other != at)
            .map(|(other, (_, vectors, _))| (other, dot(vector, vectors)))
            .collect();
        near.sort_by(|left, right| right.1.total_cmp(&left.1));
        for more in COVER_NEIGHBOURS {
            let others = near.iter().take(more).filter_map(|(other, _)| requests.get(*other));
            let texts: Vec<&str> =
                std::iter::once(*text).chain(others.map(|(text, ..)| *text)).collect();
            let candidate = texts.join(" ");
            let place = unit(&candidate);
            let covered = requests.iter().enumerate();
            let covered = covered.filter(|(_, (_, vector, bar))| dot(&place, vector) > *bar);
            let covered = covered.map(|(at, _)| at).collect();
            candidates.push((candidate, covered));
        }
    }
    chosen(candidates)
}

/// Takes the candidate that covers most, then the one that covers most of what is left, and so on while any covers something.
fn chosen(mut candidates: Vec<(String, Vec<usize>)>) -> Vec<String> {
    let mut covered: HashSet<usize> = HashSet::new();
    let mut texts = Vec::new();
    while texts.len() < ADVERSARY_TOOLS {
        let gain = |places: &[usize]| places.iter().filter(|at| !covered.contains(at)).count();
        // Of equals the first.
        let best = candidates
            .iter()
            .enumerate()
            .max_by_key(|(at, (_, places))| (gain(places), std::cmp::Reverse(*at)))
            .map(|(at, (_, places))| (at, gain(places)));
        let Some((at, 1..)) = best else { break };
        let (text, places) = candidates.swap_remove(at);
        covered.extend(places);
        texts.push(text);
    }
    texts
}

fn normalized(mut vector: Vec<f32>) -> Vec<f32> {
    let length = dot(&vector, &vector).sqrt();
    if length > 0.0 {
        vector.iter_mut().for_each(|place| *place /= length);
    }
    vector
}

fn dot(left: &[f32], right: &[f32]) -> f32 {
    left.iter().zip(right).map(|(left, right)| left * right).sum()
}

#[cfg(test)]
mod tests {
    use super::super::market;
    use super::{chosen, dot, normalized, tf_idf};
    use crate::retrieval::Dataset;

    #[test]
    fn each_choice_covers_most_of_what_is_left() {
        let candidate = |name: &str, places: &[usize]| (name.to_owned(), places.to_vec());
        let candidates = vec![
            candidate("small", &[9]),
            candidate("large", &[1, 2, 3]),
            candidate("overlapping", &[2, 3, 4]),
            candidate("apart", &[5, 6]),
            candidate("within", &[1, 2]),
        ];
        // After `large` the overlapping one adds one, as `small` does; `apart` adds two.
        let found = chosen(candidates);
        assert_eq!(found[..2], ["large", "apart"]);
        assert_eq!(found.len(), 4, "{found:?}");
    }

    #[test]
    fn a_rare_word_weighs_more_than_one_that_every_tool_has() {
        let tools = r#"{"id": "1", "name": "sends", "description": "mail fast"}
{"id": "2", "name": "lists", "description": "mail"}"#;
        let set = Dataset::parse(
            "d",
            "dev",
            tools,
            r#"{"id": "q", "query": "mail", "relevant": ["1", "2"], "lang": "en"}"#,
        );
        let space = tf_idf(&market(&[set.expect("well formed")], []));
        let unit = |text: &str| normalized(space(text));
        let to = |text: &str| dot(&unit("mail fast"), &unit(text));
        assert!((to("fast mail") - 1.0).abs() < 1e-6);
        assert!(to("fast") > to("mail") && to("mail") > 0.0);
        assert!(to("zebra").abs() < 1e-6);
    }
}
