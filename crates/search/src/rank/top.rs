//! The best k of many postings, without looking at most of them.
//!
//! Windowed MaxScore (Turtle, Flood: *Query evaluation: strategies and optimizations*, 1995): terms whose ceilings together cannot lift a tool into the answer are not scanned, only asked about tools that other terms bring up.
//! Scores are sums of integers, so they do not depend on the order of terms or on segments.
//!
//! Indexing stays within arrays that are cut to one length here or in the segment.

use std::cmp::Ordering;
use std::ops::Range;

use crate::candidates::Part;
use crate::index::{KEPT_IMPACT, Postings, TermId};
use crate::rank::Hit;

/// Tools that are scored together; their sums fit the first-level cache. A power of two.
const WINDOW: usize = 1_024;

/// One of weight: weights are integers, so that sums are exact and do not depend on the order of terms.
pub(crate) const UNIT: f32 = 1_024.0;

/// The heaviest weight: of 64 such terms the sum of whole impacts is just below 2^32.
pub(crate) const HEAVIEST: u32 = 16_383;

/// A term of a query with its weight.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Weighted {
    pub(crate) term: TermId,
    /// What a whole impact is worth, in parts of [`UNIT`]; at most [`HEAVIEST`].
    pub(crate) weight: u32,
    /// Whether a tool may fit because of this term.
    pub(crate) is_telling: bool,
}

/// A tool and the sum of weight times impact over the terms that it has.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Found {
    pub(crate) sum: u32,
    /// The place of its part among the parts.
    pub(crate) part: usize,
    /// Its place in the segment.
    pub(crate) doc: u32,
}

/// Returns the `max` best tools of `parts`, best first; of the query's telling terms, where there are any, each has one.
///
/// There are at most 64 terms.
pub(crate) fn top(parts: &[Part<'_>], terms: &[Weighted], max: usize) -> Vec<Found> {
    let any_fits = !terms.iter().any(|term| term.is_telling);
    let mut best = Best { parts, found: Vec::new(), max, bar: 0 };
    if max == 0 {
        return best.found;
    }
    let mut lists_by_part: Vec<Vec<List<'_>>> = Vec::with_capacity(parts.len());
    for part in parts {
        let list = |term: &Weighted| List::new(term, any_fits, part.segment.postings(term.term)?);
        let mut lists: Vec<List<'_>> = terms.iter().filter_map(list).collect();
        lists.sort_by_key(|list| list.ceiling);
        if max <= KEPT_IMPACT && part.is_whole() {
            let floors = lists.iter().filter(|list| list.is_telling).map(List::floor);
            best.bar = floors.max().unwrap_or(0).max(best.bar);
        }
        lists_by_part.push(lists);
    }
    let mut window = Window::default();
    for (at, (part, lists)) in parts.iter().zip(lists_by_part).enumerate() {
        let mut scan = Scan { part: at, lists, window: &mut window, best: &mut best };
        for docs in &part.docs {
            scan.range(docs.clone());
        }
    }
    best.finish()
}

/// Returns the `max` best of `all`, best first; each is there once.
pub(crate) fn best(parts: &[Part<'_>], max: usize, all: impl Iterator<Item = Found>) -> Vec<Found> {
    let mut best = Best { parts, found: Vec::new(), max, bar: 0 };
    if max > 0 {
        for found in all {
            if found.sum >= best.bar {
                best.offer(found);
            }
        }
    }
    best.finish()
}

/// The postings of one term in one segment, read forward.
struct List<'s> {
    weight: u32,
    is_telling: bool,
    /// The most that the term can add here.
    ceiling: u32,
    postings: Postings<'s>,
    at: usize,
}

impl<'s> List<'s> {
    fn new(term: &Weighted, any_fits: bool, postings: Postings<'s>) -> Option<Self> {
        let weight = term.weight;
        let ceiling = weight * u32::from(postings.ceiling);
        let is_telling = term.is_telling || any_fits;
        (ceiling > 0).then_some(Self { weight, is_telling, ceiling, postings, at: 0 })
    }

    /// What [`KEPT_IMPACT`] tools have at least of this term alone; 0 where fewer have it.
    fn floor(&self) -> u32 {
        self.weight * u32::from(self.postings.kept)
    }

    fn doc(&self) -> Option<u32> {
        self.postings.docs.get(self.at).copied()
    }

    /// Moves to the first tool from `doc` on, in steps that double.
    fn seek(&mut self, doc: u32) {
        let rest = &self.postings.docs[self.at..];
        if rest.first().is_none_or(|&first| first >= doc) {
            return;
        }
        let mut step = 1;
        while rest.get(step).is_some_and(|&far| far < doc) {
            step *= 2;
        }
        let near = step / 2;
        let far = rest.len().min(step + 1);
        self.at += near + rest[near..far].partition_point(|&known| known < doc);
    }

    /// Moves to the first tool from `end` on and returns the postings passed over.
    fn take_until(&mut self, end: u32) -> (&'s [u32], &'s [u16]) {
        let from = self.at;
        self.seek(end);
        (&self.postings.docs[from..self.at], &self.postings.impacts[from..self.at])
    }
}

/// Sums for neighbouring tools.
struct Window {
    sums: Box<[u32; WINDOW]>,
    /// Tools that have a telling term.
    told: [u64; WINDOW / 64],
    /// Tools that have another term.
    other: [u64; WINDOW / 64],
}

impl Default for Window {
    fn default() -> Self {
        Self { sums: Box::new([0; WINDOW]), told: [0; WINDOW / 64], other: [0; WINDOW / 64] }
    }
}

/// Answers up to this length are kept in order while tools come up; longer ones are ordered once at the end.
const ORDERED: usize = 256;

/// The best tools so far; where they are few, best first.
struct Best<'p, 'a> {
    parts: &'p [Part<'a>],
    found: Vec<Found>,
    max: usize,
    /// The sum that a tool must reach.
    bar: u32,
}

impl Best<'_, '_> {
    fn offer(&mut self, found: Found) {
        if self.max > ORDERED {
            self.found.push(found);
            return;
        }
        let at = self.found.partition_point(|known| self.order(known, &found) == Ordering::Less);
        if at < self.max {
            self.found.insert(at, found);
            self.found.truncate(self.max);
        }
        if let Some(last) = self.found.get(self.max - 1) {
            self.bar = self.bar.max(last.sum);
        }
    }

    fn finish(mut self) -> Vec<Found> {
        let mut found = std::mem::take(&mut self.found);
        if self.max > ORDERED {
            found.sort_unstable_by(|left, right| self.order(left, right));
            found.truncate(self.max);
        }
        found
    }

    /// The better comes first; of equals, the one whose name comes first.
    fn order(&self, left: &Found, right: &Found) -> Ordering {
        let sums = right.sum.cmp(&left.sum);
        sums.then_with(|| self.hit(*left).tie_break(&self.hit(*right)))
    }

    fn hit(&self, found: Found) -> Hit<'_> {
        self.parts[found.part].hit(found.doc, 0.0)
    }
}

struct Scan<'p, 'b, 'a> {
    part: usize,
    /// The weakest first.
    lists: Vec<List<'p>>,
    window: &'b mut Window,
    best: &'b mut Best<'p, 'a>,
}

impl Scan<'_, '_, '_> {
    fn range(&mut self, docs: Range<u32>) {
        for list in &mut self.lists {
            list.seek(docs.start);
        }
        loop {
            let (weak, weak_sum) = self.weak_lists();
            let strong = &self.lists[weak..];
            let Some(start) = strong.iter().filter_map(List::doc).min() else { return };
            if start >= docs.end {
                return;
            }
            let end = docs.end.min(start.saturating_add(WINDOW as u32));
            self.add_strong(weak, start, end);
            self.settle(weak, weak_sum, start);
        }
    }

    /// Returns how many of the weakest lists together cannot reach the bar, and what they can reach.
    fn weak_lists(&self) -> (usize, u32) {
        let bar = self.best.bar;
        let mut sum = 0;
        for (at, list) in self.lists.iter().enumerate() {
            if sum + list.ceiling >= bar {
                return (at, sum);
            }
            sum += list.ceiling;
        }
        (self.lists.len(), sum)
    }

    fn add_strong(&mut self, weak: usize, start: u32, end: u32) {
        let Window { sums, told, other } = &mut *self.window;
        for list in &mut self.lists[weak..] {
            let touched = if list.is_telling { &mut *told } else { &mut *other };
            let weight = list.weight;
            let (docs, impacts) = list.take_until(end);
            for (&doc, &impact) in docs.iter().zip(impacts) {
                // Tools of the window are less than its length apart, so the mask changes nothing; it spares a check.
                let place = (doc - start) as usize % WINDOW;
                sums[place] += weight * u32::from(impact);
                touched[place / 64] |= 1 << (place % 64);
            }
        }
    }

    /// Completes the sums of the window from the weak lists, keeps what is good enough, and leaves the window empty.
    fn settle(&mut self, weak: usize, weak_sum: u32, start: u32) {
        for word in 0..WINDOW / 64 {
            let told = std::mem::take(&mut self.window.told[word]);
            let mut bits = told | std::mem::take(&mut self.window.other[word]);
            while bits != 0 {
                let bit = bits.trailing_zeros();
                bits &= bits - 1;
                let place = word * 64 + bit as usize;
                let sum = std::mem::take(&mut self.window.sums[place]);
                if sum + weak_sum >= self.best.bar {
                    let is_told = told & (1 << bit) != 0;
                    self.complete(weak, weak_sum, start + place as u32, sum, is_told);
                }
            }
        }
    }

    fn complete(&mut self, weak: usize, mut open: u32, doc: u32, mut sum: u32, mut is_told: bool) {
        let bar = self.best.bar;
        for list in self.lists[..weak].iter_mut().rev() {
            if sum + open < bar {
                return;
            }
            list.seek(doc);
            if list.doc() == Some(doc) {
                sum += list.weight * u32::from(list.postings.impacts[list.at]);
                is_told |= list.is_telling;
            }
            open -= list.ceiling;
        }
        if sum >= bar && is_told {
            self.best.offer(Found { sum, part: self.part, doc });
        }
    }
}
