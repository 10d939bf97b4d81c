//! Ways to help a model find its tools, one at a time and all together.

use oncue_agent::Profile;

/// One way to help.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rung {
    /// Its name.
    pub name: &'static str,
    /// What it does, in a few words.
    pub what: &'static str,
    /// The settings.
    pub profile: Profile,
}

/// How much of the hidden names the description of the search tool lists, in characters: all of a few dozen.
const NAMES_CHARS: usize = 1_500;

const NOTHING: Profile = Profile::DEFAULT;

/// The ladder.
pub const LADDER: [Rung; 8] = [
    Rung { name: "nothing", what: "the search tool alone", profile: NOTHING },
    Rung {
        name: "preload-3",
        what: "3 tools by the user's words before the first step",
        profile: Profile { preload: 3, ..NOTHING },
    },
    Rung {
        name: "preload-5",
        what: "5 tools by the user's words before the first step",
        profile: Profile { preload: 5, ..NOTHING },
    },
    Rung {
        name: "names",
        what: "names of hidden tools in the description of the search tool",
        profile: Profile { names_chars: NAMES_CHARS, ..NOTHING },
    },
    Rung {
        name: "narrowing",
        what: "the step after a search may call only what was found",
        profile: Profile { narrows: true, ..NOTHING },
    },
    Rung {
        name: "collapsed",
        what: "searches are replayed as one line",
        profile: Profile { collapses: true, is_short_on_repeats: true, ..NOTHING },
    },
    Rung {
        name: "recovery",
        what: "a hidden tool called by its name is searched for and run",
        profile: Profile { recovers: true, ..NOTHING },
    },
    Rung { name: "all", what: "the profile for weak models", profile: Profile::WEAK },
];

/// Settings of one's own, as one more way to help.
#[derive(Clone, Debug, PartialEq)]
pub struct Custom {
    /// What was written.
    pub name: String,
    /// The settings.
    pub profile: Profile,
}

/// Reads settings such as `preload=8,names=1500,narrows,collapses,recovers,short-repeats`.
///
/// # Errors
///
/// A word is none of these.
pub fn custom(text: &str) -> Result<Custom, String> {
    let mut profile = NOTHING;
    for word in text.split(',').map(str::trim) {
        let (key, value) = word.split_once('=').unwrap_or((word, ""));
        let number = || value.parse().map_err(|_| format!("`{word}` needs a number"));
        match (key, value.is_empty()) {
            ("preload", _) => profile.preload = number()?,
            ("names", _) => profile.names_chars = number()?,
            ("narrows", true) => profile.narrows = true,
            ("collapses", true) => profile.collapses = true,
            ("recovers", true) => profile.recovers = true,
            ("short-repeats", true) => profile.is_short_on_repeats = true,
            _ => {
                return Err(format!(
                    "`{word}` is none of preload=N, names=CHARS, narrows, collapses, recovers, short-repeats"
                ));
            }
        }
    }
    Ok(Custom { name: text.to_owned(), profile })
}

/// Returns the rung of this name.
#[must_use]
pub fn rung(name: &str) -> Option<&'static Rung> {
    LADDER.iter().find(|rung| rung.name == name)
}
