//! What was typed, as one of three questions. Any text is a query, so parsing has no error case.

/// A query by its form.
///
/// The prefix alone decides (`select:` or `+`), never the words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Query {
    /// `read file`: the best matches for these words; `read file; send mail` for each of several needs ([`needs`](crate::needs())).
    Keyword(String),
    /// `select:Read,Edit`: tools of exactly these names, in this order, without repeats.
    Select(Vec<String>),
    /// `+slack send`: tools whose name contains the required word, ranked by the rest.
    Required {
        /// What the name must contain; empty admits every name.
        required: String,
        /// The words that rank; empty orders by name.
        ranking: String,
    },
}

impl Query {
    /// Returns the query that `text` means. Surrounding white space is ignored.
    ///
    /// ```
    /// use oncue_search::Query;
    ///
    /// assert_eq!(Query::parse(" read file "), Query::Keyword("read file".into()));
    /// assert_eq!(
    ///     Query::parse("select:Read, Edit"),
    ///     Query::Select(vec!["Read".into(), "Edit".into()])
    /// );
    /// assert_eq!(
    ///     Query::parse("+slack send"),
    ///     Query::Required { required: "slack".into(), ranking: "send".into() }
    /// );
    /// ```
    #[must_use]
    pub fn parse(text: &str) -> Self {
        let text = text.trim();
        if let Some(names) = strip_prefix_ignoring_case(text, "select:") {
            return Self::Select(names_of(names));
        }
        if let Some(rest) = text.strip_prefix('+') {
            let (required, ranking) = rest.split_once(char::is_whitespace).unwrap_or((rest, ""));
            return Self::Required {
                required: required.to_owned(),
                ranking: ranking.trim().to_owned(),
            };
        }
        Self::Keyword(text.to_owned())
    }

    /// Says whether the query asks for nothing at all.
    #[must_use]
    pub fn is_blank(&self) -> bool {
        match self {
            Self::Keyword(words) => words.is_empty(),
            Self::Select(names) => names.is_empty(),
            Self::Required { required, ranking } => required.is_empty() && ranking.is_empty(),
        }
    }
}

fn strip_prefix_ignoring_case<'t>(text: &'t str, prefix: &str) -> Option<&'t str> {
    let (head, tail) = text.split_at_checked(prefix.len())?;
    head.eq_ignore_ascii_case(prefix).then_some(tail)
}

fn names_of(list: &str) -> Vec<String> {
    let mut names: Vec<String> = Vec::new();
    for name in list.split(',').map(str::trim).filter(|name| !name.is_empty()) {
        if !names.iter().any(|known| known == name) {
            names.push(name.to_owned());
        }
    }
    names
}

#[cfg(test)]
mod tests {
    use super::Query;

    fn keyword(words: &str) -> Query {
        Query::Keyword(words.into())
    }

    fn select(names: &[&str]) -> Query {
        Query::Select(names.iter().map(|&name| name.into()).collect())
    }

    fn required(required: &str, ranking: &str) -> Query {
        Query::Required { required: required.into(), ranking: ranking.into() }
    }

    // founding: A4
    #[test]
    fn the_prefix_alone_decides_the_form() {
        let cases = [
            ("read file", keyword("read file")),
            ("", keyword("")),
            (" \u{3000}\n", keyword("")),
            ("selectively read", keyword("selectively read")),
            ("please select:Read", keyword("please select:Read")),
            ("c++ build", keyword("c++ build")),
            ("select:Read,Edit", select(&["Read", "Edit"])),
            ("SELECT: Read ,, Edit,Read", select(&["Read", "Edit"])),
            ("select:", select(&[])),
            ("select:+a", select(&["+a"])),
            ("+slack send", required("slack", "send")),
            ("+slack", required("slack", "")),
            ("+ send now", required("", "send now")),
            ("+", required("", "")),
            ("+a select:b", required("a", "select:b")),
            ("+slack\u{3000}보내기", required("slack", "보내기")),
        ];
        for (text, expected) in cases {
            assert_eq!(Query::parse(text), expected, "{text:?}");
        }
    }

    #[test]
    fn blank_means_that_nothing_is_asked() {
        for text in ["", "  ", "select:", "select: , ", "+", "+ "] {
            assert!(Query::parse(text).is_blank(), "{text:?}");
        }
        assert!(!Query::parse("+a").is_blank());
    }
}
