//! Exceptions that are answers.

use oncue_agent::ModelErrorKind as Kind;

use super::super::error::of_answer;

#[test]
fn each_exception_has_a_kind() {
    let cases = [
        (400, "ValidationException", "no", Kind::InvalidRequest),
        (400, "ValidationException", "Input is too long for requested model.", Kind::ContextFull),
        (400, "ServiceQuotaExceededException", "no", Kind::Quota),
        (403, "AccessDeniedException", "no", Kind::Permission),
        (403, "UnrecognizedClientException", "no", Kind::Authentication),
        (403, "ExpiredTokenException", "no", Kind::Authentication),
        (404, "ResourceNotFoundException", "no", Kind::NotFound),
        (408, "ModelTimeoutException", "no", Kind::TimedOut),
        (424, "ModelErrorException", "no", Kind::Unavailable),
        (429, "ThrottlingException:http://internal.amazon.com/coral/", "no", Kind::RateLimited),
        (429, "ModelNotReadyException", "no", Kind::Overloaded),
        (500, "InternalServerException", "no", Kind::Unavailable),
        (503, "com.amazon#ServiceUnavailableException", "no", Kind::Unavailable),
        (429, "FromTheFutureException", "no", Kind::RateLimited),
    ];
    for (status, name, message, kind) in cases {
        let headers = [("x-amzn-errortype".to_owned(), name.to_owned())];
        let body = format!(r#"{{"message":"{message}"}}"#);
        let error = of_answer(status, &headers, body.as_bytes());
        assert_eq!((error.kind, error.message.as_str()), (kind, message), "{name}");
        assert_eq!(error.status, Some(status));
    }
    let capital = of_answer(403, &[], br#"{"Message":"no","__type":"x#AccessDeniedException"}"#);
    assert_eq!(capital.to_string(), "not permitted: no");
    assert_eq!(of_answer(502, &[], b"").kind, Kind::Unavailable);
}
