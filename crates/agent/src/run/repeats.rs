//! Calls that failed before in the same way: running them once more tells nobody anything.

use std::collections::BTreeMap;

use oncue_tools::{CallId, Content, ErrorKind};
use serde::{Deserialize, Serialize};

use crate::conversation::{Call, CallResult};
use crate::limits::SAME_FAILURES_MAX;

/// The failed calls of a turn, by name and arguments. Lives as long as the turn; a success of any call but a search clears it, since the world may have changed.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(super) struct Failures {
    failed: BTreeMap<String, Failed>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct Failed {
    times: u32,
    kind: ErrorKind,
    content: Vec<Content>,
}

impl Failures {
    /// Returns the answer to a call that has failed too often already; that its tool was not there counts only where it still is not.
    pub(super) fn answer(
        &self,
        call: &Call,
        is_there: impl FnOnce() -> bool,
    ) -> Option<CallResult> {
        let failed = self.failed.get(&key(call)).filter(|it| it.times >= SAME_FAILURES_MAX)?;
        if failed.kind == ErrorKind::UnknownTool && is_there() {
            return None;
        }
        let name = &call.name;
        let times = failed.times;
        let why = format!(
            "This call of '{name}' has failed {times} times with the same arguments and was not run again. Change the arguments, use another tool, or tell the user what is in the way. It failed with:"
        );
        let mut content = vec![Content::Text(why)];
        content.extend(failed.content.iter().cloned());
        Some(CallResult {
            id: CallId::clone(&call.id),
            name: name.clone(),
            content,
            error: Some(ErrorKind::Budget),
            loaded: Vec::new(),
        })
    }

    /// Takes what came of a call.
    pub(super) fn note(&mut self, call: &Call, result: &CallResult, is_search: bool) {
        if !result.loaded.is_empty() {
            // What was unknown may be known now.
            self.failed.retain(|_, failed| failed.kind != ErrorKind::UnknownTool);
            return;
        }
        match result.error {
            None if is_search => {}
            None => self.failed.clear(),
            Some(ErrorKind::Budget) => {}
            Some(kind) if kind.is_retryable() => {}
            Some(kind) => {
                let content = result.content.clone();
                let failed = self.failed.entry(key(call)).or_insert(Failed {
                    times: 0,
                    kind,
                    content: Vec::new(),
                });
                *failed = Failed { times: failed.times + 1, kind, content };
            }
        }
    }
}

fn key(call: &Call) -> String {
    // A name has no line end where the catalog made it, and where it did not the key is only longer.
    format!("{}\n{}", call.name, call.arguments.trim())
}
