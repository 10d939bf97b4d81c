//! What tells like hits of one answer apart, for whoever has to choose among them.

use crate::Hit;
use crate::limits::SIBLINGS_HITS_MAX;
use crate::text::name_words;

/// Most words that the name of either of two like tools has for itself.
const OWN_WORDS: usize = 2;

/// A hit among those that are like it, and what it alone, or it with some of them, has.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Apart {
    /// Its place in the answer, from 0.
    pub place: usize,
    /// The words of its name that not all of them have, in lower case; where all names are the same, the id of its source.
    pub words: Vec<String>,
}

/// Returns the families among `hits`: tools of one source whose names share most of their words, or tools of one name from several sources, each with what tells it apart.
///
/// Of an answer the first 100 hits are looked at, and a family has at least two members.
///
/// ```
/// use std::sync::Arc;
/// use oncue_decl::Row;
/// use oncue_search::{Admit, Document, Index, differences, rank::Bm25f, search};
///
/// let tool = |name: &'static str| Arc::new(Document::new(Row::inline(name, "")));
/// let index = Index::default()
///     .replaced("git", vec![tool("create_issue"), tool("update_issue_comment"), tool("search_code")]);
/// let hits = search("issue", &index.candidates(Admit::All), &Bm25f::default(), 5);
/// let [family] = &differences(&hits)[..] else { panic!("one family") };
/// assert_eq!(family[0].words, ["create"]);
/// assert_eq!(family[1].words, ["update", "comment"]);
/// ```
#[must_use]
pub fn differences(hits: &[Hit<'_>]) -> Vec<Vec<Apart>> {
    let hits = hits.get(..SIBLINGS_HITS_MAX).unwrap_or(hits);
    // Words are compared by their stems, so that `issue` and `issues` are one.
    let (words, names): (Vec<Vec<String>>, Vec<Vec<String>>) =
        hits.iter().map(|hit| name_words(hit.document.row.name()).into_iter().unzip()).unzip();
    let mut families: Vec<Vec<usize>> = Vec::new();
    for place in 0..hits.len() {
        let is_like = |family: &&mut Vec<usize>| {
            let first = family.first().copied().unwrap_or(place);
            let same_source = hits[first].source == hits[place].source;
            if same_source {
                are_like(&names[first], &names[place])
            } else {
                names[first] == names[place]
            }
        };
        match families.iter_mut().find(is_like) {
            Some(family) => family.push(place),
            None => families.push(vec![place]),
        }
    }
    families.retain(|family| family.len() > 1);
    let apart = |family: Vec<usize>| -> Vec<Apart> {
        let is_shared = |stem: &String| family.iter().all(|&place| names[place].contains(stem));
        let told = |&place: &usize| {
            let own = words[place].iter().zip(&names[place]).filter(|(_, stem)| !is_shared(stem));
            let mut words: Vec<String> = own.map(|(word, _)| word.clone()).collect();
            if family.iter().all(|&other| names[other] == names[place]) {
                words.push(hits[place].source.to_owned());
            }
            Apart { place, words }
        };
        family.iter().map(told).collect()
    };
    families.into_iter().map(apart).collect()
}

/// Says whether two names share a word and at least as many as either has for itself, of which neither has many.
fn are_like(left: &[String], right: &[String]) -> bool {
    let shared = left.iter().filter(|word| right.contains(word)).count();
    let own = |words: &[String], other: &[String]| {
        words.iter().filter(|word| !other.contains(word)).count()
    };
    let most = own(left, right).max(own(right, left));
    shared > 0 && most <= OWN_WORDS && shared >= most.min(OWN_WORDS - 1)
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use oncue_decl::Row;

    use super::differences;
    use crate::{Admit, Document, Index};

    fn check(tools: &[(&str, &str)], expected: &[&[(usize, &str)]]) {
        let index = tools.iter().fold(Index::default(), |index, (source, _)| {
            let owned = tools.iter().filter(|(owner, _)| owner == source);
            let tool = |name: &str| Row::inline(name.to_owned(), "");
            let documents = owned.map(|(_, name)| Arc::new(Document::new(tool(name))));
            index.replaced(source, documents.collect())
        });
        let candidates = index.candidates(Admit::All);
        let hits: Vec<_> = candidates.iter().collect();
        let found: Vec<Vec<(usize, String)>> = differences(&hits)
            .into_iter()
            .map(|family| family.into_iter().map(|apart| (apart.place, apart.words.join(" "))))
            .map(Iterator::collect)
            .collect();
        let expected: Vec<Vec<(usize, String)>> = expected
            .iter()
            .map(|family| {
                family.iter().map(|(place, words)| (*place, (*words).to_owned())).collect()
            })
            .collect();
        assert_eq!(found, expected, "{tools:?}");
    }

    #[test]
    fn like_names_of_one_source_are_told_apart_by_their_words() {
        check(
            &[("a", "createIssue"), ("a", "delete_issue"), ("a", "send_mail"), ("a", "issues")],
            &[&[(0, "create"), (1, "delete"), (3, "")]],
        );
        check(&[("a", "send_mail"), ("a", "read_file")], &[]);
        // Like names of two sources are no family, unless they are the same.
        check(&[("a", "send_mail"), ("b", "read_mail")], &[]);
    }

    #[test]
    fn the_same_name_is_told_apart_by_its_source() {
        check(
            &[("a", "web_search"), ("b", "webSearch"), ("c", "web_fetch")],
            &[&[(0, "a"), (1, "b")]],
        );
    }

    #[test]
    fn names_that_share_little_are_no_family() {
        check(&[("a", "list_open_pull_requests"), ("a", "list_all_the_users")], &[]);
        check(&[], &[]);
    }
}
