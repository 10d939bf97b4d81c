//! Every bound of this crate: one name, one unit, one place.

/// Pieces of a text that are read, in pieces; a tool's name and description have about 60.
pub const TEXT_TOKENS_MAX: usize = 128;

/// Bytes of a text that are read, in bytes; pieces are seldom longer than 16.
pub const TEXT_BYTES_MAX: usize = 4_096;

/// Largest archive that a model is installed from, in bytes.
pub const ARCHIVE_BYTES_MAX: u64 = 256 * 1024 * 1024;

/// Largest file within such an archive once it is unpacked, in bytes.
pub const MEMBER_BYTES_MAX: u64 = 512 * 1024 * 1024;

/// Vectors that are remembered on disk, in rows of about half a kilobyte.
pub const KEPT_ROWS_MAX: usize = 100_000;

/// Longest file of what requests have taught of tools, in bytes; 100,000 tools take 80 MB.
pub const TUNING_FILE_BYTES_MAX: u64 = 256 * 1024 * 1024;
