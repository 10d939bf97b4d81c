//! The catalog that the command carries: real tools of permissively licensed servers, packed into the program with the index over them.
//!
//! `data/NOTICE.md` names them; `cargo xtask embed-catalog` makes the files.

use miniz_oxide::inflate::{DecompressError, decompress_to_vec_zlib};
use oncue_search::{Index, Settings};
use oncue_tools::ingest::{self, IngestError, Listing};

use crate::catalog::{Documents, built};

const PACKED: &[u8] = include_bytes!("../data/catalog.jsonl.zlib");

/// What `Index::to_bytes` says of the embedded tools: reading it takes a thirtieth of the time that analysing their texts does.
const INDEX: &[u8] = include_bytes!("../data/index.bin");

/// The program's own catalog is broken; a fault of the build.
#[derive(Debug, thiserror::Error)]
pub(crate) enum EmbeddedError {
    /// It does not unpack.
    #[error("the embedded catalog does not unpack")]
    Packed(#[source] DecompressError),
    /// It unpacks to something else.
    #[error("the embedded catalog is no catalog")]
    Listed(#[source] IngestError),
}

/// Returns the tools that the program carries.
///
/// # Errors
///
/// Fails only where the program was built with a broken file, which its tests would tell.
pub(crate) fn listing() -> Result<Listing, EmbeddedError> {
    let lines = decompress_to_vec_zlib(PACKED).map_err(EmbeddedError::Packed)?;
    ingest::read(&lines, "").map_err(EmbeddedError::Listed)
}

/// Returns the index over the embedded tools.
///
/// Bytes that do not belong to them only cost the time to build it anew; a test tells.
pub(crate) fn index(documents: &Documents<'_>) -> Index {
    Index::from_bytes(INDEX, Settings::default(), documents.of).unwrap_or_else(|_| built(documents))
}

#[cfg(test)]
mod tests {
    use super::{INDEX, listing};
    use crate::catalog::Catalog;

    const NOTICE: &str = include_str!("../data/NOTICE.md");

    #[test]
    fn every_embedded_tool_is_read() {
        let listing = listing().unwrap();
        assert_eq!(listing.set_aside, []);
        assert!((1_500..=3_000).contains(&listing.len()), "{}", listing.len());
        assert!(listing.tools().all(|(_, tool)| tool.definition.parameters().is_some()));
    }

    #[test]
    fn the_embedded_index_is_what_these_texts_give() {
        let built = Catalog::rebuilt().unwrap().index.to_bytes();
        assert!(built == INDEX, "the embedded index has drifted: cargo xtask embed-index");
    }

    #[test]
    fn the_notice_names_every_server_with_its_licence() {
        let rows: Vec<String> = listing()
            .unwrap()
            .sources
            .into_iter()
            .map(|source| {
                let (count, package) = (source.tools.len(), source.package.unwrap());
                assert!(["Apache-2.0", "ISC", "MIT"].contains(&package.licence.as_str()));
                format!(
                    "| {} | {} | {} | {} | {count} |",
                    source.id, package.name, package.version, package.licence
                )
            })
            .collect();
        let noted: Vec<&str> =
            NOTICE.lines().filter(|line| line.starts_with("| ")).skip(1).collect();
        assert_eq!(rows, noted);
    }
}
