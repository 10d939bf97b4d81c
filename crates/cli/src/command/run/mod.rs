//! `oncue run`: an agent at the terminal.
//!
//! | file | holds |
//! |---|---|
//! | `setup` | from what was typed to an agent |
//! | `model`, `profile`, `texts`, `tools` | its parts |
//! | `demo` | tools to try it with |
//! | `turn`, `channel`, `signals` | one turn while it works |
//! | `report` | what is shown of it |
//! | `cost`, `ending` | what it cost, and how the process ends |
//! | `cassette` | recordings |
//! | `check` | what would be run |

mod cassette;
mod channel;
mod check;
mod cost;
mod demo;
mod ending;
mod model;
mod profile;
mod report;
mod setup;
mod signals;
mod texts;
mod tools;
mod turn;

use std::io::{self, IsTerminal, Write};
use std::sync::Arc;

use oncue_agent::{Outcome, TurnEnd};
use oncue_tools::Cancel;

use self::model::Opened;
use self::report::{Json, Report, Trace, View};
use self::setup::About;
use self::signals::Signals;
use self::tools::Toolbox;
use self::turn::Rest;
use crate::args::{OutputArgs, Run};
use crate::exit::Exit;
use crate::failure::Failure;
use crate::limits::TRACE_COLUMNS_DEFAULT;

pub(super) fn run(args: &Run, out: &mut dyn Write, err: &mut dyn Write) -> Result<Exit, Failure> {
    let toolbox = Toolbox::open(&args.tools)?;
    let opened = model::open(&args.model)?;
    let profile = profile::profile(&args.profile);
    if args.check {
        toolbox.look_for_programs()?;
        let model = opened.as_ref().map(|opened| &*opened.model);
        return check::run(&About::new(&toolbox, profile, model), args.output.json, out);
    }
    let opened = opened.ok_or_else(model::missing)?;
    let Some(task) = &args.task else { return Err(texts::missing()) };
    let task = texts::task(task)?;
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
    let runtime = runtime.map_err(Failure::input)?;
    runtime.block_on(work(args, toolbox, opened, task, out, err))
}

async fn work(
    args: &Run,
    toolbox: Toolbox,
    opened: Opened,
    task: String,
    out: &mut dyn Write,
    err: &mut dyn Write,
) -> Result<Exit, Failure> {
    let mut signals = Signals::new().map_err(Failure::input)?;
    let profile = profile::profile(&args.profile);
    let about = About::new(&toolbox, profile, Some(&*opened.model));
    let (teller, mut told) = channel::channel();
    let (agent, search) = setup::agent(args, opened.model, toolbox, profile, Arc::new(teller))?;
    if args.consent.yes {
        // Whoever agrees to everything should see that it is so.
        let _ = writeln!(err, "warning: every call of a gated tool runs without asking (`--yes`)");
    }
    let mut report: Box<dyn Report + '_> = match args.output.json {
        true => Box::new(Json::new(out, opened.rates)),
        false => Box::new(Trace::new(out, err, view(&args.output), opened.rates, search)),
    };
    report.begin(&about)?;
    let cancel = Cancel::default();
    let mut session = agent.session().with_cancel(cancel.clone());
    let rest =
        turn::work(session.turn(task), &cancel, &mut told, &mut signals, &mut *report).await?;
    let end = match rest {
        Rest::End(end) => end,
        Rest::Dropped => TurnEnd::Ended(Outcome::Cancelled),
    };
    let (exit, ended) = match &end {
        TurnEnd::Ended(outcome) => (ending::exit(outcome), ending::ended(outcome)),
        TurnEnd::Waiting(questions) => (Exit::Waits, Err(ending::waits(questions))),
    };
    report.end(&end, exit)?;
    ended
}

fn view(args: &OutputArgs) -> View {
    let is_terminal = io::stdout().is_terminal();
    View {
        is_quiet: args.quiet,
        is_verbose: args.verbose,
        is_live: is_terminal && !args.no_stream && !args.quiet,
        is_terminal,
        columns: crate::text::error_columns().unwrap_or(TRACE_COLUMNS_DEFAULT),
    }
}
