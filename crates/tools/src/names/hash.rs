//! The hash at the end of a name that could not be kept. Its values are part of what users write in rules and approvals, so they never change.

use crate::limits::NAME_HASH_DIGITS;

/// Offset basis of the 64-bit FNV-1a hash, from its specification.
const OFFSET: u64 = 0xcbf2_9ce4_8422_2325;

/// Prime of the 64-bit FNV-1a hash, from its specification.
const PRIME: u64 = 0x0000_0100_0000_01b3;

/// Stands between parts; no UTF-8 text contains this byte.
const BETWEEN: u8 = 0xff;

/// Returns the digits that stand for these parts, such as `0c4ff21a`.
///
/// It is 64-bit FNV-1a folded to 32 bits.
/// It does not resist an attacker and need not: at eight digits nothing would, so coincidences are detected where names are collected.
pub(super) fn digits(parts: &[&str]) -> String {
    let mut hash = OFFSET;
    for part in parts {
        hash = part.bytes().fold(hash, step);
        hash = step(hash, BETWEEN);
    }
    let folded = (hash >> 32) ^ (hash & 0xffff_ffff);
    format!("{folded:0NAME_HASH_DIGITS$x}")
}

fn step(hash: u64, byte: u8) -> u64 {
    (hash ^ u64::from(byte)).wrapping_mul(PRIME)
}

#[cfg(test)]
mod tests {
    use super::{OFFSET, digits, step};

    #[test]
    fn the_hash_is_fnv_1a() {
        // From the test vectors of the specification.
        let cases = [
            ("", 0xcbf2_9ce4_8422_2325),
            ("a", 0xaf63_dc4c_8601_ec8c),
            ("foobar", 0x8594_4171_f739_67e8),
        ];
        for (text, expected) in cases {
            assert_eq!(text.bytes().fold(OFFSET, step), expected, "{text:?}");
        }
    }

    #[test]
    fn parts_do_not_run_into_each_other() {
        assert_ne!(digits(&["ab", "c"]), digits(&["a", "bc"]));
        assert_ne!(digits(&["a", ""]), digits(&["a"]));
        assert_eq!(digits(&["a", "b"]).len(), 8);
    }
}
