//! Which data sets share a catalog, so that one of them tells about the other.

use crate::retrieval::Dataset;

/// Returns the places of the data sets, those of one catalog together, in the order of their first.
pub(super) fn families(datasets: &[Dataset]) -> Vec<Vec<usize>> {
    let mut families: Vec<Vec<usize>> = Vec::new();
    for (place, dataset) in datasets.iter().enumerate() {
        let kin = families.iter_mut().find(|family| {
            family
                .first()
                .and_then(|&first| datasets.get(first))
                .is_some_and(|first| share_a_catalog(first, dataset))
        });
        match kin {
            Some(family) => family.push(place),
            None => families.push(vec![place]),
        }
    }
    families
}

fn share_a_catalog(left: &Dataset, right: &Dataset) -> bool {
    left.tools.len() == right.tools.len()
        && left.tools.iter().zip(&right.tools).all(|(left, right)| {
            let (row, other) = (&left.document.row, &right.document.row);
            left.source == right.source
                && row.name() == other.name()
                && row.description() == other.description()
        })
}

#[cfg(test)]
mod tests {
    use super::families;
    use crate::retrieval::Dataset;

    #[test]
    fn sets_of_one_catalog_stay_together() {
        let set = |name: &str, tool: &str| {
            let tools = format!(r#"{{"id": "1", "name": "{tool}"}}"#);
            let query = r#"{"id": "q", "query": "x", "relevant": ["1"], "lang": "en"}"#;
            Dataset::parse(name, "dev", &tools, query).expect("well formed")
        };
        let sets = [set("a", "read"), set("b", "send"), set("c", "read"), set("d", "stat")];
        assert_eq!(families(&sets), [vec![0, 2], vec![1], vec![3]]);
        assert!(families(&[]).is_empty());
    }
}
