//! Every bound of the command, with its unit.

use std::time::Duration;

/// Bytes of one catalog file, or of standard input.
pub(crate) const CATALOG_BYTES_MAX: u64 = 256 * 1024 * 1024;

/// Hits shown where `--limit` is not given.
pub(crate) const HITS_DEFAULT: u16 = 5;

/// Set-aside tools named in the one summary line; `--verbose` names all.
pub(crate) const SET_ASIDE_SHOWN: usize = 3;

/// Near names offered for an unknown one.
pub(crate) const NEAR_NAMES: usize = 3;

/// Tools above the asked one that `explain --tool` shows.
pub(crate) const ABOVE_SHOWN: usize = 5;

/// Words of a tool that `explain --tool` tries as an addition to the query.
pub(crate) const WORDS_TRIED_MAX: usize = 200;

/// Rank within which an added word counts as one that would have found the tool.
pub(crate) const RANK_FOUND: usize = 5;

/// Words that `explain --tool` shows.
pub(crate) const WORDS_SHOWN: usize = 5;

/// Hits that `eval retrieval --misses` shows for each query.
pub(crate) const MISS_HITS_SHOWN: usize = 5;

/// Rounds of a fit where `--rounds` is not given; most descents over the published sets settle within five.
pub(crate) const FIT_ROUNDS_DEFAULT: u8 = 8;

/// Bytes of one file of tools.
pub(crate) const TOOLS_FILE_BYTES_MAX: u64 = 4 * 1024 * 1024;

/// Bytes of what a program writes that a model reads.
pub(crate) const OUTPUT_BYTES_MAX: usize = 64 * 1024;

/// Bytes of what a failed program has to say, from its end.
pub(crate) const ERROR_BYTES_MAX: usize = 2 * 1024;

/// Time of one call of a program where its row says nothing.
pub(crate) const PROGRAM_TIME_DEFAULT: Duration = Duration::from_secs(60);

/// Time that is left to read what an ended program wrote, where a process that it has started holds the pipe.
pub(crate) const PIPE_TIME_MAX: Duration = Duration::from_secs(1);

/// Time that the demo's slow tool takes for each thing.
pub(crate) const DEMO_STEP_TIME: Duration = Duration::from_millis(100);

/// Characters of names of hidden tools that `--names` lists where it has no value; a text, as the command line wants it.
pub(crate) const NAMES_CHARS_DEFAULT: &str = "4000";

/// Bytes of a text that is read from a file or standard input for the model: a task or what it is told once.
pub(crate) const TEXT_BYTES_MAX: u64 = 4 * 1024 * 1024;

/// Columns of a line of the trace where nothing is known of the terminal.
pub(crate) const TRACE_COLUMNS_DEFAULT: usize = 200;

/// Shown progress of a call grows by at least so much from line to line, in percent.
pub(crate) const PROGRESS_STEP_MIN: f64 = 10.0;

/// Time that a call of a program may take beyond its own, so that the program's own end is told.
pub(crate) const PROGRAM_TIME_MARGIN: Duration = Duration::from_secs(5);

/// Time within which a second Ctrl-C ends the process.
pub(crate) const QUIT_TIME: Duration = Duration::from_secs(2);

/// Time between two tidyings of what counts for `/metrics`, which keeps what was recorded until then.
pub(crate) const UPKEEP_TIME: Duration = Duration::from_secs(5);

/// Time between two looks at how the gateway is, for those who are sent it without asking.
pub(crate) const STATE_TIME: Duration = Duration::from_secs(15);

/// Time of one sending to a collector.
#[cfg(feature = "otlp")]
pub(crate) const EXPORT_TIME_MAX: Duration = Duration::from_secs(5);

/// Bytes of what a collector answers.
#[cfg(feature = "otlp")]
pub(crate) const COLLECTOR_BYTES_MAX: usize = 64 * 1024;

/// Time in which what is left is sent to a collector when the gateway ends.
#[cfg(feature = "otlp")]
pub(crate) const END_TIME_MAX: Duration = Duration::from_secs(2);

/// Hits that `oncue eval retrieval` asks for; its deepest measure looks at as many.
pub(crate) const EVAL_HITS_DEFAULT: u16 = 10;

/// Longest log of requests that is learnt from, in bytes.
pub(crate) const LOG_BYTES_MAX: u64 = 256 * 1024 * 1024;
