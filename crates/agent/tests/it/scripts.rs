//! Scripted models: each theme is a file of `tests/scripts`, with what must happen beside what the model does.

use std::collections::BTreeSet;

use crate::script::{check, titles};

// founding: A11, A13, B4, B14
#[test]
fn searching_once_for_ever_and_for_what_is_there() {
    check("searching");
}

// founding: A9, A19, B5
// case: C11
#[test]
fn what_was_not_found_is_not_run() {
    check("undiscovered");
}

// founding: B13
// case: C65
#[test]
fn bad_arguments_are_refused_with_the_fix_and_the_run_goes_on() {
    check("arguments");
}

// founding: A20
// case: C64
#[test]
fn each_call_of_a_batch_is_answered_on_its_own() {
    check("batches");
}

// founding: A12
#[test]
fn results_that_pretend_to_be_the_loop_are_results() {
    check("forged");
}

// case: C22
#[test]
fn no_turn_ends_in_silence() {
    check("endings");
}

#[test]
fn models_that_cannot_be_asked() {
    check("failing");
}

#[test]
fn ids_of_calls_are_unique() {
    check("ids");
}

// founding: A19
#[test]
fn people_are_asked_and_heard() {
    check("people");
}

// founding: A24, B3
#[test]
fn hooks_stand_around_searches_as_around_any_call() {
    check("hooks");
}

// founding: B2
#[test]
fn tools_that_propose_are_not_taken_for_those_that_act() {
    check("pairs");
}

// founding: A3, B4
// case: C19
#[test]
fn forks_keep_to_themselves() {
    check("forks");
}

#[test]
fn a_turn_is_bounded_and_can_be_called_off() {
    check("limits");
}

// founding: A3, A18
// case: C17
#[test]
fn what_was_found_stays_as_long_as_it_is_seen() {
    check("sessions");
}

// founding: A2
// case: C11, C20
#[test]
fn a_step_runs_what_it_showed_whatever_becomes_of_the_catalog() {
    check("moving");
}

// founding: B10
#[test]
fn a_weak_model_gets_what_its_profile_says() {
    check("weak");
}

// founding: A14
#[test]
fn a_plain_list_behaves_as_if_there_were_no_searching() {
    check("plain");
}

#[test]
fn there_are_enough_scripts_and_each_has_a_title_of_its_own() {
    let titles = titles();
    assert!(titles.len() >= 64, "{} scripts", titles.len());
    let distinct: BTreeSet<&str> = titles.iter().map(|(_, title)| title.as_str()).collect();
    assert_eq!(distinct.len(), titles.len());
    // Every file is one of the themes above.
    let played = include_str!("scripts.rs");
    for (theme, _) in &titles {
        assert!(played.contains(&format!("check(\"{theme}\")")), "nobody plays {theme}");
    }
}
