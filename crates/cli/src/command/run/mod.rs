//! `oncue run`: an agent at the terminal.
//!
//! | file | holds |
//! |---|---|
//! | `assembly` | everything that was asked for, put together |
//! | `setup` | the agent |
//! | `model`, `profile`, `texts`, `tools` | its parts |
//! | `demo` | tools to try it with |
//! | `turn`, `channel`, `signals` | one turn while it works |
//! | `report` | what is shown of it |
//! | `cost`, `ending` | what it cost, and how the process ends |
//! | `cassette` | recordings |
//! | `check` | what would be run |

mod assembly;
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

use oncue_agent::{Outcome, TurnEnd};
use oncue_tools::Cancel;

use self::assembly::Assembly;
use self::report::{Json, Report, Trace, View};
use self::setup::{About, Rules};
use self::signals::Signals;
use self::tools::Toolbox;
use self::turn::Rest;
use crate::args::{OutputArgs, Run};
use crate::exit::Exit;
use crate::failure::Failure;
use crate::limits::TRACE_COLUMNS_DEFAULT;

pub(super) fn run(args: &Run, out: &mut dyn Write, err: &mut dyn Write) -> Result<Exit, Failure> {
    let toolbox = Toolbox::open(&args.tools)?;
    if args.check {
        let opened = model::open(&args.model)?;
        toolbox.look_for_programs()?;
        let model = opened.as_ref().map(|opened| &*opened.model);
        let profile = Rules::new(args, None).profile;
        return check::run(&About::new(&toolbox, profile, model), args.output.json, out);
    }
    let run = Assembly::new(args, toolbox)?;
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
    let runtime = runtime.map_err(Failure::input)?;
    runtime.block_on(work(args, run, out, err))
}

async fn work(
    args: &Run,
    mut run: Assembly,
    out: &mut dyn Write,
    err: &mut dyn Write,
) -> Result<Exit, Failure> {
    let mut signals = Signals::new().map_err(Failure::input)?;
    if args.consent.yes {
        // Whoever agrees to everything should see that it is so.
        let _ = writeln!(err, "warning: every call of a gated tool runs without asking (`--yes`)");
    }
    let mut report: Box<dyn Report + '_> = match args.output.json {
        true => Box::new(Json::new(out, run.rates)),
        false => Box::new(Trace::new(out, err, view(&args.output), run.rates, run.search.take())),
    };
    report.begin(&run.about)?;
    let cancel = Cancel::default();
    let mut session = run.agent.session().with_cancel(cancel.clone());
    let mut end = TurnEnd::Ended(Outcome::Cancelled);
    for task in run.tasks {
        run.tape.turn(&task);
        let turn = session.turn(task);
        let (told, tape) = (&mut run.told, &run.tape);
        end = match turn::work(turn, &cancel, told, &mut signals, tape, &mut *report).await? {
            Rest::End(end) => end,
            Rest::Dropped => TurnEnd::Ended(Outcome::Cancelled),
        };
        if cancel.reason().is_some() || matches!(end, TurnEnd::Waiting(_)) {
            break;
        }
    }
    let ended = run.tape.finish().and_then(|()| ending::ended(&end));
    let exit = match &ended {
        Ok(exit) => *exit,
        Err(failure) => failure.exit,
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
