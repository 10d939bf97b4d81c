//! Taking the values of one table out by key, each with the type it must have.

use std::time::Duration;

use oncue_tools::near;

use super::{Entry, Node, Value};
use crate::config::Fault;
use crate::limits::TIMEOUT_SECONDS_MAX;

/// A key that a table of settings may have.
#[derive(Debug)]
pub(crate) struct Key {
    pub(crate) name: &'static str,
    /// What holds where the key is absent, as the file would say it; empty where there is nothing.
    pub(crate) default: &'static str,
    /// What it means.
    pub(crate) means: &'static str,
}

/// A table of settings: how it is headed, and its keys in the order of the documentation.
#[derive(Debug)]
pub(crate) struct Table {
    pub(crate) title: &'static str,
    pub(crate) keys: &'static [Key],
}

/// What a reader returns for one key.
pub(crate) type Read<T> = Result<T, Fault>;

/// The values of one table.
#[derive(Clone, Copy)]
pub(crate) struct Fields<'n> {
    node: &'n Node,
    entries: &'n [Entry],
    /// How messages name the table; empty for the whole file.
    path: &'n str,
}

impl<'n> Fields<'n> {
    pub(crate) fn new(node: &'n Node, path: &'n str) -> Read<Self> {
        match node.table() {
            Some(entries) => Ok(Self { node, entries, path }),
            None => Err(wrong_kind(node, path, "a table")),
        }
    }

    pub(crate) fn node(&self) -> &'n Node {
        self.node
    }

    pub(crate) fn entries(&self) -> &'n [Entry] {
        self.entries
    }

    /// Returns how messages name `key` of this table.
    pub(crate) fn name(&self, key: &str) -> String {
        match self.path {
            "" => key.to_owned(),
            path => format!("{path}.{key}"),
        }
    }

    /// Returns a fault for every key that the table does not know.
    pub(crate) fn unknown(&self, table: &Table) -> Vec<Fault> {
        let is_known = |entry: &&Entry| table.keys.iter().any(|key| key.name == entry.key);
        let unknown = self.entries.iter().filter(|entry| !is_known(entry));
        unknown.map(|entry| self.unknown_key(entry, table)).collect()
    }

    fn unknown_key(&self, entry: &Entry, table: &Table) -> Fault {
        let names = table.keys.iter().map(|key| (key.name, [key.name; 2]));
        let near = near(&entry.key, names);
        let listed = |names: &[&str]| {
            names.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ")
        };
        let hint = match near.as_slice() {
            [] => {
                let all: Vec<&str> = table.keys.iter().map(|key| key.name).collect();
                format!("the keys here are {}", listed(&all))
            }
            near => format!("did you mean {}?", listed(near)),
        };
        Fault::new(&entry.place, format!("`{}` is no key", self.name(&entry.key)), hint)
    }

    /// Returns the value under the key; `null` is as good as nothing.
    pub(crate) fn get(&self, key: &str) -> Option<&'n Node> {
        self.node.get(key).filter(|node| !matches!(node.value, Value::Null))
    }

    pub(crate) fn text(&self, key: &str) -> Read<Option<&'n str>> {
        self.get(key).map(|node| text(node, &self.name(key))).transpose()
    }

    pub(crate) fn texts(&self, key: &str) -> Read<Option<Vec<&'n str>>> {
        let Some(nodes) = self.list(key)? else { return Ok(None) };
        let named = |at: usize| format!("{}[{at}]", self.name(key));
        let texts = nodes.iter().enumerate().map(|(at, node)| text(node, &named(at)));
        texts.collect::<Read<Vec<_>>>().map(Some)
    }

    pub(crate) fn list(&self, key: &str) -> Read<Option<&'n [Node]>> {
        let Some(node) = self.get(key) else { return Ok(None) };
        match &node.value {
            Value::List(nodes) => Ok(Some(nodes)),
            _ => Err(wrong_kind(node, &self.name(key), "a list")),
        }
    }

    pub(crate) fn table(&self, key: &str) -> Read<Option<&'n [Entry]>> {
        let Some(node) = self.get(key) else { return Ok(None) };
        match node.table() {
            Some(entries) => Ok(Some(entries)),
            None => Err(wrong_kind(node, &self.name(key), "a table")),
        }
    }

    pub(crate) fn truth(&self, key: &str) -> Read<Option<bool>> {
        let Some(node) = self.get(key) else { return Ok(None) };
        match node.value {
            Value::Bool(truth) => Ok(Some(truth)),
            _ => Err(wrong_kind(node, &self.name(key), "`true` or `false`")),
        }
    }

    pub(crate) fn number(&self, key: &str) -> Read<Option<f64>> {
        let Some(node) = self.get(key) else { return Ok(None) };
        match node.value {
            Value::Number(number) => Ok(Some(number)),
            _ => Err(wrong_kind(node, &self.name(key), "a number")),
        }
    }

    /// Returns a whole number within bounds.
    pub(crate) fn whole(&self, key: &str, least: usize, most: usize) -> Read<Option<usize>> {
        let Some(number) = self.number(key)? else { return Ok(None) };
        let within = number.fract() == 0.0 && number >= least as f64 && number <= most as f64;
        if !within {
            let what = format!("`{}` is a whole number from {least} to {most}", self.name(key));
            return Err(Fault::new(&self.place(key), what, ""));
        }
        Ok(Some(number as usize))
    }

    /// Returns a length of time, written as `"30s"` or `"5m"`.
    pub(crate) fn time(&self, key: &str) -> Read<Option<Duration>> {
        let Some(text) = self.text(key)? else { return Ok(None) };
        let time = humantime::parse_duration(text).ok();
        bounded(time).map(Some).map_err(|()| self.no_time(key, "a time such as \"30s\" or \"5m\""))
    }

    /// Returns a length of time, written as a number of units, each of so many seconds.
    pub(crate) fn time_in(&self, key: &str, seconds: f64) -> Read<Option<Duration>> {
        let Some(number) = self.number(key)? else { return Ok(None) };
        let time = Duration::try_from_secs_f64(number * seconds).ok();
        bounded(time).map(Some).map_err(|()| self.no_time(key, "a positive number"))
    }

    fn no_time(&self, key: &str, is: &str) -> Fault {
        let hours = TIMEOUT_SECONDS_MAX / 3_600;
        let what = format!("`{}` is {is}, {hours} hours at most", self.name(key));
        Fault::new(&self.place(key), what, "")
    }

    /// Returns where the value under the key stands.
    pub(crate) fn place(&self, key: &str) -> super::Place {
        self.node.get(key).map_or(&self.node.place, |node| &node.place).clone()
    }

    /// Returns a fault about the value under a key.
    pub(crate) fn fault(&self, key: &str, what: &str, hint: impl Into<String>) -> Fault {
        Fault::new(&self.place(key), format!("`{}` {what}", self.name(key)), hint)
    }
}

fn bounded(time: Option<Duration>) -> Result<Duration, ()> {
    let most = Duration::from_secs(TIMEOUT_SECONDS_MAX);
    time.filter(|time| !time.is_zero() && *time <= most).ok_or(())
}

pub(crate) fn text<'n>(node: &'n Node, name: &str) -> Read<&'n str> {
    match &node.value {
        Value::Text(text) => Ok(text),
        _ => Err(wrong_kind(node, name, "a text")),
    }
}

/// Returns the fault for a value of the wrong kind. It says the kinds, never the value.
pub(crate) fn wrong_kind(node: &Node, name: &str, wanted: &str) -> Fault {
    let of = if name.is_empty() { "the file".to_owned() } else { format!("`{name}`") };
    Fault::new(&node.place, format!("{of} must be {wanted}, here it is {}", node.kind()), "")
}
