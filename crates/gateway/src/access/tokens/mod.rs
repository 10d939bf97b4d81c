//! The tokens on disk.
//!
//! One file, replaced as a whole; whoever changes it holds a lock that other processes respect, so that `oncue token` and running gateways do not lose each other's changes.
//! Readers need no lock: they see the file before a change or after it, and look on each request whether it has changed.

mod error;
mod held;

use std::collections::HashMap;
use std::io;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, SystemTime};

use oncue_decl::Scope;
use oncue_tools::{Principal, PrincipalName};
use secrecy::SecretString;

pub use error::TokensError;

use self::held::{Held, Row};
use super::file::{Unread, decode, encode, whole_seconds};
use super::token::{Token, TokenState, fresh, fresh_id, hash_of};
use crate::limits::{PRINCIPAL_CHARS_MAX, TOKEN_USE_STEP, TOKENS_MAX};
use crate::state::{Disk, StateDir, SystemDisk, replace};

/// The name of the file in the folder of the state.
const FILE: &str = "tokens.json";
/// The name of the file whose lock belongs to whoever changes it.
const LOCK: &str = "tokens.lock";
/// For its owner alone.
const MODE: u32 = 0o600;

/// The tokens of a gateway. Lives as long as the process; clones are the same tokens.
///
/// ```
/// use std::time::SystemTime;
///
/// use oncue_decl::Scope;
/// use oncue_gateway::access::Tokens;
/// use oncue_gateway::state::StateDir;
/// use oncue_tools::PrincipalName;
/// use secrecy::ExposeSecret;
///
/// # let folder = tempfile::tempdir()?;
/// let tokens = Tokens::new(&StateDir::at(folder.path()));
/// let ci = PrincipalName::parse("ci").ok_or("blank")?;
/// let created = tokens.create(ci, Scope::Read, None, SystemTime::now())?;
/// assert!(created.text.expose_secret().starts_with("oncue_"));
/// tokens.revoke(&created.token.id, SystemTime::now())?;
/// assert!(tokens.list()?[0].revoked.is_some());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone)]
pub struct Tokens {
    inner: Arc<Inner>,
}

struct Inner {
    disk: Box<dyn Disk>,
    path: PathBuf,
    lock: PathBuf,
    held: Held,
    uses: Mutex<Uses>,
}

/// When tokens were used.
#[derive(Default)]
struct Uses {
    /// The last hour in which each was, by its id.
    noted: HashMap<String, SystemTime>,
    /// Something was noted since it was last tried to write them down.
    is_due: bool,
}

/// A new token.
#[derive(Debug)]
pub struct Created {
    /// What is kept of it.
    pub token: Token,
    /// The token itself. Nobody can show it again.
    pub text: SecretString,
}

/// What became of a revocation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Revoked {
    /// The token.
    pub token: Token,
    /// It was revoked before.
    pub was_already: bool,
}

impl Tokens {
    /// The tokens kept in this folder. Nothing is read yet.
    #[must_use]
    pub fn new(state: &StateDir) -> Self {
        Self::on(SystemDisk, state)
    }

    pub(super) fn on(disk: impl Disk, state: &StateDir) -> Self {
        let (path, lock) = (state.file(FILE), state.file(LOCK));
        let held = Held::default();
        let inner = Inner { disk: Box::new(disk), path, lock, held, uses: Mutex::default() };
        Self { inner: Arc::new(inner) }
    }

    /// Makes a token. It is on the disk when this returns.
    ///
    /// # Errors
    ///
    /// The name is too long, the expiry is past, there are too many tokens, or the file cannot be read or written.
    pub fn create(
        &self,
        principal: PrincipalName,
        scope: Scope,
        expires: Option<SystemTime>,
        now: SystemTime,
    ) -> Result<Created, TokensError> {
        if principal.as_str().chars().count() > PRINCIPAL_CHARS_MAX {
            return Err(TokensError::Name);
        }
        if expires.is_some_and(|expires| whole_seconds(expires) <= now) {
            return Err(TokensError::Past);
        }
        self.change(|tokens| {
            if tokens.len() >= TOKENS_MAX {
                return Err(TokensError::Full);
            }
            let made = fresh()?;
            let mut id = fresh_id()?;
            while tokens.iter().any(|token| token.id == id) {
                id = fresh_id()?;
            }
            let token = Token {
                id,
                principal,
                scope,
                prefix: made.prefix,
                created: whole_seconds(now),
                expires: expires.map(whole_seconds),
                revoked: None,
                last_used: None,
                hash: made.hash,
            };
            tokens.push(token.clone());
            Ok((true, Created { token, text: made.text }))
        })
    }

    /// Returns all tokens, those too that let nobody in any more, in the order in which they were made.
    ///
    /// # Errors
    ///
    /// The file cannot be read.
    pub fn list(&self) -> Result<Vec<Token>, TokensError> {
        self.read()
    }

    /// Makes a token let nobody in from now on, in every running gateway. It stays listed.
    ///
    /// # Errors
    ///
    /// There is no such token, or the file cannot be read or written.
    pub fn revoke(&self, id: &str, now: SystemTime) -> Result<Revoked, TokensError> {
        self.change(|tokens| {
            let token = tokens.iter_mut().find(|token| token.id == id);
            let Some(token) = token else {
                return Err(TokensError::Unknown { id: id.to_owned() });
            };
            let was_already = token.revoked.is_some();
            token.revoked.get_or_insert(whole_seconds(now));
            Ok((!was_already, Revoked { token: token.clone(), was_already }))
        })
    }

    /// Says whether any token was ever made, valid or not: from then on requests need one.
    ///
    /// # Errors
    ///
    /// The file cannot be read. Then there may have been some.
    pub fn are_there(&self) -> Result<bool, TokensError> {
        Ok(!self.current()?.is_empty())
    }

    /// Returns whom the text lets in at this time.
    ///
    /// Every token is compared with it, whichever fits, and each to the end; what is unknown, expired or revoked is one answer.
    ///
    /// # Errors
    ///
    /// The file cannot be read.
    pub(super) fn find(
        &self,
        text: &str,
        now: SystemTime,
    ) -> Result<Option<Principal>, TokensError> {
        let rows = self.current()?;
        let hash = hash_of(text);
        let mut found: Option<&Row> = None;
        for row in rows.iter() {
            if row.token.hash == hash {
                found = Some(row);
            }
        }
        let valid = found.filter(|row| row.token.state(now) == TokenState::Valid);
        if let Some(row) = valid {
            self.note_use(&row.token, now);
        }
        Ok(valid.map(|row| row.principal.clone()))
    }

    /// Says whether uses were noted that the file does not tell yet.
    pub(super) fn has_uses_to_write(&self) -> bool {
        self.uses().is_due
    }

    /// Writes the noted uses to the file.
    ///
    /// # Errors
    ///
    /// The file cannot be read or written; it is tried again when a token is used in another hour.
    pub(super) fn write_uses(&self) -> Result<(), TokensError> {
        let noted = {
            let mut uses = self.uses();
            uses.is_due = false;
            uses.noted.clone()
        };
        self.change(|tokens| {
            let mut has_changed = false;
            for token in tokens {
                let at = noted.get(&token.id).copied();
                if at.is_some() && at > token.last_used {
                    token.last_used = at;
                    has_changed = true;
                }
            }
            Ok((has_changed, ()))
        })
    }

    fn note_use(&self, token: &Token, now: SystemTime) {
        let step = TOKEN_USE_STEP.as_secs();
        let seconds = now.duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default().as_secs();
        let since = Duration::from_secs(seconds / step * step);
        let coarse = SystemTime::UNIX_EPOCH + since;
        if token.last_used.is_none_or(|last| last < coarse) {
            let mut uses = self.uses();
            if uses.noted.get(&token.id) != Some(&coarse) {
                uses.noted.insert(token.id.clone(), coarse);
                uses.is_due = true;
            }
        }
    }

    /// Changes the tokens while nobody else can.
    fn change<T>(
        &self,
        change: impl FnOnce(&mut Vec<Token>) -> Result<(bool, T), TokensError>,
    ) -> Result<T, TokensError> {
        let inner = &*self.inner;
        let locked = inner.disk.lock(&inner.lock);
        let _locked = locked.map_err(|error| TokensError::write(&inner.lock, error))?;
        let mut tokens = self.read()?;
        let (has_changed, answer) = change(&mut tokens)?;
        if has_changed {
            let bytes = encode(&tokens).map_err(io::Error::from);
            let written = bytes.and_then(|bytes| replace(&*inner.disk, &inner.path, &bytes, MODE));
            written.map_err(|error| TokensError::write(&inner.path, error))?;
        }
        Ok(answer)
    }

    /// Returns what the file says now; no file is no tokens.
    fn read(&self) -> Result<Vec<Token>, TokensError> {
        let inner = &*self.inner;
        let bytes = match inner.disk.read(&inner.path) {
            Ok(bytes) => bytes,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
            Err(error) => return Err(TokensError::read(&inner.path, error)),
        };
        decode(&bytes).map_err(|unread| match unread {
            Unread::Newer(format) => TokensError::Newer { file: inner.shown(), format },
            Unread::Damaged(why) => TokensError::Damaged { file: inner.shown(), why },
        })
    }

    /// Returns the tokens as the file says, which is read only where it has changed.
    fn current(&self) -> Result<Arc<[Row]>, TokensError> {
        let inner = &*self.inner;
        // Before it is read: whoever changes it in between is seen the next time.
        let stamp = inner.disk.stamp(&inner.path);
        let stamp = stamp.map_err(|error| TokensError::read(&inner.path, error))?;
        if let Some(rows) = inner.held.at(stamp) {
            return Ok(rows);
        }
        Ok(inner.held.hold(stamp, self.read()?))
    }

    fn uses(&self) -> MutexGuard<'_, Uses> {
        self.inner.uses.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Inner {
    fn shown(&self) -> String {
        self.path.display().to_string()
    }
}

impl std::fmt::Debug for Tokens {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Tokens").field("path", &self.inner.path).finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests;
