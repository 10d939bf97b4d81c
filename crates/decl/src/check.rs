//! What a list of rows must satisfy. Call [`check`] from a test over your own rows.

use alloc::borrow::ToOwned;
use alloc::collections::BTreeSet;
use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;

use crate::{Exposure, PairRole, Row, Tier};

/// Longest name of a declared tool, in characters.
///
/// The strictest model vendors and clients refuse longer ones.
pub const NAME_CHARS_MAX: usize = 64;

/// A rule that a list of rows breaks, with the row that breaks it.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Fault {
    /// Two rows have this name; `-` and `_` and the case of letters do not make names distinct.
    DuplicateName(String),
    /// The name is empty, too long, or has a character outside `A-Z a-z 0-9 _ -`.
    IllegalName(String),
    /// The row says nothing about what the tool does.
    NoDescription(String),
    /// A discoverable row without search words.
    NoKeywords(String),
    /// A tool that changes something is exposed as if it only read.
    GatedReadOnly(String),
    /// No row has the name of the search tool although discoverable rows exist.
    NoSearchTool(String),
    /// The search tool is discoverable, so nothing could find it.
    SearchToolHidden(String),
    /// The search tool is not declared as part of the loop.
    SearchToolOutsideLoop(String),
    /// A row other than the search tool is declared as part of the loop.
    LoopRowIsNotSearch(String),
    /// The partner of the pair is not in the list.
    PartnerMissing {
        /// The row with the pair.
        name: String,
        /// The name that no row has.
        partner: String,
    },
    /// The partner does not name this row back with the opposite role.
    PairOneSided {
        /// The row with the pair.
        name: String,
        /// The row that should name it back.
        partner: String,
    },
    /// The proposing half is gated harder or opened wider than its acting half.
    ProposalOutranksAct {
        /// The proposing row.
        name: String,
        /// The acting row.
        partner: String,
    },
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::DuplicateName(name) => write!(
                f,
                "duplicate name `{name}`: names must differ in more than case, `-` and `_`; rename one of the rows"
            ),
            Self::IllegalName(name) => {
                write!(f, "illegal name `{name}`: use 1 to {NAME_CHARS_MAX} of `A-Z a-z 0-9 _ -`")
            }
            Self::NoDescription(name) => write!(f, "`{name}` has no description: say what it does"),
            Self::NoKeywords(name) => write!(
                f,
                "`{name}` is discoverable without keywords: add the words people use for it, or make it inline"
            ),
            Self::GatedReadOnly(name) => write!(
                f,
                "`{name}` is gated but exposed read-only: expose it as staged or full, or make it silent"
            ),
            Self::NoSearchTool(name) => write!(
                f,
                "no row `{name}`: discoverable rows are out of reach without the search tool; add its row"
            ),
            Self::SearchToolHidden(name) => {
                write!(f, "the search tool `{name}` is discoverable: declare it inline")
            }
            Self::SearchToolOutsideLoop(name) => {
                write!(
                    f,
                    "the search tool `{name}` is not part of the loop: declare it `part_of_loop()`"
                )
            }
            Self::LoopRowIsNotSearch(name) => write!(
                f,
                "`{name}` is declared part of the loop but is not the search tool: make it silent or gated"
            ),
            Self::PartnerMissing { name, partner } => {
                write!(f, "`{name}` names the partner `{partner}`, which no row has")
            }
            Self::PairOneSided { name, partner } => write!(
                f,
                "`{name}` names the partner `{partner}`, which does not name it back with the opposite role"
            ),
            Self::ProposalOutranksAct { name, partner } => write!(
                f,
                "`{name}` only proposes what `{partner}` does, but needs a wider scope: give it the same exposure or a narrower one"
            ),
        }
    }
}

impl core::error::Error for Fault {}

/// Returns every rule that `rows` break, in row order; an empty list means that all hold.
///
/// `search_tool` is the name under which the search tool is registered.
///
/// ```
/// use oncue_decl::{Fault, Row, check};
///
/// let rows = [Row::discoverable("export", "Writes a file").with_keywords(["csv"])];
/// assert_eq!(check(&rows, "ToolSearch"), [Fault::NoSearchTool("ToolSearch".into())]);
/// ```
#[must_use]
pub fn check(rows: &[Row], search_tool: &str) -> Vec<Fault> {
    let mut faults = Vec::new();
    let mut spellings = BTreeSet::new();
    for row in rows {
        name_faults(&mut spellings, row, &mut faults);
        text_faults(row, &mut faults);
        loop_faults(row, search_tool, &mut faults);
        pair_faults(rows, row, &mut faults);
    }
    let has_search = rows.iter().any(|row| row.name() == search_tool);
    if !has_search && rows.iter().any(|row| !row.is_inline()) {
        faults.push(Fault::NoSearchTool(search_tool.to_owned()));
    }
    faults
}

fn name_faults(spellings: &mut BTreeSet<String>, row: &Row, faults: &mut Vec<Fault>) {
    let name = row.name();
    if !is_legal(name) {
        faults.push(Fault::IllegalName(name.to_owned()));
    }
    if !spellings.insert(folded(name)) {
        faults.push(Fault::DuplicateName(name.to_owned()));
    }
}

fn text_faults(row: &Row, faults: &mut Vec<Fault>) {
    let name = row.name();
    if row.description().trim().is_empty() {
        faults.push(Fault::NoDescription(name.to_owned()));
    }
    if !row.is_inline() && row.keywords().iter().all(|word| word.trim().is_empty()) {
        faults.push(Fault::NoKeywords(name.to_owned()));
    }
    if row.tier() == Tier::Gated && row.exposure() == Exposure::ReadOnly {
        faults.push(Fault::GatedReadOnly(name.to_owned()));
    }
}

fn loop_faults(row: &Row, search_tool: &str, faults: &mut Vec<Fault>) {
    let name = row.name();
    if name != search_tool {
        if row.tier() == Tier::Loop {
            faults.push(Fault::LoopRowIsNotSearch(name.to_owned()));
        }
        return;
    }
    if !row.is_inline() {
        faults.push(Fault::SearchToolHidden(name.to_owned()));
    }
    if row.tier() != Tier::Loop {
        faults.push(Fault::SearchToolOutsideLoop(name.to_owned()));
    }
}

fn pair_faults(rows: &[Row], row: &Row, faults: &mut Vec<Fault>) {
    let Some(pair) = row.pair() else { return };
    let name = row.name().to_owned();
    let partner = pair.partner().to_owned();
    let Some(other) = rows.iter().find(|other| other.name() == partner) else {
        faults.push(Fault::PartnerMissing { name, partner });
        return;
    };
    let named_back =
        other.pair().is_some_and(|back| back.partner() == name && back.role() != pair.role());
    if !named_back {
        faults.push(Fault::PairOneSided { name, partner });
        return;
    }
    let outranks = match (row.exposure().scope(), other.exposure().scope()) {
        (Some(proposes), Some(acts)) => proposes > acts,
        _ => false,
    };
    if pair.role() == PairRole::Propose && outranks {
        faults.push(Fault::ProposalOutranksAct { name, partner });
    }
}

fn is_legal(name: &str) -> bool {
    let legal = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '-';
    !name.is_empty() && name.len() <= NAME_CHARS_MAX && name.chars().all(legal)
}

/// Models mix up case, `-` and `_`, so two names that differ only there are one.
fn folded(name: &str) -> String {
    name.chars().map(|c| if c == '-' { '_' } else { c.to_ascii_lowercase() }).collect()
}
