//! What requests have taught of tools, as a file.

use std::fs::{self, File};
use std::io::{self, BufWriter, Read, Write};
use std::path::{Path, PathBuf};

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use oncue_tools::{Lesson, Tuning};
use serde::{Deserialize, Serialize};

use crate::limits::TUNING_FILE_BYTES_MAX;

/// Changes whenever the form of the file changes.
const FORM: &str = "oncue-tuning-1";

/// Why a tuning cannot be read or written.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum TuningError {
    /// The file cannot be read.
    #[error("`{}` cannot be read", path.display())]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// The file cannot be written.
    #[error("`{}` cannot be written", path.display())]
    Unwritable {
        /// The file.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// It is not what `oncue tune` writes.
    #[error("`{}` is no tuning: {reason}", path.display())]
    Malformed {
        /// The file.
        path: PathBuf,
        /// What is wrong.
        reason: String,
    },
    /// It was learnt with another model.
    #[error("`{}` was learnt with the model `{learnt}`, and tools are ranked with `{model}`", path.display())]
    OtherModel {
        /// The file.
        path: PathBuf,
        /// The model that it was learnt with.
        learnt: String,
        /// The model that is in use.
        model: String,
    },
}

#[derive(Serialize, Deserialize)]
struct Form {
    form: String,
    model: String,
    width: usize,
    tools: Vec<Line>,
}

/// One tool. A number of the mean is `scale * byte`.
#[derive(Serialize, Deserialize)]
struct Line {
    source: String,
    tool: String,
    requests: f64,
    scale: f32,
    bytes: String,
}

/// Writes a tuning as JSON; the file is replaced whole or stays. A tool takes about 0.8 kB at 512 numbers.
///
/// # Errors
///
/// It cannot be written.
pub fn write_tuning(path: &Path, tuning: &Tuning) -> Result<(), TuningError> {
    let form = Form {
        form: FORM.to_owned(),
        model: tuning.model().to_string(),
        width: tuning.width(),
        tools: tuning.lessons().map(line).collect(),
    };
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    let folder = folder.unwrap_or_else(|| ".".as_ref());
    let write = || {
        fs::create_dir_all(folder)?;
        let mut file = tempfile::Builder::new().prefix(".tuning-").tempfile_in(folder)?;
        let mut out = BufWriter::new(&mut file);
        serde_json::to_writer(&mut out, &form)?;
        out.write_all(b"\n")?;
        out.flush()?;
        drop(out);
        file.persist(path).map_err(|error| error.error)?;
        Ok(())
    };
    write().map_err(|source| TuningError::Unwritable { path: path.to_owned(), source })
}

/// Reads a tuning for vectors of `model`.
///
/// # Errors
///
/// It cannot be read, is none, or was learnt with another model.
pub fn read_tuning(path: &Path, model: &str) -> Result<Tuning, TuningError> {
    let mut text = String::new();
    File::open(path)
        .and_then(|file| file.take(TUNING_FILE_BYTES_MAX).read_to_string(&mut text))
        .map_err(|source| TuningError::Unreadable { path: path.to_owned(), source })?;
    let malformed =
        |reason: &str| TuningError::Malformed { path: path.to_owned(), reason: reason.to_owned() };
    let form: Form = serde_json::from_str(&text).map_err(|error| malformed(&error.to_string()))?;
    if form.form != FORM {
        return Err(malformed(&format!("its form is `{}`, not `{FORM}`", form.form)));
    }
    if form.model != model {
        let (learnt, model) = (form.model, model.to_owned());
        return Err(TuningError::OtherModel { path: path.to_owned(), learnt, model });
    }
    let mut tuning = Tuning::new(form.model, form.width);
    for Line { source, tool, requests, scale, bytes } in form.tools {
        let bytes = STANDARD.decode(bytes).map_err(|error| malformed(&error.to_string()))?;
        if bytes.len() != form.width
            || !scale.is_finite()
            || !requests.is_normal()
            || requests < 0.0
        {
            return Err(malformed(&format!("`{tool}` of `{source}` is no vector")));
        }
        let mean = bytes.iter().map(|byte| f32::from(byte.cast_signed()) * scale).collect();
        tuning.add(&source, &tool, &Lesson { requests, mean });
    }
    Ok(tuning)
}

fn line((source, tool, lesson): (&str, &str, &Lesson)) -> Line {
    let largest = lesson.mean.iter().fold(0.0_f32, |largest, number| largest.max(number.abs()));
    let scale = largest / f32::from(i8::MAX);
    let byte = |&number: &f32| if scale > 0.0 { (number / scale).round() as i8 } else { 0 };
    let bytes: Vec<u8> = lesson.mean.iter().map(byte).map(i8::cast_unsigned).collect();
    Line {
        source: source.to_owned(),
        tool: tool.to_owned(),
        requests: lesson.requests,
        scale,
        bytes: STANDARD.encode(bytes),
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use oncue_tools::Tuning;

    use super::{TuningError, read_tuning, write_tuning};

    #[test]
    fn what_was_learnt_is_read_again() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("deep/tuning.json");
        let mut tuning = Tuning::new("m", 3);
        tuning.learn("shop", "refund", &[1.0, -1.0, 0.0], 1.0);
        tuning.learn("shop", "refund", &[1.0, 0.0, 0.0], 0.5);
        tuning.learn("", "own", &[0.0, 0.0, 1.0], 1.0);
        write_tuning(&path, &tuning).unwrap();
        let again = read_tuning(&path, "m").unwrap();
        assert_eq!(again.lessons().count(), 2);
        let (left, right) =
            (tuning.lesson("shop", "refund").unwrap(), again.lesson("shop", "refund").unwrap());
        assert_eq!(left.requests, right.requests);
        assert!(
            left.mean.iter().zip(&right.mean).all(|(left, right)| (left - right).abs() < 0.005)
        );
        assert!(again.lesson("", "own").is_some());
    }

    #[test]
    fn another_model_or_another_file_is_refused() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("tuning.json");
        let mut tuning = Tuning::new("m", 1);
        tuning.learn("s", "a", &[1.0], 1.0);
        write_tuning(&path, &tuning).unwrap();
        let error = read_tuning(&path, "n").unwrap_err();
        assert!(matches!(&error, TuningError::OtherModel { learnt, .. } if learnt == "m"));
        let text = fs::read_to_string(&path).unwrap();
        for wrong in [
            text.replace("oncue-tuning-1", "oncue-tuning-0"),
            text.replace("\"width\":1", "\"width\":2"),
            text.replace("\"requests\":1.0", "\"requests\":-1.0"),
            "{}".to_owned(),
        ] {
            fs::write(&path, wrong).unwrap();
            let error = read_tuning(&path, "m").unwrap_err();
            assert!(matches!(error, TuningError::Malformed { .. }), "{error}");
        }
        let gone = read_tuning(&folder.path().join("gone"), "m").unwrap_err();
        assert!(matches!(gone, TuningError::Unreadable { .. }));
    }
}
