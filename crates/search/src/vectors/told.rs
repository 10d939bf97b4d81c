//! How close candidates are to what is asked, worked out once for all that is asked of them.

use std::ops::Range;
use std::sync::Arc;

use super::Meaning;
use crate::Candidates;
use crate::candidates::Part;
use crate::index::{Segment, SourceVectors};

/// For each tool of a segment how close it is, in parts of `SIMILARITY_WHOLE`; `None` for those that were not asked for or have no vector.
pub(crate) type Closeness = Arc<[Option<i32>]>;

/// How close candidates are. Lives as long as one search.
#[derive(Debug)]
pub(crate) struct Told<'a>(Vec<Known<'a>>);

#[derive(Debug)]
struct Known<'a> {
    segment: &'a Arc<Segment>,
    vectors: &'a SourceVectors,
    docs: Vec<Range<u32>>,
    closeness: Closeness,
}

impl<'a> Told<'a> {
    /// Looks at the vector of every candidate.
    pub(crate) fn of(candidates: &Candidates<'a>, meaning: &Meaning) -> Self {
        let known = |part: &Part<'a>| Known {
            segment: part.segment,
            vectors: part.vectors,
            docs: part.docs.clone(),
            closeness: closeness(part, meaning),
        };
        Self(candidates.parts().iter().map(known).collect())
    }

    /// Returns how close the tools of `part` are, if they were among the candidates.
    pub(crate) fn get(&self, part: &Part<'_>) -> Option<Closeness> {
        let known = self.0.iter().find(|known| {
            Arc::ptr_eq(known.segment, part.segment) && Arc::ptr_eq(known.vectors, part.vectors)
        })?;
        if known.docs == part.docs {
            return Some(Arc::clone(&known.closeness));
        }
        let is_known = |docs: &Range<u32>| {
            known.docs.iter().any(|all| all.start <= docs.start && docs.end <= all.end)
        };
        if !part.docs.iter().all(is_known) {
            return None;
        }
        let mut some = vec![None; known.closeness.len()];
        for docs in &part.docs {
            let docs = docs.start as usize..docs.end as usize;
            if let (Some(to), Some(from)) = (some.get_mut(docs.clone()), known.closeness.get(docs))
            {
                to.copy_from_slice(from);
            }
        }
        Some(some.into())
    }
}

/// Returns for each tool of the segment how close it is to the closest of what the query says.
pub(crate) fn closeness(part: &Part<'_>, meaning: &Meaning) -> Closeness {
    let mut closeness = vec![None; part.segment.documents.len()];
    let mut row = Vec::new();
    for (source, vectors) in part.segment.sources.iter().zip(part.vectors.iter()) {
        let Some(vectors) = vectors.as_ref().filter(|vectors| meaning.is_of(vectors)) else {
            continue;
        };
        let from = part.docs.partition_point(|docs| docs.end <= source.docs.start);
        for docs in part.docs.iter().skip(from) {
            let (start, end) = (docs.start.max(source.docs.start), docs.end.min(source.docs.end));
            if start >= end {
                break;
            }
            for (at, side) in meaning.sides().iter().enumerate() {
                row.clear();
                row.resize((end - start) as usize, 0);
                vectors.similarities((start - source.docs.start) as usize, side, &mut row);
                let known = closeness.iter_mut().skip(start as usize);
                for (known, &one) in known.zip(&row) {
                    let before = if at == 0 { i32::MIN } else { known.unwrap_or(i32::MIN) };
                    *known = Some(one.max(before));
                }
            }
        }
    }
    closeness.into()
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use oncue_decl::Row as Declared;

    use super::{Told, closeness};
    use crate::{Admit, Document, Index, Meaning, Row, Vectors};

    fn index() -> Index {
        let tool = |name: String| {
            Arc::new(Document { row: Declared::inline(name, String::new()), schema: None })
        };
        ["a", "b", "c"].into_iter().fold(Index::default(), |index, source| {
            let tools = (0..3).map(|n| tool(format!("{source}{n}"))).collect();
            let rows: Vec<Row> =
                (0..3).map(|n| Row::of(&[n as f32 + 1.0, source.len() as f32])).collect();
            index.replaced(source, tools).with_vectors(source, &Arc::new(Vectors::new("m", &rows)))
        })
    }

    #[test]
    fn fewer_candidates_are_as_close_as_they_were_among_all() {
        let index = index();
        let all = index.candidates(Admit::All);
        let meaning = Meaning::new("m", &["x"], &[vec![1.0, 0.5]]);
        let told = Told::of(&all, &meaning);
        let some = all.without_sources(&["b"]).without([("a", 0), ("c", 2)]);
        assert_eq!(some.len(), 4);
        for part in some.parts() {
            let known = told.get(part).expect("they were among the candidates");
            assert_eq!(known, closeness(part, &meaning));
            assert!(known.iter().flatten().count() > 0);
        }
        let told = Told::of(&some, &meaning);
        let is_known = |part| told.get(part).is_some();
        assert!(!all.parts().iter().any(is_known), "others are not known");
    }
}
