//! The order of the list: the same in every turn, after every restart, in whatever order upstreams answer.

use std::sync::Arc;

use oncue_decl::Row;
use oncue_tools::{ActivationScope, Catalog, Tool, ToolSearch};

use crate::support::{Scripted, agent, calls, named, says, silent};

/// Numbers that look drawn, the same for the same seed.
pub(crate) struct Drawn(pub(crate) u64);

impl Drawn {
    /// Returns a number below `end`.
    pub(crate) fn below(&mut self, end: usize) -> usize {
        // Knuth's MMIX generator; its upper bits are the good ones.
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % end
    }

    pub(crate) fn shuffle<T>(&mut self, items: &mut [T]) {
        for at in (1..items.len()).rev() {
            items.swap(at, self.below(at + 1));
        }
    }
}

const UPSTREAMS: [&str; 5] = ["github", "slack", "jira", "pager", "wiki"];

fn tools() -> Vec<Arc<dyn Tool>> {
    let rows = ["list", "get"].map(|name| silent(Row::inline(name, "Reads what is there")));
    let found = silent(Row::discoverable("export", "Writes all of it to a file"));
    rows.into_iter().chain([found]).map(named).collect()
}

/// Returns the list of every request of a session over upstreams that come and go.
async fn lists(seed: u64, turns: usize) -> Vec<Vec<String>> {
    let mut drawn = Drawn(seed);
    let catalog = Arc::new(Catalog::new());
    catalog.register(Arc::new(ToolSearch::new())).unwrap();
    catalog.register(named(silent(Row::inline("listTabs", "Lists the open tabs")))).unwrap();
    let mut order = UPSTREAMS;
    drawn.shuffle(&mut order);
    for upstream in order {
        catalog.replace(upstream, tools()).unwrap();
    }
    let model = Scripted::new(
        (0..turns)
            .map(|_| says("here"))
            .chain([
                calls(&[("ToolSearch", r#"{"query":"select:jira__export,github__export"}"#)]),
                says("found"),
            ])
            .collect(),
    );
    let agent = agent(&model, &catalog).with_activation(ActivationScope::Session);
    let mut session = agent.session();
    for _ in 0..=turns {
        let upstream = UPSTREAMS[drawn.below(UPSTREAMS.len())];
        if drawn.below(2) == 0 {
            assert!(catalog.remove_source(upstream));
        }
        catalog.replace(upstream, tools()).unwrap();
        session.turn("go").await.unwrap();
    }
    let seen = model.seen();
    seen.into_iter().map(|seen| seen.tools).collect()
}

// case: C67
#[tokio::test]
async fn the_list_is_the_same_whatever_order_upstreams_answer_in() {
    let first = lists(1, 100).await;
    assert_eq!((first.len(), first[0].len()), (102, 12));
    for list in &first[..101] {
        assert_eq!(*list, first[0]);
    }
    // What is found joins the end: the old list is the beginning of the new one.
    let (old, new) = first[101].split_at(12);
    assert_eq!(old, first[0]);
    assert_eq!(new, ["jira__export", "github__export"]);
    // After a restart, with the upstreams in another order.
    for seed in 2..12 {
        assert_eq!(lists(seed, 3).await.last(), first.last(), "seed {seed}");
    }
}
