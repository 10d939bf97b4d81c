//! Whether a foreign schema can be compiled and enforced at a bounded cost.

use std::collections::HashMap;

use oncue_search::schema::Targets;
use serde_json::{Map, Value};

use super::SchemaFault;
use crate::excerpt::excerpt;
use crate::limits::{ECHO_CHARS_MAX, SCHEMA_EXPANSION_MAX, SCHEMA_NESTING_MAX};

/// What a keyword holds.
#[derive(Clone, Copy)]
enum Holds {
    /// One schema.
    One,
    /// A list of schemas, or one.
    List,
    /// Schemas by a name.
    Named,
}

/// The keywords that hold a value against further schemas at the same place.
const IN_PLACE: [(&str, Holds); 9] = [
    ("allOf", Holds::List),
    ("anyOf", Holds::List),
    ("oneOf", Holds::List),
    ("not", Holds::One),
    ("if", Holds::One),
    ("then", Holds::One),
    ("else", Holds::One),
    ("dependentSchemas", Holds::Named),
    ("dependencies", Holds::Named),
];

/// The keywords that hold parts of a value against further schemas.
const INSIDE: [(&str, Holds); 10] = [
    ("properties", Holds::Named),
    ("patternProperties", Holds::Named),
    ("additionalProperties", Holds::One),
    ("propertyNames", Holds::One),
    ("items", Holds::List),
    ("prefixItems", Holds::List),
    ("additionalItems", Holds::One),
    ("contains", Holds::One),
    ("unevaluatedItems", Holds::One),
    ("unevaluatedProperties", Holds::One),
];

/// The keywords whose compilation takes several times the stack of others.
const HEAVY: [&str; 2] = ["unevaluatedItems", "unevaluatedProperties"];

/// As how many levels a schema with one of them counts; measured, 8 kB against 2 kB without optimization.
const HEAVY_LEVELS: usize = 4;

/// The keywords that hold a value against a schema elsewhere.
const REFERENCES: [&str; 3] = ["$ref", "$dynamicRef", "$recursiveRef"];

/// Where meta-schemas live, which the engine carries with it.
const META: [&str; 2] = ["http://json-schema.org/", "https://json-schema.org/"];

/// Returns the fault of a schema whose cost has no bound.
pub(super) fn check(root: &Value) -> Result<(), SchemaFault> {
    let targets = Targets::new(root);
    let mut walk = Walk { root, targets, marks: HashMap::new(), nesting: depth(root) };
    if walk.cost(root)? > SCHEMA_EXPANSION_MAX {
        return Err(SchemaFault::Unbounded("repeats its parts too often through references"));
    }
    walk.nesting = 0;
    let met: Vec<&Value> = walk.marks.drain().map(|(_, (schema, _))| schema).collect();
    met.into_iter().try_for_each(|schema| walk.end(schema))
}

/// How far a walk has come with one subschema.
#[derive(Clone, Copy)]
enum Mark {
    /// It is on the path from the start to here.
    Open,
    /// Its cost is known.
    Done(u64),
}

struct Walk<'s> {
    root: &'s Value,
    targets: Targets<'s>,
    /// By the address of the subschema, which does not move while the root is borrowed.
    marks: HashMap<*const Value, (&'s Value, Mark)>,
    /// How deep the root and every target of a reference so far nest, added up.
    nesting: usize,
}

impl<'s> Walk<'s> {
    /// Returns how many subschemas one pass from `schema` meets; a way back to an open one counts once.
    fn cost(&mut self, schema: &'s Value) -> Result<u64, SchemaFault> {
        let Value::Object(object) = schema else { return Ok(1) };
        match self.mark(schema) {
            Some(Mark::Done(cost)) => return Ok(cost),
            Some(Mark::Open) => return Ok(1),
            None => {}
        }
        if object.contains_key("$id") && !std::ptr::eq(schema, self.root) {
            return Err(SchemaFault::Unbounded("has a second `$id` inside, which is not followed"));
        }
        self.set(schema, Mark::Open);
        let targets = self.targets(object)?;
        let mut cost: u64 = 1;
        for part in targets.into_iter().chain(held(object, &IN_PLACE)).chain(held(object, &INSIDE))
        {
            cost = cost.saturating_add(self.cost(part)?);
        }
        self.set(schema, Mark::Done(cost));
        Ok(cost)
    }

    /// Returns the fault of a schema that comes back to itself while it stays at one place of the value.
    fn end(&mut self, schema: &'s Value) -> Result<(), SchemaFault> {
        let Value::Object(object) = schema else { return Ok(()) };
        match self.mark(schema) {
            Some(Mark::Done(_)) => return Ok(()),
            Some(Mark::Open) => {
                return Err(SchemaFault::Unbounded("refers to itself without end"));
            }
            None => {}
        }
        self.set(schema, Mark::Open);
        for part in self.targets(object)?.into_iter().chain(held(object, &IN_PLACE)) {
            self.end(part)?;
        }
        self.set(schema, Mark::Done(0));
        Ok(())
    }

    fn mark(&self, schema: &'s Value) -> Option<Mark> {
        self.marks.get(&std::ptr::from_ref(schema)).map(|(_, mark)| *mark)
    }

    fn set(&mut self, schema: &'s Value, mark: Mark) {
        self.marks.insert(schema, (schema, mark));
    }

    /// Returns what the references of one subschema point at.
    fn targets(&mut self, object: &'s Map<String, Value>) -> Result<Vec<&'s Value>, SchemaFault> {
        let mut targets = Vec::new();
        for reference in REFERENCES.iter().filter_map(|key| object.get(*key)) {
            let Some(text) = reference.as_str() else { continue };
            if META.iter().any(|place| text.starts_with(place)) {
                continue;
            }
            let met = self.targets.of(text);
            if met.is_empty() {
                return Err(SchemaFault::Outside(excerpt(text, ECHO_CHARS_MAX)));
            }
            let fresh = met.iter().filter(|target| self.mark(target).is_none());
            self.nesting += fresh.map(|target| depth(target)).sum::<usize>();
            targets.extend(met);
        }
        if self.nesting > SCHEMA_NESTING_MAX {
            return Err(SchemaFault::Unbounded("nests too deep through references"));
        }
        Ok(targets)
    }
}

fn held<'s>(
    object: &'s Map<String, Value>,
    keywords: &'static [(&'static str, Holds)],
) -> impl Iterator<Item = &'s Value> {
    keywords.iter().filter_map(|(key, holds)| Some((object.get(*key)?, holds))).flat_map(
        |(value, holds)| -> Box<dyn Iterator<Item = &'s Value>> {
            match (holds, value) {
                (Holds::Named, Value::Object(named)) => Box::new(named.values()),
                (Holds::List, Value::Array(list)) => Box::new(list.iter()),
                (Holds::One | Holds::List | Holds::Named, _) => Box::new(std::iter::once(value)),
            }
        },
    )
}

/// Returns how many schemas stand within each other, references apart; the reader of JSON has bounded it.
fn depth(schema: &Value) -> usize {
    let Value::Object(object) = schema else { return 1 };
    let heavy = HEAVY.iter().any(|key| object.contains_key(*key));
    let inner = held(object, &IN_PLACE).chain(held(object, &INSIDE)).map(depth).max();
    (if heavy { HEAVY_LEVELS } else { 1 }) + inner.unwrap_or(0)
}
