//! The runtime of AWS Bedrock.

mod path;

pub(crate) use path::vendor_model;
