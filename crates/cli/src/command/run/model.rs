//! The model that a run talks to, by its name.

use std::path::Path;
use std::sync::Arc;

use oncue_agent::Model;
use oncue_providers::{Endpoint, SetupError};

use super::cassette::{Cassette, Played, Player};
use super::cost::Rates;
use crate::args::{ModelArgs, ProfileArg};
use crate::exit::Exit;
use crate::failure::Failure;

/// What stands before the name of a recording.
const REPLAY: &str = "replay:";

/// A model, and what its tokens cost.
pub(super) struct Opened {
    pub(super) model: Arc<dyn Model>,
    pub(super) rates: Rates,
}

/// Returns the model that was named; nothing where none was.
///
/// # Errors
///
/// The name is none, a key is missing, or the recording cannot be read.
pub(super) fn open(args: &ModelArgs, profile: ProfileArg) -> Result<Option<Opened>, Failure> {
    let Some(name) = args.model.as_deref().filter(|name| !name.trim().is_empty()) else {
        return Ok(None);
    };
    if let Some(path) = name.strip_prefix(REPLAY) {
        return played(Path::new(path), args).map(Some);
    }
    let lookup = |variable: &str| std::env::var(variable).ok();
    let mut endpoint = Endpoint::parse(name, lookup).map_err(failure)?;
    if let Some(url) = &args.base_url {
        endpoint = endpoint.with_base_url(url);
    }
    if let Some(disclosure) = args.disclosure {
        endpoint = endpoint.with_disclosure(disclosure.into());
    }
    if args.lenient || matches!(profile, ProfileArg::Weak) {
        endpoint = endpoint.with_lenient_calls(true);
    }
    if args.can_narrow {
        endpoint = endpoint.with_narrowing(true);
    }
    let rates = Rates::of(endpoint.facts());
    let model = endpoint.open().map_err(failure)?;
    Ok(Some(Opened { model, rates }))
}

/// Says that there is no model.
pub(super) fn missing() -> Failure {
    let error = anyhow::anyhow!("no model is named");
    Failure { exit: Exit::Usage, error, hint: None }.hint(
        "say `--model NAME`, or set ONCUE_MODEL; `oncue run --help` tells what names look like",
    )
}

/// Returns the name of a model without what may be secret: who logs in, and what is asked for, at an address.
pub(super) fn shown(name: &str) -> String {
    let Some((before, address)) = name.split_once("://") else { return name.to_owned() };
    let address = address.split(['?', '#']).next().unwrap_or_default();
    let (host, path) = address
        .split_at_checked(address.find('/').unwrap_or(address.len()))
        .unwrap_or((address, ""));
    let host = host.rsplit_once('@').map_or(host, |(_, host)| host);
    format!("{before}://{host}{path}")
}

fn played(path: &Path, args: &ModelArgs) -> Result<Opened, Failure> {
    let player = Arc::new(Player::lenient(Cassette::read(path)?));
    let rates = player.start().rates;
    let model = Played::new(player, args.disclosure.map(Into::into));
    Ok(Opened { model: Arc::new(model), rates })
}

fn failure(error: SetupError) -> Failure {
    let exit = match error {
        SetupError::UnknownVendor { .. }
        | SetupError::Malformed { .. }
        | SetupError::BaseUrl { .. } => Exit::Usage,
        _ => Exit::Model,
    };
    Failure { exit, error: anyhow::Error::new(error), hint: None }
}

#[cfg(test)]
mod tests {
    use super::shown;

    #[test]
    fn a_name_is_shown_without_what_may_be_secret() {
        for (name, expected) in [
            ("vendor:model", "vendor:model"),
            ("m@http://127.0.0.1:8080/v1", "m@http://127.0.0.1:8080/v1"),
            ("m@https://me:secret@host/v1?key=secret", "m@https://host/v1"),
            ("a@b@https://host", "a@b@https://host"),
        ] {
            assert_eq!(shown(name), expected);
        }
    }
}
