//! Ways to help a model find its tools, one at a time and all together.

use std::borrow::Cow;

use oncue_agent::Profile;

/// One way to help.
#[derive(Clone, Debug, PartialEq)]
pub struct Rung {
    /// Its name.
    pub name: Cow<'static, str>,
    /// The settings.
    pub profile: Profile,
}

/// How much of the hidden names the description of the search tool lists, in characters: all of a few dozen.
const NAMES_CHARS: usize = 1_500;

const NOTHING: Profile = Profile::DEFAULT;

/// The ladder; docs/weak-models.md says what the loop does on each rung.
pub static LADDER: [Rung; 7] = [
    known("nothing", NOTHING),
    known("preload", Profile { preload: 5, ..NOTHING }),
    known("names", Profile { names_chars: NAMES_CHARS, ..NOTHING }),
    known("narrowing", Profile { narrows: true, ..NOTHING }),
    known("collapsed", Profile { collapses: true, is_short_on_repeats: true, ..NOTHING }),
    known("recovery", Profile { recovers: true, insists: true, ..NOTHING }),
    known("all", Profile::WEAK),
];

const fn known(name: &'static str, profile: Profile) -> Rung {
    Rung { name: Cow::Borrowed(name), profile }
}

/// Reads settings such as `preload=8,names=1500,narrows,collapses,recovers,insists,short-repeats` as a rung of that name.
///
/// # Errors
///
/// A word is none of these.
pub fn custom(text: &str) -> Result<Rung, String> {
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
            ("insists", true) => profile.insists = true,
            ("short-repeats", true) => profile.is_short_on_repeats = true,
            _ => {
                return Err(format!(
                    "`{word}` is none of preload=N, names=CHARS, narrows, collapses, recovers, insists, short-repeats"
                ));
            }
        }
    }
    Ok(Rung { name: Cow::Owned(text.to_owned()), profile })
}

/// Returns the rung of this name.
#[must_use]
pub fn rung(name: &str) -> Option<&'static Rung> {
    LADDER.iter().find(|rung| rung.name == name)
}
