//! The parts of an address, for showing and comparing it. Whether an address may be reached is decided elsewhere.

/// The parts of an `http` or `https` address as it is written.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) struct UrlParts<'u> {
    pub(crate) scheme: &'u str,
    /// What stands before `@`.
    pub(crate) userinfo: Option<&'u str>,
    /// The host with its port.
    pub(crate) authority: &'u str,
    pub(crate) path: &'u str,
    pub(crate) query: Option<&'u str>,
}

impl<'u> UrlParts<'u> {
    /// Returns the parts; `None` where the text is no such address.
    pub(crate) fn of(url: &'u str) -> Option<Self> {
        let (scheme, rest) = url.split_once("://")?;
        let is_http = ["http", "https"].iter().any(|known| known.eq_ignore_ascii_case(scheme));
        let is_plain = url.chars().all(|c| !c.is_control() && !c.is_whitespace() && c != '\\');
        if !is_http || !is_plain {
            return None;
        }
        let rest = rest.split('#').next().unwrap_or_default();
        let (rest, query) = match rest.split_once('?') {
            Some((rest, query)) => (rest, Some(query)),
            None => (rest, None),
        };
        let (authority, path) = rest.split_at(rest.find('/').unwrap_or(rest.len()));
        let (userinfo, authority) = match authority.rsplit_once('@') {
            Some((userinfo, authority)) => (Some(userinfo), authority),
            None => (None, authority),
        };
        (!authority.is_empty()).then_some(Self { scheme, userinfo, authority, path, query })
    }

    /// Returns the host without its port, without brackets.
    pub(crate) fn host(&self) -> &'u str {
        match self.authority.strip_prefix('[') {
            Some(rest) => rest.split(']').next().unwrap_or_default(),
            None => self.authority.split(':').next().unwrap_or_default(),
        }
    }

    /// Returns the port as it is written, or that of the scheme.
    pub(crate) fn port(&self) -> &'u str {
        let behind = self.authority.rsplit_once(']').map_or(self.authority, |(_, behind)| behind);
        match behind.split_once(':') {
            Some((_, port)) => port,
            None if self.is_encrypted() => "443",
            None => "80",
        }
    }

    pub(crate) fn is_encrypted(&self) -> bool {
        self.scheme.eq_ignore_ascii_case("https")
    }

    /// Says whether the address plainly names this machine.
    pub(crate) fn is_loopback(&self) -> bool {
        let host = self.host();
        host.eq_ignore_ascii_case("localhost")
            || host.parse::<std::net::IpAddr>().is_ok_and(|address| address.is_loopback())
    }

    /// Returns what may be shown: scheme, host and port.
    pub(crate) fn server(&self) -> String {
        format!("{}://{}", self.scheme, self.authority)
    }
}

#[cfg(test)]
mod tests {
    use super::UrlParts;

    #[test]
    fn an_address_falls_into_parts() {
        let parts = UrlParts::of("https://u:p@h.example:8443/a/b?k=v#f").unwrap();
        assert_eq!(parts.server(), "https://h.example:8443");
        assert_eq!((parts.host(), parts.port()), ("h.example", "8443"));
        assert_eq!((parts.userinfo, parts.path), (Some("u:p"), "/a/b"));
        assert_eq!(parts.query, Some("k=v"));
        let parts = UrlParts::of("http://[::1]:90?x").unwrap();
        assert_eq!((parts.host(), parts.port(), parts.is_loopback()), ("::1", "90", true));
        assert_eq!(UrlParts::of("HTTPS://a").unwrap().port(), "443");
        for none in ["", "a", "ftp://a", "http://", "http:///x", "http://a b", "http://a\\@b"] {
            assert!(UrlParts::of(none).is_none(), "{none}");
        }
    }

    #[test]
    fn only_plain_names_of_this_machine_are_loopback() {
        for (url, expected) in [
            ("http://localhost:1", true),
            ("http://127.9.9.9", true),
            ("http://localhost.example", false),
            ("http://127.0.0.1@evil.example", false),
            ("http://10.0.0.1", false),
        ] {
            assert_eq!(UrlParts::of(url).unwrap().is_loopback(), expected, "{url}");
        }
    }
}
