//! The command `oncue`: search, explain, check and measure catalogs of tools.
//!
//! Here is only glue: what was typed is parsed (`args`), the libraries are called (`command`), answers go to standard output and everything else to standard error.

mod args;
mod catalog;
mod command;
mod embedded;
mod exit;
mod failure;
mod limits;
mod models;
mod progress;
mod table;
mod text;

use std::io::{self, BufWriter, Write};
use std::process::ExitCode;

use clap::Parser;

use crate::args::Cli;
use crate::exit::Exit;
use crate::failure::{Failure, is_broken_pipe};

fn main() -> ExitCode {
    let cli = match Cli::try_parse() {
        Ok(cli) => cli,
        Err(error) => {
            // Where even the usage cannot be written, the code still tells.
            let _ = error.print();
            return if error.use_stderr() { Exit::Usage } else { Exit::Ok }.into();
        }
    };
    cli.color.apply();
    if let Some(outcome) = command::serve(&cli.command) {
        return match outcome {
            Ok(exit) => exit.into(),
            Err(failure) => {
                failure.report(&mut anstream::stderr().lock());
                failure.exit.into()
            }
        };
    }
    let mut out = BufWriter::new(anstream::AutoStream::auto(io::stdout().lock()));
    let outcome = command::run(&cli.command, &mut out)
        .and_then(|exit| out.flush().map(|()| exit).map_err(Failure::from));
    match outcome {
        Ok(exit) => exit.into(),
        Err(failure) if is_broken_pipe(&failure.error) => Exit::Ok.into(),
        Err(failure) => {
            // What was answered before the failure comes before its report.
            let _ = out.flush();
            failure.report(&mut anstream::stderr().lock());
            failure.exit.into()
        }
    }
}
