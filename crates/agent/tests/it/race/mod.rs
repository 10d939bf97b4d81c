//! The race: hooks that take their time, tools that finish in any order, a catalog that moves. No discovery is ever lost.

mod mutant;
mod racing;
mod scheduler;

use std::sync::Arc;

use oncue_agent::{Agent, Outcome, StepHook, TurnEnd};
use oncue_tools::{Catalog, Grants, ToolSearch};

use racing::{Hesitant, Racing, changes, register};
use scheduler::Gates;

const SEEDS: u64 = 1_000;
/// Hidden tools, by number.
const TOOLS: usize = 8;
/// Requests of a turn.
const STEPS: usize = 7;

/// Returns what was reported as found and is in the catalog, but not in the list.
fn lost(reported: &[String], listed: &[String], catalog: &Catalog) -> Vec<String> {
    let is_lost = |name: &&String| catalog.find_by_name(name).is_some() && !listed.contains(name);
    reported.iter().filter(is_lost).cloned().collect()
}

// founding: B3
#[test]
fn in_a_thousand_interleavings_no_discovery_is_lost() {
    let (mut found, mut called, mut gone) = (0, 0, 0);
    let search = Arc::new(ToolSearch::new().with_budget(100));
    for seed in 0..SEEDS {
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_time()
            .start_paused(true)
            .build()
            .unwrap();
        // Its clock never moves: everything that is late here is so by its gates.
        let _context = runtime.enter();
        let gates = Gates::new(seed);
        let catalog = Arc::new(Catalog::new());
        catalog.register(Arc::<ToolSearch>::clone(&search)).unwrap();
        (0..TOOLS).for_each(|number| register(&catalog, &gates, number, 0));
        let models = [0, 1].map(|_| Arc::new(Racing::new(seed, &gates, &catalog)));
        for model in &models {
            let agent =
                Agent::new(Arc::<Racing>::clone(model), Arc::clone(&catalog), Grants::all())
                    .unwrap()
                    .with_hook(Arc::new(Hesitant(gates.clone())))
                    .with_hook(Arc::new(Hesitant(gates.clone())))
                    .with_step_hook(Arc::new(Hesitant(gates.clone())) as Arc<dyn StepHook>);
            gates.begin(async move {
                let end = agent.session().turn("go").await.unwrap();
                assert_eq!(end, TurnEnd::Ended(Outcome::Answered { text: "done".to_owned() }));
            });
        }
        gates.begin(changes(Arc::clone(&catalog), gates.clone()));
        gates.run();
        for model in &models {
            let counts = model.counts();
            found += counts.found;
            called += counts.called;
            gone += counts.gone;
        }
    }
    // The run would show nothing if nothing had happened in it.
    assert!(found > 4_000 && called > 4_000 && gone > 200, "{found} {called} {gone}");
}

// founding: B3
#[test]
fn the_same_interleavings_find_out_whoever_activates_in_a_hook() {
    let losses = |is_late| (0..SEEDS).filter(|&seed| mutant::loses(seed, is_late)).count();
    assert_eq!(losses(false), 0, "activating within the search is right in any runner");
    let late = losses(true);
    assert!(late > 500, "{late} of {SEEDS} interleavings notice");
}
