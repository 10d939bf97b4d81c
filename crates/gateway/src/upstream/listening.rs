//! An upstream of the newer era is listened to: it tells changes to those alone who ask for them.

use std::collections::BTreeSet;
use std::time::Instant;

use oncue_mcp::{CallError, Connection, Era, Members, code};
use tokio::sync::watch;
use tokio::time::sleep;

use crate::limits::{LISTEN_AGAIN_TIME_MAX, LISTEN_AGAIN_TIME_MIN};

/// What is listened to. Lives as long as the link; dropping it ends the listening.
pub(super) struct Listening(watch::Sender<BTreeSet<String>>);

impl Listening {
    /// Begins to listen, where the upstream speaks the era in which that is needed.
    pub(super) fn start(connection: &Connection) -> Self {
        let uris = watch::Sender::new(BTreeSet::new());
        if connection.version().era() == Era::Stateless {
            tokio::spawn(listen(connection.clone(), uris.subscribe()));
        }
        Self(uris)
    }

    /// Listens to a resource, or no longer.
    pub(super) fn follow(&self, uri: &str, is_wanted: bool) {
        self.0.send_if_modified(|uris| match is_wanted {
            true => uris.insert(uri.to_owned()),
            false => uris.remove(uri),
        });
    }
}

async fn listen(connection: Connection, mut uris: watch::Receiver<BTreeSet<String>>) {
    let mut pause = LISTEN_AGAIN_TIME_MIN;
    loop {
        let filter = filter(&connection, &uris.borrow_and_update());
        let Some(params) = filter else {
            match uris.changed().await {
                Ok(()) => continue,
                Err(_) => return,
            }
        };
        let begun = Instant::now();
        tokio::select! {
            outcome = connection.request("subscriptions/listen", params) => match outcome {
                Err(CallError::Rpc(error)) if error.code == code::METHOD_NOT_FOUND => return,
                Err(error) => tracing::debug!(%error, "an upstream cannot be listened to"),
                Ok(_) => {}
            },
            // Other resources are listened to anew; what was asked before is taken back.
            changed = uris.changed() => match changed {
                Ok(()) => continue,
                Err(_) => return,
            },
            () = connection.peer().closed() => return,
        }
        if begun.elapsed() > LISTEN_AGAIN_TIME_MAX {
            pause = LISTEN_AGAIN_TIME_MIN;
        }
        tokio::select! {
            () = sleep(pause) => {}
            () = connection.peer().closed() => return,
        }
        pause = (pause * 2).min(LISTEN_AGAIN_TIME_MAX);
    }
}

/// Returns what is asked for; nothing where the upstream has nothing to tell.
fn filter(connection: &Connection, uris: &BTreeSet<String>) -> Option<Members> {
    let server = connection.server();
    let mut wanted = Members::new();
    let kinds = [
        ("tools", "toolsListChanged"),
        ("prompts", "promptsListChanged"),
        ("resources", "resourcesListChanged"),
    ];
    for (kind, name) in kinds {
        if server.can_within(kind, "listChanged") {
            wanted.set(name, &true).ok()?;
        }
    }
    if !uris.is_empty() {
        wanted.set("resourceSubscriptions", uris).ok()?;
    }
    let mut params = Members::new();
    params.set("notifications", &wanted).ok()?;
    (!wanted.is_empty()).then_some(params)
}
