//! The rules over upstreams, grants and addresses.

use std::net::IpAddr;
use std::path::Path;

use super::{Finding, FindingKind, Severity, Surroundings};
use crate::config::{
    Fingerprint, Http, Loaded, Place, Settings, Stdio, Template, Transport, Upstream, UrlParts,
};

pub(super) fn all(loaded: &Loaded, surroundings: &Surroundings) -> Vec<Finding> {
    let settings = &loaded.settings;
    let mut found = Vec::new();
    found.extend(loaded.set_aside.iter().map(|aside| Finding {
        severity: Severity::Error,
        kind: FindingKind::SetAside,
        place: aside.fault.place.clone(),
        what: format!("`{}` is set aside: {}", aside.name, aside.fault.what),
        hint: aside.fault.hint.clone(),
    }));
    found.extend(loaded.notes.iter().map(|note| Finding {
        severity: Severity::Note,
        kind: FindingKind::Unused,
        place: note.place.clone(),
        what: note.what.clone(),
        hint: String::new(),
    }));
    found.extend(twins(settings));
    for upstream in settings.upstreams.iter().filter(|upstream| upstream.is_enabled) {
        found.extend(is_loop(upstream, settings, surroundings));
        found.extend(no_variable(upstream, surroundings));
        match &upstream.transport {
            Transport::Stdio(stdio) => found.extend(no_program(upstream, stdio, surroundings)),
            Transport::Http(http) => found.extend(unencrypted(upstream, http)),
        }
    }
    found.extend(stale_grants(settings));
    found.extend(open_bind(loaded));
    found.extend(telemetry(loaded, surroundings));
    found
}

fn of(
    upstream: &Upstream,
    severity: Severity,
    kind: FindingKind,
    what: String,
    hint: &str,
) -> Finding {
    Finding { severity, kind, place: upstream.origin.place.clone(), what, hint: hint.to_owned() }
}

/// Upstreams that are one server under two ids, and ids that differ by case only.
fn twins(settings: &Settings) -> Vec<Finding> {
    let mut found = Vec::new();
    let prints: Vec<Fingerprint> = settings.upstreams.iter().map(Upstream::fingerprint).collect();
    for (at, (later, print)) in settings.upstreams.iter().zip(&prints).enumerate() {
        let earlier = || settings.upstreams.iter().zip(&prints).take(at);
        if let Some((twin, _)) = earlier()
            .find(|(twin, earlier)| twin.is_enabled && later.is_enabled && *earlier == print)
        {
            let what = format!("`{}` is the same server as `{}`", later.id, twin.id);
            let hint = "its tools appear twice; remove one, or switch it off";
            found.push(of(later, Severity::Warning, FindingKind::Duplicate, what, hint));
        }
        let lower = |upstream: &Upstream| upstream.id.as_str().to_lowercase();
        if let Some((twin, _)) = earlier().find(|(twin, _)| lower(twin) == lower(later)) {
            let what = format!("`{}` and `{}` differ by case only", later.id, twin.id);
            let hint = "they are two upstreams; give one another name";
            found.push(of(later, Severity::Warning, FindingKind::CaseOnly, what, hint));
        }
    }
    found
}

/// An upstream that is this gateway: each search would ask itself.
fn is_loop(
    upstream: &Upstream,
    settings: &Settings,
    surroundings: &Surroundings,
) -> Option<Finding> {
    let leads_back = match &upstream.transport {
        Transport::Stdio(stdio) => starts_gateway(stdio, surroundings),
        Transport::Http(http) => settings.http.bind.is_some_and(|bind| {
            let url = http.url.exposed(|_| "x".to_owned());
            UrlParts::of(&url).is_some_and(|parts| {
                let is_here = parts.host().parse::<IpAddr>().is_ok_and(|host| host == bind.ip());
                parts.port() == bind.port().to_string() && (is_here || parts.is_loopback())
            })
        }),
    };
    let what = format!("`{}` leads back to this gateway", upstream.id);
    let hint = "remove it: a gateway behind itself starts itself without end";
    leads_back.then(|| of(upstream, Severity::Error, FindingKind::Loop, what, hint))
}

/// Says whether a command is `oncue serve`, by path or name, itself or behind another program.
pub(crate) fn starts_gateway(stdio: &Stdio, surroundings: &Surroundings) -> bool {
    let words: Vec<String> =
        std::iter::once(&stdio.command).chain(&stdio.args).map(plain).collect();
    let is_own = |word: &String| {
        let path = Path::new(word);
        let is_known = surroundings.own_programs.iter().any(|own| own == path);
        is_known || path.file_stem().is_some_and(|stem| stem.eq_ignore_ascii_case("oncue"))
    };
    let Some(at) = words.iter().position(is_own) else { return false };
    words.iter().skip(at + 1).any(|word| word == "serve")
}

fn plain(template: &Template) -> String {
    template.exposed(|reference| reference.to_string())
}

fn no_program(upstream: &Upstream, stdio: &Stdio, surroundings: &Surroundings) -> Option<Finding> {
    let command = plain(&stdio.command);
    let is_name = stdio.command.is_literal() && !command.contains(['/', '\\']);
    let is_found = [String::new(), ".exe".to_owned(), ".cmd".to_owned(), ".bat".to_owned()]
        .iter()
        .any(|ending| surroundings.programs.contains(&format!("{command}{ending}")));
    let what = format!("`{}` needs the program `{command}`, which is not on PATH", upstream.id);
    let hint = "install it, or write its whole path";
    (is_name && !is_found)
        .then(|| of(upstream, Severity::Error, FindingKind::NoProgram, what, hint))
}

fn no_variable(upstream: &Upstream, surroundings: &Surroundings) -> Option<Finding> {
    let error = upstream.launch(&surroundings.environment).err()?;
    let what = format!("`{}` cannot be started: {}", upstream.id, error.missing);
    Some(of(
        upstream,
        Severity::Error,
        FindingKind::NoVariable,
        what,
        "set it where the gateway starts",
    ))
}

fn unencrypted(upstream: &Upstream, http: &Http) -> Option<Finding> {
    let url = http.url.exposed(|_| "x".to_owned());
    let parts = UrlParts::of(&url)?;
    let has_credentials = parts.userinfo.is_some() || !http.headers.is_empty();
    let is_open = !parts.is_encrypted() && !parts.is_loopback() && has_credentials;
    let what = format!(
        "`{}` sends its headers or credentials unencrypted to {}",
        upstream.id,
        http.server()
    );
    is_open.then(|| of(upstream, Severity::Warning, FindingKind::Unencrypted, what, "use https://"))
}

/// Rows that no principal reaches since one above takes them all, and names of upstreams that there are not.
fn stale_grants(settings: &Settings) -> Vec<Finding> {
    let mut found = Vec::new();
    let mut stale = |place: &Place, what: String, hint: &str| {
        found.push(Finding {
            severity: Severity::Warning,
            kind: FindingKind::StaleGrant,
            place: place.clone(),
            what,
            hint: hint.to_owned(),
        });
    };
    for (at, row) in settings.grants.iter().enumerate() {
        let name = row.principal.as_str();
        // A glob that matches another's text, read as a name, matches whatever the other does.
        let above = settings.grants.iter().take(at).find(|above| above.principal.matches(name));
        if let Some(above) = above {
            let what = format!(
                "the grant for `{name}` is never reached: the one for `{}` in line {} comes first",
                above.principal.as_str(),
                above.place.line
            );
            stale(
                &row.place,
                what,
                "the first row that names a principal holds; put the narrower one first",
            );
        }
        let upstreams = row.upstreams.iter().flatten();
        let of_tools = row.tools.iter().flatten().chain(&row.denied).chain(&row.unasked);
        for glob in upstreams.chain(of_tools.map(|pattern| &pattern.source)) {
            let is_known =
                settings.upstreams.iter().any(|upstream| glob.matches(upstream.id.as_str()));
            if !is_known {
                let what = format!(
                    "the grant for `{name}` names `{}`, and there is no such upstream",
                    glob.as_str()
                );
                stale(
                    &row.place,
                    what,
                    "remove what is left over: it takes hold again when an upstream gets that name",
                );
            }
        }
    }
    found
}

/// An address that others can reach, while no token can open anything.
fn open_bind(loaded: &Loaded) -> Option<Finding> {
    let settings = &loaded.settings;
    let bind = settings.http.bind.filter(|bind| !bind.ip().is_loopback())?;
    let file = loaded.files.first()?;
    settings.grants.is_empty().then(|| Finding {
        severity: Severity::Error,
        kind: FindingKind::OpenBind,
        place: Place::start(file),
        what: format!("`http.bind` is {bind}, which others can reach, and there is no `[[grant]]`"),
        hint: "add a grant for the holders of tokens, or bind 127.0.0.1".to_owned(),
    })
}

/// Telemetry that nobody can read, and an address of a collector that names a variable that is not set.
fn telemetry(loaded: &Loaded, surroundings: &Surroundings) -> Vec<Finding> {
    let settings = &loaded.settings;
    let Some(file) = loaded.files.first() else { return Vec::new() };
    let warning = |kind, what: String, hint: &str| Finding {
        severity: Severity::Warning,
        kind,
        place: Place::start(file),
        what,
        hint: hint.to_owned(),
    };
    let mut found = Vec::new();
    if settings.telemetry.has_prometheus && settings.http.bind.is_none() {
        let what = "`telemetry.prometheus` needs `http.bind`: over standard input and output nobody can read `/metrics`";
        let hint = "set `http.bind`, or start the gateway with `--http ADDRESS`";
        found.push(warning(FindingKind::Unserved, what.to_owned(), hint));
    }
    let address = settings.telemetry.otlp.as_ref();
    if let Some(Err(missing)) = address.map(|it| it.resolve(&surroundings.environment)) {
        let what = format!("nothing would be sent to `telemetry.otlp`: {missing}");
        found.push(warning(FindingKind::NoVariable, what, "set it where the gateway starts"));
    }
    found
}
