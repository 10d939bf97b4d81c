//! The vectors of queries that were asked lately: models ask the same again, and an answer that came too late serves the next search. Lives as long as its embedder.

use std::collections::VecDeque;

use crate::limits::EMBEDDING_QUERIES_KEPT_MAX;

/// Vectors by text, the newest last.
#[derive(Debug, Default)]
pub(super) struct Recent(VecDeque<(Box<str>, Vec<f32>)>);

impl Recent {
    /// Returns the vectors of all of `texts`, or `None` where one is not remembered.
    pub(super) fn all(&self, texts: &[&str]) -> Option<Vec<Vec<f32>>> {
        let one = |text: &str| self.0.iter().rev().find(|(known, _)| **known == *text);
        texts.iter().map(|text| one(text).map(|(_, vector)| vector.clone())).collect()
    }

    /// Remembers the vector of a text, and forgets the oldest where there are too many.
    pub(super) fn put(&mut self, text: &str, vector: Vec<f32>) {
        self.0.retain(|(known, _)| **known != *text);
        self.0.push_back((text.into(), vector));
        while self.0.len() > EMBEDDING_QUERIES_KEPT_MAX {
            self.0.pop_front();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Recent;

    #[test]
    fn the_last_texts_are_remembered_each_once() {
        let mut recent = Recent::default();
        assert_eq!(recent.all(&[]), Some(Vec::new()));
        recent.put("a", vec![1.0]);
        recent.put("a", vec![2.0]);
        recent.put("b", vec![3.0]);
        assert_eq!(recent.all(&["b", "a"]), Some(vec![vec![3.0], vec![2.0]]));
        assert_eq!(recent.all(&["a", "c"]), None);
        (0..255).for_each(|number| recent.put(&number.to_string(), vec![0.0]));
        assert_eq!(recent.all(&["a"]), None, "256 are remembered, and it was the oldest");
        assert_eq!(recent.all(&["b"]), Some(vec![vec![3.0]]));
    }
}
