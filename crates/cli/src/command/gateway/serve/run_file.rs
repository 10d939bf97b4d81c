//! What a running gateway tells those who ask how it is: a file in its folder, for as long as it runs.

use std::convert::Infallible;
use std::fs;
use std::net::SocketAddr;
use std::path::PathBuf;
use std::process;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use oncue_gateway::serve::{ListTokens, UpstreamStatus};
use oncue_gateway::state::write_atomically;
use oncue_gateway::upstream::Phase;
use serde::{Deserialize, Serialize};

use super::House;

/// The folder of these files.
pub(in crate::command::gateway) const FOLDER: &str = "run";

/// Time between two tellings.
const TELL: Duration = Duration::from_secs(1);

/// A gateway that runs, as it tells of itself.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(in crate::command::gateway) struct Running {
    /// Its process.
    pub(in crate::command::gateway) pid: u32,
    /// When it began, in seconds since 1970.
    pub(in crate::command::gateway) since: u64,
    /// Where it serves; absent over standard input and output.
    pub(in crate::command::gateway) http: Option<SocketAddr>,
    /// About what its lists of tools cost; absent where a gateway of another version tells nothing of it.
    #[serde(default)]
    pub(in crate::command::gateway) tokens: Option<Tokens>,
    /// Its upstreams.
    pub(in crate::command::gateway) upstreams: Vec<Told>,
}

/// About how many tokens lists of tools cost a model; a token is taken for four bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(in crate::command::gateway) struct Tokens {
    /// The list of all tools.
    pub(in crate::command::gateway) whole: usize,
    /// The list that the mode shows a client of which nothing is known.
    pub(in crate::command::gateway) shown: usize,
    /// How many fewer that are.
    pub(in crate::command::gateway) saved: usize,
}

impl From<ListTokens> for Tokens {
    fn from(ListTokens { whole, shown }: ListTokens) -> Self {
        Self { whole, shown, saved: whole.saturating_sub(shown) }
    }
}

/// One upstream, as its gateway tells of it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(in crate::command::gateway) struct Told {
    /// Which.
    pub(in crate::command::gateway) id: String,
    /// What it is doing.
    pub(in crate::command::gateway) state: String,
    /// How many of its tools can be used.
    pub(in crate::command::gateway) tools: usize,
    /// How many cannot.
    pub(in crate::command::gateway) set_aside: usize,
    /// Calls that were made of it.
    pub(in crate::command::gateway) calls: u64,
    /// Those that gave no result.
    pub(in crate::command::gateway) failed: u64,
    /// When its lists were read, in milliseconds since 1970.
    pub(in crate::command::gateway) read_ms: Option<u64>,
    /// What went wrong last.
    pub(in crate::command::gateway) last_error: Option<String>,
}

/// Keeps the file true until it is dropped, and takes it away then.
pub(super) async fn keep(house: &House, http: Option<SocketAddr>) -> Infallible {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default().as_secs();
    let file = RunFile(house.state.path().join(FOLDER).join(format!("{}.json", process::id())));
    let mut before = None;
    loop {
        let upstreams = house.gateway.status().into_iter().map(told).collect();
        let gateway = house.gateway.clone();
        // A catalog that has changed is added up, which may take a while.
        let tokens = tokio::task::spawn_blocking(move || gateway.list_tokens()).await;
        let tokens = tokens.ok().map(Tokens::from);
        let running = Running { pid: process::id(), since, http, tokens, upstreams };
        if before.as_ref() != Some(&running) {
            file.write(&running);
            before = Some(running);
        }
        tokio::time::sleep(TELL).await;
    }
}

struct RunFile(PathBuf);

impl RunFile {
    fn write(&self, running: &Running) {
        let written = || {
            let folder = self.0.parent().unwrap_or(&self.0);
            fs::create_dir_all(folder)?;
            write_atomically(&self.0, &serde_json::to_vec(running)?, 0o600)
        };
        if let Err(error) = written() {
            tracing::debug!(%error, "how the gateway is cannot be told");
        }
    }
}

impl Drop for RunFile {
    fn drop(&mut self) {
        // Whoever reads it later sees that the process is gone.
        let _ = fs::remove_file(&self.0);
    }
}

fn told(status: UpstreamStatus) -> Told {
    let seconds = |until: Instant| until.saturating_duration_since(Instant::now()).as_secs() + 1;
    let state = match status.phase {
        None => "disabled".to_owned(),
        Some(Phase::Down) => "down".to_owned(),
        Some(Phase::Starting) => "starting".to_owned(),
        Some(Phase::Up) => "up".to_owned(),
        Some(Phase::BackingOff { until }) => format!("backing off, {} s", seconds(until)),
        Some(Phase::Broken { until }) => format!("broken, {} s", seconds(until)),
    };
    Told {
        id: status.id.to_string(),
        state,
        tools: status.tools,
        set_aside: status.set_aside.len(),
        calls: status.calls,
        failed: status.failed,
        read_ms: status.read_ms,
        last_error: status.last_error,
    }
}
