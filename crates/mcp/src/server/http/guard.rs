//! Which hosts and origins are answered at all: a page in somebody's browser must not reach a server on the same machine, by a name that leads there or otherwise.

use axum::http::HeaderMap;
use axum::http::header::{HOST, ORIGIN};
use axum::http::request::Parts;
use axum::http::uri::Authority;

use super::Refusal;

/// Which hosts and origins are answered. Lives as long as the endpoint.
///
/// ```
/// use oncue_mcp::server::Guard;
///
/// let guard = Guard::loopback();
/// assert!(guard.allows_host("127.0.0.1:8080") && guard.allows_host("[::1]:8080"));
/// assert!(!guard.allows_host("evil.example"));
/// ```
#[derive(Clone, Debug)]
pub struct Guard {
    hosts: Vec<String>,
    origins: Vec<String>,
}

/// The names of this machine that lead nowhere else.
const LOOPBACK: [&str; 3] = ["localhost", "127.0.0.1", "[::1]"];

impl Guard {
    /// Answers requests that were sent to this machine by one of its own names, and those of pages that it serves itself.
    #[must_use]
    pub fn loopback() -> Self {
        Self { hosts: LOOPBACK.map(str::to_owned).to_vec(), origins: Vec::new() }
    }

    /// Returns the guard that answers requests sent to these hosts too, each with or without a port.
    #[must_use]
    pub fn with_hosts(mut self, hosts: impl IntoIterator<Item = impl Into<String>>) -> Self {
        self.hosts.extend(hosts.into_iter().map(|host| host.into().to_ascii_lowercase()));
        self
    }

    /// Returns the guard that answers pages of these origins too, each with its scheme and, if it has one, its port.
    #[must_use]
    pub fn with_origins(mut self, origins: impl IntoIterator<Item = impl Into<String>>) -> Self {
        self.origins.extend(origins.into_iter().map(|origin| origin.into().to_ascii_lowercase()));
        self
    }

    /// Says whether requests sent to this host are answered.
    #[must_use]
    pub fn allows_host(&self, host: &str) -> bool {
        let Ok(authority) = host.parse::<Authority>() else { return false };
        if host.contains('@') {
            return false;
        }
        let (whole, name) =
            (authority.as_str().to_ascii_lowercase(), authority.host().to_ascii_lowercase());
        self.hosts.iter().any(|known| *known == whole || *known == name)
    }

    /// Says whether pages of this origin are answered.
    #[must_use]
    pub fn allows_origin(&self, origin: &str) -> bool {
        let origin = origin.to_ascii_lowercase();
        if self.origins.contains(&origin) {
            return true;
        }
        let Some(host) = origin.strip_prefix("http://") else { return false };
        let Ok(authority) = host.parse::<Authority>() else { return false };
        authority.as_str() == host && LOOPBACK.contains(&authority.host())
    }

    /// Looks at the head of a request.
    pub(super) fn check(&self, head: &Parts) -> Result<(), Refusal> {
        let refused = |message: &str| {
            Err(Refusal { status: 403, headers: Vec::new(), message: message.to_owned() })
        };
        let host = match one(&head.headers, HOST.as_str()) {
            One::Value(host) => Some(host.to_owned()),
            // HTTP/2 says it elsewhere.
            One::None => head.uri.authority().map(ToString::to_string),
            One::Bad => None,
        };
        if !host.is_some_and(|host| self.allows_host(&host)) {
            return refused(
                "requests to this host are not answered; see `hosts` in the configuration",
            );
        }
        match one(&head.headers, ORIGIN.as_str()) {
            One::None => Ok(()),
            One::Value(origin) if self.allows_origin(origin) => Ok(()),
            _ => {
                refused("pages of this origin are not answered; see `origins` in the configuration")
            }
        }
    }
}

/// What a header that comes once at most says.
enum One<'h> {
    None,
    Value(&'h str),
    Bad,
}

fn one<'h>(headers: &'h HeaderMap, name: &str) -> One<'h> {
    let mut values = headers.get_all(name).iter();
    match (values.next(), values.next()) {
        (None, _) => One::None,
        (Some(value), None) => value.to_str().map_or(One::Bad, One::Value),
        (Some(_), Some(_)) => One::Bad,
    }
}

#[cfg(test)]
mod tests {
    use axum::http::Request;

    use super::*;

    fn check(guard: &Guard, headers: &[(&str, &str)]) -> bool {
        let mut request = Request::builder().uri("/mcp");
        for &(name, value) in headers {
            request = request.header(name, value);
        }
        guard.check(&request.body(()).expect("a request").into_parts().0).is_ok()
    }

    // case: C71
    #[test]
    fn only_this_machine_is_answered_by_its_own_names() {
        let guard = Guard::loopback();
        for headers in [
            &[("host", "localhost")][..],
            &[("host", "127.0.0.1:8080")],
            &[("host", "[::1]:8080")],
            &[("host", "LOCALHOST:1"), ("origin", "http://localhost:5173")],
            &[("host", "localhost"), ("origin", "http://[::1]")],
        ] {
            assert!(check(&guard, headers), "{headers:?}");
        }
        for headers in [
            &[][..],
            &[("host", "evil.example")],
            &[("host", "localhost.evil.example")],
            &[("host", "localhost@evil.example")],
            &[("host", "evil@localhost")],
            &[("host", "")],
            &[("host", "::1")],
            &[("host", "localhost"), ("host", "evil.example")],
            &[("host", "localhost"), ("host", "localhost")],
            &[("host", "localhost"), ("origin", "https://evil.example")],
            &[("host", "localhost"), ("origin", "null")],
            &[("host", "localhost"), ("origin", "")],
            &[("host", "localhost"), ("origin", "http://localhost.evil.example")],
            &[("host", "localhost"), ("origin", "http://localhost@evil.example")],
            &[("host", "localhost"), ("origin", "http://localhost/path")],
            &[("host", "localhost"), ("origin", "file://localhost")],
            &[
                ("host", "localhost"),
                ("origin", "http://localhost"),
                ("origin", "http://localhost"),
            ],
        ] {
            assert!(!check(&guard, headers), "{headers:?}");
        }
    }

    #[test]
    fn others_are_answered_where_they_were_named() {
        let guard = Guard::loopback().with_hosts(["gate.example", "x.example:8443"]);
        let guard = guard.with_origins(["https://App.example:444"]);
        assert!(guard.allows_host("gate.example") && guard.allows_host("GATE.example:99"));
        assert!(guard.allows_host("x.example:8443") && !guard.allows_host("x.example"));
        assert!(guard.allows_origin("https://app.example:444"));
        assert!(!guard.allows_origin("https://app.example"));
    }
}
