//! Which method goes where.

use std::sync::{Arc, PoisonError};

use oncue_mcp::http::Mirror;
use oncue_mcp::server::{About, Caller, Change, Context, Service, SessionHandle};
use oncue_mcp::{CallError, Members, Notification, Raw, Request, RpcError, code, empty};
use oncue_tools::{BoxFuture, NameRules, OpenTools, Principal, ToolSet};
use serde_json::json;
use serde_json::value::to_raw_value;
use tokio::sync::broadcast;
use tracing::{Instrument as _, Span};

use super::gateway::Gateway;
use super::offers::{self, Part};
use super::{kept, modes, tasks, wording};
use crate::catalog::mirrored;
use crate::config::Mode;
use crate::telemetry::{note_call, note_error, requested};
use crate::upstream::{Level, UpstreamError};

impl Service for Gateway {
    fn about(&self, caller: &Caller) -> About {
        let of = |value| to_raw_value(&value).unwrap_or_else(|_| empty());
        let settings = self.settings();
        let grants = self.grants(&caller.principal);
        let tools = OpenTools::new(self.catalog(), &grants);
        let behind = wording::behind_in_short(&settings, &tools);
        let mode = modes::mode(settings.mode, caller.client.name.as_deref());
        let is_searched = mode != Mode::Passthrough;
        About {
            info: of(
                json!({ "name": "oncue", "title": "oncue", "version": env!("CARGO_PKG_VERSION") }),
            ),
            capabilities: of(json!({
                "tools": { "listChanged": true },
                "resources": { "subscribe": true, "listChanged": true },
                "prompts": { "listChanged": true },
                "completions": {},
                "logging": {},
                "extensions": { tasks::EXTENSION: {} },
            })),
            instructions: Some(wording::instructions(&settings, &behind, is_searched)),
            ttl_ms: 0,
        }
    }

    fn wants_session(&self, caller: &Caller) -> bool {
        modes::wants_session(self.settings().mode, caller.client.name.as_deref())
    }

    fn answer(&self, request: Request, context: Context) -> BoxFuture<'_, Result<Raw, RpcError>> {
        Box::pin(async move {
            let params = Members::of(request.params.as_deref())
                .map_err(|_| RpcError::invalid_params("Invalid params: not an object"))?;
            let span = requested(&request.method, &context, || self.mode(&context));
            self.join(&span, &params);
            let context = Arc::new(context);
            let answered = self.answered(&request.method, params, &context);
            let answer = answered.instrument(span.clone()).await;
            if let Err(error) = &answer {
                note_error(&span, error);
            }
            answer
        })
    }

    fn mirrors(&self, name: &str, caller: &Caller) -> Vec<Mirror> {
        // Only who has listed a tool knows what is said in headers too.
        if modes::mode(self.settings().mode, caller.client.name.as_deref()) != Mode::Passthrough {
            return Vec::new();
        }
        let grants = self.grants(&caller.principal);
        let tools = OpenTools::new(self.catalog(), &grants);
        let entry = tools.resolve(name).ok();
        entry.and_then(|entry| mirrored(entry.definition()).ok()).unwrap_or_default()
    }

    fn changes(&self, _: &Caller) -> broadcast::Receiver<Change> {
        self.listen()
    }

    fn begun(&self, session: &SessionHandle, caller: &Caller) {
        self.sessions().begin(session);
        self.on_client(caller);
    }

    fn ended(&self, session: &SessionHandle) {
        self.sessions().end(session);
    }

    fn watch<'a>(&'a self, uris: &'a [String], caller: &'a Caller) -> BoxFuture<'a, ()> {
        Box::pin(async move {
            for uri in uris {
                self.watches().add(uri);
                if let Err(error) = self.follow(uri, true, &caller.principal).await {
                    tracing::debug!(%error, "a resource cannot be listened to");
                }
            }
        })
    }

    fn unwatch(&self, uris: &[String], caller: &Caller) {
        let gone: Vec<String> =
            uris.iter().filter(|uri| self.watches().remove(uri)).cloned().collect();
        let (gateway, principal) = (self.clone(), caller.principal.clone());
        tokio::spawn(async move {
            for uri in gone.iter().filter(|uri| !gateway.is_followed(uri)) {
                if let Err(error) = gateway.follow(uri, false, &principal).await {
                    tracing::debug!(%error, "a resource is listened to for nobody");
                }
            }
        });
    }

    fn told(&self, notification: Notification, _: &Caller) {
        tracing::trace!(method = %notification.method, "a client tells");
    }
}

impl Gateway {
    /// Answers a request by its method.
    async fn answered(
        &self,
        method: &str,
        params: Members,
        context: &Arc<Context>,
    ) -> Result<Raw, RpcError> {
        match method {
            "tools/list" => self.list_tools(&params, context),
            "tools/call" => self.on_call(params, context).await,
            "resources/list" => self.entries("resources", context, offers::resources),
            "resources/templates/list" => {
                self.entries("resourceTemplates", context, offers::templates)
            }
            "prompts/list" => {
                self.entries("prompts", context, |parts| offers::prompts(parts, self.rules()))
            }
            "resources/read" => self.on_resource("resources/read", params, context).await,
            "resources/subscribe" | "resources/unsubscribe" => {
                self.on_subscription(method, &params, context).await
            }
            "prompts/get" => self.on_prompt(params, context).await,
            "completion/complete" => self.on_completion(params, context).await,
            "tasks/get" | "tasks/update" | "tasks/cancel" => {
                self.on_task(method, params, context).await
            }
            "logging/setLevel" => self.on_level(&params, context),
            method => Err(RpcError::method_not_found(method)),
        }
    }

    async fn on_call(&self, mut params: Members, context: &Arc<Context>) -> Result<Raw, RpcError> {
        let Some(name) = params.read::<String>("name") else {
            return Err(RpcError::invalid_params("Invalid params: `name` is missing"));
        };
        let arguments = params.take("arguments").filter(|raw| raw.get() != "null");
        let is_searched = self.mode(context) != Mode::Passthrough;
        if is_searched && matches!(&*name, wording::SEARCH | wording::CALL) {
            let Ok(arguments) = Members::of(arguments.as_deref()) else {
                return Err(RpcError::invalid_params("Invalid params: `arguments` is no object"));
            };
            return match &*name {
                wording::SEARCH => {
                    note_call(&Span::current(), wording::SEARCH);
                    self.search(&arguments, context).await
                }
                _ => self.call_named(&arguments, params, context).await,
            };
        }
        self.call_tool(&name, arguments.unwrap_or_else(empty), params, context).await
    }

    /// Returns a list of what all upstreams offer that the client may reach.
    fn entries(
        &self,
        member: &str,
        context: &Context,
        list: impl Fn(&[Part<'_>]) -> Vec<Raw>,
    ) -> Result<Raw, RpcError> {
        let entries = self.with_parts(context, |parts| list(parts));
        let write = || {
            let mut result = Members::new();
            result.set(member, &entries)?;
            result.set("ttlMs", &0)?;
            result.set("cacheScope", &"private")?;
            result.to_raw()
        };
        write().map_err(|_: serde_json::Error| RpcError::internal())
    }

    async fn on_resource(
        &self,
        method: &str,
        mut params: Members,
        context: &Arc<Context>,
    ) -> Result<Raw, RpcError> {
        let uri = params.read::<String>("uri");
        let uri =
            uri.ok_or_else(|| RpcError::invalid_params("Invalid params: `uri` is missing"))?;
        if uri.starts_with(kept::SCHEME) {
            let text = self.kept_text(&uri, context).ok_or_else(|| not_found(&uri))?;
            let contents = json!([{ "uri": uri, "mimeType": "text/plain", "text": text }]);
            let result = json!({ "contents": contents, "ttlMs": 0, "cacheScope": "private" });
            return to_raw_value(&result).map_err(|_| RpcError::internal());
        }
        let owners = self.with_parts(context, |parts| {
            let owners = offers::owners(parts, &uri);
            owners.into_iter().map(|(id, own)| (id.clone(), own)).collect::<Vec<_>>()
        });
        let mut last = not_found(&uri);
        for (id, own) in owners {
            let Some(upstream) = self.upstream(id.as_str()) else { continue };
            params.set("uri", &own).map_err(|_| RpcError::internal())?;
            match self.ask_upstream(&upstream, method, params.clone(), context).await {
                Ok(result) => return Ok(result),
                // Somebody else may have it.
                Err(UpstreamError::Call(CallError::Rpc(error))) if is_of_others(&error) => {
                    last = error;
                }
                Err(error) => return Err(told(error, id.as_str())),
            }
        }
        Err(last)
    }

    /// A session wants to hear of a resource, or no longer. Whoever else wants to is not disturbed.
    async fn on_subscription(
        &self,
        method: &str,
        params: &Members,
        context: &Context,
    ) -> Result<Raw, RpcError> {
        let uri: Option<String> = params.read("uri");
        let uri =
            uri.ok_or_else(|| RpcError::invalid_params("Invalid params: `uri` is missing"))?;
        let is_wanted = method == "resources/subscribe";
        let session = self.sessions().find(context.session.as_ref());
        let note = |is_wanted: bool| {
            if let Some(session) = &session {
                let mut uris = session.subscribed.lock().unwrap_or_else(PoisonError::into_inner);
                match is_wanted {
                    true => uris.insert(uri.clone()),
                    false => uris.remove(&uri),
                };
            }
        };
        if !is_wanted {
            note(false);
            if self.is_followed(&uri) {
                return Ok(empty());
            }
        }
        self.follow(&uri, is_wanted, &context.caller.principal).await?;
        note(is_wanted);
        Ok(empty())
    }

    /// Says whether anybody wants to hear of a resource.
    fn is_followed(&self, uri: &str) -> bool {
        self.sessions().subscribed(uri) || self.watches().contains(uri)
    }

    /// Begins to hear of a resource from the upstream whose it is, or no longer does.
    async fn follow(
        &self,
        uri: &str,
        is_wanted: bool,
        principal: &Principal,
    ) -> Result<(), RpcError> {
        let owners = self.with_parts_of(principal, |parts| {
            let owners = offers::owners(parts, uri);
            owners.into_iter().map(|(id, own)| (id.clone(), own)).collect::<Vec<_>>()
        });
        let mut last = not_found(uri);
        for (id, own) in owners {
            let Some(upstream) = self.upstream(id.as_str()) else { continue };
            match upstream.subscribe(principal, &own, is_wanted).await {
                Ok(()) => return Ok(()),
                Err(UpstreamError::Call(CallError::Rpc(error))) if is_of_others(&error) => {
                    last = error;
                }
                Err(error) => return Err(told(error, id.as_str())),
            }
        }
        Err(last)
    }

    fn on_level(&self, params: &Members, context: &Context) -> Result<Raw, RpcError> {
        let level = params.read::<String>("level").and_then(|name| Level::parse(&name));
        let level =
            level.ok_or_else(|| RpcError::invalid_params("Invalid params: `level` is no level"))?;
        if let Some(session) = self.sessions().find(context.session.as_ref()) {
            session.want(level);
        }
        Ok(empty())
    }

    async fn on_prompt(
        &self,
        mut params: Members,
        context: &Arc<Context>,
    ) -> Result<Raw, RpcError> {
        let name: String = params.read("name").unwrap_or_default();
        let (id, own) = self.prompt(&name, context)?;
        params.set("name", &own).map_err(|_| RpcError::internal())?;
        self.ask(&id, "prompts/get", params, context).await
    }

    async fn on_completion(
        &self,
        mut params: Members,
        context: &Arc<Context>,
    ) -> Result<Raw, RpcError> {
        let mut reference = Members::of(params.get("ref")).unwrap_or_default();
        let internal = |_| RpcError::internal();
        match reference.read::<String>("type").as_deref() {
            Some("ref/prompt") => {
                let name: String = reference.read("name").unwrap_or_default();
                let (id, own) = self.prompt(&name, context)?;
                reference.set("name", &own).map_err(internal)?;
                params.set("ref", &reference).map_err(internal)?;
                self.ask(&id, "completion/complete", params, context).await
            }
            Some("ref/resource") => {
                let uri: String = reference.read("uri").unwrap_or_default();
                let owner = self.with_parts(context, |parts| {
                    let has = |part: &&Part<'_>| {
                        part.known.templates.iter().any(|entry| {
                            Members::of(Some(entry)).is_ok_and(|it| {
                                it.read::<String>("uriTemplate").as_deref() == Some(&uri)
                            })
                        })
                    };
                    parts.iter().find(has).map(|part| part.id.clone())
                });
                let id = owner.ok_or_else(|| not_found(&uri))?;
                self.ask(id.as_str(), "completion/complete", params, context).await
            }
            _ => Err(RpcError::invalid_params(
                "Invalid params: `ref` is neither of a prompt nor of a resource",
            )),
        }
    }

    pub(super) async fn ask(
        &self,
        id: &str,
        method: &str,
        params: Members,
        context: &Arc<Context>,
    ) -> Result<Raw, RpcError> {
        let upstream = self.upstream(id).ok_or_else(RpcError::internal)?;
        self.ask_upstream(&upstream, method, params, context).await.map_err(|error| told(error, id))
    }

    fn prompt(&self, name: &str, context: &Context) -> Result<(String, String), RpcError> {
        let rules = self.rules();
        let found = self.with_parts(context, |parts| {
            offers::prompt(parts, name, rules).map(|(id, own)| (id.to_string(), own))
        });
        found.ok_or_else(|| RpcError::invalid_params(format!("Unknown prompt: {name}")))
    }

    fn rules(&self) -> NameRules {
        self.catalog().snapshot().options().names
    }
}

/// Says whether an error means that somebody else may have the resource.
fn is_of_others(error: &RpcError) -> bool {
    matches!(error.code, code::RESOURCE_NOT_FOUND | code::INVALID_PARAMS | code::METHOD_NOT_FOUND)
}

fn not_found(uri: &str) -> RpcError {
    let error = RpcError::new(code::RESOURCE_NOT_FOUND, "Resource not found");
    error.with_data(&json!({ "uri": uri }))
}

/// Returns what a client is told of an upstream's failure outside of a tool call.
fn told(error: UpstreamError, id: &str) -> RpcError {
    match error {
        UpstreamError::Call(CallError::Rpc(error)) => error,
        error => RpcError::new(code::UPSTREAM_UNAVAILABLE, error.for_model(id)),
    }
}
