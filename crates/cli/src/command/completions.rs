//! `oncue completions`: a script that completes commands in a shell.

use std::io::Write;

use clap::CommandFactory;

use crate::args::{Cli, Completions};
use crate::exit::Exit;
use crate::failure::Failure;

pub(super) fn run(args: &Completions, out: &mut dyn Write) -> Result<Exit, Failure> {
    // The generator panics where a write fails, so it writes to memory.
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut Cli::command(), "oncue", &mut script);
    out.write_all(&script)?;
    Ok(Exit::Ok)
}
