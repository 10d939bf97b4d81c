//! `oncue-fake`: serves every fake on one port of this machine, for programs that cannot start one themselves.

use std::io::{self, Write};
use std::path::PathBuf;
use std::process::ExitCode;
use std::{env, fs};

use oncue_fakes::{Fake, Scripted, wires};
use serde_json::json;

const USAGE: &str = "\
usage: oncue-fake [--port N] [--script FILE.json] [--demo search]

  --port N            serve on this port of this machine; 0, the default, takes a free one
  --script FILE.json  a JSON list of answers, such as [{\"reply\": [{\"text\": \"Hello.\"}]}]
  --demo search       behind the script: search, call what was found, tell what came of it

The first line on standard output is JSON with the address: {\"url\": \"http://127.0.0.1:4711\"}.
";

/// What was asked for on the command line.
#[derive(Default)]
struct Args {
    port: u16,
    script: Option<PathBuf>,
    has_demo: bool,
}

fn main() -> ExitCode {
    let words: Vec<String> = env::args().skip(1).collect();
    if words.iter().any(|word| matches!(word.as_str(), "-h" | "--help")) {
        print!("{USAGE}");
        return ExitCode::SUCCESS;
    }
    match parse(&words).and_then(|args| serve(&args).map_err(|error| error.to_string())) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::FAILURE
        }
    }
}

fn parse(words: &[String]) -> Result<Args, String> {
    let mut args = Args::default();
    let mut words = words.iter().map(String::as_str);
    while let Some(option) = words.next() {
        let value = words.next().ok_or_else(|| format!("`{option}` needs a value\n\n{USAGE}"))?;
        match (option, value) {
            ("--port", port) => {
                args.port = port.parse().map_err(|_| format!("`{port}` is not a port"))?;
            }
            ("--script", file) => args.script = Some(file.into()),
            ("--demo", "search") => args.has_demo = true,
            _ => return Err(format!("unknown option `{option} {value}`\n\n{USAGE}")),
        }
    }
    Ok(args)
}

/// Serves until the process is ended.
fn serve(args: &Args) -> io::Result<()> {
    let script: Vec<Scripted> = match &args.script {
        Some(file) => serde_json::from_slice(&fs::read(file)?)?,
        None => Vec::new(),
    };
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    runtime.block_on(async {
        let fake = Fake::start_on(args.port, wires())?;
        let fake = if args.has_demo { fake.with_search_demo() } else { fake };
        fake.extend(script);
        let mut out = io::stdout().lock();
        writeln!(out, "{}", json!({ "url": fake.url() }))?;
        out.flush()?;
        drop(out);
        std::future::pending().await
    })
}
