//! The door.

use std::fmt;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::SystemTime;

use axum::http::request::Parts;
use oncue_mcp::server::{Admit, Refusal};
use oncue_tools::{Grants, Principal};

use super::bearer::{check_address, presented};
use super::grants::Cache;
use super::refusal::{Why, refusal};
use super::{Policy, Tokens, TokensError};
use crate::config::Settings;
use crate::telemetry::Door;

/// Who comes in over HTTP, and what they may do. Lives as long as the gateway; clones are the same door.
#[derive(Clone)]
pub struct Access {
    inner: Arc<Inner>,
    metadata: Option<Arc<str>>,
}

struct Inner {
    policy: Policy,
    tokens: Tokens,
    grants: Cache,
    refused: Counts,
    /// The same, told to the outside.
    told_outside: Door,
    /// There were tokens once, or may have been: the door is never open to all again, whatever becomes of them.
    is_closed: AtomicBool,
    /// Somebody writes down when tokens were used.
    is_writing: AtomicBool,
    /// What was last told about tokens that cannot be read.
    told: Mutex<Option<String>>,
}

/// How many requests were refused since the start.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Refused {
    /// They were malformed.
    pub malformed: u64,
    /// They had no token.
    pub missing: u64,
    /// Their token was not valid.
    pub invalid: u64,
    /// The tokens could not be read.
    pub unavailable: u64,
}

#[derive(Default)]
struct Counts {
    malformed: AtomicU64,
    missing: AtomicU64,
    invalid: AtomicU64,
    unavailable: AtomicU64,
}

impl Access {
    /// A door that lets in whom `policy` says.
    #[must_use]
    pub fn new(policy: Policy, tokens: Tokens) -> Self {
        let inner = Inner {
            policy,
            tokens,
            grants: Cache::default(),
            refused: Counts::default(),
            told_outside: Door::new(),
            is_closed: AtomicBool::new(policy == Policy::Tokens),
            is_writing: AtomicBool::new(false),
            told: Mutex::default(),
        };
        Self { inner: Arc::new(inner), metadata: None }
    }

    /// Returns the door with challenges that name where the metadata of the resource is (RFC 9728).
    #[must_use]
    pub fn with_resource_metadata(self, url: &str) -> Self {
        Self { metadata: Some(url.into()), ..self }
    }

    /// Returns who makes a request.
    ///
    /// # Errors
    ///
    /// Nobody may make it so: it is malformed, has no token, or one that is not valid, or the tokens cannot be read.
    pub fn authorize(&self, head: &Parts) -> Result<Principal, Refusal> {
        self.authorize_at(head, SystemTime::now())
    }

    fn authorize_at(&self, head: &Parts, now: SystemTime) -> Result<Principal, Refusal> {
        self.decide(head, now).map_err(|why| {
            self.inner.refused.count(why);
            self.inner.told_outside.count(why);
            refusal(why, self.metadata.as_deref())
        })
    }

    fn decide(&self, head: &Parts, now: SystemTime) -> Result<Principal, Why> {
        check_address(head).map_err(Why::Malformed)?;
        let tokens = &self.inner.tokens;
        let is_open = !self.inner.is_closed.load(Ordering::Acquire) && {
            let are_there = tokens.are_there();
            let is_open = matches!(are_there, Ok(false));
            if !is_open {
                self.inner.is_closed.store(true, Ordering::Release);
            }
            are_there.map_err(|error| self.tell(&error))?;
            is_open
        };
        if is_open {
            return Ok(Principal::Local);
        }
        let text = presented(head).map_err(Why::Malformed)?.ok_or(Why::Missing)?;
        let found = tokens.find(text, now).map_err(|error| self.tell(&error))?;
        let principal = found.ok_or(Why::Invalid)?;
        self.write_uses();
        Ok(principal)
    }

    /// Returns what a principal may do under these settings.
    ///
    /// The local one may do everything.
    /// The holder of a token may do what the first `[[grant]]` row that names it says, within the scope of the token, and nothing where no row does.
    #[must_use]
    pub fn grants(&self, principal: &Principal, settings: &Arc<Settings>) -> Arc<Grants> {
        self.inner.grants.grants(principal, settings)
    }

    /// Returns how many requests were refused.
    #[must_use]
    pub fn refused(&self) -> Refused {
        let counts = &self.inner.refused;
        let of = |count: &AtomicU64| count.load(Ordering::Relaxed);
        Refused {
            malformed: of(&counts.malformed),
            missing: of(&counts.missing),
            invalid: of(&counts.invalid),
            unavailable: of(&counts.unavailable),
        }
    }

    /// Tells the operator, once, why nobody is let in.
    fn tell(&self, error: &TokensError) -> Why {
        let cause = std::error::Error::source(error).map(ToString::to_string);
        let hint = error.hint().unwrap_or_default();
        let text =
            format!("{error}{}; {hint}", cause.map(|it| format!(": {it}")).unwrap_or_default());
        let mut told = self.inner.told.lock().unwrap_or_else(PoisonError::into_inner);
        if told.as_deref() != Some(&text) {
            tracing::error!("nobody is let in: {text}");
            *told = Some(text);
        }
        Why::Unavailable
    }

    /// Writes down uses of tokens beside the request, which does not wait for it.
    fn write_uses(&self) {
        let inner = &self.inner;
        if !inner.tokens.has_uses_to_write() || inner.is_writing.swap(true, Ordering::AcqRel) {
            return;
        }
        let inner = Arc::clone(inner);
        let write = move || {
            if let Err(error) = inner.tokens.write_uses() {
                tracing::warn!("cannot note when tokens were last used: {error}");
            }
            inner.is_writing.store(false, Ordering::Release);
        };
        match tokio::runtime::Handle::try_current() {
            Ok(runtime) => drop(runtime.spawn_blocking(write)),
            Err(_) => write(),
        }
    }
}

impl Admit for Access {
    fn admit(&self, head: &Parts) -> Result<Principal, Refusal> {
        self.authorize(head)
    }
}

impl Counts {
    fn count(&self, why: Why) {
        let count = match why {
            Why::Malformed(_) => &self.malformed,
            Why::Missing => &self.missing,
            Why::Invalid => &self.invalid,
            Why::Unavailable => &self.unavailable,
        };
        count.fetch_add(1, Ordering::Relaxed);
    }
}

impl Door {
    fn count(&self, why: Why) {
        let count = match why {
            Why::Malformed(_) => &self.malformed,
            Why::Missing => &self.missing,
            Why::Invalid => &self.invalid,
            Why::Unavailable => &self.unavailable,
        };
        count.increment(1);
    }
}

impl fmt::Debug for Access {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Access").field("policy", &self.inner.policy).finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests;
