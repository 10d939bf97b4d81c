//! `oncue connect` and `oncue disconnect`: clients that use the gateway, and that do no longer.

use std::io::Write;
use std::path::Path;

use anyhow::anyhow;
use oncue_gateway::clients::{
    Change, Client, ClientScope, ConnectError, Endpoint, Entry, EntryName, Others, backups,
};
use oncue_gateway::config::{Loaded, read_text};

use super::change::{Planned, Went, carry_out, shown};
use super::here::Here;
use super::program::own_path;
use crate::args::{ClientArgs, Connect, Disconnect, ScopeArg};
use crate::exit::Exit;
use crate::failure::{Failure, write_hint};
use crate::text::shell_word;

pub(in crate::command) fn connect(
    args: &Connect,
    out: &mut dyn Write,
    err: &mut dyn Write,
) -> Result<Exit, Failure> {
    let here = Here::of_process()?;
    let (endpoint, loaded) = endpoint(args, &here)?;
    let is_of_machine = matches!(endpoint, Endpoint::Stdio { .. });
    let entry = Entry { name: args.whose.name.clone(), endpoint };
    let others = if args.moves { Others::Move } else { Others::Keep };
    let planned = plan(&args.whose, &here, |client, path| {
        let before = text_of(path)?;
        let change =
            oncue_gateway::clients::connect(client, path, before.as_deref(), &entry, others)
                .map_err(|error| refused(client, path, error))?;
        if let Some(loaded) = &loaded {
            nothing_is_lost(&change, &here, loaded)?;
        }
        Ok(change)
    })?;
    let went = carry_out(&planned, "is connected already", &args.change, out, err)?;
    if went == Went::Changed && !args.change.json {
        if is_of_machine && matches!(args.whose.scope, ScopeArg::Project) {
            let text = "the project's file names paths of this machine; for others that share it, use `--http`";
            writeln!(err, "warning: {text}")?;
        }
        let back = typed(&args.whose);
        write_hint(
            err,
            &format!("restart the client to use it; take it back: oncue disconnect {back}"),
        );
    }
    Ok(went.exit())
}

pub(in crate::command) fn disconnect(
    args: &Disconnect,
    out: &mut dyn Write,
    err: &mut dyn Write,
) -> Result<Exit, Failure> {
    let here = Here::of_process()?;
    let planned = plan(&args.whose, &here, |client, path| {
        let before = text_of(path)?.unwrap_or_default();
        // A backup that cannot be read is none.
        let backups: Vec<String> =
            backups(path).iter().filter_map(|path| read_text(path).ok()).collect();
        oncue_gateway::clients::disconnect(client, path, &before, &args.whose.name, &backups)
            .map_err(|error| refused(client, path, error))
    })?;
    carry_out(&planned, "is not connected", &args.change, out, err).map(Went::exit)
}

/// Returns how clients reach the gateway, and its settings where they are needed.
fn endpoint(args: &Connect, here: &Here) -> Result<(Endpoint, Option<Loaded>), Failure> {
    let is_needed = args.http.is_none() || args.config.is_some() || args.moves;
    let file = match is_needed {
        true => Some(here.settings_file(args.config.as_deref())?),
        false => None,
    };
    let loaded = file.as_deref().map(|file| here.settings(file)).transpose()?;
    let endpoint = match (&args.http, file) {
        (Some(url), _) => Endpoint::Http { url: url.clone() },
        (None, file) => {
            let text = |path: &Path| {
                let text = path.to_str().map(str::to_owned);
                text.ok_or_else(|| Failure::input(anyhow!("`{}` is no Unicode", shown(path))))
            };
            let command = text(&own_path().map_err(Failure::input)?)?;
            let file = text(&file.unwrap_or_default())?;
            let args = vec!["serve".to_owned(), "--config".to_owned(), file];
            Endpoint::Stdio { command, args }
        }
    };
    Ok((endpoint, loaded))
}

/// Computes the change of each client, and makes none.
fn plan(
    whose: &ClientArgs,
    here: &Here,
    change: impl Fn(Client, &Path) -> Result<Change, Failure>,
) -> Result<Vec<Planned>, Failure> {
    let mut planned: Vec<Planned> = Vec::new();
    for &client in &whose.clients {
        if planned.iter().any(|planned| planned.client == client) {
            continue;
        }
        let path = here.client_file(client, ClientScope::from(whose.scope))?;
        planned.push(Planned { client, change: change(client, &path)? });
    }
    Ok(planned)
}

/// Returns what a file holds; `None` where there is none.
fn text_of(path: &Path) -> Result<Option<String>, Failure> {
    match path.try_exists() {
        Ok(false) => Ok(None),
        _ => read_text(path).map(Some).map_err(Failure::input),
    }
}

fn refused(client: Client, path: &Path, error: ConnectError) -> Failure {
    let hint = match &error {
        ConnectError::NoHttp(_) => format!("leave `--http` out: oncue connect {client}"),
        _ => format!("look at it: {}", shell_word(&path.to_string_lossy())),
    };
    Failure::input(error).hint(hint)
}

/// Refuses to take servers out that the gateway does not have, or has from this very file.
fn nothing_is_lost(change: &Change, here: &Here, loaded: &Loaded) -> Result<(), Failure> {
    if change.moved.is_empty() {
        return Ok(());
    }
    let real = |path: &Path| path.canonicalize().ok();
    let own = real(&change.path);
    let file = shown(&change.path);
    if own.is_some() && loaded.files.iter().any(|file| real(file) == own) {
        let error = anyhow!("the gateway reads its servers from `{file}`: they must stay there");
        return Err(
            Failure::input(error).hint("leave `--move` out, or write them into the settings")
        );
    }
    let lost = change.lost(&here.context, &loaded.settings);
    if lost.is_empty() {
        return Ok(());
    }
    let names: Vec<String> = lost.iter().map(|name| format!("`{name}`")).collect();
    let error = anyhow!("the gateway does not have {} of `{file}`", names.join(", "));
    let path = shell_word(&change.path.to_string_lossy());
    Err(Failure::input(error).hint(format!(
        "leave `--move` out, or put them into the settings; see them: oncue import --from {path} --out -"
    )))
}

/// Returns which clients and which entry are meant, as it is typed.
fn typed(whose: &ClientArgs) -> String {
    let mut words: Vec<&str> = whose.clients.iter().map(|client| client.id()).collect();
    if matches!(whose.scope, ScopeArg::Project) {
        words.extend(["--scope", ClientScope::Project.word()]);
    }
    if whose.name != EntryName::default() {
        words.extend(["--name", whose.name.as_str()]);
    }
    words.join(" ")
}
