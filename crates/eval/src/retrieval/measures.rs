//! The measures of one query, and their mean over queries.
//!
//! Each derives from the ranks at which the groups of the query are first served.

/// The places at which recall is cut.
pub(crate) const CUTS: [usize; 4] = [1, 3, 5, 10];

/// The cut of `complete` and of the interval.
pub(crate) const COMPLETE_CUT: usize = 5;

/// The cut of nDCG.
pub(crate) const NDCG_CUT: usize = 10;

/// The measures of one query, or their mean over several.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Scores {
    /// Share of groups served within 1, 3, 5 and 10 hits.
    pub recall: [f64; CUTS.len()],
    /// 1 where every group is served within 5 hits.
    pub complete_5: f64,
    /// Gain at the first member of each group, discounted by rank, over that of the best order.
    pub ndcg_10: f64,
    /// 1 / rank of the first hit that serves any group.
    pub mrr: f64,
}

impl Scores {
    /// Returns the measures of a query whose groups are first served at `ranks`, counted from 1; `None` is never.
    #[must_use]
    pub fn of(ranks: &[Option<usize>]) -> Self {
        let groups = ranks.len().max(1) as f64;
        let within =
            |cut: usize| ranks.iter().filter(|rank| rank.is_some_and(|rank| rank <= cut)).count();
        let gain: f64 = ranks
            .iter()
            .flatten()
            .filter(|&&rank| rank <= NDCG_CUT)
            .map(|&rank| discount(rank))
            .sum();
        let ideal: f64 = (1..=ranks.len().min(NDCG_CUT)).map(discount).sum();
        Self {
            recall: CUTS.map(|cut| within(cut) as f64 / groups),
            complete_5: f64::from(u8::from(
                !ranks.is_empty() && within(COMPLETE_CUT) == ranks.len(),
            )),
            // One tool may serve two groups at once, which would beat the ideal order.
            ndcg_10: if ideal > 0.0 { (gain / ideal).min(1.0) } else { 0.0 },
            mrr: ranks.iter().flatten().min().map_or(0.0, |&rank| 1.0 / rank as f64),
        }
    }

    /// Returns the share of groups served within 5 hits.
    #[must_use]
    pub const fn recall_5(&self) -> f64 {
        self.recall[2]
    }
}

/// Returns the mean of each measure; zeroes without queries.
#[must_use]
pub fn mean<'s>(scores: impl IntoIterator<Item = &'s Scores>) -> Scores {
    let mut sum = Scores::default();
    let mut queries: u32 = 0;
    for score in scores {
        queries += 1;
        for (total, part) in sum.recall.iter_mut().zip(score.recall) {
            *total += part;
        }
        sum.complete_5 += score.complete_5;
        sum.ndcg_10 += score.ndcg_10;
        sum.mrr += score.mrr;
    }
    let over = f64::from(queries.max(1));
    Scores {
        recall: sum.recall.map(|total| total / over),
        complete_5: sum.complete_5 / over,
        ndcg_10: sum.ndcg_10 / over,
        mrr: sum.mrr / over,
    }
}

fn discount(rank: usize) -> f64 {
    1.0 / (rank as f64 + 1.0).log2()
}

#[cfg(test)]
mod tests {
    use super::{Scores, mean};

    fn close(found: Scores, expected: Scores) {
        let flat = |s: Scores| {
            [s.recall[0], s.recall[1], s.recall[2], s.recall[3], s.complete_5, s.ndcg_10, s.mrr]
        };
        for (found, expected) in flat(found).into_iter().zip(flat(expected)) {
            assert!((found - expected).abs() < 5e-5, "{found} is not {expected}");
        }
    }

    #[test]
    fn measures_follow_from_the_ranks() {
        // Discounts by hand: rank 1 → 1, 2 → 0.63093, 3 → 0.5, 5 → 0.38685, 7 → 1/3, 10 → 0.28906.
        let cases = [
            (vec![Some(1)], Scores { recall: [1.0; 4], complete_5: 1.0, ndcg_10: 1.0, mrr: 1.0 }),
            (vec![None], Scores::default()),
            (
                vec![Some(3)],
                Scores {
                    recall: [0.0, 1.0, 1.0, 1.0],
                    complete_5: 1.0,
                    ndcg_10: 0.5,
                    mrr: 1.0 / 3.0,
                },
            ),
            (
                // (0.63093 + 0.33333) / (1 + 0.63093)
                vec![Some(2), Some(7)],
                Scores {
                    recall: [0.0, 0.5, 0.5, 1.0],
                    complete_5: 0.0,
                    ndcg_10: 0.59124,
                    mrr: 0.5,
                },
            ),
            (
                // (1 + 0.38685) / (1 + 0.63093 + 0.5)
                vec![Some(5), None, Some(1)],
                Scores {
                    recall: [1.0 / 3.0, 1.0 / 3.0, 2.0 / 3.0, 2.0 / 3.0],
                    complete_5: 0.0,
                    ndcg_10: 0.65082,
                    mrr: 1.0,
                },
            ),
            (
                vec![Some(10)],
                Scores {
                    recall: [0.0, 0.0, 0.0, 1.0],
                    complete_5: 0.0,
                    ndcg_10: 0.28906,
                    mrr: 0.1,
                },
            ),
            (
                vec![Some(1), Some(2)],
                Scores { recall: [0.5, 1.0, 1.0, 1.0], complete_5: 1.0, ndcg_10: 1.0, mrr: 1.0 },
            ),
        ];
        for (ranks, expected) in cases {
            close(Scores::of(&ranks), expected);
        }
    }

    #[test]
    fn the_ideal_order_has_no_more_than_ten_places() {
        // Twelve groups, the first ten of them in the best order.
        let ranks: Vec<Option<usize>> = (1..=12).map(|rank| (rank <= 10).then_some(rank)).collect();
        let found = Scores::of(&ranks);
        assert!((found.ndcg_10 - 1.0).abs() < 1e-12);
        assert!((found.recall[3] - 10.0 / 12.0).abs() < 1e-12);
    }

    #[test]
    fn a_mean_weighs_each_query_alike() {
        let scores = [Scores::of(&[Some(1)]), Scores::of(&[None, None, None])];
        close(mean(&scores), Scores { recall: [0.5; 4], complete_5: 0.5, ndcg_10: 0.5, mrr: 0.5 });
        close(mean(&[]), Scores::default());
    }
}
