//! Headers that repeat the body, held against it: whoever stands between both sides has decided by them (SEP-2243).

use axum::http::HeaderMap;

use crate::http::named_by;
use crate::http::{
    METHOD_HEADER, Mirror, NAME_HEADER, PARAM_HEADER_PREFIX, VERSION_HEADER, decoded,
};
use crate::{Members, Request, RpcError, code};

/// Holds the headers of a request of the newer era against its body.
///
/// # Errors
///
/// One is missing or says something else.
pub(super) fn check(
    headers: &HeaderMap,
    request: &Request,
    version: &str,
    mirrors: impl FnOnce(&str) -> Vec<Mirror>,
) -> Result<(), RpcError> {
    same(headers, VERSION_HEADER, Some(version))?;
    same(headers, METHOD_HEADER, Some(&request.method))?;
    let Some(member) = named_by(&request.method) else { return Ok(()) };
    let params = Members::of(request.params.as_deref()).unwrap_or_default();
    let Some(name) = params.read::<String>(member) else {
        return Ok(());
    };
    same(headers, NAME_HEADER, Some(&name))?;
    if &*request.method == "tools/call" {
        for mirror in mirrors(&name) {
            let header = format!("{PARAM_HEADER_PREFIX}{}", mirror.header).to_ascii_lowercase();
            same(headers, &header, mirror.value(params.get("arguments")).as_deref())?;
        }
    }
    Ok(())
}

/// Holds the header that says the version against what the body says of it; a body that says nothing is wrong in another way.
///
/// # Errors
///
/// Both say something else.
pub(super) fn same_version(headers: &HeaderMap, said: Option<&str>) -> Result<(), RpcError> {
    match said {
        Some(said) if headers.contains_key(VERSION_HEADER) => {
            same(headers, VERSION_HEADER, Some(said))
        }
        _ => Ok(()),
    }
}

fn same(headers: &HeaderMap, name: &str, expected: Option<&str>) -> Result<(), RpcError> {
    let fault = |why: String| Err(RpcError::new(code::HEADER_MISMATCH, why));
    let mut values = headers.get_all(name).iter();
    let value = values.next();
    if values.next().is_some() {
        return fault(format!("Header mismatch: `{name}` comes more than once"));
    }
    let said = value.map(|value| value.to_str().ok().and_then(decoded));
    match (said, expected) {
        (None, None) => Ok(()),
        (Some(Some(said)), Some(expected)) if said == expected || same_number(&said, expected) => {
            Ok(())
        }
        (None, Some(_)) => fault(format!("Header mismatch: `{name}` is missing")),
        (Some(None), _) => fault(format!("Header mismatch: `{name}` cannot be read")),
        (Some(Some(_)), None) => {
            fault(format!("Header mismatch: `{name}` repeats an argument that is not given"))
        }
        (Some(Some(_)), Some(_)) => {
            fault(format!("Header mismatch: `{name}` does not say what the body says"))
        }
    }
}

/// Two ways to write one whole number are one value.
fn same_number(said: &str, expected: &str) -> bool {
    let number = |text: &str| text.parse::<f64>().ok().filter(|number| number.fract() == 0.0);
    number(said).is_some_and(|said| Some(said) == number(expected))
}
