//! What upstreams offer, on its way into the catalog and onto the disk.

use std::collections::HashMap;
use std::sync::{Arc, MutexGuard, PoisonError};
use std::time::Duration;

use oncue_tools::Snapshot;
use tokio::task::JoinSet;

use super::{Gateway, Offer};
use crate::catalog::{self, Known};
use crate::config::{self, UpstreamId};
use crate::limits::CATALOG_AGE_MAX;
use crate::serve::wording;
use crate::upstream::Upstream;

impl Gateway {
    /// Takes what an upstream offers into the catalog, and says whether that is something else than before.
    ///
    /// What was read of an upstream that the settings have changed meanwhile is dropped.
    pub(in crate::serve) fn install(&self, id: &UpstreamId, known: Known) -> bool {
        let _installing = self.inner.installing.lock().unwrap_or_else(PoisonError::into_inner);
        let Some(upstream) = self.upstream(id.as_str()) else { return false };
        if known.fingerprint != upstream.settings().fingerprint().as_str() {
            return false;
        }
        let here = self.offer(id);
        if let (Some(why), Some(here)) = (&known.incomplete, &here)
            && here.known.incomplete.is_none()
            && here.known.fingerprint == known.fingerprint
        {
            let told =
                format!("its list of tools is incomplete, and what was known is kept: {why}");
            tracing::warn!(upstream = %id, "{told}");
            self.note(id, here, told);
            return false;
        }
        let is_same = here.is_some_and(|offer| offer.known.says_the_same(&known));
        let behind = self.behind(&upstream);
        for (other, _) in &behind {
            self.inner.catalog.remove_source(other.settings().id.as_str());
        }
        self.put(&upstream, known);
        for (other, known) in behind {
            self.put(&other, known);
        }
        !is_same
    }

    /// Returns the upstreams whose names give way to those of this one: of two tools without a namespace and of one name that of the earlier upstream in the settings has it, whichever was started first.
    fn behind(&self, upstream: &Upstream) -> Vec<(Arc<Upstream>, Known)> {
        let settings = self.settings();
        let id = &upstream.settings().id;
        let place = settings.upstreams.iter().position(|it| it.id == *id);
        let (Some(place), false) = (place, upstream.settings().is_namespaced) else {
            return Vec::new();
        };
        let behind = settings.upstreams.iter().skip(place + 1).filter(|it| !it.is_namespaced);
        let with_texts = |it: &config::Upstream| {
            let (other, offer) = (self.upstream(it.id.as_str())?, self.offer(&it.id)?);
            let is_its_own = offer.known.fingerprint == other.settings().fingerprint().as_str();
            let known = is_its_own.then(|| self.whole(&it.id, &offer))?;
            if known.is_none() {
                self.wish(&it.id);
            }
            Some((other, known?))
        };
        behind.filter_map(with_texts).collect()
    }

    /// Returns what is known with the texts of its tools, which may be on the disk alone.
    fn whole(&self, id: &UpstreamId, offer: &Offer) -> Option<Known> {
        match offer.known.forgotten {
            None => Some(offer.known.clone()),
            Some(_) => self.inner.store.as_ref()?.load(id, &offer.known.fingerprint),
        }
    }

    /// Has the lists of an upstream read.
    fn wish(&self, id: &UpstreamId) {
        // The keeper lives as long as the gateway.
        let _ = self.inner.keeper.send(id.clone());
    }

    /// Notes beside what is known of an upstream what is wrong with what was read last.
    fn note(&self, id: &UpstreamId, here: &Offer, told: String) {
        let mut set_aside: Vec<String> = here.set_aside.clone();
        set_aside.retain(|known| *known != told);
        set_aside.push(told);
        let offer = Arc::new(Offer { known: here.known.clone(), set_aside });
        self.known_mut(|all| all.insert(id.clone(), offer));
    }

    fn put(&self, upstream: &Arc<Upstream>, known: Known) {
        let id = &upstream.settings().id;
        upstream.expect(known.era);
        let mut outside = catalog::tools(upstream, &known, wording::RESERVED);
        upstream.mirror(std::mem::take(&mut outside.mirrors));
        match &known.incomplete {
            Some(why) => {
                outside.set_aside.push(format!("its list of tools is incomplete: {why}"));
            }
            // Of a list that is not whole nobody knows what it lacks.
            None => self.warn_of_unknown(id, &mut outside),
        }
        let before = self.inner.catalog.snapshot();
        match self.inner.catalog.replace_healthy(id.as_str(), outside.tools) {
            Ok(set_aside) => outside
                .set_aside
                .extend(set_aside.iter().map(|aside| format!("{}: {}", aside.tool, aside.why))),
            Err(error) => outside.set_aside.push(error.to_string()),
        }
        self.has_changed(id, &before);
        let offer = Arc::new(Offer { known, set_aside: outside.set_aside });
        self.known_mut(|all| all.insert(id.clone(), offer));
    }

    /// Tells, and notes for the status, that settings name tools that the upstream does not list.
    fn warn_of_unknown(&self, id: &UpstreamId, outside: &mut catalog::Outside) {
        let here = self.offer(id);
        let known = here.as_ref().map_or(&[][..], |offer| &offer.set_aside);
        for told in std::mem::take(&mut outside.unknown) {
            // Lists are read again and again.
            if !known.contains(&told) {
                tracing::warn!(upstream = %id, "{told}");
            }
            outside.set_aside.push(told);
        }
    }

    /// Takes an upstream out of the catalog, and forgets what is known of it.
    pub(super) fn take_out(&self, id: &UpstreamId) {
        let before = self.inner.catalog.snapshot();
        self.inner.catalog.remove_source(id.as_str());
        self.has_changed(id, &before);
        self.known_mut(|known| known.remove(id));
    }

    /// Tells that the tools of an upstream are others than before.
    fn has_changed(&self, id: &UpstreamId, before: &Snapshot) {
        self.inner.gone.compare(id.as_str(), before, &self.inner.catalog.snapshot());
        self.inner.changed.send_replace(());
    }

    /// Keeps what is known of an upstream for the next start.
    pub(in crate::serve) fn keep(&self, id: &UpstreamId) {
        let (Some(store), Some(offer)) = (self.inner.store.clone(), self.offer(id)) else { return };
        // What is without its texts is on the disk already.
        if offer.known.forgotten.is_some() {
            return;
        }
        let (gateway, id) = (self.clone(), id.clone());
        let mut keeping = self.keeping();
        while keeping.try_join_next().is_some() {}
        keeping.spawn_blocking(move || {
            // Of two that are written at once the later one must stay.
            let _writing = gateway.inner.writing.lock().unwrap_or_else(PoisonError::into_inner);
            if !gateway.offer(&id).is_some_and(|held| Arc::ptr_eq(&held, &offer)) {
                return;
            }
            match store.keep(&id, &offer.known) {
                Ok(()) => gateway.forget_texts(&id, &offer),
                Err(error) => tracing::warn!(%error, why = %error.why, "what is known is not kept"),
            }
        });
    }

    /// Forgets texts that are on the disk, unless something else is known by now.
    fn forget_texts(&self, id: &UpstreamId, offer: &Arc<Offer>) {
        let known = offer.known.without_texts();
        let short = Arc::new(Offer { known, set_aside: offer.set_aside.clone() });
        self.known_mut(|all| {
            if let Some(held) = all.get_mut(id).filter(|held| Arc::ptr_eq(held, offer)) {
                *held = short;
            }
        });
    }

    pub(super) fn keeping(&self) -> MutexGuard<'_, JoinSet<()>> {
        self.inner.keeping.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Begins with an upstream: what is known of it is served at once, and read anew where that is needed.
    pub(super) fn take_up(&self, id: &UpstreamId) {
        let Some(upstream) = self.upstream(id.as_str()) else { return };
        if !upstream.settings().is_enabled {
            self.take_out(id);
            return;
        }
        let fingerprint = upstream.settings().fingerprint();
        let here = self.offer(id).map(|offer| offer.known.clone());
        let here = here
            .filter(|known| known.fingerprint == fingerprint.as_str() && known.forgotten.is_none());
        let is_on_disk = here.is_none();
        let kept = here.or_else(|| self.inner.store.as_ref()?.load(id, fingerprint.as_str()));
        let is_fresh = kept.as_ref().is_some_and(|known| {
            let age = catalog::now_ms().saturating_sub(known.read_ms);
            Duration::from_millis(age) < CATALOG_AGE_MAX
        });
        match kept {
            Some(known) => {
                self.install(id, known);
                if let Some(offer) = self.offer(id).filter(|_| is_on_disk) {
                    self.forget_texts(id, &offer);
                }
            }
            None => self.take_out(id),
        }
        if !is_fresh {
            self.wish(id);
        }
    }

    pub(super) fn known_mut<T>(
        &self,
        change: impl FnOnce(&mut HashMap<UpstreamId, Arc<Offer>>) -> T,
    ) -> T {
        change(&mut self.inner.known.write().unwrap_or_else(PoisonError::into_inner))
    }
}
