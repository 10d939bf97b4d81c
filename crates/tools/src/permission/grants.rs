//! What a principal may do, as data.

use std::fmt;
use std::sync::Arc;

use oncue_decl::{Row, Scope};
use oncue_search::Share;

use super::{Glob, Restriction, ToolPattern, refusal};
use crate::Arguments;

/// The name of an authenticated caller that is not the program's own user; never blank.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct PrincipalName(Box<str>);

impl PrincipalName {
    /// Returns the name that `text` spells, without white space around it; `None` where nothing is left.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        let text = text.trim();
        (!text.is_empty()).then(|| Self(text.into()))
    }

    /// Returns the name.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// Who calls. Closed on purpose: a third kind of caller must be thought through everywhere.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Principal {
    /// The user of the program itself; not limited by how far a row is exposed.
    Local,
    /// An external client, limited to the tools that its scope opens.
    External {
        /// Who it is.
        name: PrincipalName,
        /// How far it may reach.
        scope: Scope,
    },
}

/// A rule of one's own over a single call, which may narrow what the grants allow and never widens it.
///
/// It returns `None` where it has nothing against the call.
/// An error or a panic inside it denies the call.
pub type Guard =
    dyn Fn(&str, &Row, &Arguments) -> Result<Option<Restriction>, GuardError> + Send + Sync;

/// What a failing [`Guard`] returns; only the operator sees it.
pub type GuardError = Box<dyn std::error::Error + Send + Sync>;

/// What one principal may do.
///
/// The lists are read as an intersection: a tool must be admitted by the upstreams **and** by the tools, and a denied tool stays denied whatever admits it.
/// A list that is absent leaves its default, which is everything; a list that is there and empty admits nothing.
///
/// ```
/// use oncue_decl::Row;
/// use oncue_tools::{Glob, Grants, ToolPattern};
///
/// let grants = Grants::local()
///     .with_upstreams([Glob::new("github")])
///     .with_denied([ToolPattern::new("github", "delete_*")]);
/// assert!(grants.may_see("github", &Row::discoverable("list_issues", "Lists issues")));
/// assert!(!grants.may_see("github", &Row::discoverable("delete_repo", "Deletes a repository")));
/// assert!(!grants.may_see("slack", &Row::discoverable("send", "Sends a message")));
/// ```
#[derive(Clone)]
pub struct Grants {
    /// Who holds them.
    pub(super) principal: Principal,
    /// The upstreams that may be reached; absent: all. The program's own tools stand outside this list.
    pub(super) upstreams: Option<Vec<Glob>>,
    /// The tools that may be reached; absent: all.
    pub(super) tools: Option<Vec<ToolPattern>>,
    /// Tools that may not be reached, whatever the other lists say.
    pub(super) denied: Vec<ToolPattern>,
    /// Gated tools that run without asking.
    pub(super) unasked: Vec<ToolPattern>,
    /// A rule over single calls.
    pub(super) guard: Option<Arc<Guard>>,
    /// Grants that bound these.
    pub(super) outer: Option<Arc<Grants>>,
}

impl Grants {
    /// Everything, without asking: the authority of a program that trusts itself, and of tests.
    #[must_use]
    pub fn all() -> Self {
        Self::local().with_unasked([ToolPattern::named("*")])
    }

    /// What the program's own user may do unless told otherwise: everything, and gated tools ask first.
    #[must_use]
    pub fn local() -> Self {
        Self::of(Principal::Local)
    }

    /// What an external client of this scope may do unless told otherwise: every tool that the scope opens, and gated tools ask first.
    #[must_use]
    pub fn external(name: PrincipalName, scope: Scope) -> Self {
        Self::of(Principal::External { name, scope })
    }

    fn of(principal: Principal) -> Self {
        Self {
            principal,
            upstreams: None,
            tools: None,
            denied: Vec::new(),
            unasked: Vec::new(),
            guard: None,
            outer: None,
        }
    }

    /// Returns the grants limited to these upstreams; none at all where the list is empty.
    #[must_use]
    pub fn with_upstreams(self, upstreams: impl IntoIterator<Item = Glob>) -> Self {
        Self { upstreams: Some(upstreams.into_iter().collect()), ..self }
    }

    /// Returns the grants limited to these tools; none at all where the list is empty.
    #[must_use]
    pub fn with_tools(self, tools: impl IntoIterator<Item = ToolPattern>) -> Self {
        Self { tools: Some(tools.into_iter().collect()), ..self }
    }

    /// Returns the grants with these tools denied, whatever else admits them.
    #[must_use]
    pub fn with_denied(self, denied: impl IntoIterator<Item = ToolPattern>) -> Self {
        Self { denied: denied.into_iter().collect(), ..self }
    }

    /// Returns the grants with these gated tools running without asking.
    #[must_use]
    pub fn with_unasked(self, unasked: impl IntoIterator<Item = ToolPattern>) -> Self {
        Self { unasked: unasked.into_iter().collect(), ..self }
    }

    /// Returns the grants with a rule over single calls.
    #[must_use]
    pub fn with_guard(
        self,
        guard: impl Fn(&str, &Row, &Arguments) -> Result<Option<Restriction>, GuardError>
        + Send
        + Sync
        + 'static,
    ) -> Self {
        Self { guard: Some(Arc::new(guard)), ..self }
    }

    /// Returns the grants bounded by others: what either refuses is refused, and what either asks about is asked about.
    ///
    /// A fork that is given an allow-list of its own reaches no further than its parent.
    ///
    /// ```
    /// use oncue_decl::Row;
    /// use oncue_tools::{Grants, ToolPattern};
    ///
    /// let parent = Grants::all().with_denied([ToolPattern::named("delete_*")]);
    /// let fork = Grants::all().with_tools([ToolPattern::named("*_file")]).inside(&parent);
    /// assert!(fork.may_see("", &Row::inline("read_file", "Reads a file")));
    /// assert!(!fork.may_see("", &Row::inline("read_mail", "Reads mail")));
    /// assert!(!fork.may_see("", &Row::inline("delete_file", "Deletes a file")));
    /// ```
    #[must_use]
    pub fn inside(self, outer: &Self) -> Self {
        let outer = match self.outer {
            None => outer.clone(),
            Some(nearer) => Self::clone(&nearer).inside(outer),
        };
        Self { outer: Some(Arc::new(outer)), ..self }
    }

    /// Returns the patterns that no longer reach any of `tools`, given by source id and name, so that left-over ones can be cleared away.
    ///
    /// A pattern of an upstream that is not granted reaches nothing.
    ///
    /// ```
    /// use oncue_tools::{Glob, Grants, ToolPattern};
    ///
    /// let left_over = ToolPattern::new("slack", "send");
    /// let grants = Grants::local()
    ///     .with_upstreams([Glob::new("github")])
    ///     .with_tools([ToolPattern::new("github", "list_*"), left_over.clone()]);
    /// assert_eq!(grants.stale(&[("github", "list_issues"), ("slack", "send")]), [&left_over]);
    /// ```
    #[must_use]
    pub fn stale(&self, tools: &[(&str, &str)]) -> Vec<&ToolPattern> {
        let reaches = |pattern: &ToolPattern| {
            let mut reached = tools.iter().filter(|(source, _)| self.reaches(source));
            reached.any(|(source, name)| pattern.matches(source, name))
        };
        let patterns = self.tools.iter().flatten().chain(&self.denied).chain(&self.unasked);
        patterns.filter(|pattern| !reaches(pattern)).collect()
    }

    /// Returns who holds the grants.
    #[must_use]
    pub fn principal(&self) -> &Principal {
        &self.principal
    }

    /// Says whether nothing is kept from the holder: no list, no rule and no scope narrows the grants, here and in those around these.
    ///
    /// What is told of all upstreams at once is for such holders alone.
    ///
    /// ```
    /// use oncue_decl::Scope;
    /// use oncue_tools::{Glob, Grants, PrincipalName};
    ///
    /// let of = |scope| PrincipalName::parse("ci").map(|name| Grants::external(name, scope));
    /// assert!(Grants::local().is_unrestricted());
    /// assert_eq!(of(Scope::Write).map(|grants| grants.is_unrestricted()), Some(true));
    /// assert_eq!(of(Scope::Stage).map(|grants| grants.is_unrestricted()), Some(false));
    /// // A list narrows, whatever stands in it.
    /// assert!(!Grants::local().with_upstreams([Glob::new("*")]).is_unrestricted());
    /// ```
    #[must_use]
    pub fn is_unrestricted(&self) -> bool {
        let is_open = match &self.principal {
            Principal::Local => true,
            Principal::External { scope, .. } => *scope == Scope::Write,
        };
        let has_lists = self.upstreams.is_some() || self.tools.is_some() || !self.denied.is_empty();
        is_open
            && !has_lists
            && self.guard.is_none()
            && self.outer.as_ref().is_none_or(|outer| outer.is_unrestricted())
    }

    /// Says whether anything of `source` may be known: the upstream is granted, here and in the grants around these, and not all of its tools are refused.
    #[must_use]
    pub fn may_reach(&self, source: &str) -> bool {
        !matches!(self.share(source), Share::Nothing)
    }

    /// Says whether the tool may be known at all; a call of one that may not is answered as if it did not exist.
    ///
    /// Exactly the tools for which [`decide`](super::decide) has no [`Denial`](super::Denial) before it looks at the arguments.
    #[must_use]
    pub fn may_see(&self, source: &str, row: &Row) -> bool {
        refusal(source, row, self).is_none()
            && self.outer.as_ref().is_none_or(|outer| outer.may_see(source, row))
    }
}

impl Grants {
    /// Returns how much of `source` may be known, so that a search need not look at each of its tools.
    pub(crate) fn share(&self, source: &str) -> Share {
        let own = self.own_share(source);
        let Some(outer) = &self.outer else { return own };
        match (own, outer.share(source)) {
            (Share::Nothing, _) | (_, Share::Nothing) => Share::Nothing,
            (Share::All, Share::All) => Share::All,
            _ => Share::Some,
        }
    }

    fn own_share(&self, source: &str) -> Share {
        let name_some = |patterns: &[ToolPattern]| {
            patterns.iter().any(|pattern| pattern.source.matches(source))
        };
        let is_granted = self.tools.as_ref().is_none_or(|tools| name_some(tools));
        if !self.reaches(source) || !is_granted {
            return Share::Nothing;
        }
        let is_external = matches!(self.principal, Principal::External { .. });
        match self.tools.is_some() || name_some(&self.denied) || is_external {
            true => Share::Some,
            false => Share::All,
        }
    }

    /// Says whether `source` is among the granted upstreams, or the program itself.
    pub(crate) fn reaches(&self, source: &str) -> bool {
        source.is_empty()
            || self.upstreams.as_ref().is_none_or(|ids| ids.iter().any(|id| id.matches(source)))
    }
}

impl fmt::Debug for Grants {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Grants")
            .field("principal", &self.principal)
            .field("upstreams", &self.upstreams)
            .field("tools", &self.tools)
            .field("denied", &self.denied)
            .field("unasked", &self.unasked)
            .field("guard", &self.guard.is_some())
            .field("outer", &self.outer)
            .finish()
    }
}

#[cfg(test)]
mod tests {
    use oncue_decl::{Row, Scope};
    use oncue_search::Share;

    use super::{Grants, PrincipalName};
    use crate::{Glob, ToolPattern};

    #[test]
    fn whatever_narrows_grants_makes_them_restricted() {
        let guest = |scope| Grants::external(PrincipalName::parse("guest").unwrap(), scope);
        let whole = || guest(Scope::Write);
        assert!(whole().inside(&whole()).is_unrestricted());
        assert!(whole().with_unasked([ToolPattern::named("*")]).is_unrestricted());
        for narrow in [
            guest(Scope::Read),
            guest(Scope::Stage),
            whole().with_upstreams([]),
            whole().with_tools([ToolPattern::named("*")]),
            whole().with_denied([ToolPattern::named("x")]),
            whole().with_guard(|_, _, _| Ok(None)),
        ] {
            assert!(!narrow.is_unrestricted(), "{narrow:?}");
            assert!(!whole().inside(&narrow).is_unrestricted(), "{narrow:?}");
            assert!(!whole().inside(&whole()).inside(&narrow).is_unrestricted(), "{narrow:?}");
        }
    }

    #[test]
    fn a_share_never_promises_more_than_each_tool_is_granted() {
        use Share::{All, Nothing, Some};
        let guest = || Grants::external(PrincipalName::parse("guest").unwrap(), Scope::Write);
        let read = || [ToolPattern::named("read")];
        let of_a = || [ToolPattern::new("a", "read")];
        // The shares of the program, of `a` and of `b`.
        let cases = [
            (Grants::all(), [All, All, All]),
            (Grants::local().with_denied([]), [All, All, All]),
            (Grants::local().with_upstreams([Glob::new("a")]), [All, All, Nothing]),
            (Grants::local().with_upstreams([]), [All, Nothing, Nothing]),
            (Grants::local().with_denied(read()), [Some, Some, Some]),
            (Grants::local().with_denied(of_a()), [All, Some, All]),
            (Grants::local().with_upstreams([]).with_denied(of_a()), [All, Nothing, Nothing]),
            (Grants::local().with_tools([]), [Nothing, Nothing, Nothing]),
            (Grants::local().with_tools(read()), [Some, Some, Some]),
            (Grants::local().with_tools(of_a()), [Nothing, Some, Nothing]),
            (guest(), [Some, Some, Some]),
            (guest().with_upstreams([Glob::new("b")]), [Some, Nothing, Some]),
        ];
        let rows = ["read", "write"].map(|name| Row::discoverable(name, ""));
        for (grants, expected) in cases {
            for (source, share) in ["", "a", "b"].into_iter().zip(expected) {
                assert_eq!(grants.share(source), share, "{source:?} {grants:?}");
                for row in &rows {
                    match share {
                        All => assert!(grants.may_see(source, row)),
                        Nothing => assert!(!grants.may_see(source, row)),
                        Some => {}
                    }
                }
            }
        }
    }
}
