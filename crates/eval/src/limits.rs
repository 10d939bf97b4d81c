//! Every bound of this crate, with its unit.

/// Bytes of one file of a data set; the largest published one has 14 MB.
pub(crate) const DATASET_FILE_BYTES_MAX: u64 = 256 * 1024 * 1024;

/// Hits asked for each query; the deepest measure looks at ten.
pub(crate) const HITS_PER_QUERY: usize = 10;

/// Words of a description that it is asked with, in words: a long sentence.
pub(crate) const ASKED_WORDS_MAX: usize = 24;

/// The same, in bytes.
pub(crate) const ASKED_BYTES_MAX: usize = 300;

/// The rank up to which a tool counts as found, in hits: as many as a search answers with unless told.
pub(crate) const FOUND_RANK_MAX: usize = 5;

/// Tools or words that a message names before it counts the rest.
pub(crate) const NAMED_MAX: usize = 5;

/// Fewest different words of name and description with which tools are compared; of fewer, one word is all the difference there can be.
pub(crate) const NEAR_WORDS_MIN: usize = 6;

/// Most words that either of two near duplicates has for itself.
pub(crate) const NEAR_OWN_WORDS_MAX: usize = 2;

/// Most near duplicates reported for one tool, the closest ones.
pub(crate) const NEAR_PER_TOOL_MAX: usize = 3;

/// Most tools remembered under one rare word, in tools. It bounds the work for a made-up catalog; real ones stay far below.
pub(crate) const NEAR_POSTINGS_MAX: usize = 200;

/// Fewest words of a description that says something, in words.
pub(crate) const DESCRIPTION_WORDS_MIN: usize = 3;

/// Bytes of JSON and English that make a token with most vendors.
pub(crate) const BYTES_PER_TOKEN: usize = 4;

/// Tokens from which a definition is called heavy.
pub(crate) const TOOL_TOKENS_NOTED: usize = 2_000;

/// Levels of objects and arrays from which a schema is called deep.
pub(crate) const SCHEMA_DEPTH_NOTED: usize = 12;

/// Fixed values from which one list of them is called long.
pub(crate) const ENUM_VALUES_NOTED: usize = 50;

/// Examples of one kind in a summary.
pub(crate) const REPORT_EXAMPLES_MAX: usize = 8;

/// Heaviest tools in a summary.
pub(crate) const REPORT_HEAVIEST_MAX: usize = 15;

/// Model calls of a turn in which a model's first call is awaited, in steps: a search, its finding and two mistakes.
pub(crate) const FIRST_CALL_STEPS_MAX: u32 = 4;

/// Longest reply of such a turn, in tokens: the longest right calls have a third of that, and a weak model that repeats itself never ends.
pub(crate) const FIRST_CALL_OUTPUT_TOKENS_MAX: u32 = 160;

/// Foreign requests that are drawn of one data set for one catalog, in requests.
pub(crate) const FOREIGN_PER_PAIR_MAX: usize = 60;

/// Servers of a catalog that is attacked.
pub(crate) const MARKET_SOURCES: usize = 50;

/// Its tools.
pub(crate) const MARKET_TOOLS: usize = 2_000;

/// Servers of one data set in it.
pub(crate) const MARKET_SOURCES_PER_SET: usize = 5;

/// Fewest tools of a server that fills it up.
pub(crate) const MARKET_FILLER_TOOLS_MIN: usize = 20;

/// Most tools of one of its servers: the largest real one has that many.
pub(crate) const MARKET_SOURCE_TOOLS_MAX: usize = 250;

/// Requests of one data set that are asked of it.
pub(crate) const MARKET_REQUESTS_PER_SET: usize = 60;

/// Tools of the adversary: one in a hundred.
pub(crate) const ADVERSARY_TOOLS: usize = 20;

/// How many of its nearest requests a request is joined with to make a text that covers several.
pub(crate) const COVER_NEIGHBOURS: [usize; 3] = [0, 1, 3];

/// Coordinates that words share in the space of words.
pub(crate) const TF_IDF_BUCKETS: usize = 1_024;

/// Requests that are drawn to be asked together.
pub(crate) const DRAWN_STEPS: usize = 3;

/// Most such draws of one data set.
pub(crate) const DRAWN_TASKS_MAX: usize = 100;

/// Shortest word that is proposed as a keyword, in characters.
pub(crate) const SUGGESTED_WORD_CHARS_MIN: usize = 3;

/// Most keywords that are proposed for one tool, in words: a few that a person can judge.
pub(crate) const SUGGESTED_PER_TOOL_MAX: usize = 3;

/// Most words that are looked at as another word for one word of a tool, in words.
pub(crate) const SUGGESTED_SYNONYMS_MAX: usize = 10;

/// Most tools that are close to a word that is proposed, in tools; of more it tells nothing.
pub(crate) const SUGGESTED_TOOLS_PER_WORD_MAX: usize = 100;

/// Words that a model is asked for at once, in words.
pub(crate) const WORDS_PER_REQUEST: usize = 64;

/// Fewest requests by which a gain is told from chance, in requests.
pub(crate) const TUNE_REQUESTS_MIN: usize = 30;

/// Requests whose meaning is asked for at once.
pub(crate) const TUNE_REQUESTS_PER_CALL: usize = 32;
