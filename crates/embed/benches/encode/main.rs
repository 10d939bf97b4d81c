//! How long the encoder takes: a query, and tools a second. `cargo bench -p oncue-embed`; needs the installed model.

use std::hint::black_box;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use oncue_embed::{DEFAULT_MODEL, Models, Precision, known_as};
use rustix::time::{ClockId, clock_gettime};

/// A request of 12 pieces, beginning and end included.
const QUERY: &str = "create a new issue for the bug I found today";

/// What stands for a tool, of 64 pieces.
const TOOL: &str = "create issue. Creates a new issue in a repository and returns its number, its address and who it was given to; the text may have headings, lists and links. owner, repository, title, body, labels, assignees, milestone, is draft, notify watchers, project column, due date, template name";

const TOOLS: usize = 64;

fn main() {
    let is_trial = std::env::args().any(|word| word == "--test");
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../target/models");
    let models = Models::in_folder(std::env::var_os("ONCUE_MODELS").map_or(folder, PathBuf::from));
    let Ok(model) = known_as(DEFAULT_MODEL) else { return };
    let begun = Instant::now();
    let Ok(encoder) = models.open(model, Precision::Bytes) else {
        println!("the model is not installed: cargo xtask models");
        return;
    };
    println!("open             {:>9.2} ms", millis(begun.elapsed()));
    let rounds = if is_trial { 1 } else { 400 };
    let mut times: Vec<Duration> =
        (0..rounds).map(|_| cpu(|| drop(black_box(encoder.vectors(&[QUERY]))))).collect();
    times.sort_unstable();
    let place = |share: usize| times.get(times.len() * share / 100).copied().unwrap_or_default();
    let (half, most) = (millis(place(50)), millis(place(99)));
    println!(
        "query, {:>2} pieces {half:>9.3} ms p50, {most:.3} ms p99",
        encoder.tokens(QUERY).len()
    );
    let texts = [TOOL; TOOLS];
    let mut best = f64::INFINITY;
    for _ in 0..rounds.min(20) {
        best = best.min(cpu(|| drop(black_box(encoder.vectors(&texts)))).as_secs_f64());
    }
    let pieces = encoder.tokens(TOOL).len();
    println!("tool, {pieces:>3} pieces {:>9.0} a second", TOOLS as f64 / best);
}

fn cpu(work: impl FnOnce()) -> Duration {
    let now = || clock_gettime(ClockId::ThreadCPUTime);
    let begun = now();
    work();
    let ended = now();
    let nanos = (ended.tv_sec - begun.tv_sec) * 1_000_000_000 + ended.tv_nsec - begun.tv_nsec;
    Duration::from_nanos(nanos.unsigned_abs())
}

fn millis(time: Duration) -> f64 {
    time.as_secs_f64() * 1e3
}
