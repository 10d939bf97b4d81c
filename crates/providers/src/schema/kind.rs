//! What a value may be, for endpoints that want to be told one kind.

use serde_json::Value;

use super::flat::Flat;

/// What a value may be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Object,
    List,
    Text,
    Number,
    Integer,
    Bool,
}

impl Kind {
    const ALL: [Self; 6] =
        [Self::Object, Self::List, Self::Text, Self::Number, Self::Integer, Self::Bool];

    pub(super) const fn word(self) -> &'static str {
        match self {
            Self::Object => "object",
            Self::List => "array",
            Self::Text => "string",
            Self::Number => "number",
            Self::Integer => "integer",
            Self::Bool => "boolean",
        }
    }

    pub(super) fn of_word(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.word() == word)
    }

    /// Returns the kind of a fixed value; `None` for null.
    fn of_value(value: &Value) -> Option<Self> {
        Some(match value {
            Value::Null => return None,
            Value::Bool(_) => Self::Bool,
            Value::Number(number) if number.is_f64() => Self::Number,
            Value::Number(_) => Self::Integer,
            Value::String(_) => Self::Text,
            Value::Array(_) => Self::List,
            Value::Object(_) => Self::Object,
        })
    }

    /// Returns the kind of values that a keyword is about.
    pub(super) fn of_keyword(word: &str) -> Option<Self> {
        Some(match word {
            "additionalProperties"
            | "patternProperties"
            | "propertyNames"
            | "minProperties"
            | "maxProperties"
            | "dependentRequired"
            | "dependentSchemas" => Self::Object,
            "items" | "prefixItems" | "minItems" | "maxItems" | "uniqueItems" | "contains" => {
                Self::List
            }
            "pattern" | "minLength" | "maxLength" | "format" => Self::Text,
            "minimum" | "maximum" | "exclusiveMinimum" | "exclusiveMaximum" | "multipleOf" => {
                Self::Number
            }
            _ => return None,
        })
    }

    pub(super) fn is_number(self) -> bool {
        matches!(self, Self::Number | Self::Integer)
    }

    /// Says whether older endpoints take a format for values of this kind.
    pub(super) fn has_format(self, format: &str) -> bool {
        match self {
            Self::Text => matches!(format, "date-time" | "enum"),
            Self::Number => matches!(format, "float" | "double"),
            Self::Integer => matches!(format, "int32" | "int64"),
            _ => false,
        }
    }
}

/// Returns what a value may be, and whether it may be null.
pub(super) fn kinds(flat: &Flat<'_>) -> (Vec<Kind>, bool) {
    let fixed: Vec<&Value> = match (flat.word("enum"), flat.word("const")) {
        (_, Some(word)) => vec![word.value],
        (Some(word), None) => word.value.as_array().into_iter().flatten().collect(),
        (None, None) => Vec::new(),
    };
    let mut kinds: Vec<Kind> = Vec::new();
    let mut add = |kind: Kind| {
        if !kinds.contains(&kind) {
            kinds.push(kind);
        }
    };
    let mut is_nullable =
        flat.word("nullable").is_some_and(|word| word.value == &Value::Bool(true));
    match flat.word("type").map(|word| word.value) {
        Some(Value::String(word)) => {
            is_nullable |= word == "null";
            Kind::of_word(word).into_iter().for_each(&mut add);
        }
        Some(Value::Array(words)) => {
            let words = || words.iter().filter_map(Value::as_str);
            is_nullable |= words().any(|word| word == "null");
            words().filter_map(Kind::of_word).for_each(&mut add);
        }
        _ => {
            is_nullable |= fixed.iter().any(|value| value.is_null());
            fixed.iter().filter_map(|value| Kind::of_value(value)).for_each(&mut add);
            if fixed.is_empty() && !flat.properties.is_empty() {
                add(Kind::Object);
            }
            // The first keyword that is about one kind of values tells which; nobody means the others.
            let mut about = flat.words.iter().filter_map(|word| Kind::of_keyword(word.word));
            if fixed.is_empty() && flat.properties.is_empty() {
                about.next().into_iter().for_each(&mut add);
            }
        }
    }
    (kinds, is_nullable)
}
