//! The search tool and the calling tool.

use std::sync::Arc;
use std::time::Instant;

use oncue_mcp::server::Context;
use oncue_mcp::{Members, Raw, RpcError, empty};
use oncue_search::Asked;
use oncue_tools::{Grants, OpenTools};
use serde_json::Value;
use serde_json::value::RawValue;
use tracing::Instrument;

use super::ask::key;
use super::gateway::Gateway;
use super::kept::SCHEME;
use super::{answer, call, modes, wording};
use crate::config::{Mode, Upstream};
use crate::limits::{RESULTS_DEFAULT, RESULTS_MAX};
use crate::telemetry::{SearchOutcome, searching};

impl Gateway {
    /// Answers a search; nothing is started for it and no upstream is waited for.
    pub(super) async fn search(
        &self,
        arguments: &Members,
        context: &Arc<Context>,
    ) -> Result<Raw, RpcError> {
        let query: String = arguments.read("query").unwrap_or_default();
        if query.trim().is_empty() {
            self.counts().search_refused();
            return call::error(
                "Query cannot be empty. Say what is to be done, such as 'export csv'.",
            );
        }
        let begun = Instant::now();
        let span = searching(&query);
        let max = arguments
            .read::<f64>("max_results")
            .map_or(RESULTS_DEFAULT, |max| max.clamp(1.0, RESULTS_MAX as f64) as usize);
        let grants = self.grants(&context.caller.principal);
        let tools = OpenTools::new(self.catalog(), &grants);
        let meaning = tools.meaning(&query).instrument(span.clone()).await;
        let entered = span.enter();
        let found = tools.find(Asked::from(&query).meaning(meaning.as_ref()), max);
        let version = self.catalog().snapshot().generation();
        self.requests().searched(&key(context), &query, &found.tools, Instant::now());
        let is_repeated = self.repeats().note(&key(context), &query, version, Instant::now());
        let away = match found.tools.is_empty() {
            true => self.away(&grants),
            false => Vec::new(),
        };
        let text = match is_repeated && !query.trim_start().starts_with("select:") {
            true => answer::repeated(&found, wording::NAMES, &away),
            false => {
                let budget = self.settings().answer_bytes;
                answer::text_without(&found, budget, wording::NAMES, &away)
            }
        };
        let outcome = match found.tools.is_empty() {
            true => SearchOutcome::Nothing,
            false => SearchOutcome::Hits,
        };
        span.record("oncue.search.hits", found.tools.len());
        span.record("oncue.search.outcome", outcome.name());
        drop(entered);
        drop(span);
        self.counts().searched(outcome, begun.elapsed());
        if self.mode(context) == Mode::Dynamic
            && let Some(session) = self.sessions().find(context.session.as_ref())
        {
            let relisting = session.grow(&found.tools);
            self.counts().activated(relisting.as_ref().map_or(0, |it| it.joined));
            let client = context.caller.client.name.as_deref();
            // Nobody waits for a client that is known not to list again.
            if let Some(relisting) = relisting.filter(|_| modes::may_relist(client)) {
                relisting.over().await;
            }
        }
        call::text(&text)
    }

    /// Returns the upstreams that may be reached and of which nothing is known, each with its state.
    fn away(&self, grants: &Grants) -> Vec<String> {
        let settings = self.settings();
        let reached = settings.upstreams.iter().filter(|it| it.is_enabled);
        let reached = reached.filter(|it| grants.may_reach(it.id.as_str()));
        let unknown = reached.filter(|it| self.offer(&it.id).is_none());
        let told = |it: &Upstream| {
            let has_failed = self.upstream(it.id.as_str())?.last_error().is_some();
            let state = if has_failed { "cannot be started" } else { "is being started" };
            Some(format!("{} ({state})", it.id))
        };
        unknown.filter_map(told).collect()
    }

    /// Calls the tool that the arguments of the calling tool name.
    pub(super) async fn call_named(
        &self,
        arguments: &Members,
        params: Members,
        context: &Arc<Context>,
    ) -> Result<Raw, RpcError> {
        let Some(name) = arguments.read::<String>("name").filter(|name| !name.is_empty()) else {
            return call::error(
                "`name` is missing. Say which tool to call, as search_tools returned it.",
            );
        };
        if matches!(&*name, wording::SEARCH | wording::CALL) {
            return call::error(&format!("Call {name} itself, not by way of {}.", wording::CALL));
        }
        if name.starts_with(SCHEME) {
            return match self.kept_text(&name, context) {
                Some(text) => call::text(&text),
                None => call::error(
                    "That result is not kept any more. Call the tool again, and ask for less if it can.",
                ),
            };
        }
        let inner = arguments.get("arguments").map(RawValue::to_owned);
        // Models write the object as a text now and then.
        let inner = match inner {
            Some(raw) if raw.get().starts_with('"') => text_as_object(&raw).or(Some(raw)),
            Some(raw) if raw.get() == "null" => None,
            inner => inner,
        };
        self.call_tool(&name, inner.unwrap_or_else(empty), params, context).await
    }
}

/// Returns the object that a text spells.
fn text_as_object(raw: &RawValue) -> Option<Raw> {
    let text: String = serde_json::from_str(raw.get()).ok()?;
    let inner = RawValue::from_string(text).ok()?;
    matches!(serde_json::from_str(inner.get()), Ok(Value::Object(_))).then_some(inner)
}
