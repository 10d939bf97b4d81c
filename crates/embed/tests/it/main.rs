//! The encoder against its reference implementation. Needs the installed model.

#[cfg(test)]
mod golden;
#[cfg(test)]
mod install;
#[cfg(test)]
mod model;
#[cfg(feature = "onnx")]
#[cfg(test)]
mod onnx;
