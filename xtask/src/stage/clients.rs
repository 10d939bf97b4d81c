//! Real clients before the gateway.

use anyhow::{Result, bail};

use super::{Outcome, Site};
use crate::clients::{self, Matrix};
use crate::machine::Supply;

pub(super) fn run_all(site: &Site) -> Result<Outcome> {
    if site.supply == Supply::AsFound {
        let why = "it takes minutes: `cargo xtask clients` runs it";
        return Ok(Outcome::Skipped(why.to_owned()));
    }
    match clients::check(&site.root, site.supply)? {
        Matrix::Unavailable(why) => Ok(Outcome::Skipped(why)),
        Matrix::Told(true) => Ok(Outcome::Passed),
        Matrix::Told(false) => bail!("clients show something else, see above"),
    }
}
