//! The act/propose pairs of the workbench.

use oncue_decl::{PairRole, Scope, check};

use crate::workbench::{ROWS, SEARCH_TOOL};

fn half(name: &str) -> Option<(PairRole, &'static str)> {
    let row = ROWS.iter().find(|row| row.name() == name)?;
    row.pair().map(|pair| (pair.role(), pair.partner()))
}

// founding: B2
#[test]
fn each_half_names_the_other_with_the_opposite_role() {
    let halves = [
        ("openTable", "proposeOpenTable"),
        ("openWorkbench", "proposeOpenWorkbench"),
        ("setFilter", "proposeSetFilter"),
        ("runQuery", "proposeRunQuery"),
        ("closeTab", "proposeCloseTab"),
    ];
    for (act, propose) in halves {
        assert_eq!(half(act), Some((PairRole::Act, propose)));
        assert_eq!(half(propose), Some((PairRole::Propose, act)));
    }
    assert_eq!(ROWS.iter().filter(|row| row.pair().is_some()).count(), 10);
}

// founding: B2
#[test]
fn a_client_that_may_stage_reaches_the_proposal_and_never_the_act() {
    for row in ROWS {
        let Some(pair) = row.pair() else { continue };
        let may_stage = row.exposure().is_open_to(Scope::Stage);
        assert_eq!(may_stage, pair.role() == PairRole::Propose, "{}", row.name());
        assert!(row.exposure().is_open_to(Scope::Write));
        assert!(!row.exposure().is_open_to(Scope::Read));
    }
}

// founding: B1, B2, B6, B7
#[test]
fn the_rows_of_the_workbench_break_no_rule() {
    assert_eq!(check(ROWS, SEARCH_TOOL), []);
    assert_eq!(ROWS.len(), 38);
}
