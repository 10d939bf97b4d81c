//! Who asks: a bearer key, or a signature of the fourth version. What is signed is not worked out again, only its form is held against the rules.

use crate::wire::Checked;
use crate::{Asked, Refusal};

/// The service that signatures are made for.
const SERVICE: &str = "bedrock";

/// The parts of a signed request's header.
struct Signed<'a> {
    key: &'a str,
    date: &'a str,
    service: &'a str,
    ending: &'a str,
    headers: &'a str,
    signature: &'a str,
}

/// Holds the header against the rules.
pub(super) fn check(asked: &Asked) -> Checked {
    let refused = |kind: &str, message: &str| Err(Refusal::new(403, kind, message));
    let Some(header) = asked.header("authorization") else {
        return refused("MissingAuthenticationTokenException", "Missing Authentication Token");
    };
    if let Some(key) = header.strip_prefix("Bearer ") {
        return match key.trim().is_empty() {
            true => refused("AccessDeniedException", "Authentication failed"),
            false => Ok(()),
        };
    }
    let Some(signed) = signed(header) else {
        return refused(
            "IncompleteSignatureException",
            "Authorization header requires 'Credential', 'SignedHeaders' and 'Signature' parameters.",
        );
    };
    let stamp = asked.header("x-amz-date").unwrap_or_default();
    if stamp.len() != "20261130T000000Z".len() || !stamp.ends_with('Z') {
        return refused(
            "IncompleteSignatureException",
            "Authorization header requires existence of either a 'X-Amz-Date' or a 'Date' header.",
        );
    }
    if !stamp.starts_with(signed.date)
        || signed.service != SERVICE
        || signed.ending != "aws4_request"
    {
        return refused(
            "InvalidSignatureException",
            "Credential should be scoped to a valid region and to the service 'bedrock'.",
        );
    }
    let has = |wanted: &str| signed.headers.split(';').any(|name| name == wanted);
    let is_hex = |c: char| c.is_ascii_digit() || ('a'..='f').contains(&c);
    let is_whole = signed.signature.len() == 64 && signed.signature.chars().all(is_hex);
    match has("host") && has("x-amz-date") && is_whole && !signed.key.is_empty() {
        true => Ok(()),
        false => refused(
            "InvalidSignatureException",
            "The request signature we calculated does not match the signature you provided.",
        ),
    }
}

/// Returns what tells callers apart: the key, whatever day it is.
pub(super) fn caller(asked: &Asked) -> String {
    let header = asked.header("authorization").unwrap_or_default();
    signed(header).map_or_else(|| header.to_owned(), |signed| signed.key.to_owned())
}

fn signed(header: &str) -> Option<Signed<'_>> {
    let fields = header.strip_prefix("AWS4-HMAC-SHA256 ")?;
    let field = |name: &str| {
        let mut all = fields.split(',').map(str::trim);
        all.find_map(|field| field.strip_prefix(name)?.strip_prefix('='))
    };
    let mut scope = field("Credential")?.split('/');
    let (key, date) = (scope.next()?, scope.next()?);
    let _region = scope.next().filter(|region| !region.is_empty())?;
    Some(Signed {
        key,
        date,
        service: scope.next()?,
        ending: scope.next()?,
        headers: field("SignedHeaders")?,
        signature: field("Signature")?,
    })
}

#[cfg(test)]
mod tests {
    use super::{caller, check};
    use crate::Asked;

    fn asked(authorization: &str, date: &str) -> Asked {
        let header = |name: &str, value: &str| (name.to_owned(), value.to_owned());
        let headers = vec![header("authorization", authorization), header("x-amz-date", date)];
        Asked { headers, ..Asked::default() }
    }

    fn signature(scope: &str, headers: &str, signature: &str) -> String {
        format!(
            "AWS4-HMAC-SHA256 Credential=AKID/{scope}, SignedHeaders={headers}, Signature={signature}"
        )
    }

    #[test]
    fn a_signature_has_its_form() {
        let scope = "20261130/us-east-1/bedrock/aws4_request";
        let hex = "0a".repeat(32);
        let headers = "content-type;host;x-amz-date";
        let check = |header: &str, date: &str, kind: Result<(), &str>| {
            let found = check(&asked(header, date)).map_err(|refusal| refusal.kind);
            assert_eq!(found, kind.map_err(str::to_owned), "{header}");
        };
        let date = "20261130T101112Z";
        check(&signature(scope, headers, &hex), date, Ok(()));
        check(&signature(scope, headers, &hex).replace(", ", ","), date, Ok(()));
        check("Bearer key", date, Ok(()));
        check("Bearer ", date, Err("AccessDeniedException"));
        check("Basic x", date, Err("IncompleteSignatureException"));
        check(&signature(scope, headers, &hex), "", Err("IncompleteSignatureException"));
        check(
            &signature(scope, headers, &hex),
            "20261129T101112Z",
            Err("InvalidSignatureException"),
        );
        check(&signature(scope, "host", &hex), date, Err("InvalidSignatureException"));
        check(&signature(scope, headers, "0a"), date, Err("InvalidSignatureException"));
        check(
            &signature(scope, headers, &hex.replacen('0', "g", 1)),
            date,
            Err("InvalidSignatureException"),
        );
        for stamp in ["20261130T1011Z", "20261130T1011120"] {
            check(&signature(scope, headers, &hex), stamp, Err("IncompleteSignatureException"));
        }
        let other = "20261130/us-east-1/s3/aws4_request";
        check(&signature(other, headers, &hex), date, Err("InvalidSignatureException"));
        check(
            &signature("20261130/us-east-1", headers, &hex),
            date,
            Err("IncompleteSignatureException"),
        );
        let nobody = super::check(&Asked::default()).unwrap_err();
        assert_eq!(
            (nobody.status, nobody.kind.as_str()),
            (403, "MissingAuthenticationTokenException")
        );
    }

    #[test]
    fn a_caller_is_known_by_the_key_on_every_day() {
        let on =
            |day: &str| signature(&format!("{day}/us-east-1/bedrock/aws4_request"), "host", "x");
        assert_eq!(caller(&asked(&on("20261130"), "")), "AKID");
        assert_eq!(caller(&asked(&on("20261201"), "")), "AKID");
        assert_eq!(caller(&asked("Bearer k", "")), "Bearer k");
    }
}
