//! Which messages a client wants to read: in the older era it says so once, in the newer one with each request.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};

use oncue_mcp::server::Context;
use oncue_mcp::{Members, Notification};
use serde_json::json;
use serde_json::value::to_raw_value;

/// From the least to the most severe.
const LEVELS: [&str; 8] =
    ["debug", "info", "notice", "warning", "error", "critical", "alert", "emergency"];
const META_LEVEL: &str = "io.modelcontextprotocol/logLevel";

/// What sessions have set. Lives as long as the server.
#[derive(Default)]
pub(crate) struct Logs(Mutex<HashMap<String, usize>>);

impl Logs {
    /// A session sets its level; false where there is no such level.
    pub(crate) fn set(&self, level: &str, context: &Context) -> bool {
        let place = LEVELS.iter().position(|known| *known == level);
        if let (Some(place), Some(session)) = (place, &context.session) {
            let mut levels = self.0.lock().unwrap_or_else(PoisonError::into_inner);
            levels.insert(session.id().to_owned(), place);
        }
        place.is_some()
    }

    /// Tells the client behind a call, where it wants to hear of it.
    pub(crate) async fn tell(&self, level: &str, what: &str, params: &Members, context: &Context) {
        let least = match &context.session {
            Some(session) => {
                self.0.lock().unwrap_or_else(PoisonError::into_inner).get(session.id()).copied()
            }
            None => {
                let meta = Members::of(params.get("_meta")).unwrap_or_default();
                let level: Option<String> = meta.read(META_LEVEL);
                LEVELS.iter().position(|known| level.as_deref() == Some(*known))
            }
        };
        let place = LEVELS.iter().position(|known| *known == level);
        if least.is_some_and(|least| place.is_some_and(|place| place >= least)) {
            let params = json!({ "level": level, "logger": "conformance", "data": what });
            let params = to_raw_value(&params).ok();
            context.tell(Notification::new("notifications/message", params)).await;
        }
    }
}
