//! Keeps the catalog true and idle upstreams down. Lives as long as somebody has the gateway.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;
use std::time::{Duration, Instant, SystemTime};

use oncue_tools::{Principal, Snapshot};
use tokio::sync::{Semaphore, mpsc};

use super::gateway::{Gateway, WeakGateway};
use super::pace::{Pace, Todo};
use crate::audit::{self, ChangeKind, Entry, Event};
use crate::catalog::Known;
use crate::config::UpstreamId;
use crate::limits::{IDLE_LOOK_TIME, REFRESHES_AT_ONCE};
use crate::upstream::{News, UpstreamError};

pub(super) struct Keeper {
    gateway: WeakGateway,
    paces: HashMap<UpstreamId, Pace>,
    /// The upstreams that are started for the next reading if they must be; others are read only while they run.
    wished: HashSet<UpstreamId>,
    /// How many readings run at once.
    at_once: Arc<Semaphore>,
}

/// What a reading or a pause that is over says.
enum Over {
    Reading(UpstreamId),
    Pause(UpstreamId),
}

impl Keeper {
    pub(super) fn new(gateway: WeakGateway) -> Self {
        let at_once = Arc::new(Semaphore::new(REFRESHES_AT_ONCE));
        Self { gateway, paces: HashMap::new(), wished: HashSet::new(), at_once }
    }

    pub(super) async fn run(
        mut self,
        mut news: mpsc::UnboundedReceiver<(UpstreamId, News)>,
        mut wishes: mpsc::UnboundedReceiver<UpstreamId>,
    ) {
        let (over, mut done) = mpsc::unbounded_channel();
        let mut looks = tokio::time::interval(IDLE_LOOK_TIME);
        looks.set_missed_tick_behavior(tokio::time::MissedTickBehavior::Delay);
        loop {
            tokio::select! {
                Some((id, news)) = news.recv() => self.on_news(id, news, &over),
                Some(id) = wishes.recv() => {
                    self.wished.insert(id.clone());
                    let todo = self.pace(&id).wish(Instant::now());
                    self.act(id, todo, &over);
                }
                Some(is_over) = done.recv() => {
                    let (id, todo) = match is_over {
                        Over::Reading(id) => {
                            let todo = self.pace(&id).done(Instant::now());
                            (id, todo)
                        }
                        Over::Pause(id) => {
                            let todo = self.pace(&id).due();
                            (id, todo)
                        }
                    };
                    self.act(id, todo, &over);
                }
                _ = looks.tick() => {
                    let Some(gateway) = self.gateway.upgrade() else { return };
                    for upstream in gateway.upstreams() {
                        tokio::spawn(async move {
                            if upstream.stop_if_idle().await {
                                tracing::info!(upstream = %upstream.settings().id, "an idle upstream is stopped");
                            }
                        });
                    }
                }
                else => return,
            }
        }
    }

    fn on_news(&mut self, id: UpstreamId, news: News, over: &mpsc::UnboundedSender<Over>) {
        match news {
            News::ListChanged => {
                let todo = self.pace(&id).wish(Instant::now());
                self.act(id, todo, over);
            }
            // A reading that has started it reads what there is.
            News::Started if self.pace(&id).is_running() => {}
            News::Started => {
                let todo = self.pace(&id).wish(Instant::now());
                self.act(id, todo, over);
            }
            News::Resource { uri } => {
                if let Some(gateway) = self.gateway.upgrade() {
                    gateway.tell_resource(&id, uri);
                }
            }
            News::Other(told) => {
                tracing::debug!(upstream = %id, method = %told.method, "an upstream tells");
            }
        }
    }

    fn pace(&mut self, id: &UpstreamId) -> &mut Pace {
        self.paces.entry(id.clone()).or_default()
    }

    fn act(&mut self, id: UpstreamId, todo: Todo, over: &mpsc::UnboundedSender<Over>) {
        let over = over.clone();
        match todo {
            Todo::Nothing => {}
            Todo::Wait(pause) => {
                tokio::spawn(async move {
                    tokio::time::sleep(pause).await;
                    // With the keeper gone there is nothing to do.
                    let _ = over.send(Over::Pause(id));
                });
            }
            Todo::Run => {
                let Some(gateway) = self.gateway.upgrade() else { return };
                let at_once = Arc::clone(&self.at_once);
                let is_wished = self.wished.remove(&id) || gateway.offer(&id).is_none();
                tokio::spawn(async move {
                    let Ok(_turn) = at_once.acquire().await else { return };
                    let is_up = gateway.upstream(id.as_str()).is_some_and(|it| it.is_open());
                    if (is_up || is_wished)
                        && let Err(error) = read(&gateway, &id).await
                    {
                        tracing::warn!(upstream = %id, %error, "the lists of an upstream cannot be read");
                        again_later(&gateway, &id, &error, over.clone());
                    }
                    let _ = over.send(Over::Reading(id));
                });
            }
        }
    }
}

/// Reads the lists of an upstream and takes them over.
async fn read(gateway: &Gateway, id: &UpstreamId) -> Result<(), UpstreamError> {
    let Some(upstream) = gateway.upstream(id.as_str()) else { return Ok(()) };
    let link = upstream.link(&Principal::Local).await?;
    let fingerprint = upstream.settings().fingerprint().to_string();
    let known = Known::read(&link.connection, fingerprint).await.map_err(UpstreamError::Call)?;
    let before = gateway.catalog().snapshot();
    let is_other = gateway.install(id, known);
    gateway.keep(id);
    if is_other {
        gateway.tell_changes();
        let detail = compared(id, &before, &gateway.catalog().snapshot());
        let change = audit::Change {
            kind: ChangeKind::Catalog,
            subject: id.to_string(),
            detail: Some(detail),
        };
        let (at, event) = (SystemTime::now(), Event::Change(change));
        gateway.audit().record(Entry { at, principal: Principal::Local, event }).await;
    }
    Ok(())
}

/// Returns what has become of the tools of an upstream.
fn compared(id: &UpstreamId, before: &Snapshot, after: &Snapshot) -> String {
    let id = id.as_str();
    let text =
        |tool: &Arc<oncue_tools::Entry>| tool.definition().raw().map(|raw| raw.get().to_owned());
    let (mut new, mut changed) = (0, 0);
    let tools = after.tools_of(id);
    for tool in tools {
        match before.tool(id, tool.identity().name()) {
            None => new += 1,
            Some(known) if text(known) != text(tool) => changed += 1,
            Some(_) => {}
        }
    }
    let is_gone =
        |tool: &&Arc<oncue_tools::Entry>| after.tool(id, tool.identity().name()).is_none();
    let gone = before.tools_of(id).iter().filter(is_gone).count();
    format!("{} tools: {new} new, {changed} changed, {gone} gone", tools.len())
}

/// An upstream of which nothing is known yet is tried again when it may be.
fn again_later(
    gateway: &Gateway,
    id: &UpstreamId,
    error: &UpstreamError,
    over: mpsc::UnboundedSender<Over>,
) {
    if gateway.offer(id).is_some() {
        return;
    }
    let wait = match error {
        UpstreamError::BackingOff { wait, .. } | UpstreamError::Broken { wait, .. } => *wait,
        UpstreamError::Disabled => return,
        _ => Duration::from_secs(1),
    };
    let id = id.clone();
    tokio::spawn(async move {
        tokio::time::sleep(wait + Duration::from_millis(50)).await;
        let _ = over.send(Over::Pause(id));
    });
}
