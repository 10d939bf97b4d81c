//! The embedding model, which the tests of the encoder need.

use anyhow::Result;

use super::{Outcome, Site};
use crate::models;

pub(super) fn install(site: &Site) -> Result<Outcome> {
    match models::install(&site.root, site.supply)? {
        true => Ok(Outcome::Passed),
        false => Ok(Outcome::Skipped("not installed: cargo xtask models".to_owned())),
    }
}
