//! Why a tool scores as it does.

use std::fmt;

/// A part of a tool that is searched.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Field {
    /// The tool's name.
    Name,
    /// Its label for people.
    Title,
    /// Its search words.
    Keywords,
    /// What it does.
    Description,
    /// The names of its parameters, nested ones too.
    ParameterNames,
    /// The descriptions and fixed values of its parameters.
    ParameterText,
    /// The id of the source that owns it.
    Source,
}

impl Field {
    /// Every field, in the order in which they are reported.
    pub const ALL: [Self; 7] = [
        Self::Name,
        Self::Title,
        Self::Keywords,
        Self::Description,
        Self::ParameterNames,
        Self::ParameterText,
        Self::Source,
    ];
}

impl fmt::Display for Field {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Name => "name",
            Self::Title => "title",
            Self::Keywords => "keywords",
            Self::Description => "description",
            Self::ParameterNames => "parameter names",
            Self::ParameterText => "parameter text",
            Self::Source => "source",
        })
    }
}

/// What one field gives to a score.
#[derive(Clone, Debug, PartialEq)]
pub struct FieldScore {
    /// The field.
    pub field: Field,
    /// Its part of the score.
    pub score: f32,
    /// The words of the query that it matches, as typed.
    pub words: Vec<String>,
}

/// Why a tool scores as it does for a text.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Explanation {
    /// The whole score; 0 where nothing fits.
    pub score: f32,
    /// The fields that match, in the order of [`Field::ALL`].
    pub fields: Vec<FieldScore>,
    /// What its meaning gives to the score, apart from words; 0 where no model has told.
    pub meaning: f32,
    /// Words of the query that the tool lacks, as typed.
    pub missing: Vec<String>,
    /// Words of the query that decide nothing (stop words), as typed.
    pub ignored: Vec<String>,
}
