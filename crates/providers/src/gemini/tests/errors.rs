//! What goes wrong, in the vendor's words.

use oncue_agent::{Disclosure, ModelErrorKind as Kind};
use serde_json::{Value, json};

use super::super::Gemini;
use super::endpoint;
use crate::wire::Wire;

#[test]
fn errors_have_kinds_and_times_to_wait() {
    let error = |code: u16, status: &str, message: &str, details: Value| json!({"error": {"code": code, "message": message, "status": status, "details": details}});
    let none = || json!([]);
    let retry = json!([
        {"@type": "type.googleapis.com/google.rpc.QuotaFailure", "violations": [{"quotaId": "GenerateRequestsPerMinutePerProject"}]},
        {"@type": "type.googleapis.com/google.rpc.RetryInfo", "retryDelay": "34.5s"},
    ]);
    let day = json!([{"violations": [{"quotaId": "GenerateRequestsPerDayPerProject"}]}]);
    let key =
        json!([{"@type": "type.googleapis.com/google.rpc.ErrorInfo", "reason": "API_KEY_INVALID"}]);
    let rows = [
        (error(400, "INVALID_ARGUMENT", "no", none()), Kind::InvalidRequest, None),
        (error(400, "INVALID_ARGUMENT", "API key not valid.", key), Kind::Authentication, None),
        (
            error(
                400,
                "INVALID_ARGUMENT",
                "The input token count (9) exceeds the maximum number of tokens allowed (8).",
                none(),
            ),
            Kind::ContextFull,
            None,
        ),
        (error(400, "FAILED_PRECONDITION", "no", none()), Kind::InvalidRequest, None),
        (error(403, "PERMISSION_DENIED", "no", none()), Kind::Permission, None),
        (error(404, "NOT_FOUND", "no", none()), Kind::NotFound, None),
        (error(429, "RESOURCE_EXHAUSTED", "no", retry), Kind::RateLimited, Some(34_500)),
        (error(429, "RESOURCE_EXHAUSTED", "no", day), Kind::Quota, None),
        (error(500, "INTERNAL", "no", none()), Kind::Unavailable, None),
        (error(503, "UNAVAILABLE", "no", none()), Kind::Overloaded, None),
        (error(504, "DEADLINE_EXCEEDED", "no", none()), Kind::TimedOut, None),
    ];
    let wire = Gemini::new(endpoint(Disclosure::Append));
    for (body, kind, wait) in rows {
        let status = u16::try_from(body["error"]["code"].as_u64().unwrap()).unwrap();
        for sent in [body.clone(), json!([body])] {
            let error = wire.error(status, &[], sent.to_string().as_bytes());
            let waited = error.retry_after.map(|wait| wait.as_millis());
            assert_eq!((error.kind, waited, error.status), (kind, wait, Some(status)), "{sent}");
            assert_eq!(error.message, body["error"]["message"].as_str().unwrap());
        }
    }
    let page = wire.error(502, &[], b"<html></html>");
    assert_eq!(page.kind, Kind::Unavailable);
}
