//! Characters brought to one form: NFKC, case and, for Latin letters, accents.

use std::borrow::Cow;

use unicode_normalization::char::decompose_canonical;
use unicode_normalization::{IsNormalized, UnicodeNormalization, is_nfkc_quick};

/// Returns `text` in Unicode normalization form KC (Unicode Standard Annex 15).
pub(crate) fn composed(text: &str) -> Cow<'_, str> {
    if text.is_ascii() || is_nfkc_quick(text.chars()) == IsNormalized::Yes {
        Cow::Borrowed(text)
    } else {
        Cow::Owned(text.nfkc().collect())
    }
}

/// Appends `piece` without case and, where it is Latin, without accents, so that `Résumé`, `resume` and `RÉSUMÉ` are one word.
pub(crate) fn push_folded(piece: &str, folded: &mut String) {
    for c in piece.chars() {
        if c.is_ascii() {
            folded.push(c.to_ascii_lowercase());
        } else {
            c.to_lowercase().for_each(|lower| push_plain(lower, folded));
        }
    }
}

/// Returns the letters and digits of `text` alone, folded: one key for every spelling of a name.
pub(crate) fn squashed(text: &str) -> String {
    let text = composed(text);
    let mut key = String::with_capacity(text.len());
    let mut buffer = [0; 4];
    for c in text.chars().filter(|c| c.is_alphanumeric()) {
        push_folded(c.encode_utf8(&mut buffer), &mut key);
    }
    key
}

fn push_plain(c: char, folded: &mut String) {
    match c {
        'ß' => folded.push_str("ss"),
        'æ' => folded.push_str("ae"),
        'œ' => folded.push_str("oe"),
        'ø' => folded.push('o'),
        'ł' => folded.push('l'),
        'đ' | 'ð' => folded.push('d'),
        'ς' => folded.push('σ'),
        // Latin-1 supplement, extended A and B, extended additional.
        '\u{e0}'..='\u{24f}' | '\u{1e00}'..='\u{1eff}' => decompose_canonical(c, |part| {
            if !is_accent(part) {
                folded.push(part);
            }
        }),
        // Marks that composed with nothing, such as the dot that lower-casing `İ` leaves.
        _ if is_accent(c) => {}
        _ => folded.push(c),
    }
}

/// Combining diacritical marks.
fn is_accent(c: char) -> bool {
    ('\u{300}'..='\u{36f}').contains(&c)
}
