//! A disk that fails at any step, and forgets at a loss of power what was not made lasting. For tests of stores.

use std::collections::BTreeMap;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use super::disk::{Disk, Lock, OpenFile, Stamp};

/// A disk in memory. Clones are the same disk.
#[derive(Clone, Default)]
pub(crate) struct FragileDisk(Arc<Mutex<State>>);

type Names = BTreeMap<PathBuf, usize>;

#[derive(Clone, Default)]
struct State {
    contents: Vec<Content>,
    names: Names,
    /// What the names may be after a loss of power: as of the last sync of the folder, and after each change since.
    possible: Vec<Names>,
    step: usize,
    fault: Option<Fault>,
    has_failed: bool,
}

#[derive(Clone, Default)]
struct Content {
    lasting: Vec<u8>,
    now: Vec<u8>,
    changes: u64,
}

#[derive(Clone, Copy)]
enum Fault {
    /// One step fails, and everything after it works.
    Once(usize),
    /// Nothing works from this step on.
    Death(usize),
}

/// How much a loss of power leaves of what was not made lasting.
#[derive(Clone, Copy)]
enum Left {
    Nothing,
    Half,
    Everything,
}

impl FragileDisk {
    /// Makes the `step`th change from now on fail, counted from 0.
    pub(crate) fn fail_at(&self, step: usize) {
        self.set(Fault::Once(step));
    }

    /// Makes each change from the `step`th on fail, as if the process had died.
    pub(crate) fn die_at(&self, step: usize) {
        self.set(Fault::Death(step));
    }

    /// Makes the disk whole again.
    pub(crate) fn mend(&self) {
        let mut state = self.state();
        state.fault = None;
        state.has_failed = false;
    }

    /// Says whether a step has failed since faults were set.
    pub(crate) fn has_failed(&self) -> bool {
        self.state().has_failed
    }

    /// Returns the names of the files.
    pub(crate) fn names(&self) -> Vec<String> {
        self.state().names.keys().map(|path| path.display().to_string()).collect()
    }

    /// Returns the files.
    pub(crate) fn files(&self) -> Vec<(PathBuf, Vec<u8>)> {
        let state = self.state();
        let file = |(path, number): (&PathBuf, &usize)| {
            (path.clone(), state.contents[*number].now.clone())
        };
        state.names.iter().map(file).collect()
    }

    /// Replaces what a file holds, as somebody else would.
    pub(crate) fn overwrite(&self, path: &str, bytes: &[u8]) {
        let mut state = self.state();
        let content = Content { lasting: bytes.to_vec(), now: bytes.to_vec(), changes: 0 };
        state.contents.push(content);
        let number = state.contents.len() - 1;
        state.names.insert(PathBuf::from(path), number);
        state.possible.clear();
    }

    /// Returns the disks that a loss of power may leave.
    pub(crate) fn power_losses(&self) -> Vec<Self> {
        let state = self.state();
        let mut all = Vec::new();
        for names in state.possible.iter().chain([&state.names]) {
            for left in [Left::Nothing, Left::Half, Left::Everything] {
                let contents = state.contents.iter().map(|content| content.after(left)).collect();
                let names = names.clone();
                let after = State { contents, names, ..State::default() };
                all.push(Self(Arc::new(Mutex::new(after))));
            }
        }
        all
    }

    /// Returns what a file may hold after a loss of power.
    pub(crate) fn after_power_loss(&self, path: &Path) -> Vec<io::Result<Vec<u8>>> {
        self.power_losses().iter().map(|disk| disk.read(path)).collect()
    }

    fn set(&self, fault: Fault) {
        let mut state = self.state();
        state.step = 0;
        state.has_failed = false;
        state.fault = Some(fault);
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn open(&self, path: &Path) -> Box<dyn OpenFile> {
        let number = self.state().names[path];
        Box::new(FragileFile { disk: self.clone(), number })
    }
}

impl Content {
    fn after(&self, left: Left) -> Self {
        let (from, to) = (self.lasting.len(), self.now.len());
        let bytes = match left {
            Left::Nothing => self.lasting.clone(),
            Left::Half if to > from => self.now[..from + (to - from) / 2].to_vec(),
            Left::Half | Left::Everything => self.now.clone(),
        };
        Self { lasting: bytes.clone(), now: bytes, changes: 0 }
    }
}

impl State {
    fn step(&mut self) -> io::Result<()> {
        let step = self.step;
        self.step += 1;
        let fails = match self.fault {
            None => false,
            Some(Fault::Once(at)) => step == at,
            Some(Fault::Death(at)) => step >= at,
        };
        self.has_failed |= fails;
        match fails {
            true => Err(io::Error::new(io::ErrorKind::StorageFull, "the disk is full")),
            false => Ok(()),
        }
    }

    fn number(&self, path: &Path) -> io::Result<usize> {
        self.names.get(path).copied().ok_or_else(|| io::ErrorKind::NotFound.into())
    }

    fn rename_with(&mut self, change: impl FnOnce(&mut Names)) {
        let before = self.names.clone();
        change(&mut self.names);
        self.possible.push(before);
    }
}

impl Disk for FragileDisk {
    fn read(&self, path: &Path) -> io::Result<Vec<u8>> {
        let state = self.state();
        Ok(state.contents[state.number(path)?].now.clone())
    }

    fn read_end(&self, path: &Path, bytes: u64) -> io::Result<(Vec<u8>, u64)> {
        let all = self.read(path)?;
        let from = all.len().saturating_sub(usize::try_from(bytes).expect("small"));
        Ok((all[from..].to_vec(), all.len() as u64))
    }

    fn stamp(&self, path: &Path) -> io::Result<Option<Stamp>> {
        let state = self.state();
        let Some(&number) = state.names.get(path) else { return Ok(None) };
        let content = &state.contents[number];
        let change = (number as u64) << 32 | content.changes;
        Ok(Some(Stamp::numbered(content.now.len() as u64, change)))
    }

    fn create(&self, path: &Path, _: u32) -> io::Result<Box<dyn OpenFile>> {
        let mut state = self.state();
        state.step()?;
        if state.names.contains_key(path) {
            return Err(io::ErrorKind::AlreadyExists.into());
        }
        state.contents.push(Content::default());
        let number = state.contents.len() - 1;
        state.rename_with(|names| {
            names.insert(path.to_owned(), number);
        });
        drop(state);
        Ok(self.open(path))
    }

    fn append(&self, path: &Path, mode: u32) -> io::Result<Box<dyn OpenFile>> {
        let is_there = self.state().names.contains_key(path);
        if is_there { Ok(self.open(path)) } else { self.create(path, mode) }
    }

    fn truncate(&self, path: &Path, bytes: u64) -> io::Result<()> {
        let mut state = self.state();
        let number = state.number(path)?;
        state.step()?;
        let content = &mut state.contents[number];
        content.now.truncate(usize::try_from(bytes).expect("small"));
        content.changes += 1;
        state.step()?;
        let content = &mut state.contents[number];
        content.lasting = content.now.clone();
        Ok(())
    }

    fn rename(&self, from: &Path, to: &Path) -> io::Result<()> {
        let mut state = self.state();
        state.step()?;
        let number = state.number(from)?;
        state.rename_with(|names| {
            names.remove(from);
            names.insert(to.to_owned(), number);
        });
        Ok(())
    }

    fn remove(&self, path: &Path) -> io::Result<()> {
        let mut state = self.state();
        state.step()?;
        state.number(path)?;
        state.rename_with(|names| {
            names.remove(path);
        });
        Ok(())
    }

    fn sync_folder(&self, _: &Path) -> io::Result<()> {
        let mut state = self.state();
        state.step()?;
        state.possible.clear();
        Ok(())
    }

    fn lock(&self, _: &Path) -> io::Result<Lock> {
        Ok(Lock::none())
    }
}

struct FragileFile {
    disk: FragileDisk,
    number: usize,
}

impl OpenFile for FragileFile {
    fn write_all(&mut self, bytes: &[u8]) -> io::Result<()> {
        let mut state = self.disk.state();
        // A write that fails may have written a part.
        let (head, tail) = bytes.split_at(bytes.len() / 2);
        for part in [head, tail] {
            state.step()?;
            let content = &mut state.contents[self.number];
            content.now.extend_from_slice(part);
            content.changes += 1;
        }
        Ok(())
    }

    fn sync(&mut self) -> io::Result<()> {
        let mut state = self.disk.state();
        state.step()?;
        let content = &mut state.contents[self.number];
        content.lasting = content.now.clone();
        Ok(())
    }
}
