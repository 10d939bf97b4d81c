//! A Rust file as the text rules read it: tokens without comments and literals, the literals and comments apart, and which lines are test code.

use std::ops::RangeInclusive;

/// A word or a single other character of the code, outside comments and literals.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Token {
    /// The characters.
    pub text: String,
    /// The line, from 1.
    pub line: usize,
}

/// The content of a string literal or a line comment.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Piece {
    /// The content without quotes or slashes, escapes as written.
    pub text: String,
    /// The line on which it begins, from 1.
    pub line: usize,
}

/// A function with a body.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Function {
    /// Its name.
    pub name: String,
    /// The inline modules around it, outermost first.
    pub modules: Vec<String>,
    /// From the line of `fn` to that of the closing brace.
    pub lines: RangeInclusive<usize>,
    /// The attributes before it, each as its tokens without white space.
    pub attributes: Vec<String>,
    /// The line on which its attributes begin; that of `fn` where it has none.
    pub begins: usize,
}

/// A Rust file, read roughly: enough for rules over text, not a parser.
pub(crate) struct Source {
    /// The code.
    pub tokens: Vec<Token>,
    /// The string literals.
    pub strings: Vec<Piece>,
    /// The line comments that are not documentation.
    pub comments: Vec<Piece>,
    /// The functions with a body.
    pub functions: Vec<Function>,
    tests: Vec<RangeInclusive<usize>>,
}

impl Source {
    /// Reads `text`; any text gives a source.
    pub(crate) fn new(text: &str) -> Self {
        let mut reader = Reader::new(text);
        reader.read();
        let Reader { tokens, strings, comments, .. } = reader;
        let functions = functions(&tokens);
        let tests = test_modules(&tokens);
        Self { tokens, strings, comments, functions, tests }
    }

    /// Says whether the line lies in a `#[cfg(test)]` module.
    pub(crate) fn is_test_line(&self, line: usize) -> bool {
        self.tests.iter().any(|lines| lines.contains(&line))
    }

    /// The lines on which the tokens of `code` stand one after another.
    pub(crate) fn lines_with(&self, code: &str) -> Vec<usize> {
        let mut reader = Reader::new(code);
        reader.read();
        let wanted: Vec<&str> = reader.tokens.iter().map(|token| token.text.as_str()).collect();
        if wanted.is_empty() {
            return Vec::new();
        }
        self.tokens
            .windows(wanted.len())
            .filter(|window| {
                window.iter().map(|token| token.text.as_str()).eq(wanted.iter().copied())
            })
            .filter_map(|window| window.first().map(|token| token.line))
            .collect()
    }
}

struct Reader {
    chars: Vec<char>,
    at: usize,
    line: usize,
    tokens: Vec<Token>,
    strings: Vec<Piece>,
    comments: Vec<Piece>,
}

impl Reader {
    fn new(text: &str) -> Self {
        Self {
            chars: text.chars().collect(),
            at: 0,
            line: 1,
            tokens: Vec::new(),
            strings: Vec::new(),
            comments: Vec::new(),
        }
    }

    fn read(&mut self) {
        while let Some(c) = self.peek(0) {
            match c {
                '/' if self.peek(1) == Some('/') => self.line_comment(),
                '/' if self.peek(1) == Some('*') => self.block_comment(),
                '"' => self.string(0),
                '\'' => self.quote(),
                c if is_word(c) => self.word(),
                c => {
                    if !c.is_whitespace() {
                        self.tokens.push(Token { text: c.to_string(), line: self.line });
                    }
                    self.step();
                }
            }
        }
    }

    fn peek(&self, ahead: usize) -> Option<char> {
        self.chars.get(self.at + ahead).copied()
    }

    fn step(&mut self) -> Option<char> {
        let c = self.peek(0);
        self.at += 1;
        if c == Some('\n') {
            self.line += 1;
        }
        c
    }

    fn line_comment(&mut self) {
        let line = self.line;
        let mut text = String::new();
        while let Some(c) = self.peek(0).filter(|&c| c != '\n') {
            text.push(c);
            self.step();
        }
        let is_doc =
            text.starts_with("///") && !text.starts_with("////") || text.starts_with("//!");
        if !is_doc {
            let text = text.trim_start_matches('/').trim().to_owned();
            self.comments.push(Piece { text, line });
        }
    }

    fn block_comment(&mut self) {
        let mut depth = 0_usize;
        loop {
            match (self.peek(0), self.peek(1)) {
                (Some('/'), Some('*')) => depth += 1,
                (Some('*'), Some('/')) => depth -= 1,
                (None, _) => return,
                _ => {
                    self.step();
                    continue;
                }
            }
            self.step();
            self.step();
            if depth == 0 {
                return;
            }
        }
    }

    /// Reads a string from its opening quote; raw strings, which know no escapes, end with `hashes` hashes.
    fn string(&mut self, hashes: usize) {
        self.literal(false, hashes);
    }

    fn literal(&mut self, raw: bool, hashes: usize) {
        let line = self.line;
        let mut text = String::new();
        self.step();
        while let Some(c) = self.step() {
            if c == '\\' && !raw {
                text.push(c);
                text.extend(self.step());
            } else if c == '"' && (0..hashes).all(|ahead| self.peek(ahead) == Some('#')) {
                self.at += hashes;
                break;
            } else {
                text.push(c);
            }
        }
        self.strings.push(Piece { text, line });
    }

    /// Reads a character literal, or steps over the quote of a lifetime.
    fn quote(&mut self) {
        if self.peek(1) == Some('\\') {
            self.step();
            self.step();
            self.step();
            while self.step().is_some_and(|c| c != '\'') {}
        } else if self.peek(2) == Some('\'') {
            self.step();
            self.step();
            self.step();
        } else {
            self.step();
        }
    }

    fn word(&mut self) {
        let line = self.line;
        let mut text = String::new();
        while let Some(c) = self.peek(0).filter(|&c| is_word(c)) {
            text.push(c);
            self.step();
        }
        if matches!(text.as_str(), "r" | "br" | "cr") {
            let hashes = (0..).take_while(|&ahead| self.peek(ahead) == Some('#')).count();
            if self.peek(hashes) == Some('"') {
                self.at += hashes;
                self.literal(true, hashes);
                return;
            }
        }
        self.tokens.push(Token { text, line });
    }
}

fn is_word(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

fn text_at(tokens: &[Token], at: usize) -> &str {
    tokens.get(at).map_or("", |token| token.text.as_str())
}

/// The index after the bracket that closes the one at `open`.
fn after_closing(tokens: &[Token], open: usize) -> usize {
    let mut depth = 0_usize;
    for (at, token) in tokens.iter().enumerate().skip(open) {
        match token.text.as_str() {
            "{" | "(" | "[" => depth += 1,
            "}" | ")" | "]" => depth = depth.saturating_sub(1),
            _ => {}
        }
        if depth == 0 {
            return at + 1;
        }
    }
    tokens.len()
}

/// The index of the `{` that opens the body after `from`, unless a `;` comes first.
fn body(tokens: &[Token], from: usize) -> Option<usize> {
    let mut at = from;
    while at < tokens.len() {
        match text_at(tokens, at) {
            "{" => return Some(at),
            ";" => return None,
            "(" | "[" => at = after_closing(tokens, at),
            _ => at += 1,
        }
    }
    None
}

fn line_of(tokens: &[Token], at: usize) -> usize {
    tokens.get(at).or(tokens.last()).map_or(1, |token| token.line)
}

fn test_modules(tokens: &[Token]) -> Vec<RangeInclusive<usize>> {
    let marker = ["#", "[", "cfg", "(", "test", ")", "]"];
    let mut found = Vec::new();
    for at in 0..tokens.len() {
        let is_marker = (0..).zip(marker).all(|(ahead, text)| text_at(tokens, at + ahead) == text);
        if let Some(open) = is_marker.then(|| body(tokens, at + marker.len())).flatten() {
            let end = after_closing(tokens, open) - 1;
            found.push(line_of(tokens, at)..=line_of(tokens, end));
        }
    }
    found
}

fn functions(tokens: &[Token]) -> Vec<Function> {
    let mut functions = Vec::new();
    let mut modules: Vec<(String, usize)> = Vec::new();
    let mut attributes: Vec<(String, usize)> = Vec::new();
    let mut at = 0;
    while at < tokens.len() {
        modules.retain(|&(_, end)| at < end);
        let next = text_at(tokens, at + 1);
        match text_at(tokens, at) {
            "#" if next == "[" => {
                let end = after_closing(tokens, at + 1);
                let inside = tokens.iter().take(end - 1).skip(at + 2);
                let text = inside.map(|token| token.text.as_str()).collect();
                attributes.push((text, line_of(tokens, at)));
                at = end;
                continue;
            }
            "mod" if text_at(tokens, at + 2) == "{" => {
                modules.push((next.to_owned(), after_closing(tokens, at + 2)));
                attributes.clear();
            }
            "fn" if next.starts_with(|c: char| is_word(c)) => {
                if let Some(open) = body(tokens, at + 2) {
                    let end = after_closing(tokens, open) - 1;
                    functions.push(Function {
                        name: next.to_owned(),
                        modules: modules.iter().map(|(name, _)| name.clone()).collect(),
                        lines: line_of(tokens, at)..=line_of(tokens, end),
                        begins: attributes.first().map_or(line_of(tokens, at), |&(_, line)| line),
                        attributes: attributes.drain(..).map(|(text, _)| text).collect(),
                    });
                }
            }
            "{" | "}" | ";" => attributes.clear(),
            _ => {}
        }
        at += 1;
    }
    functions
}

#[cfg(test)]
mod tests {
    use super::Source;

    fn words(text: &str) -> Vec<String> {
        Source::new(text).tokens.into_iter().map(|token| token.text).collect()
    }

    #[test]
    fn comments_and_literals_are_not_code() {
        let text =
            "a // b \"c\"\n/* d /* e */ f */ 'g' '\\'' \"h \\\" i\" r#\"j \" k\"# b\"l\" m<'n>";
        assert_eq!(words(text), ["a", "b", "m", "<", "n", ">"]);
        let source = Source::new(text);
        let strings: Vec<&str> = source.strings.iter().map(|piece| piece.text.as_str()).collect();
        assert_eq!(strings, ["h \\\" i", "j \" k", "l"]);
        assert_eq!(source.comments.len(), 1);
    }

    #[test]
    fn sequences_are_found_whatever_the_white_space() {
        let source = Source::new("x\nstd ::\n  fs;\n\"std::fs\"");
        assert_eq!(source.lines_with("std::fs"), [2]);
    }

    #[test]
    fn test_modules_end_with_their_brace() {
        let source = Source::new("fn a() {}\n#[cfg(test)]\nmod t {\n fn b() {}\n}\nfn c() {}\n");
        let tests: Vec<usize> = (1..=6).filter(|&line| source.is_test_line(line)).collect();
        assert_eq!(tests, [2, 3, 4, 5]);
        assert!(!Source::new("#[cfg(test)]\nmod t;\nfn c() {\n}\n").is_test_line(3));
    }

    #[test]
    fn functions_know_their_modules_attributes_and_lines() {
        let text = "mod a {\n  mod b {\n    #[tokio::test(flavor = \"x\")]\n    async fn c() -> [u8; 2] {\n    }\n  }\n  fn d();\n}\nfn e() { }\n";
        let found: Vec<_> = Source::new(text)
            .functions
            .into_iter()
            .map(|f| (f.name, f.modules.join("::"), *f.lines.start(), *f.lines.end(), f.attributes))
            .collect();
        assert_eq!(
            found,
            [
                ("c".into(), "a::b".into(), 4, 5, vec!["tokio::test(flavor=)".to_owned()]),
                ("e".into(), String::new(), 9, 9, vec![]),
            ]
        );
    }
}
