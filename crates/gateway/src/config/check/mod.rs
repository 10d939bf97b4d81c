//! What settings say that is allowed and probably not meant. It lives as long as one check.

mod rules;
mod secrets;

pub(crate) use rules::starts_gateway;
pub(crate) use secrets::places as secret_places;

use std::collections::BTreeSet;
use std::fmt;
use std::path::PathBuf;

use super::{Environment, Fault, Loaded, Place};

/// How much a [`Finding`] matters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Severity {
    /// Something does not work.
    Error,
    /// Something works and is risky or of no use.
    Warning,
    /// Something is worth knowing.
    Note,
}

/// What a [`Finding`] is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[non_exhaustive]
pub enum FindingKind {
    /// The file is wrong, and none of it is used.
    Wrong,
    /// A server cannot be used as it stands.
    SetAside,
    /// A file says something that is not used.
    Unused,
    /// Two upstreams are the same server.
    Duplicate,
    /// An upstream leads back to this gateway.
    Loop,
    /// Two ids differ by case only.
    CaseOnly,
    /// A row of grants reaches nothing.
    StaleGrant,
    /// A secret stands where a variable would do.
    PlainSecret,
    /// A program is not found.
    NoProgram,
    /// A variable is not set.
    NoVariable,
    /// Credentials travel unencrypted.
    Unencrypted,
    /// A gateway that others can reach has no grants.
    OpenBind,
    /// Something is to be served that nobody can reach.
    Unserved,
}

impl Severity {
    /// Returns the word for it.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Error => "error",
            Self::Warning => "warning",
            Self::Note => "note",
        }
    }
}

impl FindingKind {
    /// Returns the name of the kind, as programs read it.
    ///
    /// ```
    /// use oncue_gateway::config::FindingKind;
    ///
    /// assert_eq!(FindingKind::PlainSecret.name(), "plain-secret");
    /// ```
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Wrong => "wrong",
            Self::SetAside => "set-aside",
            Self::Unused => "unused",
            Self::Duplicate => "duplicate",
            Self::Loop => "loop",
            Self::CaseOnly => "case-only",
            Self::StaleGrant => "stale-grant",
            Self::PlainSecret => "plain-secret",
            Self::NoProgram => "no-program",
            Self::NoVariable => "no-variable",
            Self::Unencrypted => "unencrypted",
            Self::OpenBind => "open-bind",
            Self::Unserved => "unserved",
        }
    }
}

/// Something that settings say and probably do not mean.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// How much it matters.
    pub severity: Severity,
    /// What it is about.
    pub kind: FindingKind,
    /// Where it stands.
    pub place: Place,
    /// What is the case.
    pub what: String,
    /// What to do; empty where that is plain.
    pub hint: String,
}

impl From<Fault> for Finding {
    /// What keeps a file from being used.
    fn from(fault: Fault) -> Self {
        let Fault { place, what, hint } = fault;
        Self { severity: Severity::Error, kind: FindingKind::Wrong, place, what, hint }
    }
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}: {}", self.severity.word(), self.place, self.what)?;
        if !self.hint.is_empty() {
            write!(f, "; {}", self.hint)?;
        }
        Ok(())
    }
}

/// What a check holds settings against.
#[derive(Clone, Debug, Default)]
pub struct Surroundings {
    /// The variables of the process.
    pub environment: Environment,
    /// Files that can be run, by their names without folder: what `PATH` leads to.
    pub programs: BTreeSet<String>,
    /// The programs by which this gateway may be started.
    pub own_programs: Vec<PathBuf>,
}

impl Surroundings {
    /// Looks at this process: its variables, what its `PATH` leads to, and where its program is.
    #[must_use]
    pub fn of_process() -> Self {
        let path = std::env::var_os("PATH").unwrap_or_default();
        let files = std::env::split_paths(&path).filter_map(|folder| folder.read_dir().ok());
        let names =
            files.flatten().flatten().filter_map(|file| file.file_name().into_string().ok());
        Self {
            environment: Environment::of_process(),
            programs: names.collect(),
            own_programs: std::env::current_exe().into_iter().collect(),
        }
    }
}

/// Returns everything in the settings that is probably not meant, the gravest first, then by place.
#[must_use]
pub fn check(loaded: &Loaded, surroundings: &Surroundings) -> Vec<Finding> {
    let mut findings = rules::all(loaded, surroundings);
    findings.extend(secrets::all(&loaded.settings));
    findings.sort_by(|left, right| {
        let key = |finding: &Finding| (finding.severity, finding.place.clone(), finding.kind);
        key(left).cmp(&key(right))
    });
    findings
}

#[cfg(test)]
mod tests;
