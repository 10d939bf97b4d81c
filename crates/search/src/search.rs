//! What holds above any ranker: a spelled name comes first, and a required word filters.

use crate::limits::SIBLINGS_HITS_MIN;
use crate::needs::{needs, search_needs};
use crate::siblings::ordered;
use crate::slots::{over_share, shared};
use crate::vectors::Told;
use crate::{Asked, Candidates, Hit, Meaning, Ranker};

/// Returns at most `max` candidates that fit what is asked, best first.
///
/// Tools whose name the text spells, in any case and with any separators, with or without their source's id, come before whatever the ranker finds.
///
/// A text of several parts between semicolons or line breaks is several needs, of which each has its share of the answer ([`search_needs`]).
///
/// Of 3 to 100 hits one source has at most two fifths, rounded up; what it has beyond that yields to tools of other sources whose own score is at least three quarters of the best.
///
/// ```
/// use std::sync::Arc;
/// use oncue_decl::Row;
/// use oncue_search::{Admit, Document, Index, rank::Bm25f, search};
///
/// let tool = Document::new(Row::inline("workflow_run_dispatch", "Starts it"));
/// let index = Index::default().replaced("ci", vec![Arc::new(tool)]);
/// let candidates = index.candidates(Admit::All);
/// for spelling in ["workflow run dispatch", "WorkflowRunDispatch", "ci__workflow_run_dispatch"] {
///     assert!(search(spelling, &candidates, &Bm25f::default(), 5)[0].exact);
/// }
/// ```
#[must_use]
pub fn search<'a, 'q>(
    asked: impl Into<Asked<'q>>,
    candidates: &Candidates<'a>,
    ranker: &dyn Ranker,
    max: usize,
) -> Vec<Hit<'a>> {
    let asked = asked.into();
    match needs(asked.text).as_slice() {
        [] => search_one(asked, candidates, ranker, max),
        [need] => search_one(Asked { text: need, ..asked }, candidates, ranker, max),
        needs => {
            let meanings = meanings(asked, needs);
            search_needs(&each(needs, &meanings), candidates, ranker, max)
        }
    }
}

/// Returns what was told of each need by itself.
fn meanings(asked: Asked<'_>, needs: &[&str]) -> Vec<Option<Meaning>> {
    needs.iter().map(|need| asked.meaning?.about(need)).collect()
}

fn each<'q>(needs: &[&'q str], meanings: &'q [Option<Meaning>]) -> Vec<Asked<'q>> {
    let needs = needs.iter().zip(meanings);
    needs.map(|(&need, meaning)| Asked::from(need).meaning(meaning.as_ref())).collect()
}

/// Returns at most `max` candidates that fit what is asked as one need.
pub(crate) fn search_one<'a>(
    asked: Asked<'_>,
    candidates: &Candidates<'a>,
    ranker: &dyn Ranker,
    max: usize,
) -> Vec<Hit<'a>> {
    let meaning = asked.meaning.filter(|_| ranker.reads_meaning());
    let told = meaning.map(|meaning| Told::of(candidates, meaning));
    let asked = Asked { told: told.as_ref(), ..asked };
    // As many as it takes to see siblings, so that the first of one hit is the first of five.
    let hits = ranked(asked, candidates, ranker, max.max(SIBLINGS_HITS_MIN));
    let mut hits = ordered(asked.text, hits);
    hits.truncate(max);
    let over = over_share(&hits, max);
    if over.is_empty() {
        return hits;
    }
    let mut crowding: Vec<&str> = over.iter().map(|&place| hits[place].source).collect();
    crowding.dedup();
    // Ranked without those that crowd, since of any longer answer they could have all.
    let rest = candidates.without_sources(&crowding);
    if rest.is_empty() {
        return hits;
    }
    let others = ranked(asked, &rest, ranker, max);
    let own = |hit: &Hit<'a>| ranker.own(asked, candidates, hit);
    shared(hits, over, others, &own, max)
}

/// Returns the tools that an answer of `max` hits leaves out because their source has its share of it and tools of others fit as well.
///
/// ```
/// use std::sync::Arc;
/// use oncue_decl::Row;
/// use oncue_search::{Admit, Document, Index, held_back, rank::Bm25f};
///
/// let tool = |name: String| Arc::new(Document::new(Row::inline(name, "")));
/// let tools = |word: &str, count| (0..count).map(|n| tool(format!("{word}_mail_{n}"))).collect();
/// let index = Index::default().replaced("a", tools("send", 4)).replaced("b", tools("read", 4));
/// let held = held_back("mail", &index.candidates(Admit::All), &Bm25f::default(), 5);
/// // All fit alike and `read` goes before `send`. Two of five places are a share; the fifth stays with the first of both.
/// let names: Vec<_> = held.iter().map(|hit| hit.document.row.name()).collect();
/// assert_eq!(names, ["read_mail_3"]);
/// ```
#[must_use]
pub fn held_back<'a, 'q>(
    asked: impl Into<Asked<'q>>,
    candidates: &Candidates<'a>,
    ranker: &dyn Ranker,
    max: usize,
) -> Vec<Hit<'a>> {
    let asked = asked.into();
    let answer = search(asked, candidates, ranker, max);
    let needs = needs(asked.text);
    let meanings = meanings(asked, &needs);
    let parts = if needs.len() > 1 { each(&needs, &meanings) } else { vec![asked] };
    let ranked = |need: &Asked<'_>| ranked(*need, candidates, ranker, max.div_ceil(parts.len()));
    let mut held: Vec<Hit<'a>> = parts.iter().flat_map(ranked).collect();
    held.retain(|hit| !answer.iter().any(|known| known.is_same_tool(hit)));
    held
}

/// Returns at most `max` candidates, those whose name is spelled before those that the ranker finds.
fn ranked<'a>(
    asked: Asked<'_>,
    candidates: &Candidates<'a>,
    ranker: &dyn Ranker,
    max: usize,
) -> Vec<Hit<'a>> {
    let mut hits = candidates.spelled(asked.text.trim());
    let spelled = hits.len();
    for hit in ranker.rank(asked, candidates, max.saturating_add(spelled)) {
        if !hits[..spelled].iter().any(|known| known.is_same_tool(&hit)) {
            hits.push(hit);
        }
    }
    hits.truncate(max);
    hits
}

/// Returns at most `max` candidates whose name contains `required`, ordered by how well they fit `ranking`.
///
/// Case, `_` and `-` do not count, and the source's id is part of the name.
/// The required word takes no part in ranking; an empty one admits every name.
/// Where `ranking` is empty, or none of the admitted names fits it, the order is by name.
///
/// ```
/// use std::sync::Arc;
/// use oncue_decl::Row;
/// use oncue_search::{Admit, Document, Index, rank::Bm25f, required};
///
/// let tool = |name: &'static str, does: &'static str| Arc::new(Document::new(Row::inline(name, does)));
/// let index = Index::default()
///     .replaced("", vec![tool("slack_send", "Sends a message"), tool("mail_send", "Sends a message")]);
/// let hits = required("slack", "send message", &index.candidates(Admit::All), &Bm25f::default(), 5);
/// assert_eq!(hits.len(), 1);
/// assert_eq!(hits[0].document.row.name(), "slack_send");
/// ```
#[must_use]
pub fn required<'a, 'q>(
    required: &str,
    ranking: impl Into<Asked<'q>>,
    candidates: &Candidates<'a>,
    ranker: &dyn Ranker,
    max: usize,
) -> Vec<Hit<'a>> {
    let required = spaced(required);
    let admitted = candidates.narrowed(&|hit| {
        let name = spaced(hit.document.row.name());
        name.contains(&required) || (spaced(hit.source) + " " + &name).contains(&required)
    });
    let ranked = search(ranking, &admitted, ranker, max);
    if !ranked.is_empty() {
        return ranked;
    }
    let mut hits: Vec<Hit<'a>> = admitted.iter().collect();
    hits.sort_by(Hit::tie_break);
    hits.truncate(max);
    hits
}

/// Lower case, with `_` and `-` as spaces: the founding normalisation of names.
fn spaced(name: &str) -> String {
    name.to_lowercase().replace(['_', '-'], " ").trim().to_owned()
}
