//! On which addresses the gateway may listen.

use std::net::SocketAddr;

/// Who is let in over HTTP.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Policy {
    /// Everybody on this machine, as its user. From the first token on, only holders of tokens.
    Local,
    /// Holders of tokens.
    Tokens,
}

/// Why the gateway may not listen on an address.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("other machines can reach {address}, and without a token everybody there would be let in")]
pub struct BindRefusal {
    /// The address.
    pub address: SocketAddr,
}

impl BindRefusal {
    /// Returns what to do about it.
    #[must_use]
    pub fn hint(&self) -> String {
        let port = self.address.port();
        format!(
            "make a token first: oncue token create NAME; or listen for this machine alone: --http 127.0.0.1:{port}"
        )
    }
}

/// Returns who is let in over an address, `has_tokens` being what [`Tokens::are_there`](super::Tokens::are_there) says.
///
/// # Errors
///
/// Other machines can reach the address, and there are no tokens.
///
/// ```
/// use oncue_gateway::access::{Policy, may_bind};
///
/// assert_eq!(may_bind("127.0.0.1:8787".parse()?, false), Ok(Policy::Local));
/// assert_eq!(may_bind("0.0.0.0:8787".parse()?, true), Ok(Policy::Tokens));
/// let refusal = may_bind("0.0.0.0:8787".parse()?, false).expect_err("open to all");
/// assert!(refusal.hint().contains("oncue token create"));
/// # Ok::<(), std::net::AddrParseError>(())
/// ```
pub fn may_bind(address: SocketAddr, has_tokens: bool) -> Result<Policy, BindRefusal> {
    let is_local = address.ip().to_canonical().is_loopback();
    match (has_tokens, is_local) {
        (true, _) => Ok(Policy::Tokens),
        (false, true) => Ok(Policy::Local),
        (false, false) => Err(BindRefusal { address }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_this_machine_is_served_without_tokens() {
        for local in ["127.0.0.1:1", "127.9.9.9:1", "[::1]:1", "[::ffff:127.0.0.1]:1"] {
            let address = local.parse().expect("an address");
            assert_eq!(may_bind(address, false), Ok(Policy::Local), "{local}");
            assert_eq!(may_bind(address, true), Ok(Policy::Tokens), "{local}");
        }
        for wide in ["0.0.0.0:1", "[::]:1", "192.168.0.1:1", "[fe80::1]:1", "[::ffff:10.0.0.1]:1"] {
            let address = wide.parse().expect("an address");
            assert_eq!(may_bind(address, false), Err(BindRefusal { address }), "{wide}");
            assert_eq!(may_bind(address, true), Ok(Policy::Tokens), "{wide}");
        }
    }

    #[test]
    fn a_refusal_names_both_ways_out() {
        let refusal = may_bind("0.0.0.0:8787".parse().expect("an address"), false);
        let hint = refusal.expect_err("refused").hint();
        assert!(hint.contains("oncue token create NAME"), "{hint}");
        assert!(hint.contains("--http 127.0.0.1:8787"), "{hint}");
    }
}
