//! From the numbers of pieces to a vector. Lives as long as its encoder.

use rten::{Model, ModelOptions, NodeId, Value, ValueOrView};
use rten_tensor::prelude::*;
use rten_tensor::{NdTensor, Tensor};

use super::folder::Folder;
use crate::ModelError;

/// The names of outputs that are vectors of whole texts.
const OF_TEXTS: [&str; 3] = ["sentence_embedding", "sentence_embeddings", "text_embeds"];

/// The names of outputs that are vectors of pieces.
const OF_PIECES: [&str; 2] = ["last_hidden_state", "token_embeddings"];

/// What a model is told of each piece.
#[derive(Clone, Copy, Debug)]
enum Input {
    /// Its number.
    Piece,
    /// That it counts.
    Mask,
    /// That it belongs to the first text.
    Kind,
    /// Its place.
    Place,
}

/// A model that can be run.
pub(super) struct Graph {
    model: Model,
    inputs: Vec<(NodeId, Input)>,
    output: NodeId,
    /// Whether the vector of the first piece stands for the text, instead of the mean of all.
    takes_first: bool,
}

impl Graph {
    /// Opens the model of a folder.
    pub(super) fn open(folder: &Folder) -> Result<Self, ModelError> {
        let unusable = |what: String| ModelError::unusable(&folder.model, what);
        let mut options = ModelOptions::with_all_ops();
        options.prepack_weights(true);
        let model =
            options.load_file(&folder.model).map_err(|error| unusable(error.to_string()))?;
        let name =
            |id: NodeId| model.node_info(id).and_then(|node| node.name()).unwrap_or_default();
        let input = |&id: &NodeId| match name(id) {
            "input_ids" => Ok((id, Input::Piece)),
            "attention_mask" => Ok((id, Input::Mask)),
            "token_type_ids" => Ok((id, Input::Kind)),
            "position_ids" => Ok((id, Input::Place)),
            other => Err(unusable(format!("it asks for `{other}`, and no sentence has that"))),
        };
        let inputs = model.input_ids().iter().map(input).collect::<Result<Vec<_>, _>>()?;
        let outputs = model.output_ids();
        let named = |names: &[&str]| outputs.iter().find(|id| names.contains(&name(**id)));
        let output = named(&OF_TEXTS).or_else(|| named(&OF_PIECES)).or(outputs.first());
        let output = *output.ok_or_else(|| unusable("it gives nothing".to_owned()))?;
        let takes_first = folder.takes_first();
        Ok(Self { inputs, output, takes_first, model })
    }

    /// Returns the vector of these pieces, of any length.
    ///
    /// # Errors
    ///
    /// The model cannot be run, or gives something else.
    pub(super) fn vector(&self, pieces: &[u32]) -> Result<Vec<f32>, String> {
        let count = pieces.len();
        let numbers = |input: Input| -> Vec<i32> {
            match input {
                Input::Piece => pieces.iter().map(|&piece| piece.cast_signed()).collect(),
                Input::Mask => vec![1; count],
                Input::Kind => vec![0; count],
                Input::Place => (0..).take(count).collect(),
            }
        };
        let inputs: Vec<(NodeId, ValueOrView<'_>)> = self
            .inputs
            .iter()
            .map(|&(id, input)| (id, NdTensor::from_data([1, count], numbers(input)).into()))
            .collect();
        let told =
            self.model.run(inputs, &[self.output], None).map_err(|error| error.to_string())?;
        let told = told.into_iter().next().ok_or("it gave nothing")?;
        self.pooled(told)
    }

    fn pooled(&self, told: Value) -> Result<Vec<f32>, String> {
        let tensor: Tensor<f32> =
            told.try_into().map_err(|_| "it gave something else than numbers".to_owned())?;
        let shape = tensor.shape().to_vec();
        let numbers = tensor.to_vec();
        match *shape {
            [1, width] if width > 0 => Ok(numbers),
            [1, count, width] if count > 0 && width > 0 && self.takes_first => {
                Ok(numbers.into_iter().take(width).collect())
            }
            [1, count, width] if count > 0 && width > 0 => {
                let mut sums = vec![0.0_f32; width];
                for piece in numbers.chunks_exact(width) {
                    sums.iter_mut().zip(piece).for_each(|(sum, number)| *sum += number);
                }
                Ok(sums)
            }
            _ => Err(format!("it gave numbers in the shape {shape:?}")),
        }
    }
}
