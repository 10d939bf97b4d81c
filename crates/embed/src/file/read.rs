//! From a mapped file to an encoder.

use safetensors::{Dtype, SafeTensors};

use super::{Mapped, Number, Section};
use crate::encoder::layer::{Arithmetic, Layer, Weights};
use crate::encoder::norm::Norm;
use crate::encoder::{
    BRANCH_WIDTH, BRANCHES, Branch, Encoder, FEATURES, HIDDEN, Head, PROJECTED, Residual, Table,
    WIDTH,
};
use crate::tokens::{Normalizer, Tokenizer, Trie};

/// Tensors by name, with the arithmetic that layers are to use.
struct Parts<'m> {
    mapped: &'m Mapped,
    tensors: SafeTensors<'m>,
    arithmetic: Arithmetic,
}

/// Returns the encoder that a file holds, or what is wrong with the file.
pub(crate) fn encoder(mapped: &Mapped, arithmetic: Arithmetic) -> Result<Encoder<Section>, String> {
    let parts = Parts { mapped, tensors: mapped.tensors()?, arithmetic };
    let [two, three, five] = BRANCHES.map(|(seen, _)| parts.branch(seen));
    Ok(Encoder {
        tokenizer: parts.tokenizer()?,
        table: parts.table()?,
        branches: [two?, three?, five?],
        projected: parts.norm("projected", PROJECTED)?,
        head: Head {
            norm: parts.norm("features", FEATURES)?,
            pool: parts.layer("pool", FEATURES, WIDTH)?,
            hidden: parts.residual("hidden", WIDTH, HIDDEN)?,
            output: parts.residual("output", HIDDEN, WIDTH)?,
        },
    })
}

impl Parts<'_> {
    fn bytes(&self, name: &str, dtype: Dtype) -> Result<Section, String> {
        let tensor = self.tensors.tensor(name).map_err(|_| format!("no `{name}`"))?;
        if tensor.dtype() != dtype {
            return Err(format!("`{name}` is of another kind"));
        }
        Ok(self.mapped.section(tensor.data()))
    }

    fn numbers<N: Number>(&self, name: &str) -> Result<Vec<N>, String> {
        Ok(N::all_of(self.bytes(name, N::DTYPE)?.as_ref()))
    }

    fn tokenizer(&self) -> Result<Tokenizer<Section>, String> {
        let trie = |name: &str| {
            let bytes = self.bytes(name, Dtype::U8)?;
            Trie::new(bytes).ok_or_else(|| format!("`{name}` is no trie"))
        };
        let normalizer = Normalizer::new(
            trie("characters.trie")?,
            self.bytes("characters.replacements", Dtype::U8)?,
        );
        Ok(Tokenizer::new(normalizer, trie("pieces.trie")?, self.numbers("pieces.scores")?))
    }

    fn table(&self) -> Result<Table<Section>, String> {
        let table = Table {
            bytes: self.bytes("table", Dtype::U8)?,
            scale: self.numbers("table.scale")?,
            zero: self.numbers("table.zero")?,
        };
        match !table.scale.is_empty() && table.scale.len() == table.zero.len() {
            true => Ok(table),
            false => Err("the table has no steps".to_owned()),
        }
    }

    fn norm(&self, name: &str, width: usize) -> Result<Norm, String> {
        let norm = Norm {
            gain: self.numbers(&format!("{name}.gain"))?,
            bias: self.numbers(&format!("{name}.shift"))?,
        };
        match norm.gain.len() == width && norm.bias.len() == width {
            true => Ok(norm),
            false => Err(format!("`{name}` is not {width} wide")),
        }
    }

    /// A layer of `depth` inputs and `columns` outputs.
    fn layer(&self, name: &str, depth: usize, columns: usize) -> Result<Layer<Section>, String> {
        let bytes = self.bytes(&format!("{name}.weights"), Dtype::I8)?;
        let sums: Vec<i32> = self.numbers(&format!("{name}.sums"))?;
        let bias: Vec<f32> = self.numbers(&format!("{name}.bias"))?;
        let [step, shift] = *self.numbers::<f32>(&format!("{name}.step"))? else {
            return Err(format!("`{name}` has no step"));
        };
        let is_whole = bytes.as_ref().len() == depth * columns;
        if !is_whole || sums.len() != columns || bias.len() != columns {
            return Err(format!("`{name}` is not {depth} by {columns}"));
        }
        let weights = Weights { bytes, depth, step, shift, sums, bias };
        Ok(Layer::new(weights, self.arithmetic))
    }

    fn branch(&self, seen: usize) -> Result<Branch<Section>, String> {
        let name = |part: &str| format!("branch{seen}.{part}");
        Ok(Branch {
            project: self.layer(&name("project"), WIDTH, BRANCH_WIDTH)?,
            first: self.layer(&name("first"), seen * BRANCH_WIDTH, BRANCH_WIDTH)?,
            second: self.layer(&name("second"), seen * BRANCH_WIDTH, BRANCH_WIDTH)?,
        })
    }

    fn residual(
        &self,
        name: &str,
        depth: usize,
        columns: usize,
    ) -> Result<Residual<Section>, String> {
        let layer = |part: &str, depth| self.layer(&format!("{name}.{part}"), depth, columns);
        Ok(Residual {
            inner: layer("inner", depth)?,
            outer: layer("outer", columns)?,
            around: layer("around", depth)?,
        })
    }
}
