//! Pairs of tools that say almost the same.
//!
//! The measure is the Jaccard similarity of the sets of stemmed words of name and description: the words that both have over the words that either has.
//! Word order and repeats do not count.
//! A pair is reported from a similarity of three quarters where neither tool has more than two words of its own.
//!
//! All pairs are found exactly and without comparing all with all, by prefix filtering (Bayardo, Ma, Srikant: *Scaling Up All Pairs Similarity Search*, 2007):
//! two sets that similar must share one of the rarest words of each, so only tools that do are compared.

use std::collections::HashMap;

use super::subject::{Subject, Subjects, typed_terms};
use super::{Finding, Kind};
use crate::limits::{NEAR_OWN_WORDS_MAX, NEAR_PER_TOOL_MAX, NEAR_POSTINGS_MAX, NEAR_WORDS_MIN};

/// Share of words in common from which two tools say almost the same, as a fraction: three of four.
///
/// A name and a sentence of seven words between them reach it when they differ in one word each.
const SIMILAR: (usize, usize) = (3, 4);

pub(super) fn check(subjects: &Subjects<'_>, findings: &mut Vec<Finding>) {
    let (sets, words) = sets(&subjects.all);
    for Pair { later, earlier, .. } in pairs(&sets) {
        let (Some(tool), Some(other)) = (subjects.all.get(later), subjects.all.get(earlier)) else {
            continue;
        };
        let difference = match (sets.get(later), sets.get(earlier)) {
            (Some(left), Some(right)) => difference(left, right, &words),
            _ => continue,
        };
        let site = other.site();
        let message =
            format!("says the same as `{site}`{difference}: say in both when to take which");
        findings.push(tool.finding_with(Kind::NearDuplicate, vec![site], message));
    }
}

/// Words as numbers; the rarer, the smaller.
type WordSet = Vec<u32>;

/// Two tools, by their places.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Pair {
    later: usize,
    earlier: usize,
    shared: usize,
}

/// Returns the word set of every tool, each sorted, and how the words are written, by their numbers.
fn sets(subjects: &[Subject<'_>]) -> (Vec<WordSet>, Vec<String>) {
    let mut typed: HashMap<String, String> = HashMap::new();
    let texts: Vec<Vec<String>> =
        subjects.iter().map(|subject| words(subject, &mut typed)).collect();
    let mut counts: HashMap<&str, usize> = HashMap::new();
    for word in texts.iter().flatten() {
        *counts.entry(word).or_default() += 1;
    }
    let mut by_rarity: Vec<(usize, &str)> =
        counts.iter().map(|(word, count)| (*count, *word)).collect();
    by_rarity.sort_unstable();
    let numbers: HashMap<&str, u32> =
        by_rarity.iter().zip(0..).map(|((_, word), number)| (*word, number)).collect();
    let set = |text: &Vec<String>| {
        let mut set: WordSet =
            text.iter().filter_map(|word| numbers.get(word.as_str()).copied()).collect();
        set.sort_unstable();
        set
    };
    let sets = texts.iter().map(set).collect();
    let shown = |word: &str| typed.get(word).map_or(word, String::as_str).to_owned();
    (sets, by_rarity.into_iter().map(|(_, word)| shown(word)).collect())
}

/// Returns the different words of a tool's name and description, and remembers in `typed` how the stems are written.
fn words(subject: &Subject<'_>, typed: &mut HashMap<String, String>) -> Vec<String> {
    let (terms, stretches) = typed_terms(&format!("{}\n{}", subject.name(), subject.description()));
    for group in terms.chunk_by(|left, right| left.stretch == right.stretch) {
        // An identifier of several parts is no way to write one of them.
        if let ([term], Some(whole)) =
            (group, group.first().and_then(|term| stretches.get(term.stretch)))
        {
            typed.entry(term.text.clone()).or_insert_with(|| whole.to_lowercase());
        }
    }
    let mut words: Vec<String> = terms.into_iter().map(|term| term.text).collect();
    words.sort_unstable();
    words.dedup();
    words
}

/// Returns the pairs at or above the threshold: for each tool the closest earlier ones, at most [`NEAR_PER_TOOL_MAX`].
fn pairs(sets: &[WordSet]) -> Vec<Pair> {
    let mut pairs = Vec::new();
    let mut firsts: HashMap<&[u32], usize> = HashMap::new();
    let mut distinct = Vec::new();
    for (at, set) in sets.iter().enumerate().filter(|(_, set)| set.len() >= NEAR_WORDS_MIN) {
        // Tools with equal sets are paired with the first of them alone, so that many copies make no square.
        if let Some(&earlier) = firsts.get(set.as_slice()) {
            pairs.push(Pair { later: at, earlier, shared: set.len() });
        } else {
            firsts.insert(set, at);
            distinct.push((at, set.as_slice()));
        }
    }
    distinct.sort_by_key(|(at, set)| (set.len(), *at));
    let mut postings: HashMap<u32, Vec<usize>> = HashMap::new();
    for (turn, &(_, set)) in distinct.iter().enumerate() {
        let mut close = close(&distinct, turn, &postings);
        close.sort_by(|left, right| right.shared.cmp(&left.shared).then(left.cmp(right)));
        pairs.extend(close.into_iter().take(NEAR_PER_TOOL_MAX).map(|pair| Pair {
            later: pair.later.max(pair.earlier),
            earlier: pair.later.min(pair.earlier),
            ..pair
        }));
        for word in prefix(set) {
            let list = postings.entry(*word).or_default();
            if list.len() < NEAR_POSTINGS_MAX {
                list.push(turn);
            }
        }
    }
    pairs.sort_unstable();
    pairs
}

/// Returns the earlier sets of `distinct` that are similar to the one of this turn.
fn close(
    distinct: &[(usize, &[u32])],
    turn: usize,
    postings: &HashMap<u32, Vec<usize>>,
) -> Vec<Pair> {
    let Some(&(later, set)) = distinct.get(turn) else { return Vec::new() };
    let mut met: Vec<usize> =
        prefix(set).iter().filter_map(|word| postings.get(word)).flatten().copied().collect();
    met.sort_unstable();
    met.dedup();
    let (over, under) = SIMILAR;
    let similar = |&other: &usize| {
        let &(earlier, other) = distinct.get(other)?;
        if other.len() * under < set.len() * over {
            return None;
        }
        let shared = shared(set, other);
        let either = set.len() + other.len() - shared;
        let own = set.len().max(other.len()) - shared;
        let is_near = shared * under >= either * over && own <= NEAR_OWN_WORDS_MAX;
        is_near.then_some(Pair { later, earlier, shared })
    };
    met.iter().filter_map(similar).collect()
}

/// Returns the rarest words of a set, of which a similar set must have one.
fn prefix(set: &[u32]) -> &[u32] {
    let (over, under) = SIMILAR;
    let needed = (set.len() * over).div_ceil(under);
    set.get(..set.len() + 1 - needed.max(1)).unwrap_or(set)
}

/// Counts what two sorted sets have in common.
fn shared(left: &[u32], right: &[u32]) -> usize {
    let (mut left, mut right) = (left.iter().peekable(), right.iter().peekable());
    let mut shared = 0;
    while let (Some(a), Some(b)) = (left.peek(), right.peek()) {
        match a.cmp(b) {
            std::cmp::Ordering::Less => left.next(),
            std::cmp::Ordering::Greater => right.next(),
            std::cmp::Ordering::Equal => {
                shared += 1;
                left.next();
                right.next()
            }
        };
    }
    shared
}

/// Says in which words two tools differ.
fn difference(left: &[u32], right: &[u32], words: &[String]) -> String {
    let only = |one: &[u32], other: &[u32]| {
        let only = one.iter().filter(|word| other.binary_search(word).is_err());
        let named: Vec<String> = only
            .filter_map(|word| words.get(usize::try_from(*word).ok()?))
            .map(|word| format!("`{word}`"))
            .collect();
        named.join(", ")
    };
    match (only(left, right), only(right, left)) {
        (here, there) if here.is_empty() && there.is_empty() => String::new(),
        (here, there) if there.is_empty() => format!(" but for {here} here"),
        (here, there) if here.is_empty() => format!(" but for {there} there"),
        (here, there) => format!(" but for {here} here and {there} there"),
    }
}

#[cfg(test)]
mod tests;
