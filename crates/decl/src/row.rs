//! A row and its axes. A row is immutable; it lives as long as the catalog that holds it, or for ever if it is `static`.

use alloc::borrow::Cow;
use alloc::string::String;
use alloc::vec::Vec;

/// Text that is either part of the program or owned, under one type.
pub type Text = Cow<'static, str>;

/// Whether the model sees a tool from the first step.
///
/// The founding documents call the two *eager* and *deferred*.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Visibility {
    /// In the model's context from the first step.
    Inline,
    /// Hidden until a search finds it.
    Discoverable,
}

/// How much a call disturbs, and so how it is authorized.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Tier {
    /// A read that disturbs nobody; runs without asking.
    Silent,
    /// Stands behind the authorization ladder.
    Gated,
    /// Part of the agent loop itself, not an ability: the search tool.
    Loop,
}

/// How far a tool is open to an external client (over MCP).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Exposure {
    /// Open to clients that may read.
    ReadOnly,
    /// Open to clients that may prepare changes which a person reviews.
    Staged,
    /// Open to clients that may change things at once.
    Full,
    /// Never open to an external client.
    Excluded,
}

/// Which half of an act/propose pair a tool is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum PairRole {
    /// Does the thing at once.
    Act,
    /// Offers the thing; a person decides.
    Propose,
}

/// A tool's partner that does the same with the other degree of caution.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Pair {
    role: PairRole,
    partner: Text,
}

impl Pair {
    /// A pair entry for the tool that plays `role`; `partner` is the other tool's name.
    pub fn new(role: PairRole, partner: impl Into<Text>) -> Self {
        Self { role, partner: partner.into() }
    }

    /// Returns the role of the tool that carries this entry.
    #[must_use]
    pub const fn role(&self) -> PairRole {
        self.role
    }

    /// Returns the name of the other tool.
    #[must_use]
    pub fn partner(&self) -> &str {
        &self.partner
    }
}

/// The words under which people look for a tool.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Keywords {
    /// Words written in the program.
    Static(&'static [&'static str]),
    /// Words read at run time.
    Owned(Vec<String>),
}

impl Keywords {
    /// Iterates over the words in declared order.
    pub fn iter(&self) -> impl Iterator<Item = &str> {
        let (fixed, owned): (&[&str], &[String]) = match self {
            Self::Static(words) => (words, &[]),
            Self::Owned(words) => (&[], words),
        };
        fixed.iter().copied().chain(owned.iter().map(String::as_str))
    }

    /// Says whether there are no words.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.iter().next().is_none()
    }
}

/// The whole identity of one tool.
///
/// Static rows come from [`Row::declare`], rows read at run time from [`Row::inline`] and [`Row::discoverable`]; both are this one type.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Row {
    /// The name by which the tool is called; unique in its catalog or upstream.
    name: Text,
    /// A short label for people; empty where there is none.
    title: Text,
    /// What the tool does, as the model reads it.
    description: Text,
    /// Search words beyond name and description; honoured for own rows only, never taken from an upstream.
    keywords: Keywords,
    /// Whether the model sees it from the first step.
    visibility: Visibility,
    /// How a call of it is authorized.
    tier: Tier,
    /// How far external clients may reach it.
    exposure: Exposure,
    /// Its act/propose partner.
    pair: Option<Pair>,
}

impl Row {
    /// Begins a row in a constant or static; finish it with [`Declaration::inline`] or [`Declaration::discoverable`].
    ///
    /// Unless told otherwise the tool is gated and excluded from external clients, which is the cautious reading.
    pub const fn declare(name: &'static str, description: &'static str) -> Declaration {
        Declaration {
            name,
            title: "",
            description,
            keywords: &[],
            tier: Tier::Gated,
            exposure: Exposure::Excluded,
            pair: None,
        }
    }

    /// Returns a row that is in the model's context from the first step, gated and excluded from external clients.
    ///
    /// ```
    /// use oncue_decl::{Row, Tier};
    ///
    /// let row = Row::inline("read_file", "Reads a file").with_tier(Tier::Silent);
    /// assert!(row.is_inline());
    /// ```
    pub fn inline(name: impl Into<Text>, description: impl Into<Text>) -> Self {
        Self::owned(name.into(), description.into(), Visibility::Inline)
    }

    /// Returns a row that is hidden until a search finds it, gated and excluded from external clients.
    ///
    /// ```
    /// use oncue_decl::Row;
    ///
    /// let row = Row::discoverable(String::from("export"), "Writes a file").with_keywords(["csv"]);
    /// assert!(!row.is_inline());
    /// assert_eq!(row.keywords().iter().collect::<Vec<_>>(), ["csv"]);
    /// ```
    pub fn discoverable(name: impl Into<Text>, description: impl Into<Text>) -> Self {
        Self::owned(name.into(), description.into(), Visibility::Discoverable)
    }

    fn owned(name: Text, description: Text, visibility: Visibility) -> Self {
        Self {
            name,
            title: Cow::Borrowed(""),
            description,
            keywords: Keywords::Static(&[]),
            visibility,
            tier: Tier::Gated,
            exposure: Exposure::Excluded,
            pair: None,
        }
    }

    /// Returns the row with another description.
    #[must_use]
    pub fn with_description(self, description: impl Into<Text>) -> Self {
        Self { description: description.into(), ..self }
    }

    /// Returns the row with a label for people.
    #[must_use]
    pub fn with_title(self, title: impl Into<Text>) -> Self {
        Self { title: title.into(), ..self }
    }

    /// Returns the row with search words beyond name and description.
    #[must_use]
    pub fn with_keywords<W: Into<String>>(self, words: impl IntoIterator<Item = W>) -> Self {
        Self { keywords: Keywords::Owned(words.into_iter().map(Into::into).collect()), ..self }
    }

    /// Returns the row with another tier.
    #[must_use]
    pub fn with_tier(self, tier: Tier) -> Self {
        Self { tier, ..self }
    }

    /// Returns the row with another exposure to external clients.
    #[must_use]
    pub fn with_exposure(self, exposure: Exposure) -> Self {
        Self { exposure, ..self }
    }

    /// Returns the row as one half of an act/propose pair.
    #[must_use]
    pub fn with_pair(self, pair: Pair) -> Self {
        Self { pair: Some(pair), ..self }
    }

    /// Returns the name by which the tool is called.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Returns the label for people; empty where there is none.
    #[must_use]
    pub fn title(&self) -> &str {
        &self.title
    }

    /// Returns what the tool does, as the model reads it.
    #[must_use]
    pub fn description(&self) -> &str {
        &self.description
    }

    /// Returns the search words beyond name and description.
    #[must_use]
    pub const fn keywords(&self) -> &Keywords {
        &self.keywords
    }

    /// Returns whether the model sees the tool from the first step.
    #[must_use]
    pub const fn visibility(&self) -> Visibility {
        self.visibility
    }

    /// Says whether the tool is in the model's context from the first step.
    #[must_use]
    pub const fn is_inline(&self) -> bool {
        matches!(self.visibility, Visibility::Inline)
    }

    /// Returns how a call of the tool is authorized.
    #[must_use]
    pub const fn tier(&self) -> Tier {
        self.tier
    }

    /// Returns how far external clients may reach the tool.
    #[must_use]
    pub const fn exposure(&self) -> Exposure {
        self.exposure
    }

    /// Returns the act/propose partner, if there is one.
    #[must_use]
    pub const fn pair(&self) -> Option<&Pair> {
        self.pair.as_ref()
    }
}

/// A row in the making, usable in constants and statics.
///
/// It holds program text only, so every step is `const`.
#[derive(Clone, Copy, Debug)]
#[must_use = "a declaration becomes a row with `inline()` or `discoverable()`"]
pub struct Declaration {
    name: &'static str,
    title: &'static str,
    description: &'static str,
    keywords: &'static [&'static str],
    tier: Tier,
    exposure: Exposure,
    pair: Option<(PairRole, &'static str)>,
}

impl Declaration {
    /// Adds a label for people.
    pub const fn title(self, title: &'static str) -> Self {
        Self { title, ..self }
    }

    /// Adds search words beyond name and description.
    pub const fn keywords(self, keywords: &'static [&'static str]) -> Self {
        Self { keywords, ..self }
    }

    /// Declares a read that disturbs nobody.
    pub const fn silent(self) -> Self {
        Self { tier: Tier::Silent, ..self }
    }

    /// Declares a part of the agent loop: the search tool.
    pub const fn part_of_loop(self) -> Self {
        Self { tier: Tier::Loop, ..self }
    }

    /// Declares how far external clients may reach the tool.
    pub const fn exposure(self, exposure: Exposure) -> Self {
        Self { exposure, ..self }
    }

    /// Declares that the tool acts at once and that `partner` proposes the same.
    pub const fn acts_where_proposes(self, partner: &'static str) -> Self {
        Self { pair: Some((PairRole::Act, partner)), ..self }
    }

    /// Declares that the tool proposes what `partner` does at once.
    pub const fn proposes_where_acts(self, partner: &'static str) -> Self {
        Self { pair: Some((PairRole::Propose, partner)), ..self }
    }

    /// Finishes a row that is in the model's context from the first step.
    #[must_use]
    pub const fn inline(self) -> Row {
        self.row(Visibility::Inline)
    }

    /// Finishes a row that is hidden until a search finds it.
    #[must_use]
    pub const fn discoverable(self) -> Row {
        self.row(Visibility::Discoverable)
    }

    const fn row(self, visibility: Visibility) -> Row {
        Row {
            name: Cow::Borrowed(self.name),
            title: Cow::Borrowed(self.title),
            description: Cow::Borrowed(self.description),
            keywords: Keywords::Static(self.keywords),
            visibility,
            tier: self.tier,
            exposure: self.exposure,
            pair: match self.pair {
                Some((role, partner)) => Some(Pair { role, partner: Cow::Borrowed(partner) }),
                None => None,
            },
        }
    }
}
