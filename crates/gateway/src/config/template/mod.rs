//! A text of the settings in which variables may be named. It lives as long as the settings; what it says is never shown.

mod parse;

use std::fmt;

use secrecy::{ExposeSecret, SecretString};

#[cfg(test)]
pub(crate) use parse::TemplateFault;
pub(crate) use parse::{Folders, Syntax, is_variable};

use super::Environment;

/// A text with references to variables, which are looked up when its upstream is started and not before.
///
/// `Debug` and `Display` show the names of variables, and `…` for everything else.
#[derive(Clone)]
pub struct Template {
    parts: Vec<Part>,
}

#[derive(Clone)]
enum Part {
    Text(SecretString),
    Reference(Reference),
}

/// A variable that is named in a [`Template`].
#[derive(Clone)]
pub struct Reference {
    /// The name of the variable.
    variable: String,
    /// The question of an editor that the variable stands for.
    input: Option<String>,
    /// What holds where the variable is not set.
    default: Option<SecretString>,
}

/// A variable that is named and not set. It is a fault of its upstream alone.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the variable `{variable}` is not set{}", asked(.input.as_deref()))]
pub struct MissingVariable {
    /// The name of the variable.
    pub variable: String,
    /// The question of an editor that it stands for, as in `${input:token}`.
    pub input: Option<String>,
}

fn asked(input: Option<&str>) -> String {
    input.map(|id| format!(" (it stands for `${{input:{id}}}`)")).unwrap_or_default()
}

impl Reference {
    fn new(variable: impl Into<String>) -> Self {
        Self { variable: variable.into(), input: None, default: None }
    }

    /// Returns the name of the variable.
    #[must_use]
    pub fn variable(&self) -> &str {
        &self.variable
    }

    /// Returns the default as the native form can write it; `None` where there is none, or it has signs that would end it.
    fn written_default(&self) -> Option<&str> {
        let default = self.default.as_ref().map(ExposeSecret::expose_secret);
        default.filter(|default| !default.contains('}') && !default.contains("${"))
    }

    fn resolve<'e>(&'e self, environment: &'e Environment) -> Result<&'e str, MissingVariable> {
        let value = environment.get(&self.variable);
        // As in a shell, `:-` also stands in for a variable that is empty.
        let value = match &self.default {
            Some(default) => {
                value.filter(|value| !value.expose_secret().is_empty()).or(Some(default))
            }
            None => value,
        };
        value.map(ExposeSecret::expose_secret).ok_or_else(|| MissingVariable {
            variable: self.variable.clone(),
            input: self.input.clone(),
        })
    }
}

impl Template {
    /// A text that names no variables.
    #[must_use]
    pub fn literal(text: &str) -> Self {
        Self { parts: vec![Part::Text(text.into())] }
    }

    /// A text that is one variable.
    #[must_use]
    pub fn variable(name: &str) -> Self {
        Self { parts: vec![Part::Reference(Reference::new(name))] }
    }

    /// Returns the template with a text in front.
    #[must_use]
    pub fn after(mut self, text: &str) -> Self {
        self.parts.insert(0, Part::Text(text.into()));
        self
    }

    /// Returns the variables that the text names, in their order.
    pub fn references(&self) -> impl Iterator<Item = &Reference> {
        self.parts.iter().filter_map(|part| match part {
            Part::Reference(reference) => Some(reference),
            Part::Text(_) => None,
        })
    }

    /// Says whether the text names no variables.
    #[must_use]
    pub fn is_literal(&self) -> bool {
        self.references().next().is_none()
    }

    /// Returns the text with the values of its variables.
    ///
    /// # Errors
    ///
    /// A variable is not set and has no default.
    pub fn resolve(&self, environment: &Environment) -> Result<SecretString, MissingVariable> {
        let mut text = String::new();
        for part in &self.parts {
            text.push_str(match part {
                Part::Text(text) => text.expose_secret(),
                Part::Reference(reference) => reference.resolve(environment)?,
            });
        }
        Ok(text.into())
    }
}

impl Template {
    /// Returns the text with `with(name)` in the place of each variable. It holds whatever the file says: it is for deciding, not for showing.
    pub(crate) fn exposed(&self, with: impl Fn(&Reference) -> String) -> String {
        let parts = self.parts.iter().map(|part| match part {
            Part::Text(text) => text.expose_secret().to_owned(),
            Part::Reference(reference) => with(reference),
        });
        parts.collect()
    }

    /// Returns the text as the native form of settings writes it. It is for the file that the text goes to, and for nothing else.
    pub(crate) fn written(&self) -> String {
        let parts = self.parts.iter().map(|part| match part {
            Part::Text(text) => text.expose_secret().replace('$', "$$"),
            Part::Reference(reference) => match reference.written_default() {
                None => format!("${{{}}}", reference.variable),
                Some(default) => format!("${{{}:-{default}}}", reference.variable),
            },
        });
        parts.collect()
    }

    /// Returns the text with variables by name, for telling one upstream from another: their values take no part.
    pub(crate) fn identity(&self) -> String {
        self.exposed(|reference| format!("\u{0}{}\u{0}", reference.variable))
    }
}

impl PartialEq for Template {
    fn eq(&self, other: &Self) -> bool {
        let same = |(left, right): (&Part, &Part)| match (left, right) {
            (Part::Text(left), Part::Text(right)) => left.expose_secret() == right.expose_secret(),
            (Part::Reference(left), Part::Reference(right)) => left == right,
            _ => false,
        };
        self.parts.len() == other.parts.len() && self.parts.iter().zip(&other.parts).all(same)
    }
}

impl Eq for Template {}

impl PartialEq for Reference {
    fn eq(&self, other: &Self) -> bool {
        let default = |reference: &Self| {
            reference.default.as_ref().map(|text| text.expose_secret().to_owned())
        };
        self.variable == other.variable
            && self.input == other.input
            && default(self) == default(other)
    }
}

impl Eq for Reference {}

impl fmt::Display for Template {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.parts.iter().try_for_each(|part| match part {
            Part::Text(_) => f.write_str("…"),
            Part::Reference(reference) => write!(f, "{reference}"),
        })
    }
}

impl fmt::Debug for Template {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{self}")
    }
}

impl fmt::Display for Reference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "${{{}}}", self.variable)
    }
}

impl fmt::Debug for Reference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{self}")
    }
}

#[cfg(test)]
mod tests;
