//! One schema together with everything that it takes over: what its references lead to and what it says all of must hold. Lives as long as its node is written.

use serde_json::{Map, Value};

use super::pointer::{Pointer, Report, resolve};
use super::root::is_annotation;
use crate::limits::SCHEMA_HOPS_MAX;

/// A keyword with its value and where it stands.
#[derive(Clone, Debug)]
pub(super) struct Word<'s> {
    pub(super) word: &'s str,
    pub(super) value: &'s Value,
    pub(super) place: Pointer,
}

/// The keywords that hold for one value.
#[derive(Clone, Debug, Default)]
pub(super) struct Flat<'s> {
    /// The keywords but for those below, each once.
    pub(super) words: Vec<Word<'s>>,
    /// The properties in order, each once.
    pub(super) properties: Vec<Word<'s>>,
    /// Their names that must be there.
    pub(super) required: Vec<&'s str>,
    /// The references that led here, so that one who meets them again below knows that they go round.
    pub(super) followed: Vec<&'s str>,
}

impl<'s> Flat<'s> {
    /// Returns the value of a keyword.
    pub(super) fn word(&self, word: &str) -> Option<&Word<'s>> {
        self.words.iter().find(|known| known.word == word)
    }

    /// Takes over what `schema` says; what is known already wins.
    pub(super) fn take(
        &mut self,
        document: &'s Value,
        schema: &'s Value,
        place: &Pointer,
        report: &mut Report,
    ) {
        let words = match schema {
            Value::Object(words) => words,
            Value::Bool(true) => return,
            Value::Bool(false) => return report.lose(place, "that no value fits"),
            _ => return report.lose(place, "what is no schema"),
        };
        // What a schema says itself comes before what it takes over.
        let (parts, own): (Vec<_>, Vec<_>) = words.iter().partition(|(word, _)| *word == "allOf");
        for (word, value) in own.into_iter().chain(parts) {
            self.take_word(document, Word { word, value, place: place.at(word) }, report);
        }
        let Some(reference) = words.get("$ref").and_then(Value::as_str) else { return };
        let is_known = self.followed.contains(&reference);
        match resolve(document, reference) {
            Some((target, place)) if !is_known && self.followed.len() < SCHEMA_HOPS_MAX => {
                self.followed.push(reference);
                self.take(document, target, &place, report);
            }
            _ => report.lose(&place.at("$ref"), "what it refers to"),
        }
    }

    fn take_word(&mut self, document: &'s Value, word: Word<'s>, report: &mut Report) {
        match (word.word, word.value) {
            ("properties", Value::Object(properties)) => {
                self.take_properties(properties, &word.place, report);
            }
            ("required", Value::Array(names)) => {
                for name in names.iter().filter_map(Value::as_str) {
                    if !self.required.contains(&name) {
                        self.required.push(name);
                    }
                }
            }
            ("allOf", Value::Array(list)) => {
                for (at, part) in list.iter().enumerate() {
                    self.take(document, part, &word.place.at(at), report);
                }
            }
            ("$ref" | "$defs" | "definitions", _) => {}
            ("properties" | "required" | "allOf", _) => {
                report.lose(&word.place, "what cannot be read");
            }
            _ => self.add(word, report),
        }
    }

    fn take_properties(
        &mut self,
        properties: &'s Map<String, Value>,
        place: &Pointer,
        report: &mut Report,
    ) {
        for (name, value) in properties {
            let place = place.at(name);
            match self.properties.iter().find(|known| known.word == name) {
                None => self.properties.push(Word { word: name, value, place }),
                Some(known) if known.value == value => {}
                Some(_) => report.lose(&place, "a second schema of the same"),
            }
        }
    }

    /// Takes over a keyword that is not known yet.
    pub(super) fn add(&mut self, word: Word<'s>, report: &mut Report) {
        match self.word(word.word) {
            None => self.words.push(word),
            Some(known) if known.value == word.value || is_annotation(word.word) => {}
            Some(_) => report.lose(&word.place, "a second word on the same"),
        }
    }
}
