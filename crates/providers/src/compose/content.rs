//! Content that users and tools bring: text, data and pictures.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use oncue_agent::Loss;
use oncue_tools::Content;

/// A picture in the form in which requests carry it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Picture {
    /// The media type.
    pub(crate) media_type: String,
    /// The bytes in base64.
    pub(crate) data: String,
}

impl Picture {
    /// Returns the address that holds the picture itself.
    pub(crate) fn url(&self) -> String {
        format!("data:{};base64,{}", self.media_type, self.data)
    }
}

/// Says whether content has no pictures.
pub(crate) fn is_text(content: &[Content]) -> bool {
    !content.iter().any(|piece| matches!(piece, Content::Image { .. }))
}

/// Returns the text and the data of some content, a line end between pieces; pictures are elsewhere.
pub(crate) fn text(content: &[Content], place: &str, losses: &mut Vec<Loss>) -> String {
    let mut texts: Vec<String> = Vec::new();
    for piece in content {
        match piece {
            Content::Text(text) => texts.push(text.clone()),
            Content::Json(value) => texts.push(value.to_string()),
            Content::Image { .. } => {}
            _ => losses.push(Loss {
                place: place.to_owned(),
                what: "content of a kind that this wire does not know".to_owned(),
            }),
        }
    }
    texts.retain(|text| !text.is_empty());
    texts.join("\n")
}

/// Returns the pictures of some content in order.
pub(crate) fn pictures(content: &[Content]) -> Vec<Picture> {
    let pictures = content.iter().filter_map(|piece| match piece {
        Content::Image { media_type, bytes } => {
            Some(Picture { media_type: media_type.clone(), data: STANDARD.encode(bytes) })
        }
        _ => None,
    });
    pictures.collect()
}
