//! Products of bytes: rows of activations times a matrix of weights, summed as whole numbers.
//!
//! Every way to compute them gives the same numbers, so a vector does not depend on the processor.

mod plain;
#[cfg(target_arch = "x86_64")]
mod x86;

/// Columns that lie together in memory.
pub(crate) const BLOCK_COLUMNS: usize = 64;
/// Weights of one column that lie together within a block.
pub(crate) const GROUP: usize = 4;

/// How products of bytes are computed on this processor.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kernel {
    /// 64 products an instruction (AVX-512 VNNI).
    #[cfg(target_arch = "x86_64")]
    Vnni,
    /// 16 products an instruction (AVX2).
    #[cfg(target_arch = "x86_64")]
    Avx2,
    /// As the compiler makes it.
    Plain,
}

impl Kernel {
    /// The fastest that this processor has.
    pub(crate) fn best() -> Self {
        Self::all().next().unwrap_or(Self::Plain)
    }

    /// Iterates over those that this processor has, the fastest first.
    pub(crate) fn all() -> impl Iterator<Item = Self> {
        #[cfg(target_arch = "x86_64")]
        let fast = [(Self::Vnni, x86::has_vnni()), (Self::Avx2, x86::has_avx2())];
        #[cfg(not(target_arch = "x86_64"))]
        let fast: [(Self, bool); 0] = [];
        fast.into_iter()
            .filter(|&(_, is_here)| is_here)
            .map(|(kernel, _)| kernel)
            .chain([Self::Plain])
    }

    /// Writes to `sums`, row by row, what each row of `rows` gives with each column.
    ///
    /// A row is `depth` bytes, a multiple of [`GROUP`]. `weights` are blocks of [`BLOCK_COLUMNS`] columns; in a block come the first [`GROUP`] weights of each column, then the next.
    /// What does not fill a row or a block is left out.
    pub(crate) fn products(self, rows: &[u8], depth: usize, weights: &[i8], sums: &mut [i32]) {
        match self {
            #[cfg(target_arch = "x86_64")]
            Self::Vnni => x86::vnni(rows, depth, weights, sums),
            #[cfg(target_arch = "x86_64")]
            Self::Avx2 => x86::avx2(rows, depth, weights, sums),
            Self::Plain => plain::products(rows, depth, weights, sums),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{BLOCK_COLUMNS, GROUP, Kernel};

    /// The same numbers from the definition: row times column.
    fn naive(rows: &[u8], depth: usize, weights: &[i8], columns: usize) -> Vec<i32> {
        let weight = |k: usize, column: usize| {
            let block = column / BLOCK_COLUMNS * depth * BLOCK_COLUMNS;
            let group = k / GROUP * BLOCK_COLUMNS * GROUP;
            i32::from(weights[block + group + column % BLOCK_COLUMNS * GROUP + k % GROUP])
        };
        let mut sums = Vec::new();
        for row in rows.chunks(depth) {
            for column in 0..columns {
                sums.push((0..depth).map(|k| i32::from(row[k]) * weight(k, column)).sum());
            }
        }
        sums
    }

    #[test]
    fn every_kernel_gives_the_sums_of_the_definition() {
        for (rows, depth, columns) in [(1, 4, 64), (2, 8, 128), (7, 320, 64), (13, 256, 192)] {
            let mut state = 7_u32;
            let mut next = || {
                state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
                (state >> 24) as u8
            };
            let mut bytes: Vec<u8> = (0..rows * depth).map(|_| next()).collect();
            let mut weights: Vec<i8> = (0..depth * columns).map(|_| next().cast_signed()).collect();
            // The extremes together, where narrow sums would overflow.
            bytes[..depth].fill(255);
            weights[..depth * 32].fill(-128);
            let expected = naive(&bytes, depth, &weights, columns);
            for kernel in Kernel::all() {
                let mut sums = vec![1; rows * columns];
                kernel.products(&bytes, depth, &weights, &mut sums);
                assert!(sums == expected, "{kernel:?} at {rows} × {depth} × {columns}");
            }
        }
    }
}
