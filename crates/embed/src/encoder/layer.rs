//! One dense layer, in bytes or in floating point.

use super::kernel::{BLOCK_COLUMNS, GROUP, Kernel};

/// Weights as they are kept: bytes of one step for the whole layer, and the shift that makes them signed.
#[derive(Clone)]
pub(crate) struct Weights<B> {
    /// In the order of [`Kernel::products`].
    pub(crate) bytes: B,
    /// Inputs.
    pub(crate) depth: usize,
    /// A weight is `step * (byte + shift)`.
    pub(crate) step: f32,
    pub(crate) shift: f32,
    /// The sum of each column's bytes.
    pub(crate) sums: Vec<i32>,
    /// What is added to each output.
    pub(crate) bias: Vec<f32>,
}

/// Rows of numbers in bytes: `scale[row] * (byte - zero[row])`.
#[derive(Default)]
pub(crate) struct Rows {
    pub(crate) bytes: Vec<u8>,
    pub(crate) scale: Vec<f32>,
    pub(crate) zero: Vec<f32>,
    /// The sum of each row's bytes.
    pub(crate) sums: Vec<u32>,
}

impl Rows {
    /// Rounds each row of `depth` numbers to 255 steps between its smallest and its largest, with 0 among them.
    pub(crate) fn rounded(numbers: &[f32], depth: usize) -> Self {
        let mut rows = Self { bytes: Vec::with_capacity(numbers.len()), ..Self::default() };
        for row in numbers.chunks_exact(depth) {
            let low = row.iter().copied().fold(0.0, f32::min);
            let high = row.iter().copied().fold(0.0, f32::max);
            let scale = ((high - low) / 255.0).max(f32::MIN_POSITIVE);
            let (steps, zero) = (1.0 / scale, (-low / scale).round());
            // The cast saturates, so no number leaves the range of a byte.
            rows.bytes.extend(row.iter().map(|number| (number * steps + zero + 0.5) as u8));
            rows.scale.push(scale);
            rows.zero.push(zero);
        }
        rows.summed(depth)
    }

    /// Completes rows whose bytes are there.
    pub(crate) fn summed(mut self, depth: usize) -> Self {
        let rows = self.bytes.chunks_exact(depth);
        self.sums = rows.map(|row| row.iter().map(|&byte| u32::from(byte)).sum()).collect();
        self
    }

    /// Returns the numbers that the rows stand for.
    pub(crate) fn numbers(&self, depth: usize) -> Vec<f32> {
        let rows = self.bytes.chunks_exact(depth).zip(self.scale.iter().zip(&self.zero));
        rows.flat_map(|(row, (scale, zero))| {
            row.iter().map(move |&b| scale * (f32::from(b) - zero))
        })
        .collect()
    }
}

/// How a layer computes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Arithmetic {
    /// Inputs are rounded to bytes, row by row.
    Bytes(Kernel),
    /// Inputs stay as they are.
    Floats,
}

/// A layer ready to compute.
pub(crate) enum Layer<B> {
    Bytes(Weights<B>, Kernel),
    /// The weights row by row (inputs), and the bias.
    Floats {
        weights: Vec<f32>,
        depth: usize,
        bias: Vec<f32>,
    },
}

impl<B: AsRef<[u8]>> Layer<B> {
    pub(crate) fn new(weights: Weights<B>, arithmetic: Arithmetic) -> Self {
        match arithmetic {
            Arithmetic::Bytes(kernel) => Self::Bytes(weights, kernel),
            Arithmetic::Floats => Self::Floats {
                weights: weights.numbers(),
                depth: weights.depth,
                bias: weights.bias,
            },
        }
    }

    /// Returns what the layer makes of each row of `input`.
    pub(crate) fn of(&self, input: &[f32]) -> Vec<f32> {
        match self {
            Self::Bytes(weights, kernel) => {
                weights.products(&Rows::rounded(input, weights.depth), *kernel)
            }
            Self::Floats { weights, depth, bias } => products(input, *depth, weights, bias),
        }
    }

    /// Returns what the layer makes of each row of `input`, which is in bytes already.
    pub(crate) fn of_rows(&self, input: &Rows) -> Vec<f32> {
        match self {
            Self::Bytes(weights, kernel) => weights.products(input, *kernel),
            Self::Floats { weights, depth, bias } => {
                products(&input.numbers(*depth), *depth, weights, bias)
            }
        }
    }
}

impl<B: AsRef<[u8]>> Weights<B> {
    /// With a row `s (u - z)` and a column `t (w + c)` of depth `n`, their product is `s t (Σuw + cΣu - zΣw - zcn)`.
    fn products(&self, rows: &Rows, kernel: Kernel) -> Vec<f32> {
        let columns = self.bias.len();
        let mut sums = vec![0; rows.scale.len() * columns];
        kernel.products(
            &rows.bytes,
            self.depth,
            bytemuck::cast_slice(self.bytes.as_ref()),
            &mut sums,
        );
        let mut outputs = Vec::with_capacity(sums.len());
        let whole = self.shift * self.depth as f32;
        for (row, sums) in sums.chunks_exact(columns).enumerate() {
            let (scale, zero) = (rows.scale[row] * self.step, rows.zero[row]);
            let shifted = self.shift * rows.sums[row] as f32 - zero * whole;
            let columns = sums.iter().zip(&self.sums).zip(&self.bias);
            outputs.extend(columns.map(|((&sum, &column), bias)| {
                scale * (sum as f32 - zero * column as f32 + shifted) + bias
            }));
        }
        outputs
    }

    /// Returns the weights in floating point, input by input.
    fn numbers(&self) -> Vec<f32> {
        let columns = self.bias.len();
        let mut numbers = vec![0.0; self.depth * columns];
        let block_bytes = self.depth * BLOCK_COLUMNS;
        for (at, &byte) in self.bytes.as_ref().iter().enumerate() {
            let (block, rest) = (at / block_bytes, at % block_bytes);
            let (group, rest) = (rest / (BLOCK_COLUMNS * GROUP), rest % (BLOCK_COLUMNS * GROUP));
            let (column, depth) =
                (block * BLOCK_COLUMNS + rest / GROUP, group * GROUP + rest % GROUP);
            if let Some(number) = numbers.get_mut(depth * columns + column) {
                *number = self.step * (f32::from(byte.cast_signed()) + self.shift);
            }
        }
        numbers
    }
}

/// Returns rows times weights plus bias, in floating point; each sum is taken in the order of the inputs.
fn products(input: &[f32], depth: usize, weights: &[f32], bias: &[f32]) -> Vec<f32> {
    let mut outputs = Vec::with_capacity(input.len() / depth.max(1) * bias.len());
    for row in input.chunks_exact(depth) {
        let from = outputs.len();
        outputs.extend_from_slice(bias);
        let outputs = &mut outputs[from..];
        for (number, weights) in row.iter().zip(weights.chunks_exact(bias.len())) {
            for (output, weight) in outputs.iter_mut().zip(weights) {
                *output += number * weight;
            }
        }
    }
    outputs
}
