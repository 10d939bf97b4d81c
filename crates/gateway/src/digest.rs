//! A SHA-256 digest, as files spell it.

use std::fmt;

use sha2::{Digest as _, Sha256};
use subtle::ConstantTimeEq as _;

/// A SHA-256 digest. Two are compared in a time that does not depend on where they differ.
///
/// ```
/// use oncue_gateway::audit::Digest;
///
/// let digest = Digest::of(b"{}");
/// assert_eq!(Digest::parse(&digest.to_string()), Some(digest));
/// assert!(digest.to_string().starts_with("44136fa355b3678a"));
/// ```
#[derive(Clone, Copy)]
pub struct Digest([u8; 32]);

impl Digest {
    /// What stands for a digest where there is nothing to digest.
    pub(crate) const NONE: Self = Self([0; 32]);

    /// Returns the digest of these bytes.
    #[must_use]
    pub fn of(bytes: &[u8]) -> Self {
        Self(Sha256::digest(bytes).into())
    }

    /// Returns the digest of these texts; where one ends and the next begins counts too.
    pub(crate) fn of_all<'t>(texts: impl IntoIterator<Item = &'t str>) -> Self {
        let mut digest = Sha256::new();
        for text in texts {
            digest.update((text.len() as u64).to_le_bytes());
            digest.update(text);
        }
        Self(digest.finalize().into())
    }

    /// Returns the digest that 64 hexadecimal digits spell, in lower case, since two spellings would be two files with one digest.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        let mut bytes = [0; 32];
        let is_hex = text.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'));
        if !is_hex || text.len() != 2 * bytes.len() {
            return None;
        }
        for (at, byte) in bytes.iter_mut().enumerate() {
            *byte = u8::from_str_radix(text.get(2 * at..2 * at + 2)?, 16).ok()?;
        }
        Some(Self(bytes))
    }
}

impl PartialEq for Digest {
    fn eq(&self, other: &Self) -> bool {
        self.0.ct_eq(&other.0).into()
    }
}

impl Eq for Digest {}

impl fmt::Display for Digest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

impl fmt::Debug for Digest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Digest({self})")
    }
}

#[cfg(test)]
mod tests {
    use super::Digest;

    #[test]
    fn a_digest_is_plain_sha_256() {
        // The example of FIPS 180-2, appendix B.1.
        let hash = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
        assert_eq!(Digest::of(b"abc").to_string(), hash);
        assert_eq!(Digest::parse(hash), Some(Digest::of(b"abc")));
        assert_ne!(Digest::parse(hash), Some(Digest::of(b"abd")));
        for wrong in [
            "",
            "ba",
            &hash[..63],
            &format!("{hash}0"),
            &hash.replace('b', "g"),
            &hash.to_uppercase(),
        ] {
            assert_eq!(Digest::parse(wrong), None, "{wrong}");
        }
    }
}
