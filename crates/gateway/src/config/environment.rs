//! The variables of a process, from which references are resolved. It lives as long as whoever starts upstreams.

use std::collections::BTreeMap;
use std::fmt;

use secrecy::{ExposeSecret, SecretString};

/// Variables that a child inherits without being told so; a name that ends in `*` stands for all that begin like it.
///
/// They say where programs, folders and languages are, and hold no secrets.
pub const INHERITED: &[&str] = &[
    "PATH", "HOME", "LANG", "LANGUAGE", "LC_*", "LOGNAME", "SHELL", "TERM", "TMPDIR", "TZ", "USER",
    "XDG_RUNTIME_DIR", // Windows, where little starts without these.
    "APPDATA", "COMSPEC", "HOMEDRIVE", "HOMEPATH", "LOCALAPPDATA", "NUMBER_OF_PROCESSORS", "OS",
    "PATHEXT", "PROCESSOR_ARCHITECTURE", "PROGRAMDATA", "PROGRAMFILES", "PROGRAMFILES(X86)",
    "SYSTEMDRIVE", "SYSTEMROOT", "TEMP", "TMP", "USERNAME", "USERPROFILE", "WINDIR",
];

/// The variables of a process. What they hold is never shown.
///
/// ```
/// use oncue_gateway::config::Environment;
///
/// let environment = Environment::new([("TOKEN", "s3cret")]);
/// assert_eq!(format!("{environment:?}"), r#"Environment(["TOKEN"])"#);
/// ```
#[derive(Clone, Default)]
pub struct Environment(BTreeMap<String, SecretString>);

impl Environment {
    /// An environment of these variables.
    pub fn new<N: Into<String>, V: Into<String>>(
        variables: impl IntoIterator<Item = (N, V)>,
    ) -> Self {
        let named = |(name, value): (N, V)| (name.into(), SecretString::from(value.into()));
        Self(variables.into_iter().map(named).collect())
    }

    /// The environment of this process, without variables that are no Unicode.
    #[must_use]
    pub fn of_process() -> Self {
        let unicode = std::env::vars_os().filter_map(|(name, value)| {
            Some((name.into_string().ok()?, value.into_string().ok()?))
        });
        Self::new(unicode)
    }

    /// Returns the value of a variable. Windows does not tell names apart by case.
    #[must_use]
    pub fn get(&self, name: &str) -> Option<&SecretString> {
        let exact = self.0.get(name);
        if exact.is_some() || !cfg!(windows) {
            return exact;
        }
        self.0.iter().find(|(known, _)| known.eq_ignore_ascii_case(name)).map(|(_, value)| value)
    }

    /// Returns the variables that a child with this allow-list inherits, by name.
    #[must_use]
    pub fn inherited(&self, beyond: &[String]) -> BTreeMap<String, SecretString> {
        let patterns: Vec<&str> =
            INHERITED.iter().copied().chain(beyond.iter().map(String::as_str)).collect();
        let is_inherited = |name: &str| patterns.iter().any(|pattern| names(pattern, name));
        let all = self.0.iter().filter(|(name, _)| is_inherited(name));
        // A shell hands functions on as variables.
        let all = all.filter(|(_, value)| !value.expose_secret().starts_with("()"));
        all.map(|(name, value)| (name.clone(), value.clone())).collect()
    }
}

/// Says whether a pattern of an allow-list names the variable.
fn names(pattern: &str, name: &str) -> bool {
    let fold = |text: &str| if cfg!(windows) { text.to_uppercase() } else { text.to_owned() };
    let (pattern, name) = (fold(pattern), fold(name));
    match pattern.strip_suffix('*') {
        Some(head) => name.starts_with(head),
        None => pattern == name,
    }
}

impl fmt::Debug for Environment {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Environment").field(&self.0.keys().collect::<Vec<_>>()).finish()
    }
}

#[cfg(test)]
mod tests {
    use super::Environment;

    #[test]
    fn a_child_inherits_what_is_listed_and_nothing_else() {
        let environment = Environment::new([
            ("PATH", "/bin"),
            ("LC_TIME", "de_DE"),
            ("LCX", "no"),
            ("AWS_SECRET_ACCESS_KEY", "no"),
            ("HTTP_PROXY", "http://proxy"),
            ("SHELL", "() { :; }"),
        ]);
        let names = |beyond: &[&str]| {
            let beyond: Vec<String> = beyond.iter().map(|&name| name.to_owned()).collect();
            environment.inherited(&beyond).into_keys().collect::<Vec<_>>()
        };
        assert_eq!(names(&[]), ["LC_TIME", "PATH"]);
        assert_eq!(names(&["HTTP_*"]), ["HTTP_PROXY", "LC_TIME", "PATH"]);
        assert_eq!(names(&["AWS_SECRET_ACCESS_KEY"]).len(), 3);
    }
}
