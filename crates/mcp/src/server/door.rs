//! The methods of the protocol itself; everything else goes to the service.

use oncue_tools::{Cancel, Principal};

use super::listen::listen;
use super::said::{ClientSaid, Meta};
use super::session::{Known, SessionHandle};
use super::{About, Caller, Context, Outlet, Shared};
use crate::{Era, META_SERVER, Members, Raw, Request, RpcError, Version, empty};

/// What surrounds a request before anybody has looked at it.
pub(super) struct Arrival {
    pub(super) request: Request,
    pub(super) principal: Principal,
    pub(super) cancel: Cancel,
    pub(super) outlet: Outlet,
    /// The session that it belongs to, where there is one.
    pub(super) session: Option<(SessionHandle, std::sync::Arc<Known>)>,
}

/// Answers a request.
pub(super) async fn answer(service: &Shared, arrival: Arrival) -> Result<Raw, RpcError> {
    let Arrival { request, principal, cancel, outlet, session } = arrival;
    let meta = Meta::of(request.params.as_deref());
    let method = &*request.method;
    if meta.begins_session(method) {
        let Some((handle, known)) = session else {
            return Err(RpcError::invalid_request("a session cannot be begun here"));
        };
        return initialize(service, &request, principal, &handle, &known);
    }
    let (caller, session) = if meta.is_stateless(method) {
        let (version, client) = meta.stateless()?;
        (Caller { principal, version, client }, None)
    } else {
        match session {
            None => return Err(meta.stateless().err().unwrap_or_else(RpcError::internal)),
            Some((handle, known)) => match known.caller() {
                Some(caller) => (caller, Some(handle)),
                // Anyone may ask whether somebody is there.
                None if method == "ping" => return Ok(empty()),
                None => {
                    let why = "the session has not begun: send `initialize` first";
                    return Err(RpcError::invalid_request(why));
                }
            },
        }
    };
    let era = caller.version.era();
    let progress_token = meta.progress_token;
    let about = (era == Era::Stateless).then(|| service.about(&caller));
    let context = Context { caller, cancel, session, outlet, progress_token };
    let result = match (method, era) {
        ("server/discover", Era::Stateless) if service.wants_session(&context.caller) => {
            return Err(RpcError::method_not_found(method));
        }
        ("server/discover", Era::Stateless) => discover(&service.about(&context.caller))?,
        ("subscriptions/listen", Era::Stateless) => listen(&**service, &request, &context).await?,
        ("ping", Era::Sessions) => empty(),
        (
            "initialize"
            | "ping"
            | "logging/setLevel"
            | "resources/subscribe"
            | "resources/unsubscribe",
            Era::Stateless,
        )
        | ("server/discover" | "subscriptions/listen", Era::Sessions) => {
            return Err(RpcError::method_not_found(method));
        }
        _ => service.answer(request, context).await?,
    };
    match about {
        Some(about) => complete(&result, &about),
        None => Ok(result),
    }
}

fn initialize(
    service: &Shared,
    request: &Request,
    principal: Principal,
    handle: &SessionHandle,
    known: &Known,
) -> Result<Raw, RpcError> {
    let params = Members::of(request.params.as_deref()).unwrap_or_default();
    let Some(wanted) = params.read::<String>("protocolVersion") else {
        return Err(RpcError::invalid_params("Invalid params: `protocolVersion` is missing"));
    };
    if known.caller().is_some() {
        return Err(RpcError::invalid_request("the session has begun already"));
    }
    // A version that is not spoken is answered with the newest that is, and the client decides.
    let wanted = Version::parse(&wanted).filter(|version| version.era() == Era::Sessions);
    let version = wanted.unwrap_or(Version::LAST_WITH_SESSIONS);
    let client = ClientSaid::of(params.get("clientInfo"), params.get("capabilities"));
    let caller = Caller { principal, version, client };
    let about = service.about(&caller);
    let write = || {
        let mut result = Members::new();
        result.set("protocolVersion", &version)?;
        result.put("capabilities", about.capabilities.clone());
        result.put("serverInfo", about.info.clone());
        if let Some(instructions) = &about.instructions {
            result.set("instructions", instructions)?;
        }
        result.to_raw()
    };
    let result = write().map_err(|_: serde_json::Error| RpcError::internal())?;
    service.begun(handle, &caller);
    known.learn(caller);
    Ok(result)
}

fn discover(about: &About) -> Result<Raw, RpcError> {
    let write = || {
        let mut result = Members::new();
        // Those that begin with `initialize` are spoken too, and not in this form.
        result.set("supportedVersions", &[Version::V2026_07_28])?;
        result.put("capabilities", about.capabilities.clone());
        if let Some(instructions) = &about.instructions {
            result.set("instructions", instructions)?;
        }
        result.set("ttlMs", &about.ttl_ms)?;
        result.set("cacheScope", &"private")?;
        result.to_raw()
    };
    write().map_err(|_: serde_json::Error| RpcError::internal())
}

/// Returns the result with what every result of the newer era says.
fn complete(result: &Raw, about: &About) -> Result<Raw, RpcError> {
    let write = || {
        let mut result = Members::of(Some(result))?;
        if result.get("resultType").is_none() {
            result.set("resultType", &"complete")?;
        }
        let mut meta = Members::of(result.get("_meta")).unwrap_or_default();
        meta.put(META_SERVER, about.info.clone());
        result.set("_meta", &meta)?;
        result.to_raw()
    };
    write().map_err(|_: serde_json::Error| RpcError::internal())
}
