//! Vectors that are remembered as long as a measurement lasts: it asks for the same tools again and again.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};

use oncue_search::Row;
use oncue_tools::VectorStore;

/// Vectors by text; of one model.
#[derive(Debug, Default)]
pub(crate) struct Remembered(Mutex<HashMap<String, Row>>);

impl VectorStore for Remembered {
    fn get(&self, _: &str, text: &str) -> Option<Row> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).get(text).cloned()
    }

    fn put(&self, _: &str, text: &str, row: &Row) {
        let mut rows = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        rows.insert(text.to_owned(), row.clone());
    }
}
