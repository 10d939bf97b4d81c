//! Places in a schema, and the report of what was lost there. Both live as long as one projection.

use std::collections::HashSet;
use std::fmt;

use oncue_agent::Loss;
use serde_json::Value;

/// A JSON pointer into the schema that is projected.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Pointer(String);

impl Pointer {
    pub(super) fn root() -> Self {
        Self::default()
    }

    /// Returns the place of the member or the item `key`.
    pub(super) fn at(&self, key: impl fmt::Display) -> Self {
        let key = key.to_string().replace('~', "~0").replace('/', "~1");
        Self(format!("{}/{key}", self.0))
    }

    pub(super) fn as_str(&self) -> &str {
        &self.0
    }
}

/// Returns the schema that a reference leads to, and its place; `None` where that is not in this document.
pub(super) fn resolve<'s>(document: &'s Value, reference: &str) -> Option<(&'s Value, Pointer)> {
    let place = reference.strip_prefix('#')?;
    Some((document.pointer(place)?, Pointer(place.to_owned())))
}

/// What was lost, each loss once.
#[derive(Debug, Default)]
pub(super) struct Report {
    losses: Vec<Loss>,
    known: HashSet<(String, String)>,
}

impl Report {
    pub(super) fn lose(&mut self, place: &Pointer, what: impl Into<String>) {
        let loss = (place.as_str().to_owned(), what.into());
        if self.known.insert(loss.clone()) {
            self.losses.push(Loss { place: loss.0, what: loss.1 });
        }
    }

    pub(super) fn extend(&mut self, other: Self) {
        for loss in other.losses {
            let known = (loss.place.clone(), loss.what.clone());
            if self.known.insert(known) {
                self.losses.push(loss);
            }
        }
    }

    pub(super) fn into_losses(self) -> Vec<Loss> {
        self.losses
    }
}
