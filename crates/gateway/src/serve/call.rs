//! The path of one call: resolve, read, decide, forward. What goes to the upstream is what the client wrote.

use std::sync::Arc;

use oncue_mcp::server::Context;
use oncue_mcp::{CallError, Listener, Members, Notification, Raw, RpcError, code};
use oncue_tools::{OpenTools, Permitted, Requested, Resolved, ToolError, Unresolved, Verdict};
use serde_json::json;
use serde_json::value::{RawValue, to_raw_value};
use tokio::sync::mpsc;

use super::ask::{Client, answers};
use super::gateway::Gateway;
use super::record::Record;
use super::{results, wording};
use crate::limits::ROUNDS_MAX;
use crate::upstream::{Answerer, Upstream, UpstreamError};

impl Gateway {
    /// Calls a tool by its exposed name; `params` is what else the client sent along.
    pub(super) async fn call_tool(
        &self,
        name: &str,
        arguments: Raw,
        params: Members,
        context: &Arc<Context>,
    ) -> Result<Raw, RpcError> {
        let Some(_turn) = self.admit(&context.caller.principal) else {
            return Err(RpcError::new(
                code::BUSY,
                "Busy: too many calls are running; call again in a moment",
            ));
        };
        let begun = Record::begin(name, &arguments, context);
        let permitted = match self.permitted(name, &arguments, context) {
            Ok(permitted) => permitted,
            Err(refusal) => {
                self.audit().record(begun.refused(self, &refusal)).await;
                return error(&refusal.to_string());
            }
        };
        let outcome = self.forward(&permitted, params, context).await;
        self.audit().record(begun.called(permitted.call().entry(), &outcome)).await;
        let upstream = permitted.call().entry().source();
        match outcome {
            Ok(result) => Ok(result),
            // What the upstream itself says goes to the client as it is.
            Err(UpstreamError::Call(CallError::Rpc(error))) => Err(error),
            Err(fault) => error(&fault.for_model(upstream)),
        }
    }

    /// Resolves, reads and decides.
    fn permitted(
        &self,
        name: &str,
        arguments: &RawValue,
        context: &Context,
    ) -> Result<Permitted, ToolError> {
        let grants = self.grants(&context.caller.principal);
        let tools = OpenTools::new(self.catalog(), &grants);
        let requested = Requested::new("", name, arguments.get());
        let resolved: Resolved = match requested.resolve(&tools) {
            Ok(resolved) => resolved,
            Err(_) => {
                use oncue_tools::ToolSet;
                return Err(match tools.resolve(name) {
                    Err(unresolved) => ToolError::new(unknown(&unresolved)),
                    Ok(_) => ToolError::new(format!("'{name}' has just come back. Call it again.")),
                });
            }
        };
        match resolved.read()?.decide(&grants)? {
            Verdict::Permitted(permitted) => Ok(permitted),
            Verdict::Asking(asking) => Err(ToolError::new(format!(
                "'{}' needs the consent of a person, and nobody can be asked here. Tell the user; the operator can let it run without asking.",
                asking.call().entry().exposed()
            ))),
        }
    }

    /// Forwards a permitted call to the upstream whose tool it is.
    async fn forward(
        &self,
        permitted: &Permitted,
        params: Members,
        context: &Arc<Context>,
    ) -> Result<Raw, UpstreamError> {
        let entry = permitted.call().entry();
        let upstream = self.upstream(entry.source()).ok_or(UpstreamError::Disabled)?;
        let unwritable = |error: serde_json::Error| {
            UpstreamError::Call(CallError::Unwritable(error.to_string()))
        };
        let mut inner = params;
        inner.set("name", &entry.identity().name()).map_err(unwritable)?;
        inner.put("arguments", permitted.call().raw().to_owned());
        let result = self.ask_upstream(&upstream, "tools/call", inner, context).await?;
        match results::fault(&result) {
            None => Ok(result),
            Some(why) => Err(UpstreamError::Call(CallError::Unreadable(why))),
        }
    }

    /// Asks an upstream on behalf of a client: progress goes to the client, and so do the upstream's questions.
    pub(super) async fn ask_upstream(
        &self,
        upstream: &Arc<Upstream>,
        method: &str,
        mut params: Members,
        context: &Arc<Context>,
    ) -> Result<Raw, UpstreamError> {
        let unwritable = |error: serde_json::Error| {
            UpstreamError::Call(CallError::Unwritable(error.to_string()))
        };
        keep_own_meta(&mut params).map_err(unwritable)?;
        let client = Client::of(context);
        for _ in 0..ROUNDS_MAX {
            let result = self.once(upstream, method, params.clone(), context, &client).await?;
            let Some(asked) = asks(&result).filter(|_| context.session.is_some()) else {
                return Ok(result);
            };
            // A client of the older era is asked as it is used to, and the upstream is called again with what it says.
            let answers = answers(&*client, &asked).await.map_err(UpstreamError::Call)?;
            params.set("inputResponses", &answers).map_err(unwritable)?;
            if let Some(state) = asked.get("requestState") {
                params.put("requestState", state.to_owned());
            }
        }
        let why = format!("it asks for the {ROUNDS_MAX}th time");
        Err(UpstreamError::Call(CallError::Unreadable(why)))
    }

    async fn once(
        &self,
        upstream: &Arc<Upstream>,
        method: &str,
        params: Members,
        context: &Arc<Context>,
        client: &Arc<dyn Answerer>,
    ) -> Result<Raw, UpstreamError> {
        let (to, mut progress) = mpsc::unbounded_channel();
        let listener = context.progress_token.as_ref().map(|token| listener(token.clone(), to));
        let principal = &context.caller.principal;
        let calling = upstream.call(principal, method, params, listener, Some(Arc::clone(client)));
        let mut calling = std::pin::pin!(calling);
        let outcome = loop {
            tokio::select! {
                biased;
                Some(told) = progress.recv() => context.tell(told).await,
                outcome = &mut calling => break outcome,
                // The upstream is told by the drop.
                _ = context.cancel.fired() => {
                    return Err(UpstreamError::Call(CallError::TimedOut { seconds: 0 }));
                }
            }
        };
        while let Ok(told) = progress.try_recv() {
            context.tell(told).await;
        }
        outcome
    }
}

/// Brings progress under the client's own token.
fn listener(token: Raw, to: mpsc::UnboundedSender<Notification>) -> Listener {
    Box::new(move |told| {
        let mut params = Members::of(told.params.as_deref()).unwrap_or_default();
        params.put("progressToken", token.clone());
        let params = params.to_raw().ok();
        // A call that is over hears nothing.
        let _ = to.send(Notification { params, ..told });
    })
}

/// Leaves in `_meta` what is the client's own, and takes out what belongs to the way to the gateway.
fn keep_own_meta(params: &mut Members) -> Result<(), serde_json::Error> {
    let Some(meta) = params.get("_meta") else { return Ok(()) };
    let meta = Members::of(Some(meta)).unwrap_or_default();
    let mut own = Members::new();
    for (key, value) in meta.iter() {
        if key != "progressToken" && !key.starts_with("io.modelcontextprotocol/") {
            own.put(key, value.to_owned());
        }
    }
    params.take("_meta");
    match own.is_empty() {
        true => Ok(()),
        false => params.set("_meta", &own),
    }
}

/// Returns the members of a result that asks for something before it can be one.
fn asks(result: &RawValue) -> Option<Members> {
    if !result.get().contains("input_required") {
        return None;
    }
    let members = Members::of(Some(result)).ok()?;
    (members.read::<String>("resultType").as_deref() == Some("input_required")).then_some(members)
}

/// Returns what a model reads of a name that no tool has.
fn unknown(unresolved: &Unresolved) -> String {
    let name = unresolved.name();
    let near: Vec<&str> = unresolved.near().collect();
    let near = match near.as_slice() {
        [] => String::new(),
        names => format!(" Near names: {}.", names.join(", ")),
    };
    format!(
        "There is no tool '{name}'. Call {}(query='{name}') to find one.{near}",
        wording::SEARCH
    )
}

/// Returns the result that is this text.
pub(super) fn text(text: &str) -> Result<Raw, RpcError> {
    let result = json!({ "content": [{ "type": "text", "text": text }] });
    to_raw_value(&result).map_err(|_| RpcError::internal())
}

/// Returns the result that tells a model what is wrong with its call.
pub(super) fn error(text: &str) -> Result<Raw, RpcError> {
    let result = json!({ "content": [{ "type": "text", "text": text }], "isError": true });
    to_raw_value(&result).map_err(|_| RpcError::internal())
}
