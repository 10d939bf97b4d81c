//! What tools and queries mean, as vectors of whole numbers.
//!
//! Vectors come in as data: a model outside this crate makes them of the texts that this module names.
//!
//! | file | holds |
//! |---|---|
//! | `mod` | [`Vectors`]: one vector for each tool of a source |
//! | `passage` | the text of a tool that is made a vector |
//! | `meaning` | [`Meaning`]: the vectors of a query |
//! | `row` | one vector in bytes |
//! | `product` | products of such |
//! | `told` | how close candidates are to a query |

mod meaning;
mod passage;
mod product;
mod row;
mod told;

use std::hash::Hasher;
use std::sync::Arc;

pub use meaning::Meaning;
pub use passage::passage;
pub use row::Row;

pub(crate) use meaning::Side;
pub(crate) use row::SIMILARITY_WHOLE;
pub(crate) use told::{Closeness, Told, closeness};

/// One vector for each tool of a source, in the order of its tools.
///
/// ```
/// use std::sync::Arc;
/// use oncue_search::{Row, Vectors};
///
/// let rows = [Row::of(&[1.0, 0.0]), Row::of(&[0.0, 1.0])];
/// let vectors = Vectors::new("tiny", &rows);
/// assert_eq!((vectors.len(), vectors.width()), (2, 2));
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Vectors {
    model: Arc<str>,
    /// Stands for the model, so that a look at many sources need not look at its name.
    model_hash: u64,
    width: usize,
    /// Row by row.
    bytes: Box<[i8]>,
    /// What a byte of each row is worth.
    scales: Box<[f32]>,
}

impl Vectors {
    /// The vectors of a source, made by `model`. Rows that are not as wide as the first count as nothing.
    #[must_use]
    pub fn new(model: impl Into<Arc<str>>, rows: &[Row]) -> Self {
        let width = rows.first().map_or(0, |row| row.bytes.len());
        let mut bytes = Vec::with_capacity(rows.len() * width);
        let mut scales = Vec::with_capacity(rows.len());
        for row in rows {
            if row.bytes.len() == width {
                bytes.extend_from_slice(&row.bytes);
                scales.push(row.scale);
            } else {
                bytes.resize(bytes.len() + width, 0);
                scales.push(0.0);
            }
        }
        let model = model.into();
        let model_hash = hash_of(&model);
        Self { model, model_hash, width, bytes: bytes.into(), scales: scales.into() }
    }

    /// Returns which model made them.
    #[must_use]
    pub fn model(&self) -> &Arc<str> {
        &self.model
    }

    pub(crate) const fn model_hash(&self) -> u64 {
        self.model_hash
    }

    /// Returns how many there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.scales.len()
    }

    /// Says whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.scales.is_empty()
    }

    /// Returns the numbers of one vector.
    #[must_use]
    pub fn width(&self) -> usize {
        self.width
    }

    /// Returns the size in memory, in bytes.
    #[must_use]
    pub fn bytes(&self) -> usize {
        size_of_val(&*self.bytes) + size_of_val(&*self.scales)
    }

    /// Returns the vector of the tool at `at`.
    #[must_use]
    pub fn row(&self, at: usize) -> Option<Row> {
        let bytes = self.bytes.get(at * self.width..(at + 1) * self.width)?;
        Some(Row { bytes: bytes.into(), scale: *self.scales.get(at)? })
    }

    /// Writes to `similarities` how close the tools from `from` on are to `side`, in parts of [`SIMILARITY_WHOLE`].
    pub(crate) fn similarities(&self, from: usize, side: &Side, similarities: &mut [i32]) {
        let until = from + similarities.len();
        let bytes = self.bytes.get(from * self.width..until * self.width).unwrap_or_default();
        let scales = self.scales.get(from..until).unwrap_or_default();
        product::products(&side.numbers, bytes, similarities);
        for (similarity, scale) in similarities.iter_mut().zip(scales) {
            *similarity = row::similarity(*similarity, side.scale, *scale);
        }
    }

    /// Returns the vector of the tool at `at`, to hold others against.
    pub(crate) fn side(&self, at: usize) -> Option<Side> {
        self.row(at).map(|row| Side::of(&row))
    }
}

/// Returns what stands for the name of a model; two names that share it are not to be expected among 2^64.
fn hash_of(model: &str) -> u64 {
    let mut hasher = fnv::FnvHasher::default();
    hasher.write(model.as_bytes());
    hasher.finish()
}
