//! Products of bytes with the vector instructions of x86-64 processors.

use std::arch::x86_64::{
    __m128i, __m256i, __m512i, _mm256_add_epi32, _mm256_cvtepi8_epi16, _mm256_madd_epi16,
    _mm256_set1_epi64x, _mm256_setzero_si256, _mm512_dpbusd_epi32, _mm512_set1_epi32,
    _mm512_setzero_si512,
};

use bytemuck::must_cast;

use super::{BLOCK_COLUMNS, GROUP};

/// Bytes of one group of a block.
const GROUP_BYTES: usize = BLOCK_COLUMNS * GROUP;
/// Registers of 64 bytes in one group of a block.
const WIDE: usize = GROUP_BYTES / 64;
/// Columns that AVX2 sums at a time; more would not fit its registers.
const NARROW_COLUMNS: usize = 16;
/// Registers of 4 columns each.
const NARROW: usize = NARROW_COLUMNS / 4;

pub(super) fn has_vnni() -> bool {
    is_x86_feature_detected!("avx512f") && is_x86_feature_detected!("avx512vnni")
}

pub(super) fn has_avx2() -> bool {
    is_x86_feature_detected!("avx2")
}

#[expect(unsafe_code, reason = "the processor is asked before its instructions are used")]
pub(super) fn vnni(rows: &[u8], depth: usize, weights: &[i8], sums: &mut [i32]) {
    assert!(has_vnni(), "no AVX-512 VNNI here");
    // SAFETY: the line above.
    unsafe { vnni_products(rows, depth, weights, sums) }
}

#[expect(unsafe_code, reason = "the processor is asked before its instructions are used")]
pub(super) fn avx2(rows: &[u8], depth: usize, weights: &[i8], sums: &mut [i32]) {
    assert!(has_avx2(), "no AVX2 here");
    // SAFETY: the line above.
    unsafe { avx2_products(rows, depth, weights, sums) }
}

#[target_feature(enable = "avx512f,avx512vnni")]
fn vnni_products(rows: &[u8], depth: usize, weights: &[i8], sums: &mut [i32]) {
    let columns = weights.len() / depth.max(1);
    for (block, weights) in weights.chunks_exact(depth * BLOCK_COLUMNS).enumerate() {
        let (weights, _) = weights.as_chunks::<GROUP_BYTES>();
        let mut at = 0;
        let count = rows.len() / depth;
        while at < count {
            let rows = &rows[at * depth..];
            let sums = &mut sums[at * columns + block * BLOCK_COLUMNS..];
            at += match count - at {
                1 => vnni_block::<1>(rows, depth, weights, sums, columns),
                2 | 3 => vnni_block::<2>(rows, depth, weights, sums, columns),
                4 | 5 => vnni_block::<4>(rows, depth, weights, sums, columns),
                _ => vnni_block::<6>(rows, depth, weights, sums, columns),
            };
        }
    }
}

/// Sums `ROWS` rows over one block, and returns `ROWS`.
#[target_feature(enable = "avx512f,avx512vnni")]
fn vnni_block<const ROWS: usize>(
    rows: &[u8],
    depth: usize,
    weights: &[[i8; GROUP_BYTES]],
    sums: &mut [i32],
    columns: usize,
) -> usize {
    let mut totals = [[_mm512_setzero_si512(); WIDE]; ROWS];
    let groups = weights.len();
    let mut grouped: [&[[u8; GROUP]]; ROWS] = [&[]; ROWS];
    for (row, grouped) in rows.chunks_exact(depth).zip(&mut grouped) {
        *grouped = &row.as_chunks().0[..groups];
    }
    for (at, weights) in weights.iter().enumerate() {
        let weights: [__m512i; WIDE] = must_cast(*weights);
        for row in 0..ROWS {
            let bytes = _mm512_set1_epi32(i32::from_le_bytes(grouped[row][at]));
            for part in 0..WIDE {
                totals[row][part] = _mm512_dpbusd_epi32(totals[row][part], bytes, weights[part]);
            }
        }
    }
    for (row, totals) in totals.into_iter().enumerate() {
        let totals: [i32; BLOCK_COLUMNS] = must_cast(totals);
        sums[row * columns..][..BLOCK_COLUMNS].copy_from_slice(&totals);
    }
    ROWS
}

#[target_feature(enable = "avx2")]
fn avx2_products(rows: &[u8], depth: usize, weights: &[i8], sums: &mut [i32]) {
    let columns = weights.len() / depth.max(1);
    // Sums of two products of bytes overflow 16 bits, so bytes are widened first.
    let rows: Vec<i16> = rows.iter().map(|&byte| i16::from(byte)).collect();
    for (block, weights) in weights.chunks_exact(depth * BLOCK_COLUMNS).enumerate() {
        let (weights, _) = weights.as_chunks::<GROUP_BYTES>();
        for part in 0..BLOCK_COLUMNS / NARROW_COLUMNS {
            let from = block * BLOCK_COLUMNS + part * NARROW_COLUMNS;
            let mut at = 0;
            let count = rows.len() / depth;
            while at < count {
                let rows = &rows[at * depth..];
                let sums = &mut sums[at * columns + from..];
                at += match count - at {
                    1 => avx2_block::<1>(rows, depth, (weights, part), sums, columns),
                    2 => avx2_block::<2>(rows, depth, (weights, part), sums, columns),
                    _ => avx2_block::<3>(rows, depth, (weights, part), sums, columns),
                };
            }
        }
    }
}

/// Sums `ROWS` rows over a part of one block, and returns `ROWS`.
#[target_feature(enable = "avx2")]
fn avx2_block<const ROWS: usize>(
    rows: &[i16],
    depth: usize,
    (weights, part): (&[[i8; GROUP_BYTES]], usize),
    sums: &mut [i32],
    columns: usize,
) -> usize {
    let mut totals = [[_mm256_setzero_si256(); NARROW]; ROWS];
    let groups = weights.len();
    let mut grouped: [&[[i16; GROUP]]; ROWS] = [&[]; ROWS];
    for (row, grouped) in rows.chunks_exact(depth).zip(&mut grouped) {
        *grouped = &row.as_chunks().0[..groups];
    }
    for (at, weights) in weights.iter().enumerate() {
        let (weights, _) = weights.as_chunks::<{ NARROW_COLUMNS * GROUP }>();
        let weights: [__m128i; NARROW] = must_cast(weights[part]);
        let mut wide = [_mm256_setzero_si256(); NARROW];
        for part in 0..NARROW {
            wide[part] = _mm256_cvtepi8_epi16(weights[part]);
        }
        for row in 0..ROWS {
            let bytes = _mm256_set1_epi64x(must_cast(grouped[row][at]));
            for part in 0..NARROW {
                let products: __m256i = _mm256_madd_epi16(wide[part], bytes);
                totals[row][part] = _mm256_add_epi32(totals[row][part], products);
            }
        }
    }
    for (row, totals) in totals.into_iter().enumerate() {
        // Each column has two sums side by side.
        let totals: [[i32; 2]; NARROW_COLUMNS] = must_cast(totals);
        let sums = &mut sums[row * columns..][..NARROW_COLUMNS];
        for (sum, [left, right]) in sums.iter_mut().zip(totals) {
            *sum = left + right;
        }
    }
    ROWS
}
