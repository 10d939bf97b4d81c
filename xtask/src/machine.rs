//! What this machine has beside Rust, and how to get what is missing. Asked anew by each stage.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::{env, fs};

use anyhow::{Context, Result, bail};

/// Whether missing tools are installed or stages without them skipped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Supply {
    /// Use what is there.
    AsFound,
    /// Install what is missing.
    Install,
}

/// The `cargo` that started this program, or the one on the path.
///
/// On a machine that is thrown away afterwards (`CI`) it keeps no state for a next build of the same code, which would take more disk than everything else.
pub(crate) fn cargo() -> Command {
    let mut cargo = Command::new(env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    if env::var_os("CI").is_some() {
        cargo.env("CARGO_INCREMENTAL", "0");
    }
    cargo
}

/// Returns where a program of this name lies on the path.
pub(crate) fn program(name: &str) -> Option<PathBuf> {
    let path = env::var_os("PATH")?;
    env::split_paths(&path).map(|folder| folder.join(name)).find(|file| is_executable(file))
}

fn is_executable(file: &Path) -> bool {
    fs::metadata(file).is_ok_and(|data| data.is_file())
}

/// Runs a command to its end, showing it and its output.
///
/// # Errors
///
/// When it cannot be started or says that it failed.
pub(crate) fn run(command: &mut Command) -> Result<()> {
    eprintln!("$ {}", words(command));
    let status = command
        .stdin(Stdio::null())
        .status()
        .with_context(|| format!("failed to start `{}`", words(command)))?;
    if !status.success() {
        bail!("`{}` failed ({status})", words(command));
    }
    Ok(())
}

fn words(command: &Command) -> String {
    let program = Path::new(command.get_program()).file_name().unwrap_or_default();
    let mut words = vec![program.to_string_lossy().into_owned()];
    words.extend(command.get_args().map(|word| word.to_string_lossy().into_owned()));
    words.join(" ")
}

/// Makes sure of a program that a Debian package brings; `None` where it is missing and may not or cannot be installed.
pub(crate) fn debian(supply: Supply, name: &str, packages: &[&str]) -> Option<PathBuf> {
    if let found @ Some(_) = program(name) {
        return found;
    }
    if supply == Supply::Install
        && let Err(error) = apt_install(packages)
    {
        eprintln!("{error:#}");
    }
    program(name)
}

/// Installs Debian packages, as root or through `sudo`.
pub(crate) fn apt_install(packages: &[&str]) -> Result<()> {
    let apt = program("apt-get").context("`apt-get` is not here")?;
    let as_root = |args: &[&str]| {
        let mut command = match program("sudo") {
            Some(sudo) => {
                let mut command = Command::new(sudo);
                command.arg("-n").arg(&apt);
                command
            }
            None => Command::new(&apt),
        };
        command.env("DEBIAN_FRONTEND", "noninteractive").args(args);
        command
    };
    run(&mut as_root(&["update", "-q"]))?;
    let mut install = as_root(&["install", "-y", "-q", "--no-install-recommends"]);
    run(install.args(packages))
}

/// Makes sure of a program that a crate brings, as [`debian`] does; it is built once and stays in cargo's home.
pub(crate) fn crates_io(supply: Supply, name: &str) -> Option<PathBuf> {
    if let found @ Some(_) = program(name) {
        return found;
    }
    if supply == Supply::Install
        && let Err(error) = run(cargo().args(["install", "--locked", name]))
    {
        eprintln!("{error:#}");
    }
    program(name).or_else(|| cargo_home_program(name))
}

fn cargo_home_program(name: &str) -> Option<PathBuf> {
    let home = env::var_os("CARGO_HOME")
        .map(PathBuf::from)
        .or_else(|| Some(PathBuf::from(env::var_os("HOME")?).join(".cargo")))?;
    let file = home.join("bin").join(name);
    is_executable(&file).then_some(file)
}
