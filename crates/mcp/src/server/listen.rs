//! Changes, told to whoever listens.

use serde::Deserialize;
use tokio::sync::broadcast;
use tokio::sync::broadcast::error::RecvError;

use super::{Context, Service};
use crate::{META_SUBSCRIPTION, Members, Notification, Raw, Request, RequestId, RpcError};

/// Something that has changed.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Change {
    /// The list of tools.
    Tools,
    /// The list of prompts.
    Prompts,
    /// The list of resources.
    Resources,
    /// One resource.
    Resource {
        /// Which.
        uri: String,
    },
}

impl Change {
    /// Returns the notification that tells it.
    #[must_use]
    pub fn notification(&self) -> Notification {
        let (method, uri) = match self {
            Self::Tools => ("notifications/tools/list_changed", None),
            Self::Prompts => ("notifications/prompts/list_changed", None),
            Self::Resources => ("notifications/resources/list_changed", None),
            Self::Resource { uri } => ("notifications/resources/updated", Some(uri)),
        };
        let params = uri.and_then(|uri| {
            let mut params = Members::new();
            params.set("uri", uri).ok()?;
            params.to_raw().ok()
        });
        Notification::new(method, params)
    }
}

/// What a client wants to hear of.
#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
struct Filter {
    tools_list_changed: bool,
    prompts_list_changed: bool,
    resources_list_changed: bool,
    resource_subscriptions: Vec<String>,
}

impl Filter {
    fn wants(&self, change: &Change) -> bool {
        match change {
            Change::Tools => self.tools_list_changed,
            Change::Prompts => self.prompts_list_changed,
            Change::Resources => self.resources_list_changed,
            Change::Resource { uri } => self.resource_subscriptions.contains(uri),
        }
    }

    fn to_members(&self) -> Result<Members, serde_json::Error> {
        let mut members = Members::new();
        let flags = [
            ("toolsListChanged", self.tools_list_changed),
            ("promptsListChanged", self.prompts_list_changed),
            ("resourcesListChanged", self.resources_list_changed),
        ];
        for (name, _) in flags.into_iter().filter(|(_, is_wanted)| *is_wanted) {
            members.set(name, &true)?;
        }
        if !self.resource_subscriptions.is_empty() {
            members.set("resourceSubscriptions", &self.resource_subscriptions)?;
        }
        Ok(members)
    }
}

/// Tells what the client wants to hear of until it goes away (`subscriptions/listen`, specification 2026-07-28).
pub(super) async fn listen(
    service: &dyn Service,
    request: &Request,
    context: &Context,
) -> Result<Raw, RpcError> {
    let mut changes = service.changes(&context.caller);
    let params = Members::of(request.params.as_deref()).unwrap_or_default();
    let filter: Filter = params.read("notifications").ok_or_else(|| {
        RpcError::invalid_params("Invalid params: `notifications` says what to listen to")
    })?;
    let internal = |_| RpcError::internal();
    let mut accepted = Members::new();
    accepted.set("notifications", &filter.to_members().map_err(internal)?).map_err(internal)?;
    let accepted = tagged(
        Notification::new(
            "notifications/subscriptions/acknowledged",
            Some(accepted.to_raw().map_err(internal)?),
        ),
        &request.id,
    );
    let accepted = accepted.map_err(internal)?;
    service.watch(&filter.resource_subscriptions, &context.caller).await;
    context.tell(accepted).await;
    let told = tell(&filter, &mut changes, request, context).await;
    service.unwatch(&filter.resource_subscriptions, &context.caller);
    told.map_err(internal)?;
    let mut meta = Members::new();
    meta.set(META_SUBSCRIPTION, &request.id).map_err(internal)?;
    let mut result = Members::new();
    result.set("_meta", &meta).map_err(internal)?;
    result.to_raw().map_err(internal)
}

/// Tells changes until the client goes away, or there can be none any more.
async fn tell(
    filter: &Filter,
    changes: &mut broadcast::Receiver<Change>,
    request: &Request,
    context: &Context,
) -> Result<(), serde_json::Error> {
    loop {
        let change = tokio::select! {
            change = changes.recv() => change,
            _ = context.cancel.fired() => return Ok(()),
        };
        match change {
            Ok(change) if filter.wants(&change) => {
                let told = tagged(change.notification(), &request.id)?;
                context.tell(told).await;
            }
            Ok(_) => {}
            // Whoever is behind hears of everything once.
            Err(RecvError::Lagged(_)) => {
                for change in [Change::Tools, Change::Prompts, Change::Resources] {
                    if filter.wants(&change) {
                        let told = tagged(change.notification(), &request.id)?;
                        context.tell(told).await;
                    }
                }
            }
            Err(RecvError::Closed) => return Ok(()),
        }
    }
}

/// Returns the notification with the id of the subscription that it belongs to.
fn tagged(told: Notification, id: &RequestId) -> Result<Notification, serde_json::Error> {
    let mut params = Members::of(told.params.as_deref())?;
    let mut meta = Members::new();
    meta.set(META_SUBSCRIPTION, id)?;
    params.set("_meta", &meta)?;
    Ok(Notification { params: Some(params.to_raw()?), ..told })
}
