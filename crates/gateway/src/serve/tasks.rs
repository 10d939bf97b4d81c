//! Tasks of upstreams (the extension `io.modelcontextprotocol/tasks`, SEP-2663): each under an id of the gateway's own, which leads to its upstream and is worth nothing to anybody else.

use std::sync::Arc;

use oncue_mcp::server::Context;
use oncue_mcp::{Members, Raw, RpcError};
use oncue_tools::Principal;
use serde_json::value::RawValue;

use super::ask::principal;
use super::gateway::Gateway;
use super::seal::{State, Target};

/// How the extension calls itself.
pub(super) const EXTENSION: &str = "io.modelcontextprotocol/tasks";

impl Gateway {
    /// Returns a result with the task in it, if there is one, under the gateway's own id.
    pub(super) fn with_task(
        &self,
        result: Raw,
        upstream: &str,
        principal: &Principal,
    ) -> Result<Raw, RpcError> {
        let Some((mut members, theirs)) = task(&result) else { return Ok(result) };
        let state = State::Task { upstream: upstream.to_owned(), id: theirs };
        let own = self.seal().sealed(&state, &target(principal));
        let own = own.ok_or_else(RpcError::internal)?;
        members.set("taskId", &own).map_err(|_| RpcError::internal())?;
        members.to_raw().map_err(|_| RpcError::internal())
    }

    /// Brings a question about a task to the upstream whose it is.
    pub(super) async fn on_task(
        &self,
        method: &str,
        mut params: Members,
        context: &Arc<Context>,
    ) -> Result<Raw, RpcError> {
        let caller = &context.caller.principal;
        let own: String = params.read("taskId").unwrap_or_default();
        let unknown = || RpcError::invalid_params("Invalid params: there is no such task");
        let state = self.seal().opened(&own, &target(caller));
        let Some(State::Task { upstream, id }) = state else { return Err(unknown()) };
        if !self.grants(caller).may_reach(&upstream) {
            return Err(unknown());
        }
        params.set("taskId", &id).map_err(|_| RpcError::internal())?;
        let result = self.ask(&upstream, method, params, context).await?;
        let Ok(mut members) = Members::of(Some(&result)) else { return Ok(result) };
        if members.get("taskId").is_none() {
            return Ok(result);
        }
        members.set("taskId", &own).map_err(|_| RpcError::internal())?;
        members.to_raw().map_err(|_| RpcError::internal())
    }
}

/// Returns the members of a result that is a task, and its id.
fn task(result: &RawValue) -> Option<(Members, String)> {
    if !result.get().contains("\"taskId\"") {
        return None;
    }
    let members = Members::of(Some(result)).ok()?;
    let id = members.read::<String>("taskId")?;
    (members.read::<String>("resultType").as_deref() == Some("task")).then_some((members, id))
}

fn target(whose: &Principal) -> Target {
    Target {
        principal: principal(whose),
        upstream: String::new(),
        method: "tasks".to_owned(),
        name: String::new(),
    }
}
