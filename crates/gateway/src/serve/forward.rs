//! A request of a client, brought to an upstream in whichever era that speaks.
//!
//! | the client is of | the upstream is of | what the upstream asks |
//! |---|---|---|
//! | the older era | the older era | is asked of the client at once |
//! | the older era | the newer era | is asked of the client, and the upstream is called again with the answers |
//! | the newer era | the older era | becomes a result that asks; the call waits until the client comes back |
//! | the newer era | the newer era | goes to the client and back, what the upstream wants to remember under a seal |

use std::sync::Arc;

use oncue_mcp::server::Context;
use oncue_mcp::{
    CallError, META_CAPABILITIES, META_LEVEL, Members, Notification, Raw, RpcError, code, empty,
};
use serde_json::value::RawValue;

use super::ask::{Client, answers, principal};
use super::exchange::{End, Exchange, Heard};
use super::gateway::Gateway;
use super::seal::{State, Target};
use crate::limits::ROUNDS_MAX;
use crate::telemetry::TraceParent;
use crate::upstream::{Level, Upstream, UpstreamError};

/// How a wait for an upstream ends.
enum Waited {
    Over(Result<Raw, UpstreamError>),
    /// It asks something that the client answers with its next request.
    Asking,
}

impl Gateway {
    /// Asks an upstream on behalf of a client: what it tells goes to the client, and so do its questions.
    pub(super) async fn ask_upstream(
        &self,
        upstream: &Arc<Upstream>,
        method: &str,
        mut params: Members,
        context: &Arc<Context>,
    ) -> Result<Raw, UpstreamError> {
        let level = self.level(&params, context);
        let target = target(upstream, method, &params, context);
        let (given, state) = (params.take("inputResponses"), params.take("requestState"));
        put_own_meta(&mut params, level, self.carried(), context).map_err(unwritable)?;
        match context.session {
            Some(_) => self.in_session(upstream, method, params, level, context).await,
            None => {
                let call = (method.to_owned(), params);
                self.in_rounds(upstream, call, (given, state), &target, level, context).await
            }
        }
    }

    /// A client of the older era is asked as it is used to, and an upstream of the newer one is called again with what it says.
    async fn in_session(
        &self,
        upstream: &Arc<Upstream>,
        method: &str,
        mut params: Members,
        level: Option<Level>,
        context: &Arc<Context>,
    ) -> Result<Raw, UpstreamError> {
        for _ in 0..ROUNDS_MAX {
            let end = End::new();
            let client = Client::of(context, end.teller());
            let caller = context.caller.principal.clone();
            let wants_progress = context.progress_token.is_some();
            let mut call = Exchange::begin(
                Arc::clone(upstream),
                caller,
                (method.to_owned(), params.clone()),
                end,
                (Arc::clone(&client), wants_progress),
            );
            let result = match wait(&mut call, level, context).await {
                Waited::Over(outcome) => outcome?,
                Waited::Asking => {
                    return Err(UpstreamError::Call(CallError::Rpc(RpcError::internal())));
                }
            };
            let Some(asked) = asks(&result) else { return Ok(result) };
            let answers = answers(&*client, &asked).await.map_err(UpstreamError::Call)?;
            params.set("inputResponses", &answers).map_err(unwritable)?;
            // What it does not want back it does not get.
            params.take("requestState");
            if let Some(state) = asked.get("requestState") {
                params.put("requestState", state.to_owned());
            }
        }
        let why = format!("it asks for the {ROUNDS_MAX}th time");
        Err(UpstreamError::Call(CallError::Unreadable(why)))
    }

    /// A client of the newer era gets a result that asks, and comes back with answers.
    async fn in_rounds(
        &self,
        upstream: &Arc<Upstream>,
        (method, mut params): (String, Members),
        (given, state): (Option<Raw>, Option<Raw>),
        target: &Target,
        level: Option<Level>,
        context: &Arc<Context>,
    ) -> Result<Raw, UpstreamError> {
        let state = match state {
            None => None,
            Some(raw) => {
                let text: Option<String> = serde_json::from_str(raw.get()).ok();
                let state = text.and_then(|text| self.seal().opened(&text, target));
                Some(state.ok_or_else(|| invalid("it was not given for this call"))?)
            }
        };
        let mut call = match state {
            Some(State::Parked(number)) => {
                let call = self.parking().take(number);
                let mut call = call.ok_or_else(|| invalid("it was used before, or is too old"))?;
                call.answer(given.as_deref());
                call
            }
            theirs => {
                if let Some(given) = given {
                    params.put("inputResponses", given);
                }
                if let Some(State::Theirs(state)) = theirs {
                    params.put("requestState", state);
                }
                let end = End::new();
                let client = end.later(&context.caller.client, &target.principal);
                let caller = context.caller.principal.clone();
                let wants_progress = context.progress_token.is_some();
                let upstream = Arc::clone(upstream);
                Exchange::begin(upstream, caller, (method, params), end, (client, wants_progress))
            }
        };
        loop {
            // What was asked and not answered is asked again.
            if !call.is_asking()
                && let Waited::Over(outcome) = wait(&mut call, level, context).await
            {
                return self.sealed(outcome?, target);
            }
            let requests = call.requests().map_err(unwritable)?;
            match self.parking().park(&target.principal, call) {
                Ok(number) => return self.asking(&requests, number, target),
                Err(back) => {
                    call = *back;
                    let why = "Busy: too many calls wait for answers; call again later";
                    call.refuse(&RpcError::new(code::BUSY, why));
                }
            }
        }
    }

    /// Returns the result that asks what a parked call asks.
    fn asking(
        &self,
        requests: &Members,
        number: u64,
        target: &Target,
    ) -> Result<Raw, UpstreamError> {
        let internal = || UpstreamError::Call(CallError::Rpc(RpcError::internal()));
        let state = self.seal().sealed(&State::Parked(number), target).ok_or_else(internal)?;
        let mut result = Members::new();
        result.set("resultType", &"input_required").map_err(unwritable)?;
        result.set("inputRequests", requests).map_err(unwritable)?;
        result.set("requestState", &state).map_err(unwritable)?;
        result.to_raw().map_err(unwritable)
    }

    /// Returns the result with what the upstream wants to remember under a seal of ours.
    fn sealed(&self, result: Raw, target: &Target) -> Result<Raw, UpstreamError> {
        let Some(mut asked) = asks(&result) else { return Ok(result) };
        let Some(state) = asked.get("requestState").map(RawValue::to_owned) else {
            return Ok(result);
        };
        let internal = || UpstreamError::Call(CallError::Rpc(RpcError::internal()));
        let sealed = self.seal().sealed(&State::Theirs(state), target).ok_or_else(internal)?;
        asked.set("requestState", &sealed).map_err(unwritable)?;
        asked.to_raw().map_err(unwritable)
    }

    /// Returns from which level on the client wants to read messages, where it says so.
    fn level(&self, params: &Members, context: &Context) -> Option<Level> {
        match self.sessions().find(context.session.as_ref()) {
            Some(session) => session.level(),
            None => {
                let meta = Members::of(params.get("_meta")).unwrap_or_default();
                Level::parse(&meta.read::<String>(META_LEVEL)?)
            }
        }
    }
}

/// Waits for the outcome, and tells the client what is told meanwhile.
async fn wait(call: &mut Exchange, level: Option<Level>, context: &Context) -> Waited {
    loop {
        let heard = tokio::select! {
            heard = call.next() => heard,
            // The upstream is told by the drop.
            _ = context.cancel.fired() => {
                let outcome = Err(UpstreamError::Call(CallError::TimedOut { seconds: 0 }));
                return Waited::Over(outcome);
            }
        };
        match heard {
            Heard::Told(told) => tell(told, level, context).await,
            Heard::Asked(question) => {
                for told in call.keep(question) {
                    tell(told, level, context).await;
                }
                return Waited::Asking;
            }
            Heard::Over(outcome) => return Waited::Over(outcome),
        }
    }
}

/// Tells the client progress under its own token, and the messages that it wants to read.
async fn tell(told: Notification, level: Option<Level>, context: &Context) {
    let Ok(mut params) = Members::of(told.params.as_deref()) else { return };
    if &*told.method == "notifications/progress" {
        let Some(token) = &context.progress_token else { return };
        params.put("progressToken", token.clone());
        context.tell(Notification { params: params.to_raw().ok(), ..told }).await;
        return;
    }
    let severity = params.read::<String>("level").and_then(|name| Level::parse(&name));
    let is_wanted = match level {
        Some(least) => severity.is_some_and(|severity| severity >= least),
        // A session that has not said what it wants hears what its server thinks fit; in the newer era it hears nothing.
        None => context.session.is_some(),
    };
    if is_wanted {
        context.tell(told).await;
    }
}

fn target(upstream: &Upstream, method: &str, params: &Members, context: &Context) -> Target {
    let name = params.read("name").or_else(|| params.read("uri")).unwrap_or_default();
    Target {
        principal: principal(&context.caller.principal),
        upstream: upstream.settings().id.as_str().to_owned(),
        method: method.to_owned(),
        name,
    }
}

/// Leaves in `_meta` what is the client's own, its trace unless the gateway has joined it, takes out what belongs to the way to the gateway, and says what the client can do and wants to read.
fn put_own_meta(
    params: &mut Members,
    level: Option<Level>,
    carried: Option<TraceParent>,
    context: &Context,
) -> Result<(), serde_json::Error> {
    let mut meta = Members::of(params.get("_meta")).unwrap_or_default();
    meta.take("progressToken");
    let mut own = Members::new();
    for (name, value) in meta.iter() {
        if !name.starts_with("io.modelcontextprotocol/") {
            own.put(name, value.to_owned());
        }
    }
    let able = context.caller.client.capabilities.clone();
    own.put(META_CAPABILITIES, able.unwrap_or_else(empty));
    if let Some(level) = level {
        own.set(META_LEVEL, &level.as_str())?;
    }
    if let Some(carried) = carried {
        carried.put(&mut own)?;
    }
    params.set("_meta", &own)
}

/// Returns the members of a result that asks for something before it can be one.
fn asks(result: &RawValue) -> Option<Members> {
    if !result.get().contains("input_required") {
        return None;
    }
    let members = Members::of(Some(result)).ok()?;
    (members.read::<String>("resultType").as_deref() == Some("input_required")).then_some(members)
}

#[expect(clippy::needless_pass_by_value, reason = "it takes what `map_err` gives")]
fn unwritable(error: serde_json::Error) -> UpstreamError {
    UpstreamError::Call(CallError::Unwritable(error.to_string()))
}

fn invalid(why: &str) -> UpstreamError {
    let why = format!(
        "Invalid params: `requestState` is not valid: {why}. Call again without it and without `inputResponses`"
    );
    UpstreamError::Call(CallError::Rpc(RpcError::invalid_params(why)))
}
