//! Products of one vector with many, with what vector instructions the processor has; the numbers are the same with any.

/// Numbers that are multiplied side by side.
const LANES: usize = 64;

/// Writes the product of `numbers` with each of `rows`, which lie one behind the other.
pub(super) fn products(numbers: &[i16], rows: &[i8], products: &mut [i32]) {
    #[cfg(target_arch = "x86_64")]
    if x86::products(numbers, rows, products) {
        return;
    }
    plain(numbers, rows, products);
}

#[inline(always)]
fn plain(numbers: &[i16], rows: &[i8], products: &mut [i32]) {
    if numbers.is_empty() {
        return products.fill(0);
    }
    for (product, row) in products.iter_mut().zip(rows.chunks_exact(numbers.len())) {
        *product = one(numbers, row);
    }
}

/// Chunks of a fixed length are what compilers make vector instructions of.
#[inline(always)]
fn one(numbers: &[i16], row: &[i8]) -> i32 {
    let (numbers, numbers_rest) = numbers.as_chunks::<LANES>();
    let (row, row_rest) = row.as_chunks::<LANES>();
    let product = |(&number, &byte): (&i16, &i8)| i32::from(number) * i32::from(byte);
    let mut sum: i32 = numbers_rest.iter().zip(row_rest).map(product).sum();
    for (numbers, row) in numbers.iter().zip(row) {
        sum += numbers.iter().zip(row).map(product).sum::<i32>();
    }
    sum
}

#[cfg(target_arch = "x86_64")]
mod x86 {
    //! The same loop, compiled for newer processors.

    use super::plain;

    /// Says whether the products were written.
    #[expect(unsafe_code, reason = "the processor is asked before its instructions are used")]
    pub(super) fn products(numbers: &[i16], rows: &[i8], products: &mut [i32]) -> bool {
        if is_x86_feature_detected!("avx512bw") {
            // SAFETY: the line above.
            unsafe { avx512(numbers, rows, products) };
        } else if is_x86_feature_detected!("avx2") {
            // SAFETY: the line above.
            unsafe { avx2(numbers, rows, products) };
        } else {
            return false;
        }
        true
    }

    #[target_feature(enable = "avx512f,avx512bw")]
    fn avx512(numbers: &[i16], rows: &[i8], products: &mut [i32]) {
        plain(numbers, rows, products);
    }

    #[target_feature(enable = "avx2")]
    fn avx2(numbers: &[i16], rows: &[i8], products: &mut [i32]) {
        plain(numbers, rows, products);
    }
}

#[cfg(test)]
mod tests {
    use super::{plain, products};

    #[test]
    fn every_way_gives_the_products_of_the_definition() {
        for width in [1, 63, 64, 65, 200] {
            let byte = |at: usize| (at * 37 % 255) as u8 as i8;
            let rows: Vec<i8> = (0..3 * width).map(byte).collect();
            let numbers: Vec<i16> = (0..width).map(|at| byte(at + 11).into()).collect();
            let expected: Vec<i32> = (0..3)
                .map(|row| {
                    let terms = (0..width)
                        .map(|at| i32::from(numbers[at]) * i32::from(rows[row * width + at]));
                    terms.sum()
                })
                .collect();
            let mut found = [1; 3];
            products(&numbers, &rows, &mut found);
            assert_eq!(found, *expected, "{width}");
            plain(&numbers, &rows, &mut found);
            assert_eq!(found, *expected, "{width}");
        }
    }
}
