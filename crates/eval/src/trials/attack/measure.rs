//! What an attack reaches: what honest tools lose, and how much of the answers the adversary gets.

use oncue_search::{Ranker, Settings};
use oncue_tools::Embedder;
use serde::Serialize;

use super::adversary::{ADVERSARY, Attack};
use super::market::Market;
use crate::limits::FOUND_RANK_MAX;
use crate::remembered::Remembered;
use crate::retrieval::{Bench, Dataset, Run, difference};

/// Whether the adversary saw the requests.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Part {
    /// It made its tools from them.
    Seen,
    /// It did not see them.
    HeldOut,
}

/// What one attack reaches on one part of the requests.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Line {
    /// The attack.
    pub attack: &'static str,
    /// The name of the ranker.
    pub ranker: String,
    /// Which requests.
    pub part: Part,
    /// How many requests there are.
    pub queries: usize,
    /// Mean share of needs served within 5 hits without the adversary.
    #[serde(rename = "before_recall@5")]
    pub before: f64,
    /// The same with it.
    #[serde(rename = "after_recall@5")]
    pub after: f64,
    /// The 95 % interval of the change, low and high.
    pub ci95_change: [f64; 2],
    /// The adversary's mean share of the first 5 places.
    pub share: f64,
    /// Its largest share in any answer.
    pub share_max: f64,
    /// The share of requests in which it has more than 2 of the first 5 places.
    pub crowded: f64,
    /// The share of requests in which it comes first.
    pub first: f64,
}

/// Measures what each attack reaches against `ranker`, a line a part; `progress` is called for each request.
#[must_use]
pub fn measure(
    market: &Market,
    attacks: &[Attack],
    ranker: &dyn Ranker,
    embedder: Option<&dyn Embedder>,
    progress: &mut dyn FnMut(),
) -> Vec<Line> {
    let remembered = Remembered::default();
    let ask = |dataset: &Dataset, progress: &mut dyn FnMut()| {
        let mut bench = Bench::new(dataset, Settings::default()).with_hits(FOUND_RANK_MAX);
        if let Some(embedder) = embedder.filter(|_| ranker.reads_meaning()) {
            bench = bench.with_meaning(embedder, &remembered, &mut |_| {});
        }
        Answers::of(&bench.run(ranker, &mut |_| progress()))
    };
    let before = ask(&market.dataset, progress);
    let mut lines = Vec::new();
    for attack in attacks {
        let mut attacked = market.dataset.clone();
        attacked.tools.extend(attack.tools.iter().cloned());
        let after = ask(&attacked, progress);
        for part in [Part::Seen, Part::HeldOut] {
            let is_part = |at: usize| market.seen.get(at) == Some(&(part == Part::Seen));
            lines.push(line(attack.name, ranker.name(), part, &before, &after, &is_part));
        }
    }
    lines
}

/// What came of each request.
struct Answers {
    recalls: Vec<f64>,
    /// The adversary's places among the first five, and whether it has the first.
    places: Vec<(usize, bool)>,
}

impl Answers {
    fn of(run: &Run<'_>) -> Self {
        let is_hostile = |&place: &usize| {
            run.dataset.tools.get(place).is_some_and(|tool| tool.source == ADVERSARY)
        };
        let places = run.outcomes.iter().map(|outcome| {
            let hits = outcome.hits.iter().take(FOUND_RANK_MAX);
            (
                hits.filter(|&place| is_hostile(place)).count(),
                outcome.hits.first().is_some_and(is_hostile),
            )
        });
        Self { recalls: run.recalls_5(), places: places.collect() }
    }
}

fn line(
    attack: &'static str,
    ranker: &str,
    part: Part,
    before: &Answers,
    after: &Answers,
    is_part: &dyn Fn(usize) -> bool,
) -> Line {
    let of_part = |recalls: &[f64]| -> Vec<f64> {
        recalls
            .iter()
            .enumerate()
            .filter(|(at, _)| is_part(*at))
            .map(|(_, recall)| *recall)
            .collect()
    };
    let (before, recalls) = (of_part(&before.recalls), of_part(&after.recalls));
    let places: Vec<(usize, bool)> = after
        .places
        .iter()
        .enumerate()
        .filter(|(at, _)| is_part(*at))
        .map(|(_, places)| *places)
        .collect();
    let over = places.len().max(1) as f64;
    let change = difference(&recalls, &before);
    let share = |count: usize| count as f64 / FOUND_RANK_MAX as f64;
    let of = |says: &dyn Fn(&(usize, bool)) -> bool| {
        places.iter().filter(|places| says(places)).count() as f64 / over
    };
    Line {
        attack,
        ranker: ranker.to_owned(),
        part,
        queries: places.len(),
        before: before.iter().sum::<f64>() / over,
        after: recalls.iter().sum::<f64>() / over,
        ci95_change: change.map_or([0.0; 2], |change| change.ci95),
        share: share(places.iter().map(|(count, _)| count).sum::<usize>()) / over,
        share_max: places.iter().map(|(count, _)| share(*count)).fold(0.0, f64::max),
        crowded: of(&|(count, _)| *count * 5 > FOUND_RANK_MAX * 2),
        first: of(&|(_, first)| *first),
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Attack, market};
    use super::{Part, measure};
    use crate::retrieval::{Dataset, LabelledTool, ranker};

    #[test]
    fn shares_and_losses_are_counted_by_part() {
        let tools = r#"{"id": "1", "name": "send_mail", "server": "mail"}"#;
        let request = |n: usize| {
            format!(
                r#"{{"id": "q{n}", "query": "mail now please", "relevant": ["1"], "lang": "en"}}"#
            )
        };
        let queries: Vec<String> = (0..20).map(request).collect();
        let set = Dataset::parse("d", "dev", tools, &queries.join("\n")).expect("well formed");
        let market = market(&[set], []);
        let hostile: Vec<String> = (1..=5)
            .map(|n| {
                let name = format!("mail_now_please_{n}");
                format!(r#"{{"id": "x{n}", "name": "{name}", "server": "a-toolbox"}}"#)
            })
            .collect();
        let hostile: Vec<LabelledTool> =
            Dataset::parse("x", "dev", &hostile.join("\n"), "").expect("well formed").tools;
        let ranker = ranker("keyword").expect("known");
        let attack = |count| Attack { name: "x", tools: hostile[..count].to_vec() };
        let mut asked = 0;
        let lines = measure(&market, &[attack(3), attack(5)], &*ranker, None, &mut || asked += 1);
        assert_eq!(asked, 60, "once without and once under each attack");
        let parts: Vec<Part> = lines.iter().map(|line| line.part).collect();
        assert_eq!(parts, [Part::Seen, Part::HeldOut, Part::Seen, Part::HeldOut]);
        assert_eq!(lines[0].queries + lines[1].queries, 20);
        for line in &lines {
            assert_eq!((line.before, line.first), (1.0, 1.0));
        }
        // The honest tool has one word of three, too little for its place to be held: three places of five, and it is fourth.
        assert_eq!((lines[0].after, lines[0].share, lines[0].crowded), (1.0, 0.6, 1.0));
        // With five of its own the honest tool is sixth.
        assert_eq!((lines[2].after, lines[2].share_max), (0.0, 1.0));
        assert_eq!(lines[2].ci95_change, [-1.0, -1.0]);
    }
}
