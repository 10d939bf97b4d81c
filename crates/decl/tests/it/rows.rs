//! A row by itself: its two ways of coming into being, and its axes.

use oncue_decl::{Exposure, Pair, PairRole, Row, Scope, Tier, Visibility};

static DECLARED: Row = Row::declare("startExport", "Writes a table to a file")
    .title("Export")
    .keywords(&["csv", "download"])
    .exposure(Exposure::Full)
    .acts_where_proposes("proposeExport")
    .discoverable();

fn read_at_run_time(title: &str) -> Row {
    Row::discoverable(String::from("startExport"), String::from("Writes a table to a file"))
        .with_title(String::from(title))
        .with_keywords([String::from("csv"), String::from("download")])
        .with_exposure(Exposure::Full)
        .with_pair(Pair::new(PairRole::Act, String::from("proposeExport")))
}

// founding: A1
#[test]
fn the_constructor_decides_the_visibility_for_good() {
    let cases = [
        (Row::declare("a", "A").inline(), Visibility::Inline),
        (Row::declare("a", "A").discoverable(), Visibility::Discoverable),
        (Row::inline("a", "A"), Visibility::Inline),
        (Row::discoverable("a", "A"), Visibility::Discoverable),
    ];
    for (row, visibility) in cases {
        assert_eq!(row.visibility(), visibility);
        let changed = row.with_title("t").with_tier(Tier::Silent).with_exposure(Exposure::Full);
        assert_eq!(changed.visibility(), visibility);
        assert_eq!(changed.is_inline(), visibility == Visibility::Inline);
    }
}

// founding: B6
#[test]
fn a_row_holds_the_whole_identity_of_its_tool() {
    assert_eq!(DECLARED.name(), "startExport");
    assert_eq!(DECLARED.title(), "Export");
    assert_eq!(DECLARED.description(), "Writes a table to a file");
    assert_eq!(DECLARED.keywords().iter().collect::<Vec<_>>(), ["csv", "download"]);
    assert_eq!(DECLARED.visibility(), Visibility::Discoverable);
    assert_eq!(DECLARED.tier(), Tier::Gated);
    assert_eq!(DECLARED.exposure(), Exposure::Full);
    assert_eq!(DECLARED.pair(), Some(&Pair::new(PairRole::Act, "proposeExport")));
}

#[test]
fn a_row_read_at_run_time_says_the_same_as_one_in_the_program() {
    let read = read_at_run_time("Export");
    assert_eq!(read.name(), DECLARED.name());
    assert_eq!(read.title(), DECLARED.title());
    assert_eq!(read.description(), DECLARED.description());
    assert!(read.keywords().iter().eq(DECLARED.keywords().iter()));
    assert_eq!(read.visibility(), DECLARED.visibility());
    assert_eq!((read.tier(), read.exposure()), (DECLARED.tier(), DECLARED.exposure()));
    assert_eq!(read.pair(), DECLARED.pair());
    assert_ne!(read, read_at_run_time("Save"));
}

// founding: B7, B8
#[test]
fn a_row_that_says_nothing_of_it_is_gated_and_closed() {
    for row in [Row::declare("a", "A").inline(), Row::inline("a", "A")] {
        assert_eq!(row.tier(), Tier::Gated);
        assert_eq!(row.exposure(), Exposure::Excluded);
        assert!(row.keywords().is_empty());
        assert_eq!(row.title(), "");
        assert_eq!(row.pair(), None);
    }
}

// founding: B8
#[test]
fn a_scope_opens_exactly_the_exposures_up_to_its_own() {
    use Exposure::{Excluded, Full, ReadOnly, Staged};
    let open = [
        (Scope::Read, [true, false, false, false]),
        (Scope::Stage, [true, true, false, false]),
        (Scope::Write, [true, true, true, false]),
    ];
    for (scope, expected) in open {
        let found = [ReadOnly, Staged, Full, Excluded].map(|exposure| exposure.is_open_to(scope));
        assert_eq!(found, expected, "{scope:?}");
    }
}
