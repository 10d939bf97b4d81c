//! What a program writes, as far as there is room for it.

use tokio::io::{AsyncRead, AsyncReadExt};

/// Which end of what is written is kept.
#[derive(Clone, Copy)]
pub(super) enum Keep {
    /// So many bytes from the beginning.
    Head(usize),
    /// So many bytes at the end.
    Tail(usize),
}

/// What a program has written. Lives as long as the call.
#[derive(Default)]
pub(super) struct Captured {
    kept: Vec<u8>,
    /// How many bytes were written in all.
    pub(super) total: u64,
}

impl Captured {
    /// Reads to the end, and keeps what there is room for; what was read so far stays when the future is dropped.
    pub(super) async fn read(&mut self, keep: Keep, from: &mut (impl AsyncRead + Unpin)) {
        let mut buffer = vec![0; 8 * 1024];
        // A pipe that breaks has ended.
        while let Ok(count @ 1..) = from.read(&mut buffer).await {
            self.take(keep, buffer.get(..count).unwrap_or_default());
        }
    }

    fn take(&mut self, keep: Keep, bytes: &[u8]) {
        self.total += bytes.len() as u64;
        match keep {
            Keep::Head(room) => {
                let room = room.saturating_sub(self.kept.len()).min(bytes.len());
                self.kept.extend_from_slice(bytes.get(..room).unwrap_or_default());
            }
            Keep::Tail(room) => {
                self.kept.extend_from_slice(bytes);
                let surplus = self.kept.len().saturating_sub(room);
                self.kept.drain(..surplus);
            }
        }
    }

    /// Says whether everything that was written is here.
    pub(super) fn is_whole(&self) -> bool {
        self.total == self.kept.len() as u64
    }

    /// Returns the text, without the halves of characters that were cut.
    pub(super) fn text(&self) -> String {
        let is_continuation = |byte: &u8| byte & 0b1100_0000 == 0b1000_0000;
        let mut bytes = self.kept.as_slice();
        if !self.is_whole() {
            let start = bytes.iter().take(3).take_while(|byte| is_continuation(byte)).count();
            bytes = bytes.get(start..).unwrap_or_default();
            if let Err(error) = std::str::from_utf8(bytes)
                && error.error_len().is_none()
            {
                bytes = bytes.get(..error.valid_up_to()).unwrap_or_default();
            }
        }
        String::from_utf8_lossy(bytes).into_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::{Captured, Keep};

    fn captured(keep: Keep, pieces: &[&str]) -> Captured {
        let mut captured = Captured::default();
        pieces.iter().for_each(|piece| captured.take(keep, piece.as_bytes()));
        captured
    }

    #[test]
    fn the_kept_end_is_whole_characters() {
        // Each of these takes three bytes.
        let check = |keep, expected: &str, is_whole| {
            let captured = captured(keep, &["한글", "이다"]);
            assert_eq!((captured.text().as_str(), captured.is_whole()), (expected, is_whole));
            assert_eq!(captured.total, 12);
        };
        check(Keep::Head(12), "한글이다", true);
        check(Keep::Head(11), "한글이", false);
        check(Keep::Head(7), "한글", false);
        check(Keep::Tail(12), "한글이다", true);
        check(Keep::Tail(7), "이다", false);
        check(Keep::Tail(3), "다", false);
        check(Keep::Head(0), "", false);
    }

    #[test]
    fn what_is_no_text_is_marked() {
        let mut captured = Captured::default();
        captured.take(Keep::Head(9), b"a\xff\x80b\xed");
        assert_eq!(captured.text(), "a\u{fffd}\u{fffd}b\u{fffd}");
    }
}
