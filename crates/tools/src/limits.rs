//! Every bound of this crate: one name, one unit, one place.

/// Longest arguments text of a call, in bytes; longer ones are refused before they are read.
pub const ARGUMENTS_BYTES_MAX: usize = 4_000_000;

/// How much of refused arguments is shown again to the model, in characters.
///
/// Enough to recognise one's own call, too little to fill a context.
pub const ARGUMENTS_ECHO_CHARS_MAX: usize = 200;

/// How many problems of one call's arguments are named to the model; the rest are counted.
pub const PROBLEMS_MAX: usize = 5;

/// Longest rendering of the shape of a tool's arguments in an error, in characters, required fields excepted.
pub const SHAPE_CHARS_MAX: usize = 600;

/// How deep the shape of a tool's arguments is rendered, in objects within the outermost one.
pub const SHAPE_DEPTH_MAX: usize = 2;

/// How many fixed values of a field are listed in an error.
pub const SHAPE_VALUES_MAX: usize = 12;

/// Longest schema that is enforced, in bytes; a longer one is reported and its arguments pass unchecked.
pub const SCHEMA_BYTES_MAX: usize = 1_000_000;

/// How many subschemas one pass over a schema may meet, each counted as often as it is referred to.
///
/// References that double at each of 30 levels make a small schema cost a billion checks.
pub const SCHEMA_EXPANSION_MAX: u64 = 100_000;

/// How deep a schema may nest, in schemas within schemas: its own depth and that of everything it refers to, added up.
///
/// It keeps the recursion of the compiler and the checks within a 2 MB stack even without optimization; the deepest of 3,196 real schemas has 154.
pub const SCHEMA_NESTING_MAX: usize = 200;

/// Largest compiled form of one `pattern` in a schema, in bytes.
pub const PATTERN_BYTES_MAX: usize = 1_000_000;

/// How many calls of one step are run; the rest are told to come again in the next step.
pub const CALLS_PER_STEP_MAX: usize = 128;
