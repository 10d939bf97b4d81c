//! Arithmetic of ascending ranges that lie apart and are not empty.

use std::ops::Range;

/// Says whether `doc` lies within one of the ascending `ranges`.
pub(super) fn is_within(doc: u32, ranges: &[Range<u32>]) -> bool {
    let at = ranges.partition_point(|range| range.end <= doc);
    ranges.get(at).is_some_and(|range| range.contains(&doc))
}

/// Returns how many of `docs` lie within `ranges`; both ascend.
pub(super) fn count_within(docs: &[u32], ranges: &[Range<u32>]) -> usize {
    let mut rest = docs;
    let mut count = 0;
    for range in ranges {
        rest = &rest[before(rest, range.start)..];
        let found = before(rest, range.end);
        count += found;
        rest = &rest[found..];
    }
    count
}

/// Returns how many of the ascending `docs` come before `bound`, in steps that double: they are few where ranges are many.
fn before(docs: &[u32], bound: u32) -> usize {
    let mut step = 1;
    while docs.get(step - 1).is_some_and(|&doc| doc < bound) {
        step *= 2;
    }
    let (from, to) = (step / 2, docs.len().min(step));
    from + docs[from..to].partition_point(|&doc| doc < bound)
}

/// Returns `ranges` without `holes`; both ascend.
pub(super) fn punched(ranges: &[Range<u32>], holes: &[u32]) -> Vec<Range<u32>> {
    let mut holes = holes.iter().copied().peekable();
    let mut left = Vec::with_capacity(ranges.len());
    for range in ranges {
        let mut start = range.start;
        while let Some(hole) = holes.next_if(|&hole| hole < range.end) {
            // A hole before the range, or met twice, takes nothing from it.
            if hole >= start {
                left.push(start..hole);
                start = hole + 1;
            }
        }
        left.push(start..range.end);
    }
    left.retain(|range| !range.is_empty());
    left
}

/// Joins ascending ranges that touch.
pub(super) fn joined(ranges: impl Iterator<Item = Range<u32>>) -> Vec<Range<u32>> {
    let mut joined: Vec<Range<u32>> = Vec::new();
    for range in ranges {
        match joined.last_mut() {
            Some(last) if last.end == range.start => last.end = range.end,
            _ => joined.push(range),
        }
    }
    joined
}
