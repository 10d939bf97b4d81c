//! Questions of upstreams, brought to the client behind the call.

use std::sync::Arc;

use oncue_mcp::server::{ClientSaid, Context};
use oncue_mcp::{CallError, Members, Notification, Raw, RpcError, code};
use oncue_tools::{BoxFuture, Principal};

use super::exchange::Teller;
use crate::limits::ASK_TIME_MAX;
use crate::upstream::Answerer;

/// The client of the older era behind a call answers what the upstream asks during it.
pub(super) struct Client {
    context: Arc<Context>,
    teller: Teller,
    key: String,
}

impl Client {
    pub(super) fn of(context: &Arc<Context>, teller: Teller) -> Arc<dyn Answerer> {
        Arc::new(Self { context: Arc::clone(context), teller, key: key(context) })
    }
}

/// Returns whose client it is: one session, or one principal where there are no sessions.
pub(super) fn key(context: &Context) -> String {
    match &context.session {
        Some(session) => format!("session {}", session.id()),
        None => principal(&context.caller.principal),
    }
}

/// Returns who somebody is, as a text that is nobody else's.
pub(super) fn principal(principal: &Principal) -> String {
    match principal {
        Principal::Local => "local".to_owned(),
        Principal::External { name, .. } => format!("principal {}", name.as_str()),
    }
}

/// Says whether a client can be asked `method`.
///
/// # Errors
///
/// It cannot.
pub(super) fn may_ask(client: &ClientSaid, method: &str) -> Result<(), CallError> {
    let needed = match method {
        "roots/list" => "roots",
        "sampling/createMessage" => "sampling",
        _ => "elicitation",
    };
    match client.can(needed) {
        true => Ok(()),
        false => {
            let why = format!("the client behind the call has no `{needed}`");
            Err(unable(code::METHOD_NOT_FOUND, &why))
        }
    }
}

pub(super) fn unable(code: i64, why: &str) -> CallError {
    CallError::Rpc(RpcError::new(code, why.to_owned()))
}

impl Answerer for Client {
    fn ask<'a>(
        &'a self,
        method: &'a str,
        params: Option<Raw>,
    ) -> BoxFuture<'a, Result<Raw, CallError>> {
        Box::pin(async move {
            may_ask(&self.context.caller.client, method)?;
            let asking = self.context.ask(method, params);
            let answer = tokio::time::timeout(ASK_TIME_MAX, asking).await;
            answer.unwrap_or(Err(CallError::TimedOut { seconds: ASK_TIME_MAX.as_secs() }))
        })
    }

    fn tell(&self, told: Notification) {
        self.teller.tell(told);
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
