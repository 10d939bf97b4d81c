//! How severe a message of an upstream is (RFC 5424, as the protocol names it).

/// From the least to the most severe.
const NAMES: [&str; 8] =
    ["debug", "info", "notice", "warning", "error", "critical", "alert", "emergency"];

/// How severe a message is, and the least that a client wants to read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Level(usize);

impl Level {
    /// Returns the level that is called `name`.
    #[must_use]
    pub fn parse(name: &str) -> Option<Self> {
        NAMES.iter().position(|known| *known == name).map(Self)
    }

    /// Returns what it is called.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        NAMES.get(self.0).copied().unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn levels_have_an_order_and_names() {
        let level = |name| Level::parse(name).expect("a level");
        assert!(level("debug") < level("info") && level("alert") < level("emergency"));
        assert_eq!(level("warning").as_str(), "warning");
        assert_eq!(Level::parse("WARNING"), None);
    }
}
