//! The standard input and output of this process, as streams. They live as long as the process.
//!
//! A client that starts a server gives it pipes or sockets, which can be waited for like any connection.
//! Whatever else they are is read and written by threads, which costs every message several changes of thread.

use tokio::io::{AsyncRead, AsyncWrite};

/// A stream that is read.
pub type Input = Box<dyn AsyncRead + Send + Unpin>;

/// A stream that is written.
pub type Output = Box<dyn AsyncWrite + Send + Unpin>;

/// Returns the standard input of this process; to be called within a runtime, and once.
#[must_use]
pub fn standard_input() -> Input {
    #[cfg(unix)]
    if let Some(input) = polled::input() {
        return input;
    }
    Box::new(tokio::io::stdin())
}

/// Returns the standard output of this process; to be called within a runtime, and once.
#[must_use]
pub fn standard_output() -> Output {
    #[cfg(unix)]
    if let Some(output) = polled::output() {
        return output;
    }
    Box::new(tokio::io::stdout())
}

#[cfg(unix)]
mod polled {
    use std::fs::File;
    use std::io;
    use std::os::fd::{AsFd, OwnedFd};
    use std::os::unix::fs::{FileTypeExt, MetadataExt};
    use std::os::unix::net;

    use tokio::net::UnixStream;
    use tokio::net::unix::pipe;

    use super::{Input, Output};

    pub(super) fn input() -> Option<Input> {
        let own = Kind::of(io::stdin()).ok()?;
        if own.is_pipe {
            // Opened anew: whether reading it waits is then a matter of ours alone.
            let input = pipe::OpenOptions::new().open_receiver("/proc/self/fd/0").ok()?;
            return Some(Box::new(input));
        }
        Some(Box::new(own.socket()?))
    }

    pub(super) fn output() -> Option<Output> {
        let own = Kind::of(io::stdout()).ok()?;
        if own.is_pipe {
            let output = pipe::OpenOptions::new().open_sender("/proc/self/fd/1").ok()?;
            return Some(Box::new(output));
        }
        Some(Box::new(own.socket()?))
    }

    /// What a standard stream is.
    struct Kind {
        stream: OwnedFd,
        is_pipe: bool,
        is_socket: bool,
        /// Which one it is among all that are open.
        place: (u64, u64),
    }

    impl Kind {
        fn of(stream: impl AsFd) -> io::Result<Self> {
            let file = File::from(stream.as_fd().try_clone_to_owned()?);
            let about = file.metadata()?;
            let kind = about.file_type();
            Ok(Self {
                stream: file.into(),
                is_pipe: kind.is_fifo(),
                is_socket: kind.is_socket(),
                place: (about.dev(), about.ino()),
            })
        }

        /// Returns it as a socket, unless it is none or standard error is the same: that may not lose what does not fit at once.
        fn socket(self) -> Option<UnixStream> {
            let is_shared = Self::of(io::stderr()).is_ok_and(|error| error.place == self.place);
            if !self.is_socket || is_shared {
                return None;
            }
            let socket = net::UnixStream::from(self.stream);
            socket.set_nonblocking(true).ok()?;
            UnixStream::from_std(socket).ok()
        }
    }
}
