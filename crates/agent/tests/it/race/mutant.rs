//! A runner that is wrong on purpose: it activates what was found in a hook that fires when a step is over.
//!
//! It shows that the scheduler can tell.

use std::sync::{Arc, Mutex};

use oncue_tools::Catalog;

use super::racing::{exposed, register};
use super::scheduler::Gates;
use super::{STEPS, TOOLS, lost};

/// Runs one turn of the wrong runner, and says whether it has lost a discovery; where it is not late it is a right one.
pub(super) fn loses(seed: u64, is_late: bool) -> bool {
    let gates = Gates::new(seed);
    let catalog = Arc::new(Catalog::new());
    (0..TOOLS).for_each(|number| register(&catalog, &gates, number, 0));
    let has_lost = Arc::new(Mutex::new(false));
    gates.begin(turn(gates.clone(), catalog, Arc::clone(&has_lost), is_late));
    gates.run();
    *has_lost.lock().unwrap()
}

async fn turn(gates: Gates, catalog: Arc<Catalog>, has_lost: Arc<Mutex<bool>>, is_late: bool) {
    let active: Arc<Mutex<Vec<String>>> = Arc::default();
    let mut reported: Vec<String> = Vec::new();
    for _ in 0..STEPS {
        // The step is prepared: the list is what is active now.
        let listed = active.lock().unwrap().clone();
        *has_lost.lock().unwrap() |= !lost(&reported, &listed, &catalog).is_empty();
        gates.pass().await;
        // The search of the step.
        let query = exposed(gates.below(TOOLS));
        let found: Vec<String> =
            catalog.select(&[query]).iter().map(|entry| entry.exposed().to_owned()).collect();
        reported.extend(found.iter().cloned());
        let (shared, hook) = (Arc::clone(&active), gates.clone());
        let activates = async move {
            if is_late {
                hook.pass().await;
            }
            shared.lock().unwrap().extend(found);
        };
        // A hook for the end of a step fires, and nobody waits for it.
        if is_late {
            gates.begin(activates);
        } else {
            activates.await;
        }
        gates.pass().await;
    }
}
