//! A stream of bytes that arrives in pieces.

/// What an input says: a bound, a stream, and where it is cut.
pub(crate) struct Stream<'i> {
    /// Longest thing in it, in bytes.
    pub(crate) bytes_max: usize,
    pub(crate) bytes: &'i [u8],
    cuts: u8,
}

impl<'i> Stream<'i> {
    /// The first byte of an input is the bound, the second says where the rest is cut.
    pub(crate) fn of(input: &'i [u8]) -> Option<Self> {
        let (&[bound, cuts], bytes) = input.split_first_chunk()?;
        Some(Self { bytes_max: usize::from(bound) + 1, bytes, cuts })
    }

    /// Cuts the stream in four ways: not at all, everywhere, evenly and unevenly.
    pub(crate) fn ways(&self) -> [Vec<&'i [u8]>; 4] {
        let even = usize::from(self.cuts).max(2);
        let mut uneven = Vec::new();
        let (mut rest, mut random) = (self.bytes, u32::from(self.cuts) | 1);
        while !rest.is_empty() {
            random = random.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            let length = (random >> 27) as usize % (rest.len() + 1);
            let (piece, behind) = rest.split_at(length);
            uneven.push(piece);
            rest = behind;
            // A piece of nothing is one too, and the last of them comes to an end.
            if length == 0 && random & 1 == 0 {
                let (piece, behind) = rest.split_at(1);
                uneven.push(piece);
                rest = behind;
            }
        }
        [
            vec![self.bytes],
            self.bytes.chunks(1).collect(),
            self.bytes.chunks(even).collect(),
            uneven,
        ]
    }
}
