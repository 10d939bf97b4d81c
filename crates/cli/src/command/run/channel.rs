//! From a turn to who reports it: what happens and what is asked, in one order.

use oncue_agent::{Event, Listener};
use oncue_tools::{Approval, Approver, Asking, BoxFuture, CallId};
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};
use tokio::sync::oneshot;

/// What comes from a turn.
pub(super) enum Message {
    /// Something happened.
    Event(Event),
    /// Somebody has to agree.
    Ask(Ask),
}

/// A question to a person, with the way back for the answer.
pub(super) struct Ask {
    pub(super) id: CallId,
    pub(super) name: String,
    /// The text of the arguments.
    pub(super) arguments: String,
    pub(super) answer: oneshot::Sender<Approval>,
}

/// Takes what happens in turns.
#[derive(Clone)]
pub(super) struct Teller(UnboundedSender<Message>);

/// Gives what happened.
pub(super) type Told = UnboundedReceiver<Message>;

/// Returns the two ends.
pub(super) fn channel() -> (Teller, Told) {
    let (sender, receiver) = unbounded_channel();
    (Teller(sender), receiver)
}

impl Listener for Teller {
    fn hear(&self, event: &Event) {
        // Once nobody listens, nobody misses it.
        let _ = self.0.send(Message::Event(event.clone()));
    }
}

impl Approver for Teller {
    fn approve<'c>(&'c self, asking: &'c Asking) -> BoxFuture<'c, Approval> {
        let call = asking.call();
        let (answer, answered) = oneshot::channel();
        let ask = Ask {
            id: call.id().clone(),
            name: call.entry().exposed().to_owned(),
            arguments: call.raw().get().to_owned(),
            answer,
        };
        // Where nobody listens, nobody answers.
        let _ = self.0.send(Message::Ask(ask));
        Box::pin(async { answered.await.unwrap_or(Approval::Later) })
    }
}
