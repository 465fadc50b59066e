//! Decides when the program ends: at the end of its standard input, which is that of its parent's life, and on SIGTERM
//! and SIGINT. Never ends it itself: it cancels a token.

use std::io::{ErrorKind, Read};

use tokio::signal::unix::{Signal, SignalKind, signal};
use tokio_util::sync::CancellationToken;

/// The signals that end the program.
#[derive(Debug)]
pub(crate) struct EndSignals {
    terminate: Signal,
    interrupt: Signal,
}

impl EndSignals {
    /// Begins to listen, so that from now on neither signal kills the process.
    ///
    /// # Errors
    /// When the system refuses.
    pub(crate) fn listen() -> std::io::Result<Self> {
        Ok(Self {
            terminate: signal(SignalKind::terminate())?,
            interrupt: signal(SignalKind::interrupt())?,
        })
    }

    /// Waits for the first of them. Cancel safe.
    pub(crate) async fn first(&mut self) {
        tokio::select! {
            _ = self.terminate.recv() => {}
            _ = self.interrupt.recv() => {}
        }
    }
}

/// Watches standard input on a thread of its own and cancels `stop` at its end.
///
/// The thread is not waited for: a read of standard input cannot be interrupted, and it holds nothing.
///
/// # Errors
/// When the system gives no thread.
pub(crate) fn watch_parent(stop: CancellationToken) -> std::io::Result<()> {
    std::thread::Builder::new().name("parent".into()).spawn(move || {
        wait_for_end(std::io::stdin().lock());
        tracing::info!("standard input ended: the parent is gone");
        stop.cancel();
    })?;
    Ok(())
}

/// Reads until the end; what is written there means nothing.
fn wait_for_end(mut input: impl Read) {
    let mut ignored = [0; 64];
    loop {
        match input.read(&mut ignored) {
            Ok(0) => return,
            Ok(_) => {}
            Err(error) if error.kind() == ErrorKind::Interrupted => {}
            Err(_) => return,
        }
    }
}
