//! What stands behind `?` in the name of an embedding model. Lives while the name is read.

use reqwest::Url;

use crate::SetupError;
use crate::limits::EMBEDDING_WIDTH_MAX;

/// What a name sets beside the model.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Options {
    /// Numbers of a vector, where the model is to give fewer than it could.
    pub(super) dimensions: Option<usize>,
    /// What stands in front of a query.
    pub(super) query: Option<String>,
    /// What stands in front of a text that is searched.
    pub(super) passage: Option<String>,
}

impl Options {
    /// Returns the name without its options, and the options.
    ///
    /// # Errors
    ///
    /// An option is none that can be set.
    pub(super) fn split(text: &str) -> Result<(&str, Self), SetupError> {
        let Some((name, written)) = text.rsplit_once('?') else {
            return Ok((text, Self::default()));
        };
        let wrong = |option: &str| SetupError::Option { option: option.to_owned() };
        // The rules for white space and escapes are those of addresses.
        let url = Url::parse(&format!("options:?{written}")).map_err(|_| wrong(written))?;
        let mut options = Self::default();
        for (option, value) in url.query_pairs() {
            match &*option {
                "dimensions" => {
                    let number = value.parse().ok();
                    let number = number.filter(|number| (1..=EMBEDDING_WIDTH_MAX).contains(number));
                    options.dimensions =
                        Some(number.ok_or_else(|| wrong(&format!("{option}={value}")))?);
                }
                "query" => options.query = Some(value.into_owned()),
                "passage" => options.passage = Some(value.into_owned()),
                _ => return Err(wrong(&option)),
            }
        }
        Ok((name, options))
    }
}

#[cfg(test)]
mod tests {
    use super::Options;

    #[test]
    fn options_stand_behind_the_last_question_mark() {
        let options = |dimensions, query: Option<&str>, passage: Option<&str>| Options {
            dimensions,
            query: query.map(str::to_owned),
            passage: passage.map(str::to_owned),
        };
        let cases = [
            ("openai:m", "openai:m", options(None, None, None)),
            ("openai:m?dimensions=256", "openai:m", options(Some(256), None, None)),
            ("a:m@http://h/?k=v?dimensions=1", "a:m@http://h/?k=v", options(Some(1), None, None)),
            (
                "m?query=query:%20&passage=passage:+",
                "m",
                options(None, Some("query: "), Some("passage: ")),
            ),
            ("m?query=ask: &passage=", "m", options(None, Some("ask: "), Some(""))),
            ("m?", "m", options(None, None, None)),
        ];
        for (text, name, expected) in cases {
            assert_eq!(Options::split(text).unwrap(), (name, expected), "{text}");
        }
    }

    #[test]
    fn what_cannot_be_set_is_named() {
        for (text, named) in [
            ("m?dimension=3", "dimension"),
            ("m?dimensions=0", "dimensions=0"),
            ("m?dimensions=many", "dimensions=many"),
            ("m?dimensions=999999", "dimensions=999999"),
        ] {
            let error = Options::split(text).unwrap_err().to_string();
            assert!(error.starts_with(&format!("`{named}` cannot be set")), "{error}");
        }
    }
}
