//! Pieces of content that users and tools bring: text, data and pictures.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use oncue_agent::Loss;
use oncue_tools::Content;
use serde_json::json;

use crate::blocks::Block;
use crate::tokens;

/// Kinds of pictures that the vendor reads.
const PICTURES: [&str; 4] = ["image/jpeg", "image/png", "image/gif", "image/webp"];

/// Returns the blocks of some content; texts without a letter have none, since the vendor refuses them.
pub(super) fn blocks(content: &[Content], place: &str, losses: &mut Vec<Loss>) -> Vec<Block> {
    content.iter().filter_map(|piece| block(piece, place, losses)).collect()
}

fn block(piece: &Content, place: &str, losses: &mut Vec<Loss>) -> Option<Block> {
    let what = match piece {
        Content::Text(text) if text.trim().is_empty() => return None,
        Content::Text(text) => return Some(Block::text(text)),
        Content::Json(value) => return Some(Block::text(&value.to_string())),
        Content::Image { media_type, bytes } if PICTURES.contains(&media_type.as_str()) => {
            let source =
                json!({"type": "base64", "media_type": media_type, "data": STANDARD.encode(bytes)});
            let picture = Block::of(&json!({"type": "image", "source": source}));
            return Some(picture.with_tokens(tokens::PICTURE));
        }
        Content::Image { media_type, .. } => format!("a picture of the kind {media_type}"),
        _ => "content of a kind that this wire does not know".to_owned(),
    };
    let block = Block::text(&format!("({what} cannot be shown)"));
    losses.push(Loss { place: place.to_owned(), what });
    Some(block)
}

/// Returns the text of some content, without what is no text.
pub(super) fn text(content: &[Content]) -> String {
    let texts = content.iter().filter_map(|piece| match piece {
        Content::Text(text) => Some(text.clone()),
        Content::Json(value) => Some(value.to_string()),
        _ => None,
    });
    texts.filter(|text| !text.trim().is_empty()).collect::<Vec<_>>().join("\n")
}
