//! How long encoders take: a query, and tools a second. `cargo bench -p oncue-embed`, with `--features onnx` for a model in ONNX too; needs the installed models (`cargo xtask models`).

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
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../target/models");
    let models = Models::in_folder(std::env::var_os("ONCUE_MODELS").map_or(folder, PathBuf::from));
    let Ok(model) = known_as(DEFAULT_MODEL) else { return };
    let begun = Instant::now();
    if let Ok(encoder) = models.open(model, Precision::Bytes) {
        let opened = begun.elapsed();
        let tokens = |text: &str| encoder.tokens(text).len();
        measure(model.name, opened, &tokens, &|texts| drop(black_box(encoder.vectors(texts))));
    } else {
        println!("the model is not installed: cargo xtask models");
    }
    #[cfg(feature = "onnx")]
    onnx();
}

/// The same for a model in ONNX, on as many threads as `RTEN_NUM_THREADS` says.
#[cfg(feature = "onnx")]
fn onnx() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../target/minilm");
    let begun = Instant::now();
    let Ok(encoder) = oncue_embed::OnnxEncoder::open(folder) else {
        println!("the model in ONNX is not there: cargo xtask models");
        return;
    };
    let opened = begun.elapsed();
    let tokens = |text: &str| encoder.tokens(text).map_or(0, |tokens| tokens.len());
    measure("minilm", opened, &tokens, &|texts| drop(black_box(encoder.vectors(texts))));
}

/// Prints what opening, a query and tools take of one encoder.
fn measure(
    name: &str,
    opened: Duration,
    tokens: &dyn Fn(&str) -> usize,
    vectors: &dyn Fn(&[&str]),
) {
    let is_trial = std::env::args().any(|word| word == "--test");
    println!("{name}\nopen             {:>9.2} ms", millis(opened));
    let rounds = if is_trial { 1 } else { 400 };
    let mut times: Vec<Duration> = (0..rounds).map(|_| cpu(|| vectors(&[QUERY]))).collect();
    times.sort_unstable();
    let place = |share: usize| times.get(times.len() * share / 100).copied().unwrap_or_default();
    let (half, most) = (millis(place(50)), millis(place(99)));
    println!("query, {:>2} pieces {half:>9.3} ms p50, {most:.3} ms p99", tokens(QUERY));
    let texts = [TOOL; TOOLS];
    let mut best = f64::INFINITY;
    for _ in 0..rounds.min(20) {
        best = best.min(cpu(|| vectors(&texts)).as_secs_f64());
    }
    println!("tool, {:>3} pieces {:>9.0} a second", tokens(TOOL), TOOLS as f64 / best);
}

/// Returns the time that `work` took of all processors.
fn cpu(work: impl FnOnce()) -> Duration {
    let now = || clock_gettime(ClockId::ProcessCPUTime);
    let begun = now();
    work();
    let ended = now();
    let nanos = (ended.tv_sec - begun.tv_sec) * 1_000_000_000 + ended.tv_nsec - begun.tv_nsec;
    Duration::from_nanos(nanos.unsigned_abs())
}

fn millis(time: Duration) -> f64 {
    time.as_secs_f64() * 1e3
}
