//! Into which pieces a stream is cut.

/// Into which pieces of HTTP a stream is cut.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Chunks {
    /// One piece an event, as the vendor frames it.
    #[default]
    Events,
    /// Pieces of so many bytes, whatever events they cut; 0 counts as 1.
    Bytes(usize),
    /// Everything in one piece.
    All,
}

impl Chunks {
    /// Cuts the frames of a stream, the bytes after the first `bytes_max` left out.
    pub(super) fn cut(self, frames: Vec<Vec<u8>>, bytes_max: usize) -> Vec<Vec<u8>> {
        let mut room = bytes_max;
        let frames = frames.into_iter().map(|mut frame| {
            frame.truncate(room);
            room -= frame.len();
            frame
        });
        let frames: Vec<Vec<u8>> = frames.filter(|frame| !frame.is_empty()).collect();
        match self {
            Self::Events => frames,
            Self::Bytes(bytes) => {
                frames.concat().chunks(bytes.max(1)).map(<[u8]>::to_vec).collect()
            }
            Self::All => vec![frames.concat()],
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Chunks;

    #[test]
    fn a_stream_is_cut_as_the_test_wants() {
        let check = |chunks: Chunks, bytes_max: usize, expected: &[&str]| {
            let frames = vec![b"abc".to_vec(), b"de".to_vec()];
            let cut = chunks.cut(frames, bytes_max);
            let expected: Vec<&[u8]> = expected.iter().map(|text| text.as_bytes()).collect();
            assert_eq!(cut, expected, "{chunks:?} {bytes_max}");
        };
        check(Chunks::Events, usize::MAX, &["abc", "de"]);
        check(Chunks::Events, 3, &["abc"]);
        check(Chunks::Events, 4, &["abc", "d"]);
        check(Chunks::Bytes(2), usize::MAX, &["ab", "cd", "e"]);
        check(Chunks::Bytes(2), 3, &["ab", "c"]);
        check(Chunks::Bytes(0), 2, &["a", "b"]);
        check(Chunks::All, 4, &["abcd"]);
    }
}
