//! Every bound of this crate: one name, one unit, one place.

/// Longest arguments text of a call, in bytes; longer ones are refused before they are read.
pub const ARGUMENTS_BYTES_MAX: usize = 4_000_000;

/// How much of what a model or an upstream sent a message shows again, in characters.
///
/// Enough to recognise one's own call, too little to fill a context.
pub const ECHO_CHARS_MAX: usize = 200;

/// How much of broken JSON is shown behind the place where it breaks, and of a key that stands twice, in characters.
pub const BREAK_CHARS_MAX: usize = 20;

/// How many problems of one call's arguments are named to the model; the rest are counted.
pub const PROBLEMS_MAX: usize = 5;

/// Longest rendering of one value, key or pattern inside a problem, in characters.
pub const PROBLEM_PART_CHARS_MAX: usize = 80;

/// Longest rendering of the shape of a tool's arguments in an error, in characters, required fields excepted.
pub const SHAPE_CHARS_MAX: usize = 600;

/// How deep the shape of a tool's arguments is rendered, in objects within the outermost one.
pub const SHAPE_DEPTH_MAX: usize = 2;

/// How many references and alternatives in a row the shape of one field follows, in steps.
pub const SHAPE_HOPS_MAX: usize = 8;

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

/// Most tools that one source may hold, in tools. The program's own tools are bounded by [`TOOLS_MAX`] alone.
pub const TOOLS_PER_SOURCE_MAX: usize = 10_000;

/// Most tools that a catalog may hold, in tools.
pub const TOOLS_MAX: usize = 100_000;

/// Results of a search that does not say how many it wants, in tools.
pub const RESULTS_DEFAULT: usize = 5;

/// Fewest results that a search may ask for, in tools.
pub const RESULTS_MIN: usize = 1;

/// Most results that a search may ask for, and most tools that one search may activate, in tools.
pub const RESULTS_MAX: usize = 20;

/// Longest query that the search tool takes, in bytes: as many as search reads.
pub const QUERY_BYTES_MAX: usize = oncue_search::limits::QUERY_BYTES_MAX;

/// Searches that one turn may make, its forks included, in searches.
pub const SEARCHES_PER_TURN_MAX: u32 = 3;

/// Most discoverable tools that may be active in one turn or one fork, in tools.
pub const ACTIVE_PER_TURN_MAX: usize = 64;

/// Most discoverable tools that may be active in one session, in tools.
pub const ACTIVE_PER_SESSION_MAX: usize = 256;

/// Most inline names that an error lists before it says how many more there are, in names.
pub const INLINE_NAMES_MAX: usize = 30;

/// Most near names that an answer or an error offers, in names.
pub const NEAR_NAMES_MAX: usize = 5;

/// Most names that are offered because their tools fit the words of an unknown name, in names.
pub const NEAR_BY_RANK_MAX: usize = 3;

/// Most single changes that make two names near, in changes: a character more, less or another, or two neighbours swapped.
pub const NEAR_EDITS_MAX: usize = 2;

/// Most texts that an embedding model is given at once, in texts.
pub const PASSAGES_PER_REQUEST_MAX: usize = 32;

/// Shortest name that may be near by changes, in characters; shorter ones are near to everything.
pub const NEAR_CHARS_MIN: usize = 4;

/// Longest exposed name of an upstream's tool, in characters.
///
/// It leaves room for what clients put in front (`mcp__gateway__`) below the 60 and 64 at which the strictest of them refuse.
pub const NAME_CHARS_MAX: usize = 48;

/// Shortest bound on exposed names that can be asked for, in characters: a source, the separator and a hash must fit.
pub const NAME_CHARS_MIN: usize = 40;

/// Longest part of an exposed name that stands for the source, in characters.
pub const SOURCE_CHARS_MAX: usize = 24;

/// Digits of the hash at the end of a name that could not be kept, in hexadecimal digits.
pub const NAME_HASH_DIGITS: usize = 8;
