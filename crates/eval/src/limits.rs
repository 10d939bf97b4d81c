//! Every bound of this crate, with its unit.

/// Bytes of one file of a data set; the largest published one has 14 MB.
pub(crate) const DATASET_FILE_BYTES_MAX: u64 = 256 * 1024 * 1024;

/// Hits asked for each query; the deepest measure looks at ten.
pub(crate) const HITS_PER_QUERY: usize = 10;
