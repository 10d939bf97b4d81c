//! Paths of the runtime: which model, and what is done with it.

use percent_encoding::percent_decode_str;

/// Returns the name that the vendor of the model gives it: the id without its region and its vendor.
pub(crate) fn vendor_model(path: &str) -> String {
    let id = model_id(path);
    let name = id.split_once("anthropic.").map_or(id.as_str(), |(_, name)| name);
    name.to_owned()
}

/// Returns the id of the model in a path; empty where there is none.
pub(super) fn model_id(path: &str) -> String {
    let id = path.strip_prefix("/model/").and_then(|rest| rest.rsplit_once('/'));
    let id = id.map_or("", |(id, _)| id);
    percent_decode_str(id).decode_utf8_lossy().into_owned()
}

/// Says whether a path does one of these things with a model.
pub(super) fn does(path: &str, actions: &[&str]) -> bool {
    let parts = path.strip_prefix("/model/").and_then(|rest| rest.rsplit_once('/'));
    parts.is_some_and(|(id, action)| !id.is_empty() && actions.contains(&action))
}

#[cfg(test)]
mod tests {
    use super::{does, model_id, vendor_model};

    #[test]
    fn a_path_names_a_model_and_an_action() {
        let path = "/model/us.anthropic.claude-opus-5-v1%3A0/converse";
        assert_eq!(model_id(path), "us.anthropic.claude-opus-5-v1:0");
        assert_eq!(vendor_model(path), "claude-opus-5-v1:0");
        assert!(does(path, &["converse"]));
        assert!(!does(path, &["invoke"]));
        assert!(!does("/model//converse", &["converse"]));
        assert_eq!(vendor_model("/model/amazon.nova-pro-v1%3A0/converse"), "amazon.nova-pro-v1:0");
        assert_eq!(model_id("/v1/messages"), "");
    }
}
