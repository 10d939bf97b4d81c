//! Grants kept ready, so that a request does not have to put its own together.

use std::collections::HashMap;
use std::sync::{Arc, PoisonError, RwLock, Weak};

use oncue_tools::{Grants, Principal, ToolPattern};

use crate::config::Settings;
use crate::limits::GRANTS_CACHED_MAX;

/// What each principal may do under the settings in force. Lives as long as the door.
pub(super) struct Cache {
    local: Arc<Grants>,
    state: RwLock<State>,
}

#[derive(Default)]
struct State {
    /// The settings that the grants are of. As long as this is held no others can be at the same place in memory.
    of: Weak<Settings>,
    known: HashMap<Principal, Arc<Grants>>,
}

impl Default for Cache {
    fn default() -> Self {
        Self { local: Arc::new(Grants::all()), state: RwLock::default() }
    }
}

impl Cache {
    /// Returns what the principal may do under these settings.
    pub(super) fn grants(&self, principal: &Principal, settings: &Arc<Settings>) -> Arc<Grants> {
        if *principal == Principal::Local {
            return Arc::clone(&self.local);
        }
        let state = self.state.read().unwrap_or_else(PoisonError::into_inner);
        if let Some(grants) = state.grants(principal, settings) {
            return grants;
        }
        drop(state);
        let grants = Arc::new(grants_of(principal, settings));
        let mut state = self.state.write().unwrap_or_else(PoisonError::into_inner);
        if !state.is_of(settings) || state.known.len() >= GRANTS_CACHED_MAX {
            *state = State { of: Arc::downgrade(settings), known: HashMap::new() };
        }
        state.known.insert(principal.clone(), Arc::clone(&grants));
        grants
    }
}

impl State {
    fn grants(&self, principal: &Principal, settings: &Arc<Settings>) -> Option<Arc<Grants>> {
        if self.is_of(settings) { self.known.get(principal).cloned() } else { None }
    }

    fn is_of(&self, settings: &Arc<Settings>) -> bool {
        std::ptr::eq(self.of.as_ptr(), Arc::as_ptr(settings))
    }
}

/// What the first row that names the principal grants, within the scope of its token; nothing where no row does.
fn grants_of(principal: &Principal, settings: &Settings) -> Grants {
    let Principal::External { name, scope } = principal else { return Grants::all() };
    let own = Grants::external(name.clone(), *scope);
    match settings.grants_of(name) {
        // The token only bounds; what runs without asking is for the row to say.
        Some(row) => own.with_unasked([ToolPattern::named("*")]).inside(&row),
        None => own.with_upstreams([]).with_tools([]),
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use oncue_decl::{Exposure, Row, Scope, Tier};
    use oncue_tools::{Arguments, Decision, Glob, PrincipalName, decide};

    use super::*;
    use crate::config::{GrantRow, Place};

    fn row(principal: &str, scope: Scope) -> GrantRow {
        GrantRow {
            place: Place::start(Path::new("oncue.toml")),
            principal: Glob::new(principal),
            scope,
            upstreams: None,
            tools: None,
            denied: Vec::new(),
            unasked: Vec::new(),
        }
    }

    fn settings(grants: Vec<GrantRow>) -> Arc<Settings> {
        Arc::new(Settings { grants, ..Settings::default() })
    }

    fn external(name: &str, scope: Scope) -> Principal {
        Principal::External { name: PrincipalName::parse(name).expect("a name"), scope }
    }

    /// Which of three tools are seen: read-only, staged, full.
    fn seen(grants: &Grants) -> String {
        let tool = |exposure| Row::inline("tool", "x").with_exposure(exposure);
        [(Exposure::ReadOnly, 'r'), (Exposure::Staged, 's'), (Exposure::Full, 'f')]
            .into_iter()
            .filter(|&(exposure, _)| grants.may_see("github", &tool(exposure)))
            .map(|(_, letter)| letter)
            .collect()
    }

    #[test]
    fn row_and_token_must_both_admit() {
        use Scope::{Read, Stage, Write};
        // Scope of the row, scope of the token, what is seen.
        let cases = [
            (Read, Read, "r"),
            (Read, Write, "r"),
            (Stage, Write, "rs"),
            (Write, Stage, "rs"),
            (Write, Read, "r"),
            (Write, Write, "rsf"),
        ];
        for (of_row, of_token, expected) in cases {
            let settings = settings(vec![row("ci-*", of_row)]);
            let grants = Cache::default().grants(&external("ci-1", of_token), &settings);
            assert_eq!(seen(&grants), expected, "{of_row:?} {of_token:?}");
            assert_eq!(*grants.principal(), external("ci-1", of_token));
        }
    }

    #[test]
    fn the_first_row_that_names_a_principal_holds_and_nobody_else_gets_anything() {
        let cache = Cache::default();
        let settings = settings(vec![row("ci-*", Scope::Read), row("*-1", Scope::Write)]);
        let seen_by = |name| seen(&cache.grants(&external(name, Scope::Write), &settings));
        assert_eq!(seen_by("ci-1"), "r");
        assert_eq!(seen_by("me-1"), "rsf");
        assert_eq!(seen_by("me-2"), "");
        let nobody = cache.grants(&external("me-2", Scope::Write), &settings);
        assert!(!nobody.may_see("", &Row::inline("own", "x").with_exposure(Exposure::ReadOnly)));
        assert_eq!(seen(&cache.grants(&Principal::Local, &settings)), "rsf");
    }

    #[test]
    fn the_rows_lists_hold_within_the_token() {
        let mut limited = row("*", Scope::Write);
        limited.denied = vec![ToolPattern::new("github", "delete_*")];
        limited.unasked = vec![ToolPattern::new("github", "list_*")];
        limited.upstreams = Some(vec![Glob::new("github")]);
        let grants =
            Cache::default().grants(&external("x", Scope::Write), &settings(vec![limited]));
        let decided = |source, name: &'static str| {
            let tool = Row::inline(name, "x").with_tier(Tier::Gated).with_exposure(Exposure::Full);
            match decide(source, &tool, &grants, &Arguments::default()) {
                Decision::Allow => '+',
                Decision::Ask { .. } => '?',
                Decision::Deny { .. } => '-',
            }
        };
        assert_eq!(decided("github", "list_issues"), '+');
        assert_eq!(decided("github", "create_issue"), '?');
        assert_eq!(decided("github", "delete_repo"), '-');
        assert_eq!(decided("slack", "list_issues"), '-');
    }

    #[test]
    fn grants_are_put_together_once_for_each_principal_and_settings() {
        let cache = Cache::default();
        let (old, new) = (settings(vec![row("*", Scope::Read)]), settings(vec![]));
        let ci = external("ci", Scope::Read);
        let first = cache.grants(&ci, &old);
        assert!(Arc::ptr_eq(&first, &cache.grants(&ci, &old)));
        assert!(!Arc::ptr_eq(&first, &cache.grants(&external("ci", Scope::Write), &old)));
        assert_eq!(seen(&cache.grants(&ci, &new)), "", "new settings hold at once");
        assert_eq!(seen(&cache.grants(&ci, &old)), "r", "a request keeps those it began with");
    }

    #[test]
    fn what_is_kept_ready_is_bounded() {
        let cache = Cache::default();
        let settings = settings(vec![row("*", Scope::Read)]);
        let kept = || cache.state.read().expect("whole").known.len();
        for number in 0..GRANTS_CACHED_MAX {
            cache.grants(&external(&number.to_string(), Scope::Read), &settings);
        }
        assert_eq!(kept(), GRANTS_CACHED_MAX);
        cache.grants(&external("one more", Scope::Read), &settings);
        assert_eq!(kept(), 1);
    }
}
