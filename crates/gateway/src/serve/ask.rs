//! Questions of upstreams, brought to the client behind the call.

use std::sync::Arc;

use oncue_mcp::server::Context;
use oncue_mcp::{CallError, Members, Raw, RpcError, code};
use oncue_tools::{BoxFuture, Principal};

use crate::upstream::Answerer;

/// The client behind a call answers what the upstream asks during it.
pub(super) struct Client {
    context: Arc<Context>,
    key: String,
}

impl Client {
    pub(super) fn of(context: &Arc<Context>) -> Arc<dyn Answerer> {
        Arc::new(Self { context: Arc::clone(context), key: key(context) })
    }
}

/// Returns whose client it is: one session, or one principal where there are no sessions.
pub(super) fn key(context: &Context) -> String {
    match &context.session {
        Some(session) => format!("session {}", session.id()),
        None => principal(&context.caller.principal),
    }
}

fn principal(principal: &Principal) -> String {
    match principal {
        Principal::Local => "local".to_owned(),
        Principal::External { name, .. } => format!("principal {}", name.as_str()),
    }
}

impl Answerer for Client {
    fn ask<'a>(
        &'a self,
        method: &'a str,
        params: Option<Raw>,
    ) -> BoxFuture<'a, Result<Raw, CallError>> {
        Box::pin(async move {
            let needed = match method {
                "roots/list" => "roots",
                "sampling/createMessage" => "sampling",
                _ => "elicitation",
            };
            if !self.context.caller.client.can(needed) {
                let why = format!("the client behind the call has no `{needed}`");
                return Err(CallError::Rpc(RpcError::new(code::METHOD_NOT_FOUND, why)));
            }
            self.context.ask(method, params).await
        })
    }

    fn key(&self) -> &str {
        &self.key
    }
}

/// Asks the client what a result of an upstream of the newer era asks for, and returns the answers for the next try.
///
/// # Errors
///
/// The client cannot be asked, or does not answer.
pub(super) async fn answers(client: &dyn Answerer, asked: &Members) -> Result<Members, CallError> {
    let unreadable = |_| CallError::Unreadable("`inputRequests` is no object".to_owned());
    let requests = Members::of(asked.get("inputRequests")).map_err(unreadable)?;
    let mut answers = Members::new();
    for (name, request) in requests.iter() {
        let request = Members::of(Some(request)).map_err(unreadable)?;
        let method: String = request.read("method").unwrap_or_default();
        let params = request.get("params").map(serde_json::value::RawValue::to_owned);
        answers.put(name, client.ask(&method, params).await?);
    }
    Ok(answers)
}
