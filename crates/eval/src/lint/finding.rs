//! What is wrong with a tool: kinds, how much each matters, and where it is.

use std::fmt;

use serde::Serialize;

/// How much a finding matters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Severity {
    /// The tool cannot be found or called as it is.
    Error,
    /// The tool will be confused with others, missed or called wrongly.
    Warning,
    /// Something that costs a little, or that only looks odd.
    Note,
}

/// Something that can be wrong with a tool.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum Kind {
    /// Its own name does not find it first.
    NotFoundByName,
    /// The words of its description do not find it among the first.
    NotFoundByDescription,
    /// Its name and description say almost the same as another tool's.
    NearDuplicate,
    /// A tool of another server has the same name, in some spelling.
    SharedName,
    /// A tool of the same server has the same name in another spelling.
    SpellingTwins,
    /// There is no description.
    NoDescription,
    /// The description says only what the name says.
    DescriptionRepeatsName,
    /// The description has too few words to be found by.
    ShortDescription,
    /// Other tools have the very same description.
    SharedDescription,
    /// The name cannot be shown to models as it is.
    NameChanged,
    /// Two tools would be shown to models under one name.
    NameCollision,
    /// There is no input schema.
    NoSchema,
    /// The input schema does not describe an object.
    SchemaNotObject,
    /// A `$ref` leads nowhere.
    ReferenceNowhere,
    /// A `$ref` leads out of the schema, and nothing is ever fetched.
    ReferenceOutside,
    /// `required` names something that is no property.
    RequiredUnknown,
    /// Parameters without a description.
    ParametersUndescribed,
    /// The schema nests so deep that models get arguments wrong.
    DeepSchema,
    /// A list of fixed values that costs more than it tells.
    LongEnum,
    /// A pattern that no engine of bounded time runs.
    PatternRefused,
    /// Arguments cannot be checked against the schema.
    SchemaNotEnforced,
    /// The definition is heavy for a model's context.
    HeavyDefinition,
}

impl Kind {
    /// Every kind, in the order in which they are reported.
    pub const ALL: [Self; 22] = [
        Self::NotFoundByName,
        Self::NotFoundByDescription,
        Self::NearDuplicate,
        Self::SharedName,
        Self::SpellingTwins,
        Self::NoDescription,
        Self::DescriptionRepeatsName,
        Self::ShortDescription,
        Self::SharedDescription,
        Self::NameChanged,
        Self::NameCollision,
        Self::NoSchema,
        Self::SchemaNotObject,
        Self::ReferenceNowhere,
        Self::ReferenceOutside,
        Self::RequiredUnknown,
        Self::ParametersUndescribed,
        Self::DeepSchema,
        Self::LongEnum,
        Self::PatternRefused,
        Self::SchemaNotEnforced,
        Self::HeavyDefinition,
    ];

    /// Returns how much a finding of this kind matters.
    #[must_use]
    pub const fn severity(self) -> Severity {
        match self {
            Self::NotFoundByName | Self::NoDescription | Self::NameCollision => Severity::Error,
            Self::NotFoundByDescription
            | Self::NearDuplicate
            | Self::SpellingTwins
            | Self::DescriptionRepeatsName
            | Self::ShortDescription
            | Self::SharedDescription
            | Self::SchemaNotObject
            | Self::ReferenceNowhere
            | Self::ReferenceOutside
            | Self::RequiredUnknown
            | Self::SchemaNotEnforced => Severity::Warning,
            Self::SharedName
            | Self::NameChanged
            | Self::NoSchema
            | Self::ParametersUndescribed
            | Self::DeepSchema
            | Self::LongEnum
            | Self::PatternRefused
            | Self::HeavyDefinition => Severity::Note,
        }
    }

    /// Returns the kind's name in reports and JSON.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::NotFoundByName => "not-found-by-name",
            Self::NotFoundByDescription => "not-found-by-description",
            Self::NearDuplicate => "near-duplicate",
            Self::SharedName => "shared-name",
            Self::SpellingTwins => "spelling-twins",
            Self::NoDescription => "no-description",
            Self::DescriptionRepeatsName => "description-repeats-name",
            Self::ShortDescription => "short-description",
            Self::SharedDescription => "shared-description",
            Self::NameChanged => "name-changed",
            Self::NameCollision => "name-collision",
            Self::NoSchema => "no-schema",
            Self::SchemaNotObject => "schema-not-object",
            Self::ReferenceNowhere => "reference-nowhere",
            Self::ReferenceOutside => "reference-outside",
            Self::RequiredUnknown => "required-unknown",
            Self::ParametersUndescribed => "parameters-undescribed",
            Self::DeepSchema => "deep-schema",
            Self::LongEnum => "long-enum",
            Self::PatternRefused => "pattern-refused",
            Self::SchemaNotEnforced => "schema-not-enforced",
            Self::HeavyDefinition => "heavy-definition",
        }
    }
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// Which tool: its server and its name.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub struct Site {
    /// The id of the server; empty for the program's own tools.
    pub source: String,
    /// The name.
    pub tool: String,
}

impl fmt::Display for Site {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if !self.source.is_empty() {
            write!(f, "{}/", self.source.escape_debug())?;
        }
        write!(f, "{}", self.tool.escape_debug())
    }
}

/// One thing that is wrong with one tool.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub struct Finding {
    /// The tool.
    #[serde(flatten)]
    pub site: Site,
    /// What is wrong.
    pub kind: Kind,
    /// How much it matters.
    pub severity: Severity,
    /// The other tools that it involves, if any.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub others: Vec<Site>,
    /// What is wrong and what to do about it, in one line.
    pub message: String,
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}: {}", self.site, self.kind, self.message)
    }
}
