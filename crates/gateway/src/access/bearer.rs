//! What a request presents to say who makes it (RFC 6750, section 2.1).

use axum::http::header::AUTHORIZATION;
use axum::http::request::Parts;
use percent_encoding::percent_decode_str;

use super::token::looks_like_token;
use crate::limits::AUTHORIZATION_BYTES_MAX;

/// The parameter in which RFC 6750, section 2.3, would have a token. It is never taken from there.
const PARAMETER: &str = "access_token";

/// What is wrong with a request before anybody asks who makes it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Malformed {
    /// A token stands in its address.
    Query,
    /// It has several `Authorization` headers.
    Several,
    /// Its `Authorization` header has another form.
    Header,
}

/// Says whether a token stands in the address, where logs and histories keep it.
pub(super) fn check_address(head: &Parts) -> Result<(), Malformed> {
    let query = head.uri.query().unwrap_or_default();
    let has_token = query.split('&').any(|pair| {
        let (name, value) = pair.split_once('=').unwrap_or((pair, ""));
        let [name, value] = [name, value].map(|text| percent_decode_str(text).decode_utf8_lossy());
        name == PARAMETER || looks_like_token(&name) || looks_like_token(&value)
    });
    if has_token { Err(Malformed::Query) } else { Ok(()) }
}

/// Returns the text that is presented as a token; `None` where there is none.
///
/// A header of another scheme presents none.
pub(super) fn presented(head: &Parts) -> Result<Option<&str>, Malformed> {
    let mut headers = head.headers.get_all(AUTHORIZATION).iter();
    let Some(header) = headers.next() else { return Ok(None) };
    if headers.next().is_some() {
        return Err(Malformed::Several);
    }
    let text = header.to_str().map_err(|_| Malformed::Header)?.trim();
    if text.is_empty() || text.len() > AUTHORIZATION_BYTES_MAX {
        return Err(Malformed::Header);
    }
    let (scheme, rest) = text.split_once(' ').unwrap_or((text, ""));
    if !scheme.bytes().all(is_scheme) {
        return Err(Malformed::Header);
    }
    if !scheme.eq_ignore_ascii_case("bearer") {
        return Ok(None);
    }
    let token = rest.trim_start_matches(' ');
    let body = token.trim_end_matches('=');
    match !body.is_empty() && body.bytes().all(is_of_token) {
        true => Ok(Some(token)),
        false => Err(Malformed::Header),
    }
}

/// RFC 9110, section 5.6.2: a `token`, of which a scheme is one.
fn is_scheme(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || b"!#$%&'*+-.^_`|~".contains(&byte)
}

/// RFC 6750, section 2.1: what a `b64token` is made of.
fn is_of_token(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || b"-._~+/".contains(&byte)
}

#[cfg(test)]
mod tests {
    use axum::http::Request;
    use axum::http::header::HeaderValue;

    use super::*;

    fn head(uri: &str, headers: &[&[u8]]) -> Parts {
        let mut request = Request::builder().uri(uri);
        for header in headers {
            request =
                request.header("authorization", HeaderValue::from_bytes(header).expect("sent"));
        }
        request.body(()).expect("a request").into_parts().0
    }

    #[test]
    fn headers_are_read_as_the_specifications_say() {
        type Case<'c> = (&'c [&'c [u8]], Result<Option<&'c str>, Malformed>);
        let cases: [Case<'_>; 19] = [
            (&[], Ok(None)),
            (&[b"Bearer oncue_a-_9"], Ok(Some("oncue_a-_9"))),
            (&[b"bearer x"], Ok(Some("x"))),
            (&[b"BEARER   x"], Ok(Some("x"))),
            (&[b"Bearer x "], Ok(Some("x"))),
            (&[b"Bearer a.b~c+d/e=="], Ok(Some("a.b~c+d/e=="))),
            (&[b"Basic dTpw"], Ok(None)),
            (&[b"Negotiate"], Ok(None)),
            (&[b"Digest username=\"x\", realm=\"y\""], Ok(None)),
            (&[b""], Err(Malformed::Header)),
            (&[b"Bearer"], Err(Malformed::Header)),
            (&[b"Bearer ="], Err(Malformed::Header)),
            (&[b"Bearer a b"], Err(Malformed::Header)),
            (&[b"Bearer a,b"], Err(Malformed::Header)),
            (&[b"Bearer \"a\""], Err(Malformed::Header)),
            (&[b"Bearer a=b"], Err(Malformed::Header)),
            (&["Bearer ä".as_bytes()], Err(Malformed::Header)),
            (&[b"Bear(er x"], Err(Malformed::Header)),
            (&[b"Bearer x", b"Bearer x"], Err(Malformed::Several)),
        ];
        for (headers, expected) in cases {
            assert_eq!(presented(&head("/mcp", headers)), expected, "{headers:?}");
        }
    }

    #[test]
    fn the_length_of_a_header_is_bounded() {
        for (bytes, fits) in [
            (AUTHORIZATION_BYTES_MAX - 1, true),
            (AUTHORIZATION_BYTES_MAX, true),
            (AUTHORIZATION_BYTES_MAX + 1, false),
        ] {
            let header = format!("Bearer {}", "a".repeat(bytes - "Bearer ".len()));
            assert_eq!(presented(&head("/mcp", &[header.as_bytes()])).is_ok(), fits, "{bytes}");
        }
    }

    #[test]
    fn a_token_in_the_address_is_seen_however_it_is_written() {
        for uri in [
            "/mcp?access_token=x",
            "/mcp?access_token",
            "/mcp?a=1&access%5Ftoken=x",
            "/mcp?token=oncue_abc",
            "/mcp?q=Bearer%20%6Fncue_abc",
            "/mcp?oncue_abc",
        ] {
            assert_eq!(check_address(&head(uri, &[])), Err(Malformed::Query), "{uri}");
        }
        for uri in ["/mcp", "/mcp?", "/mcp?a=1&b", "/mcp?token=abc", "/mcp?q=oncue", "/oncue_x"] {
            assert_eq!(check_address(&head(uri, &[])), Ok(()), "{uri}");
        }
    }
}
