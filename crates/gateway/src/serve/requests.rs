//! What was searched for and then called, written for `oncue tune` where the operator wishes it.

use std::collections::{HashMap, VecDeque};
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Instant;

use oncue_search::Query;
use oncue_tools::{Entry, Identity};
use serde::Serialize;

use crate::limits::{ASKED_KEPT, ASKED_TIME, REPEAT_CALLERS_MAX, REQUESTS_FILE_BYTES_MAX};
use crate::state::{Disk, OpenFile, SystemDisk};

/// Searches of a moment ago by who made them, and the file in which those that have led to a call are written. Lives as long as the gateway.
///
/// A tool that is called serves the last search of its caller that has found it.
#[derive(Default)]
pub(super) struct Requests(Option<Mutex<Kept>>);

struct Kept {
    file: Box<dyn OpenFile>,
    bytes: u64,
    callers: HashMap<String, VecDeque<Search>>,
}

struct Search {
    query: String,
    at: Instant,
    /// Those of the tools that were found which were not called since.
    found: Vec<Identity>,
}

/// A line of the file.
#[derive(Serialize)]
struct Line<'l> {
    query: &'l str,
    tools: [String; 1],
}

impl Requests {
    /// Writes to the end of a file, which nobody else may read; where that cannot be, nothing is written and the operator is told.
    pub(super) fn to(path: &Path) -> Self {
        let opened = SystemDisk.append(path, 0o600).and_then(|file| {
            let bytes = SystemDisk.read_end(path, 0)?.1;
            Ok(Kept { file, bytes, callers: HashMap::new() })
        });
        match opened {
            Ok(kept) => Self(Some(Mutex::new(kept))),
            Err(error) => {
                tracing::warn!(%error, path = %path.display(), "searches are not written for `oncue tune`");
                Self::default()
            }
        }
    }

    /// A caller has searched and found.
    pub(super) fn searched(&self, caller: &str, query: &str, found: &[Arc<Entry>], now: Instant) {
        let Some(kept) = &self.0 else { return };
        let query = match Query::parse(query) {
            Query::Keyword(text) => text,
            Query::Required { required, ranking } => format!("{required} {ranking}"),
            // Whoever names tools does not search.
            Query::Select(_) => return,
        };
        if found.is_empty() || query.trim().is_empty() {
            return;
        }
        let found = found.iter().map(|entry| entry.identity().clone()).collect();
        let mut kept = kept.lock().unwrap_or_else(PoisonError::into_inner);
        let is_open = |searches: &VecDeque<Search>| {
            searches.back().is_some_and(|last| now.duration_since(last.at) < ASKED_TIME)
        };
        if kept.callers.len() >= REPEAT_CALLERS_MAX && !kept.callers.contains_key(caller) {
            kept.callers.retain(|_, searches| is_open(searches));
            if kept.callers.len() >= REPEAT_CALLERS_MAX {
                kept.callers.clear();
            }
        }
        let searches = kept.callers.entry(caller.to_owned()).or_default();
        searches.push_back(Search { query, at: now, found });
        if searches.len() > ASKED_KEPT {
            searches.pop_front();
        }
    }

    /// A caller was answered by a tool.
    pub(super) fn served(&self, caller: &str, tool: &Identity, now: Instant) {
        let Some(kept) = &self.0 else { return };
        let mut kept = kept.lock().unwrap_or_else(PoisonError::into_inner);
        let kept = &mut *kept;
        let Some(searches) = kept.callers.get_mut(caller) else { return };
        let mut searches = searches.iter_mut().rev();
        let search =
            searches.find(|it| now.duration_since(it.at) < ASKED_TIME && it.found.contains(tool));
        let Some(search) = search else { return };
        search.found.retain(|found| found != tool);
        let line =
            Line { query: &search.query, tools: [format!("{}/{}", tool.source(), tool.name())] };
        let Ok(mut text) = serde_json::to_vec(&line) else { return };
        text.push(b'\n');
        let bytes = kept.bytes + text.len() as u64;
        if bytes > REQUESTS_FILE_BYTES_MAX {
            return;
        }
        match kept.file.write_all(&text) {
            Ok(()) => kept.bytes = bytes,
            Err(error) => tracing::warn!(%error, "a search was not written for `oncue tune`"),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::sync::Arc;
    use std::time::Instant;

    use oncue_decl::Row;
    use oncue_tools::{
        Arguments, BoxFuture, CallContext, Catalog, Definition, Entry, Output, Tool, ToolError,
    };

    use super::Requests;
    use crate::limits::{ASKED_KEPT, ASKED_TIME};

    struct Still(Definition);

    impl Tool for Still {
        fn definition(&self) -> &Definition {
            &self.0
        }

        fn call<'a>(
            &'a self,
            _: &'a CallContext<'a>,
            _: Arguments,
        ) -> BoxFuture<'a, Result<Output, ToolError>> {
            Box::pin(std::future::ready(Ok(Output::from(""))))
        }
    }

    fn entries() -> Vec<Arc<Entry>> {
        let catalog = Catalog::new();
        let tool = |name: &'static str| -> Arc<dyn Tool> {
            Arc::new(Still(Definition::new(Row::discoverable(name, ""), None)))
        };
        catalog.replace("shop", vec![tool("refund"), tool("invoice")]).unwrap();
        catalog.snapshot().iter().cloned().collect()
    }

    #[test]
    fn a_call_serves_the_last_search_that_found_its_tool() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("requests.jsonl");
        let requests = Requests::to(&path);
        let entries = entries();
        let at = |name: &str| entries.iter().find(|it| it.identity().name() == name).unwrap();
        let (refund, invoice) = (at("refund"), at("invoice"));
        let now = Instant::now();
        requests.searched("a", "money back", &entries, now);
        requests.searched("a", "write a bill", &[Arc::clone(invoice)], now);
        requests.searched("a", "select:refund", &[Arc::clone(refund)], now);
        requests.served("a", refund.identity(), now);
        requests.served("a", refund.identity(), now);
        requests.served("a", invoice.identity(), now);
        // Of another caller, and of long ago.
        requests.served("b", invoice.identity(), now);
        requests.searched("c", "bill", &[Arc::clone(invoice)], now);
        requests.served("c", invoice.identity(), now + ASKED_TIME);
        let told = fs::read_to_string(&path).unwrap();
        assert_eq!(
            told,
            "{\"query\":\"money back\",\"tools\":[\"shop/refund\"]}\n{\"query\":\"write a bill\",\"tools\":[\"shop/invoice\"]}\n"
        );
        // A gateway that starts again writes behind what is there.
        drop(requests);
        let requests = Requests::to(&path);
        requests.searched("a", "+refund money", &entries, now);
        requests.served("a", refund.identity(), now);
        let again = fs::read_to_string(&path).unwrap();
        assert_eq!(
            again.strip_prefix(&told).unwrap(),
            "{\"query\":\"refund money\",\"tools\":[\"shop/refund\"]}\n"
        );
    }

    #[test]
    fn little_is_kept_and_nothing_without_a_file() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("requests.jsonl");
        let requests = Requests::to(&path);
        let entries = entries();
        let (first, rest) = entries.split_first().unwrap();
        let now = Instant::now();
        requests.searched("a", "first", std::slice::from_ref(first), now);
        for _ in 0..ASKED_KEPT {
            requests.searched("a", "more", rest, now);
        }
        requests.served("a", first.identity(), now);
        assert_eq!(fs::read_to_string(&path).unwrap(), "", "the oldest is forgotten");
        let nowhere = Requests::default();
        nowhere.searched("a", "first", &entries, now);
        nowhere.served("a", first.identity(), now);
        let away = Requests::to(&folder.path().join("no/such/folder/requests.jsonl"));
        away.searched("a", "first", &entries, now);
        away.served("a", first.identity(), now);
    }
}
