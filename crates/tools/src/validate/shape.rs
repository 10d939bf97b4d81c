//! The shape of a tool's arguments in a line: `{table: string, limit?: integer}`.

use oncue_search::schema::Targets;
use serde_json::value::RawValue;
use serde_json::{Map, Value};

use super::problems::value;
use crate::limits::{SHAPE_CHARS_MAX, SHAPE_DEPTH_MAX, SHAPE_HOPS_MAX, SHAPE_VALUES_MAX};

/// Returns the shape that a schema describes, required fields first; optional ones give way to `…` where it gets long.
pub(super) fn of(schema: &RawValue) -> String {
    let Ok(root) = serde_json::from_str::<Value>(schema.get()) else { return "an object".into() };
    let drawing = Drawing { targets: Targets::new(&root) };
    let fields = drawing.fields(&root, SHAPE_HOPS_MAX);
    drawing.object(&fields, SHAPE_DEPTH_MAX, SHAPE_CHARS_MAX)
}

/// A field: its name, its schema, and whether it must be there.
type Field<'s> = (&'s str, &'s Value, bool);

struct Drawing<'s> {
    targets: Targets<'s>,
}

impl<'s> Drawing<'s> {
    fn object(&self, fields: &[Field<'s>], depth: usize, room: usize) -> String {
        let mut text = String::from("{");
        for required in [true, false] {
            for (name, schema, _) in fields.iter().filter(|field| field.2 == required) {
                let left = room.saturating_sub(text.chars().count());
                let kind = self.kind(schema, depth, left, SHAPE_HOPS_MAX);
                let field = format!("{name}{}: {kind}", if required { "" } else { "?" });
                let separator = if text.len() > 1 { ", " } else { "" };
                if !required && field.chars().count() > left {
                    return text + separator + "…}";
                }
                text = text + separator + &field;
            }
        }
        text + "}"
    }

    /// Returns the fields of a schema, those of its `allOf` and of what it refers to included.
    fn fields(&self, schema: &'s Value, hops: usize) -> Vec<Field<'s>> {
        let Value::Object(object) = schema else { return Vec::new() };
        let required = |name: &str| {
            let names = object.get("required").and_then(Value::as_array);
            names.is_some_and(|names| names.iter().any(|known| known == name))
        };
        let own = object.get("properties").and_then(Value::as_object).into_iter().flatten();
        let mut fields: Vec<Field<'s>> =
            own.map(|(name, schema)| (name.as_str(), schema, required(name))).collect();
        let Some(hops) = hops.checked_sub(1) else { return fields };
        let all = object.get("allOf").and_then(Value::as_array).into_iter().flatten();
        for field in all.chain(self.target(object)).flat_map(|part| self.fields(part, hops)) {
            match fields.iter_mut().find(|known| known.0 == field.0) {
                Some(known) => known.2 |= field.2,
                None => fields.push(field),
            }
        }
        for field in &mut fields {
            field.2 |= required(field.0);
        }
        fields
    }

    fn kind(&self, schema: &'s Value, depth: usize, room: usize, hops: usize) -> String {
        let (Value::Object(object), Some(hops)) = (schema, hops.checked_sub(1)) else {
            return "any".into();
        };
        if let Some(only) = object.get("const") {
            return value(only);
        }
        if let Some(Value::Array(values)) = object.get("enum") {
            return alternatives(values.iter().map(value));
        }
        if let Some(target) = self.target(object) {
            return self.kind(target, depth, room, hops);
        }
        for key in ["anyOf", "oneOf"] {
            if let Some(Value::Array(forms)) = object.get(key) {
                return alternatives(forms.iter().map(|form| self.kind(form, depth, room, hops)));
            }
        }
        match object.get("type") {
            Some(Value::String(kind)) => self.typed(kind, schema, depth, room, hops),
            Some(Value::Array(kinds)) => {
                let kinds = kinds.iter().filter_map(Value::as_str);
                alternatives(kinds.map(|kind| self.typed(kind, schema, depth, room, hops)))
            }
            _ if object.contains_key("properties") || object.contains_key("allOf") => {
                self.typed("object", schema, depth, room, hops)
            }
            _ => "any".into(),
        }
    }

    fn typed(
        &self,
        kind: &str,
        schema: &'s Value,
        depth: usize,
        room: usize,
        hops: usize,
    ) -> String {
        match kind {
            "object" => {
                let fields = self.fields(schema, hops);
                match depth.checked_sub(1) {
                    Some(depth) if !fields.is_empty() => self.object(&fields, depth, room),
                    _ => "object".into(),
                }
            }
            "array" => match schema.get("items") {
                Some(items) => format!("[{}]", self.kind(items, depth, room, hops)),
                None => "list".into(),
            },
            kind => kind.into(),
        }
    }

    fn target(&self, object: &'s Map<String, Value>) -> Option<&'s Value> {
        self.targets.of(object.get("$ref")?.as_str()?).first().copied()
    }
}

/// Returns the distinct kinds, as many as are worth reading.
fn alternatives(kinds: impl Iterator<Item = String>) -> String {
    let mut shown: Vec<String> = Vec::new();
    for kind in kinds {
        if shown.len() == SHAPE_VALUES_MAX {
            shown.push("…".into());
            break;
        }
        if !shown.contains(&kind) {
            shown.push(kind);
        }
    }
    if shown.is_empty() { "any".into() } else { shown.join(" | ") }
}
