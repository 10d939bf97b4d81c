//! What looks like a secret, by the name of its place or by itself. It decides what is warned about, and nothing about access.

use crate::limits::SECRET_CHARS_MIN;

/// Words in the name of a variable, header, option or parameter that holds a secret.
const NAMES: [&str; 15] = [
    "token", "secret", "password", "passwd", "passphrase", "apikey", "api_key", "api-key",
    "access_key", "private_key", "authorization", "credential", "bearer", "cookie", "x-key",
];

/// How tokens of well-known kinds begin.
const BEGINNINGS: [&str; 14] = [
    "sk-", "ghp_", "gho_", "ghs_", "github_pat_", "glpat-", "xoxb-", "xoxp-", "AKIA", "AIza",
    "eyJ", "npm_", "hf_", "Bearer ",
];

/// Says whether a place of this name holds a secret.
pub(crate) fn is_secret_name(name: &str) -> bool {
    let name = name.to_ascii_lowercase();
    NAMES.iter().any(|word| name.contains(word)) || name.rsplit(['_', '-']).next() == Some("key")
}

/// Says whether a text looks like a secret wherever it stands.
pub(crate) fn is_secret_text(text: &str) -> bool {
    let is_long = text.chars().count() >= SECRET_CHARS_MIN;
    is_long && BEGINNINGS.iter().any(|beginning| text.starts_with(beginning))
}

#[cfg(test)]
mod tests {
    use super::{is_secret_name, is_secret_text};

    #[test]
    fn names_of_secrets_are_known() {
        for name in ["GITHUB_TOKEN", "Authorization", "X-Api-Key", "MY_KEY", "key", "--apikey"] {
            assert!(is_secret_name(name), "{name}");
        }
        for name in ["PATH", "MODE", "X-Region", "KEYBOARD", "MONKEY"] {
            assert!(!is_secret_name(name), "{name}");
        }
    }

    #[test]
    fn tokens_are_known_by_how_they_begin() {
        assert!(is_secret_text("ghp_0123456789abcdef"));
        assert!(!is_secret_text("ghp_012345678"), "too short for a token");
        assert!(!is_secret_text("a-long-plain-argument"));
    }
}
