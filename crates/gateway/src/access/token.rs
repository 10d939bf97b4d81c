//! A token: its text, its hash, and what is known of it.

use std::time::SystemTime;

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use oncue_decl::Scope;
use oncue_tools::PrincipalName;
use secrecy::SecretString;

use crate::digest::Digest;

/// How every token begins, so that scanners of published code know one.
const BEGINNING: &str = "oncue_";

/// Random bytes in a token.
const RANDOM_BYTES: usize = 32;

/// Characters behind the beginning that lists show: 24 of 256 bits.
const SHOWN_CHARS: usize = 4;

/// Every scope with the name that it has on the command line and in files.
const SCOPES: [(&str, Scope); 3] =
    [("read", Scope::Read), ("stage", Scope::Stage), ("write", Scope::Write)];

/// Returns the name of a scope.
#[must_use]
pub fn scope_name(scope: Scope) -> &'static str {
    match scope {
        Scope::Read => "read",
        Scope::Stage => "stage",
        Scope::Write => "write",
    }
}

/// Returns the scope of this name.
///
/// ```
/// use oncue_decl::Scope;
/// use oncue_gateway::access::scope_named;
///
/// assert_eq!(scope_named("stage"), Some(Scope::Stage));
/// assert_eq!(scope_named("Stage"), None);
/// ```
#[must_use]
pub fn scope_named(name: &str) -> Option<Scope> {
    SCOPES.iter().find(|(known, _)| *known == name).map(|&(_, scope)| scope)
}

/// What is known of a token. The token itself is not: only its hash is kept.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Token {
    /// What it is revoked by.
    pub id: String,
    /// Whom it lets in.
    pub principal: PrincipalName,
    /// How far it reaches, whatever its principal is granted.
    pub scope: Scope,
    /// How it begins.
    pub prefix: String,
    /// When it was made.
    pub created: SystemTime,
    /// When it stops to be valid by itself; absent: never.
    pub expires: Option<SystemTime>,
    /// When it was revoked.
    pub revoked: Option<SystemTime>,
    /// When it was last used, to the hour; absent: never.
    pub last_used: Option<SystemTime>,
    pub(super) hash: Digest,
}

/// Whether a token lets anybody in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TokenState {
    /// It does.
    Valid,
    /// Its time is over.
    Expired,
    /// It was revoked.
    Revoked,
}

impl Token {
    /// Returns whether it lets anybody in at this time.
    #[must_use]
    pub fn state(&self, now: SystemTime) -> TokenState {
        match (self.revoked, self.expires) {
            (Some(_), _) => TokenState::Revoked,
            (None, Some(expires)) if expires <= now => TokenState::Expired,
            (None, _) => TokenState::Valid,
        }
    }
}

/// Returns the hash of any text, a token or not.
///
/// It is a plain SHA-256.
/// Slow hashes and salts make guessing dear; nobody guesses one of 2^256 texts, and a slow hash would be a slow request.
pub(super) fn hash_of(text: &str) -> Digest {
    Digest::of(text.as_bytes())
}

/// A text that nobody has seen, with what is kept of it.
pub(super) struct Fresh {
    pub(super) text: SecretString,
    pub(super) prefix: String,
    pub(super) hash: Digest,
}

/// Makes a token of 256 random bits.
///
/// # Errors
///
/// The system gives no random bytes.
pub(super) fn fresh() -> Result<Fresh, getrandom::Error> {
    let mut random = [0; RANDOM_BYTES];
    getrandom::fill(&mut random)?;
    let text = format!("{BEGINNING}{}", URL_SAFE_NO_PAD.encode(random));
    let hash = hash_of(&text);
    let prefix: String = text.chars().take(BEGINNING.len() + SHOWN_CHARS).collect();
    Ok(Fresh { text: text.into(), prefix: format!("{prefix}…"), hash })
}

/// Says whether a text has a token in it, or something meant as one.
pub(super) fn looks_like_token(text: &str) -> bool {
    text.contains(BEGINNING)
}

/// Makes an id of a token, which says nothing about the token.
///
/// # Errors
///
/// The system gives no random bytes.
pub(super) fn fresh_id() -> Result<String, getrandom::Error> {
    let mut random = [0; 4];
    getrandom::fill(&mut random)?;
    Ok(format!("{:08x}", u32::from_be_bytes(random)))
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;
    use std::time::{Duration, SystemTime};

    use oncue_decl::Scope;
    use oncue_tools::PrincipalName;
    use secrecy::ExposeSecret;

    use super::*;

    #[test]
    fn a_token_is_43_characters_behind_its_beginning_and_never_the_same() {
        let mut seen = HashSet::new();
        for _ in 0..100 {
            let fresh = fresh().expect("random bytes");
            let text = fresh.text.expose_secret();
            let body = text.strip_prefix("oncue_").expect("the beginning");
            // 256 bits at 6 bits a character.
            assert_eq!(body.len(), 43);
            assert!(body.chars().all(|c| c.is_ascii_alphanumeric() || "-_".contains(c)), "{body}");
            assert_eq!(fresh.prefix, format!("{}…", &text[..10]));
            assert!(seen.insert(text.to_owned()));
        }
    }

    #[test]
    fn the_state_at_the_very_second() {
        let at = |seconds| SystemTime::UNIX_EPOCH + Duration::from_secs(seconds);
        let token = |expires: Option<u64>, revoked: Option<u64>| Token {
            id: String::new(),
            principal: PrincipalName::parse("ci").expect("a name"),
            scope: Scope::Read,
            prefix: String::new(),
            created: at(0),
            expires: expires.map(at),
            revoked: revoked.map(at),
            last_used: None,
            hash: hash_of(""),
        };
        assert_eq!(token(None, None).state(at(99)), TokenState::Valid);
        assert_eq!(token(Some(10), None).state(at(9)), TokenState::Valid);
        assert_eq!(token(Some(10), None).state(at(10)), TokenState::Expired);
        assert_eq!(token(Some(10), Some(5)).state(at(10)), TokenState::Revoked);
        // A clock that was set back gives nothing back.
        assert_eq!(token(None, Some(50)).state(at(9)), TokenState::Revoked);
    }

    #[test]
    fn scopes_have_names() {
        for (name, scope) in SCOPES {
            assert_eq!((scope_name(scope), scope_named(name)), (name, Some(scope)));
        }
    }
}
