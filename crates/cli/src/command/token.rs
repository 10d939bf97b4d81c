//! `oncue token`: who is let in over HTTP.

use std::io::{self, Write};
use std::time::SystemTime;

use oncue_gateway::access::{Token as Known, TokenState, Tokens, TokensError, scope_name};
use oncue_gateway::audit::{Audit, Change, ChangeKind, Entry, Event};
use oncue_tools::Principal;
use secrecy::ExposeSecret;
use serde::Serialize;

use super::state::Kept;
use super::{JSON_VERSION, write_json};
use crate::args::{Token, TokenCreate, TokenList, TokenRevoke};
use crate::exit::Exit;
use crate::failure::Failure;
use crate::table::Table;
use crate::text::{columns, printable};

/// What a list shows where a token never had such a time.
const NEVER: &str = "never";

#[derive(Serialize)]
struct Row<'t> {
    id: &'t str,
    prefix: &'t str,
    principal: &'t str,
    scope: &'static str,
    state: &'static str,
    created: String,
    expires: Option<String>,
    revoked: Option<String>,
    last_used: Option<String>,
}

#[derive(Serialize)]
struct Made<'t> {
    version: u32,
    /// The token itself.
    token: &'t str,
    #[serde(flatten)]
    row: Row<'t>,
}

#[derive(Serialize)]
struct Listed<'t> {
    version: u32,
    tokens: Vec<Row<'t>>,
}

#[derive(Serialize)]
struct Revoked<'t> {
    version: u32,
    /// Whether it let nobody in before.
    was_already: bool,
    #[serde(flatten)]
    row: Row<'t>,
}

pub(super) fn run(args: &Token, out: &mut dyn Write, err: &mut dyn Write) -> Result<Exit, Failure> {
    match args {
        Token::Create(args) => create(args, out, err),
        Token::List(args) => list(args, out, err),
        Token::Revoke(args) => revoke(args, out, err),
    }
}

fn create(args: &TokenCreate, out: &mut dyn Write, err: &mut dyn Write) -> Result<Exit, Failure> {
    let kept = Kept::open(&args.state)?;
    let now = SystemTime::now();
    let expires = match args.expires {
        None => None,
        Some(time) => {
            let last = || Failure {
                exit: Exit::Usage,
                error: anyhow::anyhow!("a token expires before the year 10000, or never"),
                hint: Some("leave `--expires` out for a token that never does".to_owned()),
            };
            Some(now.checked_add(time).filter(is_written).ok_or_else(last)?)
        }
    };
    let created = Tokens::new(&kept.state)
        .create(args.name.clone(), args.scope, expires, now)
        .map_err(failure)?;
    record(&kept, ChangeKind::TokenCreated, &created.token, now, err)?;
    let (text, token) = (created.text.expose_secret(), &created.token);
    if args.json {
        let row = row(token, now);
        write_json(out, &Made { version: JSON_VERSION, token: text, row })?;
        return Ok(Exit::Ok);
    }
    writeln!(out, "{text}")?;
    out.flush()?;
    let (id, name) = (&token.id, printable(token.principal.as_str()));
    let until = shown(token.expires).map_or_else(String::new, |time| format!(" until {time}"));
    let scope = scope_name(token.scope);
    writeln!(err, "token {id} lets `{name}` in with the scope `{scope}`{until}")?;
    writeln!(err, "it is shown this once; clients send it as `Authorization: Bearer TOKEN`")?;
    Ok(Exit::Ok)
}

fn list(args: &TokenList, out: &mut dyn Write, err: &mut dyn Write) -> Result<Exit, Failure> {
    let kept = Kept::find(&args.state)?;
    let tokens = Tokens::new(&kept.state).list().map_err(failure)?;
    let now = SystemTime::now();
    let rows = tokens.iter().map(|token| row(token, now));
    if args.json {
        write_json(out, &Listed { version: JSON_VERSION, tokens: rows.collect() })?;
        return Ok(Exit::Ok);
    }
    if tokens.is_empty() {
        writeln!(err, "there are no tokens in {}", kept.state.path().display())?;
        return Ok(Exit::Ok);
    }
    let headings =
        ["id", "token", "principal", "scope", "state", "created", "expires", "last used"];
    let mut table = Table::new(&headings, headings.len());
    for row in rows {
        let never = |time: Option<String>| time.unwrap_or_else(|| NEVER.to_owned());
        table.push(vec![
            printable(row.id),
            printable(row.prefix),
            printable(row.principal),
            row.scope.to_owned(),
            row.state.to_owned(),
            row.created,
            never(row.expires),
            never(row.last_used),
        ]);
    }
    write!(out, "{}", table.fitted(columns(), &["created", "last used"]))?;
    Ok(Exit::Ok)
}

fn revoke(args: &TokenRevoke, out: &mut dyn Write, err: &mut dyn Write) -> Result<Exit, Failure> {
    let kept = Kept::open(&args.state)?;
    let now = SystemTime::now();
    let revoked = Tokens::new(&kept.state).revoke(&args.id, now).map_err(failure)?;
    let name = printable(revoked.token.principal.as_str());
    if !revoked.was_already {
        record(&kept, ChangeKind::TokenRevoked, &revoked.token, now, err)?;
    }
    if args.json {
        let row = row(&revoked.token, now);
        let was_already = revoked.was_already;
        write_json(out, &Revoked { version: JSON_VERSION, was_already, row })?;
        return Ok(Exit::Ok);
    }
    if revoked.was_already {
        let since = shown(revoked.token.revoked).unwrap_or_default();
        writeln!(err, "token {} of `{name}` was revoked already, {since}", args.id)?;
        return Ok(Exit::Ok);
    }
    writeln!(err, "token {} of `{name}` lets nobody in any more", args.id)?;
    Ok(Exit::Ok)
}

/// Records a change that was made. It holds even where it cannot be recorded: a revocation must.
fn record(
    kept: &Kept,
    kind: ChangeKind,
    token: &Known,
    at: SystemTime,
    err: &mut dyn Write,
) -> io::Result<()> {
    if !kept.has_audit {
        return Ok(());
    }
    let name = token.principal.as_str();
    let detail = Some(format!("{name}, {}", scope_name(token.scope)));
    let change = Change { kind, subject: token.id.clone(), detail };
    let entry = Entry { at, principal: Principal::Local, event: Event::Change(change) };
    let error = match Audit::open(&kept.state) {
        Ok(audit) => {
            audit.record_blocking(entry);
            audit.flush_blocking();
            audit.status().error
        }
        Err(error) => Some(format!("{error}: {}", error.source)),
    };
    match error {
        Some(error) => writeln!(err, "warning: this change is not recorded: {}", printable(&error)),
        None => Ok(()),
    }
}

fn row(token: &Known, now: SystemTime) -> Row<'_> {
    Row {
        id: &token.id,
        prefix: &token.prefix,
        principal: token.principal.as_str(),
        scope: scope_name(token.scope),
        state: match token.state(now) {
            TokenState::Valid => "valid",
            TokenState::Expired => "expired",
            TokenState::Revoked => "revoked",
        },
        created: humantime::format_rfc3339_seconds(token.created).to_string(),
        expires: shown(token.expires),
        revoked: shown(token.revoked),
        last_used: shown(token.last_used),
    }
}

fn shown(time: Option<SystemTime>) -> Option<String> {
    time.map(|time| humantime::format_rfc3339_seconds(time).to_string())
}

/// Says whether a time has a form in files, which ends with the year 9999.
fn is_written(time: &SystemTime) -> bool {
    humantime::parse_rfc3339("9999-12-31T23:59:59Z").is_ok_and(|last| *time <= last)
}

fn failure(error: TokensError) -> Failure {
    let (exit, hint) = (exit(&error), error.hint());
    Failure { exit, error: error.into(), hint }
}

fn exit(error: &TokensError) -> Exit {
    match error {
        TokensError::Unknown { .. } => Exit::Nothing,
        TokensError::Name | TokensError::Past => Exit::Usage,
        TokensError::Write { .. } => Exit::Output,
        _ => Exit::Input,
    }
}
