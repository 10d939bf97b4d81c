//! Secrets that stand in a file where a variable would do.

use super::{Finding, FindingKind, Severity};
use crate::config::{
    Form, Settings, Template, Transport, Upstream, UrlParts, is_secret_name, is_secret_text,
};

pub(super) fn all(settings: &Settings) -> Vec<Finding> {
    let found = settings.upstreams.iter().flat_map(|upstream| {
        places(upstream).into_iter().map(|place| Finding {
            severity: Severity::Warning,
            kind: FindingKind::PlainSecret,
            place: upstream.origin.place.clone(),
            what: format!("`{place}` of `{}` looks like a secret written out", upstream.id),
            hint: match upstream.origin.form {
                Form::Native => "put it into a variable and write `${NAME}`".to_owned(),
                _ => "put it into a variable and name that, as far as the client can".to_owned(),
            },
        })
    });
    found.collect()
}

/// Returns the names of the places of an upstream that hold secrets as they are.
pub(crate) fn places(upstream: &Upstream) -> Vec<String> {
    let written = |template: &Template| template.exposed(|_| String::new());
    let is_written = |name: &str, template: &Template| {
        let text = written(template);
        let is_all = template.is_literal();
        (is_secret_name(name) && is_all && !text.is_empty()) || is_secret_text(&text)
    };
    let mut places = Vec::new();
    match &upstream.transport {
        Transport::Stdio(stdio) => {
            let env = stdio.env.iter().filter(|(name, template)| is_written(name, template));
            places.extend(env.map(|(name, _)| format!("env.{name}")));
            let mut before = String::new();
            for (at, arg) in stdio.args.iter().enumerate() {
                let text = written(arg);
                let (name, value) = match text.split_once('=') {
                    Some((name, value)) if name.starts_with('-') => (name, value),
                    _ if text.starts_with('-') => ("", ""),
                    _ => (before.as_str(), text.as_str()),
                };
                let is_named = name.starts_with('-') && is_secret_name(name) && arg.is_literal();
                if (is_named && !value.is_empty()) || is_secret_text(value) {
                    places.push(format!("args[{at}]"));
                }
                before = text;
            }
        }
        Transport::Http(http) => {
            let headers = http.headers.iter().filter(|(name, text)| is_written(name, text));
            places.extend(headers.map(|(name, _)| format!("headers.{name}")));
            let url = written(&http.url);
            let in_url = UrlParts::of(&url).is_some_and(|parts| {
                let mut pairs = parts.query.unwrap_or_default().split('&');
                let in_query = pairs.any(|pair| {
                    pair.split_once('=')
                        .is_some_and(|(name, value)| is_secret_name(name) && !value.is_empty())
                });
                in_query || parts.userinfo.is_some_and(|userinfo| userinfo.contains(':'))
            });
            if in_url {
                places.push("url".to_owned());
            }
        }
    }
    places
}
