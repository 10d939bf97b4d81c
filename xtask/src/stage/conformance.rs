//! The official conformance suite.

use anyhow::{Result, bail};

use super::{Outcome, Site};
use crate::conformance::{self, Conformance};
use crate::machine::Supply;

pub(super) fn run_all(site: &Site) -> Result<Outcome> {
    if site.supply == Supply::AsFound {
        let why = "it takes a minute and fetches the suite: `cargo xtask conformance` runs it";
        return Ok(Outcome::Skipped(why.to_owned()));
    }
    match conformance::check(&site.root)? {
        Conformance::Unavailable(why) => Ok(Outcome::Skipped(why)),
        Conformance::Told(true) => Ok(Outcome::Passed),
        Conformance::Told(false) => bail!("see what is told above"),
    }
}
