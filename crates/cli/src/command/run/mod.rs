//! `oncue run`: an agent at the terminal.
//!
//! | file | holds |
//! |---|---|
//! | `assembly` | everything that was asked for, put together |
//! | `setup` | the agent |
//! | `model`, `profile`, `texts`, `tools` | its parts |
//! | `demo` | tools to try it with |
//! | `turn`, `channel`, `signals` | one turn while it works |
//! | `people`, `typed` | who is asked, and what is typed |
//! | `talk`, `session` | turn after turn, and from run to run |
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
mod people;
mod profile;
mod report;
mod session;
mod setup;
mod signals;
mod talk;
mod texts;
mod tools;
mod turn;
mod typed;

use std::io::{self, IsTerminal, Write};

use oncue_agent::{Outcome, Session, TurnEnd};

use self::assembly::{Assembly, Plan};
pub(crate) use self::people::Answer;
use self::report::{Json, Report, Trace, View};
use self::setup::{About, Rules};
use self::signals::Signals;
use self::tools::Toolbox;
use self::turn::{Watch, Work};
use super::gateway::Behind;
use crate::args::{OutputArgs, Run};
use crate::exit::Exit;
use crate::failure::Failure;
use crate::limits::TRACE_COLUMNS_DEFAULT;

pub(super) fn run(args: &Run, out: &mut dyn Write, err: &mut dyn Write) -> Result<Exit, Failure> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
    let runtime = runtime.map_err(Failure::input)?;
    runtime.block_on(async {
        let mut toolbox = Toolbox::open(&args.tools, err).await?;
        if args.check {
            let opened = model::open(&args.model, args.profile.profile)?;
            toolbox.look_for_programs()?;
            let model = opened.as_ref().map(|opened| &*opened.model);
            let profile = Rules::new(args, None, false).profile;
            let checked = check::run(&About::new(&toolbox, profile, model), args.output.json, out);
            close(&toolbox.take_servers()).await;
            return checked;
        }
        let run = Assembly::new(args, &toolbox, err).await?;
        let servers = toolbox.take_servers();
        let done = work(args, run, out, err).await;
        close(&servers).await;
        done
    })
}

async fn close(servers: &[Behind]) {
    for server in servers {
        server.close().await;
    }
}

async fn work(
    args: &Run,
    run: Assembly,
    out: &mut dyn Write,
    err: &mut dyn Write,
) -> Result<Exit, Failure> {
    let Assembly { agent, told, about, rates, search, tape, mut file, people, plan } = run;
    if args.consent.yes {
        // Whoever agrees to everything should see that it is so.
        let _ = writeln!(err, "warning: every call of a gated tool runs without asking (`--yes`)");
    }
    let mut session = match &mut file {
        Some(file) => file.restore(&agent, err),
        None => session::fresh(&agent),
    };
    let works = works(plan, &mut session)?;
    let report: Box<dyn Report + '_> = match args.output.json {
        true => Box::new(Json::new(out, rates)),
        false => Box::new(Trace::new(out, err, view(&args.output), rates, search)),
    };
    let signals = Signals::new().map_err(Failure::input)?;
    let mut watch = Watch { told, signals, people, tape: &tape, report };
    watch.report.begin(&about)?;
    let model = agent.model().name();
    let Some(works) = works else {
        let exit = talk::talk(&mut watch, session, file.as_ref(), model).await?;
        return tape.finish().map(|()| exit);
    };
    let mut end = TurnEnd::Ended(Outcome::Cancelled);
    for work in works {
        let rest;
        (session, rest) = watch.work(session, work).await?;
        if let (Some(file), false) = (&file, rest.is_dropped) {
            file.save(&session, model)?;
        }
        end = rest.end;
        let goes_on = matches!(&end, TurnEnd::Ended(outcome) if *outcome != Outcome::Cancelled);
        if rest.quits || !goes_on {
            break;
        }
    }
    let path = file.as_ref().map(|file| file.path.as_path());
    let ended = tape.finish().and_then(|()| ending::ended(&end, path));
    let exit = match &ended {
        Ok(exit) => *exit,
        Err(failure) => failure.exit,
    };
    watch.report.end(&end, exit)?;
    ended
}

/// Returns the turns that are to be worked on; nothing where a person says them one by one.
fn works(plan: Plan, session: &mut Session<'_>) -> Result<Option<Vec<Work>>, Failure> {
    match plan {
        Plan::Tasks(tasks) => Ok(Some(tasks.into_iter().map(Work::Task).collect())),
        Plan::Talk => Ok(None),
        Plan::Resume(answers) => {
            session::answer(session, answers)?;
            Ok(Some(vec![Work::Resume]))
        }
    }
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
