use std::collections::BTreeSet;

use proptest::prelude::*;

use super::{WordSet, difference, pairs};

/// The definition, by comparing all with all.
fn naive(sets: &[WordSet]) -> Vec<(usize, usize)> {
    let mut near = Vec::new();
    for (later, left) in sets.iter().enumerate() {
        for (earlier, right) in sets.iter().enumerate().take(later) {
            let left: BTreeSet<_> = left.iter().collect();
            let right: BTreeSet<_> = right.iter().collect();
            let shared = left.intersection(&right).count() as f64;
            let either = left.union(&right).count() as f64;
            let own = left.difference(&right).count().max(right.difference(&left).count());
            if shared / either >= 0.75 && own <= 2 {
                near.push((later, earlier));
            }
        }
    }
    near
}

fn found(sets: &[WordSet]) -> Vec<(usize, usize)> {
    pairs(sets).into_iter().map(|pair| (pair.later, pair.earlier)).collect()
}

proptest! {
    // With four tools no tool has more earlier ones than are reported, so nothing is left out.
    #[test]
    fn exactly_the_near_pairs_are_found(
        sets in prop::collection::btree_set(prop::collection::btree_set(0u32..12, 6..=12), 1..=4)
    ) {
        let sets: Vec<WordSet> = sets.into_iter().map(|set| set.into_iter().collect()).collect();
        prop_assert_eq!(found(&sets), naive(&sets));
    }
}

#[test]
fn copies_are_paired_with_the_first_alone() {
    let set: WordSet = (0..8).collect();
    assert_eq!(found(&vec![set; 5]), [(1, 0), (2, 0), (3, 0), (4, 0)]);
}

#[test]
fn many_near_copies_are_reported_a_few_each() {
    let sets: Vec<WordSet> = (0..2_000).map(|n| (0..9).chain([10 + n]).collect()).collect();
    assert!(found(&sets).len() <= 6_000);
}

#[test]
fn the_difference_names_the_words_of_each_side() {
    let words = ["a", "b", "c"].map(String::from);
    assert_eq!(difference(&[0, 1], &[0, 2], &words), " but for `b` here and `c` there");
    assert_eq!(difference(&[0, 1], &[0], &words), " but for `b` here");
    assert_eq!(difference(&[0], &[0, 2], &words), " but for `c` there");
    assert_eq!(difference(&[0], &[0], &words), "");
}
