//! From a Rust type to the schema that a model reads.

use oncue_decl::Row;
use schemars::JsonSchema;
use schemars::generate::SchemaSettings;
use serde_json::value::to_raw_value;

use crate::Definition;

/// Returns the definition of `row` with the schema of `A`: draft 2020-12, everything in place but recursive types, without names of Rust types.
pub(super) fn define<A: JsonSchema>(row: Row) -> Definition {
    let settings = SchemaSettings::draft2020_12().with(|settings| {
        settings.meta_schema = None;
        settings.inline_subschemas = true;
    });
    let mut schema = settings.into_generator().into_root_schema_for::<A>();
    schema.remove("title");
    // The type's own words are for programmers; the row says what the tool does.
    schema.remove("description");
    #[expect(clippy::expect_used, reason = "a JSON value prints as JSON")]
    let text = to_raw_value(&schema).expect("a JSON value prints as JSON");
    Definition::new(row, Some(text))
}
