//! Products of bytes on any processor.

use super::{BLOCK_COLUMNS, GROUP};

pub(super) fn products(rows: &[u8], depth: usize, weights: &[i8], sums: &mut [i32]) {
    let columns = weights.len() / depth.max(1);
    for (row, sums) in rows.chunks_exact(depth).zip(sums.chunks_exact_mut(columns.max(1))) {
        let blocks = weights.chunks_exact(depth * BLOCK_COLUMNS);
        for (block, sums) in blocks.zip(sums.chunks_exact_mut(BLOCK_COLUMNS)) {
            sums.fill(0);
            let (row, _) = row.as_chunks::<GROUP>();
            for (row, group) in row.iter().zip(block.chunks_exact(BLOCK_COLUMNS * GROUP)) {
                let (group, _) = group.as_chunks::<GROUP>();
                for (sum, weights) in sums.iter_mut().zip(group) {
                    let products =
                        row.iter().zip(weights).map(|(&a, &w)| i32::from(a) * i32::from(w));
                    *sum += products.sum::<i32>();
                }
            }
        }
    }
}
