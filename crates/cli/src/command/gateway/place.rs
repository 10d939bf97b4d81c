//! Where something stands in a file, as programs read it.

use std::path::Path;

use oncue_gateway::config::Place;
use serde::Serialize;

/// A place in a file; lines and columns count from 1.
#[derive(Serialize)]
pub(super) struct PlaceJson<'p> {
    file: &'p Path,
    line: usize,
    column: usize,
}

impl<'p> From<&'p Place> for PlaceJson<'p> {
    fn from(place: &'p Place) -> Self {
        Self { file: &place.file, line: place.line, column: place.column }
    }
}
