//! Paths of the runtime: which model, and what is done with it.

use percent_encoding::percent_decode_str;

/// Returns the name that the vendor of the model gives it: the id without regions, versions of the cloud and the vendor's name.
pub(crate) fn vendor_model(path: &str) -> String {
    let id = model_id(path);
    let name = id.split_once("anthropic.").map_or(id.as_str(), |(_, name)| name);
    name.to_owned()
}

/// Returns the id of the model in a path.
pub(super) fn model_id(path: &str) -> String {
    let id = path.strip_prefix("/model/").and_then(|rest| rest.rsplit_once('/'));
    let id = id.map_or("", |(id, _)| id);
    percent_decode_str(id).decode_utf8_lossy().into_owned()
}
