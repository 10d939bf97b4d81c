//! An answer that is no success, read as far as no vendor is needed for it.

use oncue_agent::{ModelError, ModelErrorKind};
use serde_json::Value;

use super::header;
use crate::limits::ERROR_CHARS_MAX;

/// An HTTP answer that is no success.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Failure<'a> {
    /// The status.
    pub(crate) status: u16,
    /// The headers, names in lower case.
    pub(crate) headers: &'a [(String, String)],
    /// The body, JSON or not; it may be cut.
    pub(crate) body: &'a [u8],
}

impl Failure<'_> {
    /// Returns the body, where it is JSON.
    pub(crate) fn json(&self) -> Option<Value> {
        serde_json::from_slice(self.body).ok()
    }

    /// Returns the kind that the status alone says.
    pub(crate) fn kind(&self) -> ModelErrorKind {
        match self.status {
            401 => ModelErrorKind::Authentication,
            402 => ModelErrorKind::Quota,
            403 => ModelErrorKind::Permission,
            404 | 405 | 410 => ModelErrorKind::NotFound,
            408 | 504 => ModelErrorKind::TimedOut,
            425 | 429 => ModelErrorKind::RateLimited,
            529 => ModelErrorKind::Overloaded,
            500.. => ModelErrorKind::Unavailable,
            300..=399 => ModelErrorKind::NotFound,
            _ => ModelErrorKind::InvalidRequest,
        }
    }

    /// Returns the error of this kind with what the vendor said.
    pub(crate) fn error(&self, kind: ModelErrorKind, said: &str) -> ModelError {
        ModelError { status: Some(self.status), ..ModelError::new(kind, shortened(said)) }
    }

    /// Returns the error for a body in which the vendor says nothing that its wire understands.
    pub(crate) fn plain(&self) -> ModelError {
        self.error(self.kind(), &self.message())
    }

    /// Returns what the body says, for a reader who knows no vendor.
    fn message(&self) -> String {
        let status = self.status;
        if (300..400).contains(&status) {
            return match header(self.headers, "location") {
                Some(place) => format!(
                    "the endpoint sends requests on to {place}: use that as its address; keys are not sent on"
                ),
                None => "the endpoint sends requests on, and does not say where to".to_owned(),
            };
        }
        let text = String::from_utf8_lossy(self.body);
        let text = text.trim();
        if text.is_empty() {
            return format!("status {status} without a word; is the address right?");
        }
        if is_page(text) {
            return match title(text) {
                Some(title) => format!(
                    "status {status} with a web page titled `{title}`; is the address right, or is a proxy in between?"
                ),
                None => format!(
                    "status {status} with a web page; is the address right, or is a proxy in between?"
                ),
            };
        }
        match self.json().as_ref().and_then(said) {
            Some(said) => said.to_owned(),
            None => text.to_owned(),
        }
    }
}

/// Returns the message of an error in one of the forms that many servers use.
fn said(body: &Value) -> Option<&str> {
    let paths = ["/error/message", "/message", "/Message", "/error", "/detail"];
    paths.iter().find_map(|path| body.pointer(path)?.as_str())
}

/// Says whether the text is a page for a browser.
pub(super) fn is_page(text: &str) -> bool {
    let start: String = text.trim_start().chars().take(15).collect::<String>().to_lowercase();
    start.starts_with("<!doctype html") || start.starts_with("<html")
}

fn title(page: &str) -> Option<&str> {
    let (_, rest) = page.split_once("<title>")?;
    let (title, _) = rest.split_once("</title>")?;
    Some(title.trim()).filter(|title| !title.is_empty())
}

/// Returns as much of `text` as fits an error.
fn shortened(text: &str) -> String {
    match text.char_indices().nth(ERROR_CHARS_MAX) {
        Some((at, _)) => format!("{}…", text.get(..at).unwrap_or_default()),
        None => text.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use oncue_agent::ModelErrorKind as Kind;

    use super::Failure;

    fn plain(status: u16, body: &str) -> String {
        Failure { status, headers: &[], body: body.as_bytes() }.plain().to_string()
    }

    #[test]
    fn a_body_of_any_form_says_something() {
        let cases = [
            (500, "", "unavailable: status 500 without a word; is the address right?"),
            (
                502,
                "<html><head><title>502 Bad Gateway</title></head></html>",
                "unavailable: status 502 with a web page titled `502 Bad Gateway`; is the address right, or is a proxy in between?",
            ),
            (
                404,
                " <!DOCTYPE html>\n<p>",
                "not found: status 404 with a web page; is the address right, or is a proxy in between?",
            ),
            (400, r#"{"error":{"message":"no"}}"#, "invalid request: no"),
            (400, r#"{"error":"no"}"#, "invalid request: no"),
            (403, r#"{"message":"no"}"#, "not permitted: no"),
            (400, r#"{"detail":[1]}"#, r#"invalid request: {"detail":[1]}"#),
            (503, "upstream gone", "unavailable: upstream gone"),
            (302, "", "not found: the endpoint sends requests on, and does not say where to"),
        ];
        for (status, body, expected) in cases {
            assert_eq!(plain(status, body), expected);
        }
    }

    #[test]
    fn a_redirect_names_its_place() {
        let headers = [("location".to_owned(), "https://b.example/v1".to_owned())];
        let error = Failure { status: 308, headers: &headers, body: b"" }.plain();
        assert_eq!(
            error.message,
            "the endpoint sends requests on to https://b.example/v1: use that as its address; keys are not sent on"
        );
    }

    #[test]
    fn a_long_text_is_cut() {
        let error = plain(400, &"표".repeat(5_000));
        assert_eq!(error.chars().count(), "invalid request: ".len() + 1_000 + 1);
    }

    #[test]
    fn each_status_has_a_kind() {
        let cases = [
            (400, Kind::InvalidRequest),
            (401, Kind::Authentication),
            (402, Kind::Quota),
            (403, Kind::Permission),
            (404, Kind::NotFound),
            (408, Kind::TimedOut),
            (413, Kind::InvalidRequest),
            (422, Kind::InvalidRequest),
            (429, Kind::RateLimited),
            (500, Kind::Unavailable),
            (502, Kind::Unavailable),
            (503, Kind::Unavailable),
            (504, Kind::TimedOut),
            (529, Kind::Overloaded),
        ];
        for (status, kind) in cases {
            assert_eq!(Failure { status, headers: &[], body: b"" }.kind(), kind, "{status}");
        }
    }
}
