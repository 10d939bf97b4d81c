//! A model that remembers what it has answered.
//!
//! With no freedom in its choice of words a model gives the same answer to the same request, so rungs that show a model the same thing share its answers, and a measurement that was broken off goes on where it stood.

use std::collections::HashMap;
use std::fs::{File, OpenOptions};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::io::{self, BufRead, BufReader, Write};
use std::path::Path;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use oncue_agent::{Choice, Disclosure, Listen, Model, ModelError, Reply, Request};
use oncue_tools::{BoxFuture, Entry};
use serde::{Deserialize, Serialize};

/// A model that answers a request it has had before from memory; the memory is a file, one for each model.
pub struct Memory {
    model: Arc<dyn Model>,
    state: Mutex<State>,
}

struct State {
    known: HashMap<u64, Reply>,
    file: File,
}

#[derive(Serialize, Deserialize)]
struct Remembered {
    request: u64,
    reply: Reply,
}

/// Why a memory cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum MemoryError {
    /// The file cannot be read or written.
    #[error("failed to use the memory of the model")]
    Io(#[from] io::Error),
}

impl Memory {
    /// The model with the memory in a file, which need not exist yet. A line that was written in part is left out.
    ///
    /// # Errors
    ///
    /// The file cannot be read or written.
    pub fn open(model: Arc<dyn Model>, path: &Path) -> Result<Self, MemoryError> {
        let mut file = OpenOptions::new().read(true).append(true).create(true).open(path)?;
        let mut known = HashMap::new();
        for line in BufReader::new(&file).lines() {
            if let Ok(Remembered { request, reply }) = serde_json::from_str(&line?) {
                known.insert(request, reply);
            }
        }
        // Whatever was broken off stays on a line of its own.
        writeln!(file)?;
        Ok(Self { model, state: Mutex::new(State { known, file }) })
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn recall(&self, key: u64) -> Option<Reply> {
        self.lock().known.get(&key).cloned()
    }

    fn remember(&self, request: u64, reply: &Reply) {
        let mut state = self.lock();
        if let Ok(mut line) = serde_json::to_string(&Remembered { request, reply: reply.clone() }) {
            line.push('\n');
            // A memory that cannot be written costs time and nothing else.
            let _ = state.file.write_all(line.as_bytes());
        }
        state.known.insert(request, reply.clone());
    }
}

impl Model for Memory {
    fn name(&self) -> &str {
        self.model.name()
    }

    fn disclosure(&self) -> Disclosure {
        self.model.disclosure()
    }

    fn can_narrow(&self) -> bool {
        self.model.can_narrow()
    }

    fn reply<'a>(
        &'a self,
        request: &'a Request<'a>,
        listener: Option<&'a dyn Listen>,
    ) -> BoxFuture<'a, Result<Reply, ModelError>> {
        Box::pin(async move {
            let key = key(request);
            if let Some(reply) = self.recall(key) {
                return Ok(reply);
            }
            let reply = self.model.reply(request, listener).await?;
            self.remember(key, &reply);
            Ok(reply)
        })
    }
}

/// Returns a hash of everything that a model sees of a request; what the model is called tells nothing, since an address in it may change from run to run.
fn key(request: &Request<'_>) -> u64 {
    let mut hasher = DefaultHasher::new();
    let items = serde_json::to_string(request.items).unwrap_or_default();
    (request.system, items).hash(&mut hasher);
    let tools = request.tools;
    for entry in tools.inline.iter().chain(&tools.found) {
        tool(entry, &tools.description(entry)).hash(&mut hasher);
    }
    match &request.choice {
        Choice::Free => 0.hash(&mut hasher),
        Choice::Nothing => 1.hash(&mut hasher),
        Choice::Among(names) => names.hash(&mut hasher),
    }
    (request.output_tokens_max, request.temperature.map(f32::to_bits)).hash(&mut hasher);
    hasher.finish()
}

fn tool<'e>(entry: &'e Arc<Entry>, description: &'e str) -> (&'e str, &'e str, Option<&'e str>) {
    let parameters = entry.definition().parameters().map(|schema| schema.get());
    (entry.exposed(), description, parameters)
}
