//! The lists that follow from rows. Each is a lazy iterator in declared order; none is stored.

use crate::{Exposure, Row, Tier};

/// What an external client has been granted, from least to most.
///
/// A wider scope contains the narrower ones.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Scope {
    /// May read.
    Read,
    /// May also prepare changes which a person reviews.
    Stage,
    /// May also change things at once.
    Write,
}

impl Exposure {
    /// Returns the narrowest scope that opens a tool of this exposure; `None` where none does.
    ///
    /// ```
    /// use oncue_decl::{Exposure, Scope};
    ///
    /// assert_eq!(Exposure::Staged.scope(), Some(Scope::Stage));
    /// assert_eq!(Exposure::Excluded.scope(), None);
    /// ```
    #[must_use]
    pub const fn scope(self) -> Option<Scope> {
        match self {
            Self::ReadOnly => Some(Scope::Read),
            Self::Staged => Some(Scope::Stage),
            Self::Full => Some(Scope::Write),
            Self::Excluded => None,
        }
    }

    /// Says whether a client that holds `granted` may reach a tool of this exposure.
    #[must_use]
    pub fn is_open_to(self, granted: Scope) -> bool {
        self.scope().is_some_and(|needed| needed <= granted)
    }
}

/// Rows that are in the model's context from the first step.
pub fn inline(rows: &[Row]) -> impl Iterator<Item = &Row> {
    rows.iter().filter(|row| row.is_inline())
}

/// Rows that are hidden until a search finds them.
pub fn discoverable(rows: &[Row]) -> impl Iterator<Item = &Row> {
    rows.iter().filter(|row| !row.is_inline())
}

/// Rows that run without asking.
pub fn silent(rows: &[Row]) -> impl Iterator<Item = &Row> {
    of_tier(rows, Tier::Silent)
}

/// Rows behind the authorization ladder.
pub fn gated(rows: &[Row]) -> impl Iterator<Item = &Row> {
    of_tier(rows, Tier::Gated)
}

/// Rows that are part of the agent loop.
pub fn part_of_loop(rows: &[Row]) -> impl Iterator<Item = &Row> {
    of_tier(rows, Tier::Loop)
}

/// Rows that no external client reaches, whatever it was granted.
pub fn excluded(rows: &[Row]) -> impl Iterator<Item = &Row> {
    rows.iter().filter(|row| row.exposure().scope().is_none())
}

/// Rows that an external client reaches with `granted`.
pub fn admitted(rows: &[Row], granted: Scope) -> impl Iterator<Item = &Row> {
    rows.iter().filter(move |row| row.exposure().is_open_to(granted))
}

/// Rows whose narrowest opening scope lets a client change something, at once or after review.
pub fn write_scope(rows: &[Row]) -> impl Iterator<Item = &Row> {
    rows.iter().filter(|row| row.exposure().scope().is_some_and(|scope| scope > Scope::Read))
}

/// Each exposed row with the narrowest scope that opens it.
pub fn tiers(rows: &[Row]) -> impl Iterator<Item = (&Row, Scope)> {
    rows.iter().filter_map(|row| row.exposure().scope().map(|scope| (row, scope)))
}

fn of_tier(rows: &[Row], tier: Tier) -> impl Iterator<Item = &Row> {
    rows.iter().filter(move |row| row.tier() == tier)
}
