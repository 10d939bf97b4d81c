//! From a turn to who reports it: everything in the order in which it happens.

use oncue_agent::{Event, Listener};
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};

/// Takes what happens in turns.
pub(super) struct Teller(UnboundedSender<Event>);

/// Gives what happened.
pub(super) type Told = UnboundedReceiver<Event>;

/// Returns the two ends.
pub(super) fn channel() -> (Teller, Told) {
    let (sender, receiver) = unbounded_channel();
    (Teller(sender), receiver)
}

impl Listener for Teller {
    fn hear(&self, event: &Event) {
        // Once nobody listens, nobody misses it.
        let _ = self.0.send(event.clone());
    }
}
