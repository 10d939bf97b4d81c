//! An upstream with its variables looked up: what a start needs. It lives as long as the start.

use std::collections::BTreeMap;
use std::path::PathBuf;

use secrecy::{ExposeSecret, SecretString};

use super::{HttpKind, Transport, Upstream};
use crate::config::{Environment, MissingVariable, Template, UpstreamId};

/// What a start of an upstream needs. Its `Debug` shows names, never values.
#[derive(Clone, Debug)]
pub enum Launch {
    /// A process.
    Stdio {
        /// The program.
        command: String,
        /// Its arguments.
        args: Vec<SecretString>,
        /// All its variables: the inherited ones and those that are set for it.
        env: BTreeMap<String, SecretString>,
        /// The folder that it runs in; absent where it is that of this process.
        cwd: Option<PathBuf>,
    },
    /// A server.
    Http {
        /// Its address.
        url: SecretString,
        /// Headers for every request.
        headers: Vec<(String, SecretString)>,
        /// Which protocol over HTTP it speaks.
        kind: HttpKind,
    },
}

/// Why an upstream cannot be started as it is described. It concerns this upstream alone.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("cannot start `{upstream}`: `{place}` needs a variable")]
pub struct LaunchError {
    /// The upstream.
    pub upstream: UpstreamId,
    /// What needs the variable, such as `env.TOKEN`.
    pub place: String,
    /// The variable.
    #[source]
    pub missing: MissingVariable,
}

impl Upstream {
    /// Looks up the variables that the upstream names.
    ///
    /// # Errors
    ///
    /// One of them is not set.
    pub fn launch(&self, environment: &Environment) -> Result<Launch, LaunchError> {
        let resolve = |template: &Template, place: &str| {
            template.resolve(environment).map_err(|missing| LaunchError {
                upstream: self.id.clone(),
                place: place.to_owned(),
                missing,
            })
        };
        match &self.transport {
            Transport::Stdio(stdio) => {
                let command = resolve(&stdio.command, "command")?;
                let args = stdio.args.iter().enumerate();
                let args = args.map(|(at, text)| resolve(text, &format!("args[{at}]")));
                let args = args.collect::<Result<_, _>>()?;
                let mut env = environment.inherited(&stdio.inherit);
                for (name, text) in &stdio.env {
                    env.insert(name.clone(), resolve(text, &format!("env.{name}"))?);
                }
                let cwd = self.folder(stdio).map(|text| resolve(&text, "cwd")).transpose()?;
                let cwd = cwd.map(|folder| PathBuf::from(folder.expose_secret()));
                Ok(Launch::Stdio { command: command.expose_secret().to_owned(), args, env, cwd })
            }
            Transport::Http(http) => {
                let headers = http.headers.iter().map(|(name, text)| {
                    Ok((name.clone(), resolve(text, &format!("headers.{name}"))?))
                });
                Ok(Launch::Http {
                    url: resolve(&http.url, "url")?,
                    headers: headers.collect::<Result<_, _>>()?,
                    kind: http.kind,
                })
            }
        }
    }
}
