//! The best k of many postings, without looking at most of them.
//!
//! Windowed MaxScore (Turtle, Flood: *Query evaluation: strategies and optimizations*, 1995): terms whose ceilings together cannot lift a tool into the answer are not scanned, only asked about tools that other terms bring up.
//! Scores are sums of integers, so they do not depend on the order of terms or on segments.

use std::cmp::Ordering;
use std::ops::Range;

use crate::candidates::Part;
use crate::index::{Postings, TermId};
use crate::rank::Hit;

/// Tools that are scored together; their sums fit the first-level cache.
const WINDOW: usize = 2_048;

/// One of weight: weights are integers, so that sums are exact and do not depend on the order of terms.
pub(crate) const UNIT: f32 = 4_096.0;

/// A term of a query with its weight.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Weighted {
    pub(crate) term: TermId,
    /// What a whole impact is worth, in parts of [`UNIT`].
    pub(crate) weight: u32,
}

/// A tool and the sum of weight times impact over the terms that it has.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Found {
    pub(crate) sum: u64,
    /// The place of its part among the parts.
    pub(crate) part: usize,
    /// Its place in the segment.
    pub(crate) doc: u32,
}

/// Returns the `max` best tools of `parts`, best first.
///
/// `fits` decides by the set of terms (bit n is term n) that a tool has.
pub(crate) fn top(
    parts: &[Part<'_>],
    terms: &[Weighted],
    max: usize,
    fits: &dyn Fn(u64) -> bool,
) -> Vec<Found> {
    let mut best = Best { parts, found: Vec::with_capacity(max.min(WINDOW) + 1), max };
    if max == 0 {
        return best.found;
    }
    let mut window = Window::default();
    for (at, part) in parts.iter().enumerate() {
        let list = |(bit, term): (usize, &Weighted)| {
            List::new(bit, term.weight, part.segment.postings(term.term)?)
        };
        let mut lists: Vec<List<'_>> = terms.iter().enumerate().filter_map(list).collect();
        lists.sort_by_key(|list| list.ceiling);
        let mut scan = Scan { part: at, lists, window: &mut window, fits, best: &mut best };
        for docs in &part.docs {
            scan.range(docs.clone());
        }
    }
    best.found
}

/// The postings of one term in one segment, read forward.
struct List<'s> {
    bit: u64,
    weight: u64,
    /// The most that the term can add here.
    ceiling: u64,
    postings: Postings<'s>,
    at: usize,
}

impl<'s> List<'s> {
    fn new(bit: usize, weight: u32, postings: Postings<'s>) -> Option<Self> {
        let weight = u64::from(weight);
        let ceiling = weight * u64::from(postings.ceiling);
        (ceiling > 0).then_some(Self { bit: 1 << bit, weight, ceiling, postings, at: 0 })
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
}

/// Sums for neighbouring tools.
#[derive(Default)]
struct Window {
    sums: Vec<(u64, u64)>,
    touched: Vec<u64>,
}

impl Window {
    fn clear_for(&mut self, tools: usize) {
        if self.sums.len() < tools {
            self.sums.resize(tools, (0, 0));
            self.touched.resize(tools.div_ceil(64), 0);
        }
    }
}

/// The best tools so far, best first.
struct Best<'p, 'a> {
    parts: &'p [Part<'a>],
    found: Vec<Found>,
    max: usize,
}

impl Best<'_, '_> {
    /// The sum that a tool must reach.
    fn bar(&self) -> u64 {
        if self.found.len() < self.max { 0 } else { self.found.last().map_or(0, |last| last.sum) }
    }

    fn offer(&mut self, found: Found) {
        let before = |known: &Found| match known.sum.cmp(&found.sum) {
            Ordering::Equal => self.hit(*known).tie_break(&self.hit(found)) == Ordering::Less,
            order => order == Ordering::Greater,
        };
        let at = self.found.partition_point(before);
        self.found.insert(at, found);
        self.found.truncate(self.max);
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
    fits: &'b dyn Fn(u64) -> bool,
    best: &'b mut Best<'p, 'a>,
}

impl Scan<'_, '_, '_> {
    fn range(&mut self, docs: Range<u32>) {
        for list in &mut self.lists {
            list.seek(docs.start);
        }
        loop {
            let weak = self.weak_lists();
            let strong = &self.lists[weak..];
            let Some(start) = strong.iter().filter_map(List::doc).min() else { return };
            if start >= docs.end {
                return;
            }
            let end = docs.end.min(start.saturating_add(WINDOW as u32));
            self.window.clear_for((end - start) as usize);
            self.add_strong(weak, start, end);
            self.settle(weak, start);
        }
    }

    /// Returns how many of the weakest lists together cannot reach the bar.
    fn weak_lists(&self) -> usize {
        let bar = self.best.bar();
        let mut sum = 0;
        self.lists
            .iter()
            .take_while(|list| {
                sum += list.ceiling;
                sum < bar
            })
            .count()
    }

    fn add_strong(&mut self, weak: usize, start: u32, end: u32) {
        let Window { sums, touched } = &mut *self.window;
        for list in &mut self.lists[weak..] {
            let docs = &list.postings.docs[list.at..];
            let impacts = &list.postings.impacts[list.at..];
            let mut read = 0;
            for (&doc, &impact) in docs.iter().zip(impacts) {
                if doc >= end {
                    break;
                }
                let place = (doc - start) as usize;
                let (sum, set) = &mut sums[place];
                *sum += list.weight * u64::from(impact);
                *set |= list.bit;
                touched[place / 64] |= 1 << (place % 64);
                read += 1;
            }
            list.at += read;
        }
    }

    /// Completes the sums of the window from the weak lists, keeps what is good enough, and leaves the window empty.
    fn settle(&mut self, weak: usize, start: u32) {
        let weak_sum: u64 = self.lists[..weak].iter().map(|list| list.ceiling).sum();
        for word in 0..self.window.touched.len() {
            let mut bits = std::mem::take(&mut self.window.touched[word]);
            while bits != 0 {
                let place = word * 64 + bits.trailing_zeros() as usize;
                bits &= bits - 1;
                let (sum, set) = std::mem::take(&mut self.window.sums[place]);
                self.complete(weak, weak_sum, start + place as u32, sum, set);
            }
        }
    }

    fn complete(&mut self, weak: usize, weak_sum: u64, doc: u32, mut sum: u64, mut set: u64) {
        let bar = self.best.bar();
        let mut open = weak_sum;
        for list in self.lists[..weak].iter_mut().rev() {
            if sum + open < bar {
                return;
            }
            list.seek(doc);
            if list.doc() == Some(doc) {
                sum += list.weight * u64::from(list.postings.impacts[list.at]);
                set |= list.bit;
            }
            open -= list.ceiling;
        }
        if sum >= bar && (self.fits)(set) {
            self.best.offer(Found { sum, part: self.part, doc });
        }
    }
}
