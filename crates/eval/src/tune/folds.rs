//! Requests in parts that have nothing in common.

use std::collections::{BTreeMap, HashMap};

use crate::random::lot;
use crate::retrieval::LabelledQuery;

/// Where the lots start.
const SEED: u64 = 0x7475_6e65_2031;

/// Parts, of which each is asked of what the others teach.
pub(super) const FOLDS: usize = 5;

/// Returns the part of each request, from 0.
///
/// Requests that were made from one another, or say the same, are in one part: otherwise what is asked would have been learnt.
pub(super) fn folds(queries: &[LabelledQuery]) -> Vec<usize> {
    let families = families(queries);
    let mut drawn: BTreeMap<(u64, &str), usize> = BTreeMap::new();
    for family in &families {
        drawn.entry((lot(SEED, family), family)).or_default();
    }
    for (place, fold) in drawn.values_mut().enumerate() {
        *fold = place % FOLDS;
    }
    let of = |family: &String| drawn.get(&(lot(SEED, family), family.as_str())).copied();
    families.iter().map(|family| of(family).unwrap_or(0)).collect()
}

/// Returns for each request the name of all that it has to do with.
fn families(queries: &[LabelledQuery]) -> Vec<String> {
    let mut names: HashMap<String, String> = HashMap::new();
    let mut families = Vec::new();
    for query in queries {
        let source = format!("of {}", query.src.as_ref().unwrap_or(&query.id));
        let words: Vec<String> = query.text.split_whitespace().map(str::to_lowercase).collect();
        let text = format!("says {}", words.join(" "));
        let known = names.get(&source).or_else(|| names.get(&text)).cloned();
        let family = known.unwrap_or_else(|| source.clone());
        names.entry(source).or_insert_with(|| family.clone());
        names.entry(text).or_insert_with(|| family.clone());
        families.push(family);
    }
    families
}
