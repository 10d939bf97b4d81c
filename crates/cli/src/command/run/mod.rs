//! `oncue run`: an agent at the terminal.

mod check;
mod demo;
mod tools;

use std::io::Write;

use self::tools::Toolbox;
use crate::args::Run;
use crate::exit::Exit;
use crate::failure::Failure;

pub(super) fn run(args: &Run, out: &mut dyn Write) -> Result<Exit, Failure> {
    let toolbox = Toolbox::open(&args.tools)?;
    check::run(&toolbox, args.json, out)
}
