//! Every list that follows from the rows, against the list worked out by hand.

use oncue_decl::{
    Row, Scope, admitted, discoverable, excluded, gated, inline, part_of_loop, silent, tiers,
    write_scope,
};

use crate::workbench::ROWS;

const LOOP: [&str; 1] = ["searchTools"];

const INLINE_READS: [&str; 12] = [
    "listTables", "describeTable", "queryTable", "scanTable", "getItem", "countItems",
    "listOpenTabs", "readAttachment", "inferSchema", "explainQuery", "readFilter", "listRegions",
];

const DISCOVERABLE_READS: [&str; 7] = [
    "describeIndexStatistics",
    "listSavedSpecs",
    "readSavedSpec",
    "introspectRelationships",
    "listStagedChanges",
    "diffStagedChanges",
    "exportStatus",
];

const OF_THE_WINDOW: [&str; 2] = ["showNotice", "highlightRows"];

const PAIRS: [&str; 10] = [
    "openTable", "proposeOpenTable", "openWorkbench", "proposeOpenWorkbench", "setFilter",
    "proposeSetFilter", "runQuery", "proposeRunQuery", "closeTab", "proposeCloseTab",
];

const INLINE_CHANGES: [&str; 2] = ["stagePut", "stageDelete"];

const DISCOVERABLE_CHANGES: [&str; 4] =
    ["discardStaged", "startExport", "cancelExport", "saveSpec"];

const STAGED: [&str; 8] = [
    "proposeOpenTable", "proposeOpenWorkbench", "proposeSetFilter", "proposeRunQuery",
    "proposeCloseTab", "stagePut", "stageDelete", "discardStaged",
];

fn check<'r>(derived: impl Iterator<Item = &'r Row>, expected: &[&[&str]], count: usize) {
    let derived: Vec<&str> = derived.map(Row::name).collect();
    assert_eq!(derived, expected.concat());
    assert_eq!(derived.len(), count);
}

// founding: B1, B6
#[test]
fn visibility_splits_the_38_tools_into_27_and_11() {
    let always = [&LOOP[..], &INLINE_READS, &OF_THE_WINDOW, &PAIRS, &INLINE_CHANGES];
    check(inline(ROWS), &always, 27);
    check(discoverable(ROWS), &[&DISCOVERABLE_READS, &DISCOVERABLE_CHANGES], 11);
}

// founding: B6, B7
#[test]
fn tiers_split_the_38_tools_into_21_silent_16_gated_and_the_loop() {
    check(silent(ROWS), &[&INLINE_READS, &DISCOVERABLE_READS, &OF_THE_WINDOW], 21);
    check(gated(ROWS), &[&PAIRS, &INLINE_CHANGES, &DISCOVERABLE_CHANGES], 16);
    check(part_of_loop(ROWS), &[&LOOP], 1);
}

// founding: B6, B8
#[test]
fn three_tools_are_closed_to_external_clients_whatever_they_hold() {
    check(excluded(ROWS), &[&LOOP, &OF_THE_WINDOW], 3);
}

// founding: B6, B8
#[test]
fn a_wider_scope_adds_tools_to_a_narrower_one() {
    check(admitted(ROWS, Scope::Read), &[&INLINE_READS, &DISCOVERABLE_READS], 19);
    let reads = [&INLINE_READS[..], &DISCOVERABLE_READS];
    check(admitted(ROWS, Scope::Stage), &[&reads.concat(), &STAGED], 27);
    let changes = [&PAIRS[..], &INLINE_CHANGES, &DISCOVERABLE_CHANGES];
    check(admitted(ROWS, Scope::Write), &[&reads.concat(), &changes.concat()], 35);
}

// founding: B6
#[test]
fn the_write_scope_holds_every_tool_that_changes_something() {
    check(write_scope(ROWS), &[&PAIRS, &INLINE_CHANGES, &DISCOVERABLE_CHANGES], 16);
}

// founding: B6, B8
#[test]
fn every_exposed_tool_has_its_narrowest_scope() {
    let of = |scope| tiers(ROWS).filter(move |&(_, needed)| needed == scope).map(|(row, _)| row);
    check(of(Scope::Read), &[&INLINE_READS, &DISCOVERABLE_READS], 19);
    check(of(Scope::Stage), &[&STAGED], 8);
    let at_once = [
        "openTable", "openWorkbench", "setFilter", "runQuery", "closeTab", "startExport",
        "cancelExport", "saveSpec",
    ];
    check(of(Scope::Write), &[&at_once], 8);
}

#[test]
fn no_rows_give_no_lists() {
    check(inline(&[]), &[], 0);
    check(admitted(&[], Scope::Write), &[], 0);
    assert_eq!(tiers(&[]).count(), 0);
}
