use oncue_decl::{Exposure, Visibility};
use proptest::prelude::*;

use super::*;

const TIERS: [Tier; 3] = [Tier::Silent, Tier::Gated, Tier::Loop];
const SCOPES: [Scope; 3] = [Scope::Read, Scope::Stage, Scope::Write];

fn row(tier: Tier, exposure: Exposure) -> Row {
    Row::inline("list_issues", "Lists issues").with_tier(tier).with_exposure(exposure)
}

fn external(scope: Scope) -> Grants {
    Grants::external(PrincipalName::parse("ci").expect("not blank"), scope)
}

/// One letter for a decision: `+` allow, `?` ask, `-` deny.
fn letter(grants: &Grants, source: &str, row: &Row) -> char {
    let decision = decide(source, row, grants, &Arguments::default());
    let seen = grants.may_see(source, row);
    assert_eq!(
        seen,
        !matches!(decision, Decision::Deny { .. }),
        "what is seen is what is not denied"
    );
    match decision {
        Decision::Allow => '+',
        Decision::Ask { .. } => '?',
        Decision::Deny { .. } => '-',
    }
}

// founding: A19, B7, B8
#[test]
fn tier_and_exposure_against_scope() {
    // Rows: exposure. Columns: tiers (silent, gated, loop) for the local principal, then for the scopes read, stage, write.
    let table = [
        (Exposure::ReadOnly, "+?+ +?+ +?+ +?+"),
        (Exposure::Staged, "+?+ --- +?+ +?+"),
        (Exposure::Full, "+?+ --- --- +?+"),
        (Exposure::Excluded, "+?+ --- --- ---"),
    ];
    for (exposure, expected) in table {
        let mut actual = Vec::new();
        for grants in std::iter::once(Grants::local()).chain(SCOPES.map(external)) {
            let letters = TIERS.map(|tier| letter(&grants, "github", &row(tier, exposure)));
            actual.push(String::from_iter(letters));
        }
        assert_eq!(actual.join(" "), expected, "{exposure:?}");
    }
}

// case: C59
#[test]
fn upstreams_and_tools_intersect_and_a_denial_wins() {
    let hub = || vec![Glob::new("github")];
    let list = || vec![ToolPattern::new("github", "list_*")];
    let other = || vec![ToolPattern::new("github", "other")];
    // Columns: github/list_issues, github/delete_repo, slack/list_issues, the program's own list_issues.
    let table = [
        ("nothing said", Grants::local(), "+++ +"),
        ("server only", Grants::local().with_upstreams(hub()), "++- +"),
        ("no server", Grants::local().with_upstreams([]), "--- +"),
        ("tools only", Grants::local().with_tools(list()), "+-- -"),
        ("no tools", Grants::local().with_tools([]), "--- -"),
        ("both", Grants::local().with_upstreams(hub()).with_tools(list()), "+-- -"),
        (
            "tool rows of a removed server",
            Grants::local().with_upstreams([]).with_tools(list()),
            "--- -",
        ),
        ("another tool", Grants::local().with_tools(other()), "--- -"),
        ("denied", Grants::local().with_denied(list()), "-++ +"),
        ("granted and denied", Grants::local().with_tools(list()).with_denied(list()), "--- -"),
        ("all but denied", Grants::all().with_denied([ToolPattern::named("*")]), "--- -"),
    ];
    for (what, grants, expected) in table {
        let tool = |name: &str| Row::inline(name.to_owned(), "x").with_tier(Tier::Silent);
        let far = [("github", "list_issues"), ("github", "delete_repo"), ("slack", "list_issues")]
            .map(|(source, name)| letter(&grants, source, &tool(name)));
        let own = letter(&grants, "", &tool("list_issues"));
        assert_eq!(format!("{} {own}", String::from_iter(far)), expected, "{what}");
    }
}

#[test]
fn a_gated_tool_runs_unasked_only_where_the_grants_say_so() {
    let gated = row(Tier::Gated, Exposure::ReadOnly);
    let some = [ToolPattern::new("github", "list_*")];
    assert_eq!(letter(&Grants::all(), "github", &gated), '+');
    assert_eq!(letter(&Grants::local().with_unasked(some.clone()), "github", &gated), '+');
    assert_eq!(letter(&Grants::local().with_unasked(some.clone()), "gitlab", &gated), '?');
    assert_eq!(letter(&external(Scope::Read).with_unasked(some.clone()), "github", &gated), '+');
    let full = row(Tier::Gated, Exposure::Full);
    assert_eq!(letter(&external(Scope::Read).with_unasked(some), "github", &full), '-');
}

#[test]
fn a_name_of_a_principal_is_never_blank() {
    assert_eq!(PrincipalName::parse(" ci ").expect("a name").as_str(), "ci");
    assert_eq!(PrincipalName::parse(" \n"), None);
}

fn patterns() -> impl Strategy<Value = Vec<ToolPattern>> {
    let pattern = ("(github|slack|\\*|)", "(list_issues|list_\\*|send|\\*)");
    let pattern = pattern.prop_map(|(source, name)| ToolPattern::new(&source, &name));
    prop::collection::vec(pattern, 0..3)
}

fn rows() -> impl Strategy<Value = (&'static str, Row)> {
    let exposures = [Exposure::ReadOnly, Exposure::Staged, Exposure::Full, Exposure::Excluded];
    let source = prop::sample::select(vec!["", "github", "slack"]);
    let name = prop::sample::select(vec!["list_issues", "send"]);
    let tier = prop::sample::select(TIERS.to_vec());
    (source, name, tier, prop::sample::select(exposures.to_vec())).prop_map(
        |(source, name, tier, exposure)| {
            let row = Row::discoverable(name, "x").with_tier(tier).with_exposure(exposure);
            assert_eq!(row.visibility(), Visibility::Discoverable);
            (source, row)
        },
    )
}

/// Limits grants by lists that may be absent.
fn limited(
    grants: Grants,
    tools: Option<Vec<ToolPattern>>,
    denied: &[ToolPattern],
    unasked: &[ToolPattern],
) -> Grants {
    let grants = grants.with_denied(denied.to_vec()).with_unasked(unasked.to_vec());
    match tools {
        Some(tools) => grants.with_tools(tools),
        None => grants,
    }
}

/// How much a letter permits.
fn rank(letter: char) -> usize {
    "-?+".find(letter).expect("one of three")
}

proptest! {
    // founding: A19
    #[test]
    fn a_denied_tool_is_denied_whatever_else_is_granted(
        (source, row) in rows(),
        tools in prop::option::of(patterns()),
        denied in patterns(),
        unasked in patterns(),
    ) {
        let hit = denied.iter().any(|pattern| pattern.matches(source, row.name()));
        for grants in [Grants::all(), Grants::local(), external(Scope::Write)] {
            let grants = limited(grants, tools.clone(), &denied, &unasked);
            if hit {
                prop_assert_eq!(letter(&grants, source, &row), '-');
            }
        }
    }

    #[test]
    fn a_wider_scope_and_a_shorter_list_of_denials_never_permit_less(
        (source, row) in rows(),
        tools in prop::option::of(patterns()),
        denied in patterns(),
        unasked in patterns(),
    ) {
        let at = |scope, denied: &[ToolPattern]| {
            rank(letter(&limited(external(scope), tools.clone(), denied, &unasked), source, &row))
        };
        for pair in SCOPES.windows(2) {
            prop_assert!(at(pair[0], &denied) <= at(pair[1], &denied));
        }
        prop_assert!(at(Scope::Stage, &denied) <= at(Scope::Stage, &[]));
    }
}
