//! Text of tools, made fit for a terminal. Tools come from strangers, so nothing of theirs reaches the terminal unlooked at.

use std::io::IsTerminal;

use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

/// What stands for the part of a text that does not fit.
const ELLIPSIS: char = '…';

/// Returns `text` on one line, with runs of white space as one space and what could steer a terminal or hide from the eye shown as `�`.
pub(crate) fn printable(text: &str) -> String {
    let words: Vec<&str> = text.split_whitespace().collect();
    words.join(" ").chars().map(|c| if is_hidden(c) { '\u{fffd}' } else { c }).collect()
}

/// Returns `text` like [`printable`], with its line breaks kept.
pub(crate) fn printable_lines(text: &str) -> String {
    let shown = |c| match c {
        '\n' => '\n',
        '\t' => ' ',
        c if is_hidden(c) => '\u{fffd}',
        c => c,
    };
    text.replace("\r\n", "\n").chars().map(shown).collect()
}

/// Returns `text` with what could steer a terminal or hide from the eye shown as `�`, and its line breaks and tabs kept.
///
/// It may be a piece of a longer text: what is in one piece never depends on another.
pub(crate) fn without_steering(text: &str) -> String {
    let shown = |c| match c {
        '\r' => None,
        '\n' | '\t' => Some(c),
        c if is_hidden(c) => Some('\u{fffd}'),
        c => Some(c),
    };
    text.chars().filter_map(shown).collect()
}

/// Returns the first sentence of `text`, or its first line if that ends earlier, [`printable`] and without its period.
pub(crate) fn first_sentence(text: &str) -> String {
    let line = text.trim_start().lines().next().unwrap_or_default();
    let ideographic = line.find('。');
    let latin = [". ", "! ", "? "].iter().filter_map(|end| line.find(end)).min();
    let end = [ideographic, latin].into_iter().flatten().min().unwrap_or(line.len());
    let sentence = printable(line.get(..end).unwrap_or(line));
    sentence.trim_end_matches('.').to_owned()
}

/// Returns as much of `text` as fits `columns`, with an ellipsis where something is cut.
pub(crate) fn cut(text: &str, columns: usize) -> String {
    if text.width() <= columns {
        return text.to_owned();
    }
    let mut kept = String::new();
    let mut used = 1;
    for c in text.chars() {
        used += c.width().unwrap_or(0);
        if used > columns {
            break;
        }
        kept.push(c);
    }
    kept.truncate(kept.trim_end().len());
    kept.push(ELLIPSIS);
    kept
}

/// Returns `text` in lines that fit `columns`, broken at spaces, all but the first of them indented by two.
///
/// A word that is longer than a line stands alone on one.
pub(crate) fn wrapped(text: &str, columns: usize) -> String {
    let mut lines = String::new();
    let mut used = 0;
    for word in text.split(' ') {
        let wide = word.width();
        if used > 0 && used + 1 + wide > columns {
            lines.push_str("\n  ");
            used = 2;
        } else if used > 0 {
            lines.push(' ');
            used += 1;
        }
        lines.push_str(word);
        used += wide;
    }
    lines
}

/// Returns `text` as one word of a command line, in quotes where a shell would take it apart.
pub(crate) fn shell_word(text: &str) -> String {
    let is_plain = |c: char| c.is_alphanumeric() || "/._-:=+@%,\\".contains(c);
    match !text.is_empty() && text.chars().all(is_plain) {
        true => text.to_owned(),
        false => format!("'{}'", text.replace('\'', "'\\''")),
    }
}

/// Returns how many columns `text` takes.
pub(crate) fn width(text: &str) -> usize {
    text.width()
}

/// Returns the columns of the terminal that standard output is; without one nothing needs to be cut.
pub(crate) fn columns() -> usize {
    let stdout = std::io::stdout();
    if !stdout.is_terminal() {
        return usize::MAX;
    }
    terminal_size::terminal_size_of(stdout)
        .map_or(usize::MAX, |(terminal_size::Width(columns), _)| usize::from(columns))
}

/// Returns the columns of the terminal that standard error is; without one those that the environment states, if any.
pub(crate) fn error_columns() -> Option<usize> {
    let stderr = std::io::stderr();
    match stderr.is_terminal() {
        true => terminal_size::terminal_size_of(stderr)
            .map(|(terminal_size::Width(columns), _)| usize::from(columns)),
        false => std::env::var("COLUMNS").ok()?.parse().ok(),
    }
}

/// Returns `number` with a comma after each three digits.
pub(crate) fn grouped(number: usize) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (place, digit) in digits.chars().enumerate() {
        if place > 0 && (digits.len() - place).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// Returns `count` with its noun, `1 tool` or `2 tools`.
pub(crate) fn counted(count: usize, noun: &str) -> String {
    let ending = if count == 1 { "" } else { "s" };
    format!("{} {noun}{ending}", grouped(count))
}

/// Control characters, direction overrides and the invisible block of tags.
fn is_hidden(c: char) -> bool {
    c.is_control()
        || matches!(c, '\u{200b}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}')
        || matches!(c, '\u{2060}'..='\u{2069}' | '\u{feff}' | '\u{e0000}'..='\u{e007f}')
}

#[cfg(test)]
mod tests {
    use super::{
        cut, first_sentence, grouped, printable, printable_lines, shell_word, without_steering,
        wrapped,
    };

    #[test]
    fn long_lines_are_broken_at_spaces() {
        assert_eq!(wrapped("a finding of a tool", 9), "a finding\n  of a\n  tool");
        assert_eq!(wrapped("an immeasurable word", 6), "an\n  immeasurable\n  word");
        assert_eq!(wrapped("as it is", usize::MAX), "as it is");
    }

    #[test]
    fn nothing_foreign_steers_the_terminal() {
        let cases = [
            ("a  b\n\tc", "a b c"),
            ("\u{1b}[31mred\u{7}", "�[31mred�"),
            ("abc\u{202e}fdp", "abc�fdp"),
            ("x\u{e0041}\u{9b}y", "x��y"),
            ("한글 と 漢字", "한글 と 漢字"),
        ];
        for (text, expected) in cases {
            assert_eq!(printable(text), expected);
        }
        assert_eq!(printable_lines("a\r\n\tb\u{1b}"), "a\n b�");
        assert_eq!(without_steering("a\r\n\tb\u{1b}[2J"), "a\n\tb�[2J");
    }

    #[test]
    fn a_description_is_shown_by_its_first_sentence() {
        let cases = [
            ("Reads a file. Fast.", "Reads a file"),
            ("Reads a file.", "Reads a file"),
            ("\n\n  Reads v1.2 files\nand more", "Reads v1.2 files"),
            ("日本の法令を検索します。速い。", "日本の法令を検索します"),
            ("Done? Yes", "Done"),
            ("", ""),
        ];
        for (text, expected) in cases {
            assert_eq!(first_sentence(text), expected);
        }
    }

    #[test]
    fn a_cut_text_fits_its_columns() {
        let cases = [
            ("abcdef", 6, "abcdef"),
            ("abcdef", 5, "abcd…"),
            ("ab cdef", 4, "ab…"),
            // Each of these takes two columns.
            ("한글이다", 8, "한글이다"),
            ("한글이다", 7, "한글이…"),
            ("한글이다", 6, "한글…"),
        ];
        for (text, columns, expected) in cases {
            assert_eq!(cut(text, columns), expected);
        }
    }

    #[test]
    fn a_shell_takes_a_word_for_one() {
        let cases = [
            ("/a/b-c_1.toml", "/a/b-c_1.toml"),
            ("/a b", "'/a b'"),
            ("it's", r"'it'\''s'"),
            ("", "''"),
        ];
        for (text, expected) in cases {
            assert_eq!(shell_word(text), expected);
        }
    }

    #[test]
    fn numbers_are_grouped_by_three() {
        for (number, expected) in
            [(0, "0"), (999, "999"), (1_000, "1,000"), (12_345_678, "12,345,678")]
        {
            assert_eq!(grouped(number), expected);
        }
    }
}
