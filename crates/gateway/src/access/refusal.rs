//! The answers to those who are not let in. They tell no more than the sender knows.

use oncue_mcp::server::Refusal;

use super::bearer::Malformed;

/// Why a request is refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Why {
    /// It is malformed.
    Malformed(Malformed),
    /// It presents no token.
    Missing,
    /// Its token lets nobody in. Unknown, expired and revoked are one: the difference would tell which tokens once were good.
    Invalid,
    /// Nobody can be let in at the moment.
    Unavailable,
}

const HOW: &str = "send `Authorization: Bearer TOKEN`, once";

/// Returns the answer; `metadata` is where the metadata of the resource is, for clients that look for it (RFC 9728).
pub(super) fn refusal(why: Why, metadata: Option<&str>) -> Refusal {
    let (status, error, message) = match why {
        Why::Malformed(Malformed::Query) => (
            400,
            Some("invalid_request"),
            format!(
                "a token in an address is never accepted, since logs keep addresses: revoke it and {HOW}"
            ),
        ),
        Why::Malformed(Malformed::Several) => (
            400,
            Some("invalid_request"),
            format!("there are several `Authorization` headers: {HOW}"),
        ),
        Why::Malformed(Malformed::Header) => (
            400,
            Some("invalid_request"),
            format!("the `Authorization` header is malformed: {HOW}"),
        ),
        Why::Missing => (401, None, format!("a token is needed: {HOW}")),
        Why::Invalid => (
            401,
            Some("invalid_token"),
            "this token is not valid; ask whoever runs this gateway for another".to_owned(),
        ),
        Why::Unavailable => {
            return Refusal {
                status: 503,
                headers: Vec::new(),
                message: "nobody can be let in at the moment; the log of the gateway says why"
                    .to_owned(),
            };
        }
    };
    let challenge = ("www-authenticate", challenge(error, metadata));
    Refusal { status, headers: vec![challenge], message }
}

fn challenge(error: Option<&str>, metadata: Option<&str>) -> String {
    let mut challenge = "Bearer realm=\"oncue\"".to_owned();
    for (name, value) in [("error", error), ("resource_metadata", metadata)] {
        if let Some(value) = value {
            let quoted = value.replace('\\', "\\\\").replace('"', "\\\"");
            challenge.push_str(&format!(", {name}=\"{quoted}\""));
        }
    }
    challenge
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_refusal_has_its_status_and_challenge() {
        let cases = [
            (Why::Missing, 401, r#"Bearer realm="oncue""#),
            (Why::Invalid, 401, r#"Bearer realm="oncue", error="invalid_token""#),
            (
                Why::Malformed(Malformed::Header),
                400,
                r#"Bearer realm="oncue", error="invalid_request""#,
            ),
        ];
        for (why, status, challenge) in cases {
            let refusal = refusal(why, None);
            assert_eq!(refusal.status, status);
            assert_eq!(refusal.headers, [("www-authenticate", challenge.to_owned())]);
        }
        let query = refusal(Why::Malformed(Malformed::Query), None);
        assert!(query.status == 400 && query.message.contains("`Authorization: Bearer TOKEN`"));
        assert_eq!(refusal(Why::Unavailable, Some("https://x")).headers, []);
    }

    #[test]
    fn a_challenge_can_name_where_the_metadata_is() {
        let url = "https://gateway.example/.well-known/oauth-protected-resource";
        let expected = format!(r#"Bearer realm="oncue", resource_metadata="{url}""#);
        assert_eq!(challenge(None, Some(url)), expected);
        assert_eq!(
            challenge(None, Some("a\"b\\")),
            r#"Bearer realm="oncue", resource_metadata="a\"b\\""#
        );
    }
}
