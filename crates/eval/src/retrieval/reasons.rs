//! Why a need is not served within 5 hits, as far as texts can tell.

use std::collections::{BTreeMap, HashMap, HashSet};

use oncue_search::{Admit, Explanation, Hit, Ranker};
use serde::Serialize;

use super::measures::COMPLETE_CUT;
use super::{Bench, LabelledQuery, LabelledTool, Outcome, Run};

/// Why a need is missed; the first that holds, in this order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Reason {
    /// A tool with the name or nearly the description of a labelled one is among the hits: the label may be too narrow.
    Twin,
    /// The request is in another language than every tool that serves the need.
    OtherLanguage,
    /// The request shares no term with any tool that serves the need.
    NoSharedWord,
    /// It shares nothing but words that almost any tool could say, so that the ranker takes every such tool for unfit.
    OnlyGeneric,
    /// At least two of the hits have much of the name or description of a tool that serves the need.
    Siblings,
    /// The request has several needs, and none of the above holds of this one.
    SeveralNeeds,
    /// Other tools share more with the request.
    Outranked,
}

/// The needs of one run, and why some were missed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Missed {
    /// How many needs the requests have.
    pub needs: usize,
    /// How many are missed for each reason.
    pub reasons: BTreeMap<Reason, usize>,
}

/// The share of words in common from which two texts are nearly the same, in percent.
const TWIN_PERCENT: usize = 80;

/// The same, from which tools are siblings.
const SIBLING_PERCENT: usize = 50;

/// Siblings among the hits from which they are the reason.
const SIBLINGS: usize = 2;

/// The language of requests for which tools in its letters are not foreign.
const ENGLISH: &str = "en";

impl Reason {
    /// Every reason, in order.
    pub const ALL: [Self; 7] = [
        Self::Twin,
        Self::OtherLanguage,
        Self::NoSharedWord,
        Self::OnlyGeneric,
        Self::Siblings,
        Self::SeveralNeeds,
        Self::Outranked,
    ];

    /// Returns the word for it in reports.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Twin => "twin found",
            Self::OtherLanguage => "other language",
            Self::NoSharedWord => "no shared word",
            Self::OnlyGeneric => "generic words only",
            Self::Siblings => "siblings above",
            Self::SeveralNeeds => "several needs",
            Self::Outranked => "others above",
        }
    }
}

impl Bench<'_> {
    /// Returns why the needs that `run`, a run of `ranker` over this bench, misses are not served within 5 hits.
    #[must_use]
    pub fn missed(&self, run: &Run<'_>, ranker: &dyn Ranker) -> Missed {
        let candidates = self.index.candidates(Admit::All);
        let hits: HashMap<usize, Hit<'_>> =
            candidates.iter().filter_map(|hit| Some((self.place(&hit)?, hit))).collect();
        let words: Vec<Words> = self.dataset.tools.iter().map(Words::of).collect();
        let shared = |query: &LabelledQuery, place: &usize| {
            let explained =
                hits.get(place).map(|hit| ranker.explain((&query.text).into(), &candidates, hit));
            explained.map_or(Shared::Nothing, |explained| match explained {
                Explanation { score, .. } if score > 0.0 => Shared::Enough,
                Explanation { fields, .. }
                    if fields.iter().any(|field| !field.words.is_empty()) =>
                {
                    Shared::Generic
                }
                Explanation { .. } => Shared::Nothing,
            })
        };
        let mut missed = Missed::default();
        for (query, outcome) in self.dataset.queries.iter().zip(&run.outcomes) {
            missed.needs += query.groups.len();
            for (group, rank) in query.groups.iter().zip(&outcome.ranks) {
                if rank.is_some_and(|rank| rank <= COMPLETE_CUT) {
                    continue;
                }
                let most = || group.iter().map(|place| shared(query, place)).max();
                let reason = reason(query, group, outcome, &words, most);
                *missed.reasons.entry(reason).or_default() += 1;
            }
        }
        missed
    }
}

fn reason(
    query: &LabelledQuery,
    group: &[usize],
    outcome: &Outcome,
    words: &[Words],
    most: impl Fn() -> Option<Shared>,
) -> Reason {
    let of = |places: &[usize]| -> Vec<&Words> {
        places.iter().filter_map(|&place| words.get(place)).collect()
    };
    let wanted = of(group);
    let found = of(outcome.hits.get(..COMPLETE_CUT).unwrap_or(&outcome.hits));
    let alike = |percent| {
        let is_alike = |hit: &&&Words| wanted.iter().any(|tool| hit.is_like(tool, percent));
        found.iter().filter(is_alike).count()
    };
    let is_foreign = |tool: &&Words| tool.is_english != (query.lang == ENGLISH);
    if alike(TWIN_PERCENT) > 0 {
        Reason::Twin
    } else if !wanted.is_empty() && wanted.iter().all(is_foreign) {
        Reason::OtherLanguage
    } else if most().is_none_or(|most| most == Shared::Nothing) {
        Reason::NoSharedWord
    } else if most() == Some(Shared::Generic) {
        Reason::OnlyGeneric
    } else if alike(SIBLING_PERCENT) >= SIBLINGS {
        Reason::Siblings
    } else if query.groups.len() > 1 {
        Reason::SeveralNeeds
    } else {
        Reason::Outranked
    }
}

/// What a tool has of a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Shared {
    Nothing,
    Generic,
    Enough,
}

/// The words of a tool.
struct Words {
    name: HashSet<String>,
    description: HashSet<String>,
    /// Whether its letters are those of English.
    is_english: bool,
}

impl Words {
    fn of(tool: &LabelledTool) -> Self {
        let row = &tool.document.row;
        let letters = || row.description().chars().filter(|letter| letter.is_alphabetic());
        let foreign = letters().filter(|letter| !letter.is_ascii()).count();
        Self {
            name: words(row.name()),
            description: words(row.description()),
            is_english: foreign * 10 <= letters().count(),
        }
    }

    fn is_like(&self, other: &Self, percent: usize) -> bool {
        let share = |left: &HashSet<String>, right: &HashSet<String>| {
            let (both, either) = (left.intersection(right).count(), left.union(right).count());
            either > 0 && both * 100 >= either * percent
        };
        share(&self.name, &other.name) || share(&self.description, &other.description)
    }
}

/// The words of a text, lowered, with identifiers split.
fn words(text: &str) -> HashSet<String> {
    let mut split = String::new();
    let mut was_lower = false;
    for letter in text.chars() {
        if was_lower && letter.is_uppercase() {
            split.push(' ');
        }
        was_lower = letter.is_lowercase();
        split.extend(letter.to_lowercase());
    }
    let words = split.split(|letter: char| !letter.is_alphanumeric());
    words.filter(|word| !word.is_empty()).map(str::to_owned).collect()
}

#[cfg(test)]
mod tests {
    use oncue_search::Settings;
    use oncue_search::rank::Bm25f;

    use super::{Reason, words};
    use crate::retrieval::{Bench, Dataset, Run};

    const TOOLS: &str = r#"{"id": "mail", "name": "send_mail", "description": "Sends a letter"}
{"id": "sendMail", "name": "sendMail", "description": "Dispatch"}
{"id": "draft", "name": "draft_mail", "description": "Prepares something"}
{"id": "list", "name": "list_mail", "description": "Shows what came in"}
{"id": "ko", "name": "weather", "description": "오늘의 날씨를 알려준다"}
{"id": "file", "name": "read_file", "description": "Reads from disk"}"#;

    /// The reason for which the one need `wanted` of `text` is missed where `hits` came.
    fn check(text: &str, lang: &str, wanted: &str, hits: &[usize], expected: &[Reason]) {
        let query = format!(
            r#"{{"id": "q", "query": "{text}", "lang": "{lang}", "relevant": [{wanted}]}}"#
        );
        let dataset = Dataset::parse("set", "dev", TOOLS, &query).expect("well formed");
        let bench = Bench::new(&dataset, Settings::default());
        let run = Run::asked(&dataset, "r", &mut |_| hits.to_vec(), &mut |_| {});
        let missed = bench.missed(&run, &Bm25f::default());
        let found: Vec<Reason> = missed
            .reasons
            .iter()
            .flat_map(|(&reason, &count)| std::iter::repeat_n(reason, count))
            .collect();
        assert_eq!(found, expected, "{text}");
        assert_eq!(missed.needs, dataset.queries[0].groups.len());
    }

    #[test]
    fn the_first_reason_that_holds_is_told() {
        // Another tool of the same two words.
        check("send", "en", r#""mail""#, &[1], &[Reason::Twin]);
        check("weather today", "en", r#""ko""#, &[5], &[Reason::OtherLanguage]);
        check("메일 보내줘", "ko", r#""mail""#, &[5], &[Reason::OtherLanguage]);
        check("write to mum", "en", r#""mail""#, &[5], &[Reason::NoSharedWord]);
        // `draft_mail` and `list_mail` have one of three words in common with `send_mail`: none is a sibling.
        check("a letter", "en", r#""mail""#, &[2, 3], &[Reason::Outranked]);
        check("a letter from disk", "en", r#""mail", "file""#, &[2, 3], &[Reason::SeveralNeeds; 2]);
        // `disk` is telling and the other has it; `shows` is generic.
        check("shows the disk", "en", r#""list""#, &[5], &[Reason::OnlyGeneric]);
        // Served, and an id that no tool has.
        check("letter", "en", r#""mail""#, &[0], &[]);
        check("letter", "en", r#""gone""#, &[0], &[Reason::NoSharedWord]);
    }

    #[test]
    fn two_siblings_are_a_reason() {
        let tools =
            TOOLS.replace("draft_mail", "send_mail_now").replace("list_mail", "mail_send_later");
        let query = r#"{"id": "q", "query": "letter", "lang": "en", "relevant": ["mail"]}"#;
        let dataset = Dataset::parse("set", "dev", &tools, query).expect("well formed");
        let bench = Bench::new(&dataset, Settings::default());
        for (hits, expected) in [(vec![2, 3], Reason::Siblings), (vec![2, 5], Reason::Outranked)] {
            let run = Run::asked(&dataset, "r", &mut |_| hits.clone(), &mut |_| {});
            let found = bench.missed(&run, &Bm25f::default()).reasons;
            assert_eq!(found.into_iter().collect::<Vec<_>>(), [(expected, 1)]);
        }
    }

    #[test]
    fn identifiers_are_split() {
        let mut found: Vec<String> = words("sendMail_v2, NOW").into_iter().collect();
        found.sort();
        assert_eq!(found, ["mail", "now", "send", "v2"]);
    }
}
