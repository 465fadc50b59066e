//! Whether a source of a sound server is still there. When one goes, the server may have its listeners hear another source
//! without telling them, and that may be what the loudspeaker plays.

use std::ffi::CString;
use std::time::Duration;

use pulseaudio::protocol::PulseError;
use pulseaudio::{Client, ClientError};
use tokio::time::timeout;

use crate::sound_server::connect;

/// A server that answers later than this is not believed to have lost anything.
const PATIENCE: Duration = Duration::from_secs(1);

/// A source, and a connection to ask after it.
pub(super) struct Presence {
    client: Client,
    source: CString,
}

impl std::fmt::Debug for Presence {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Presence")
            .field("source", &self.source)
            .finish_non_exhaustive()
    }
}

impl Presence {
    /// Watches the source of this name. `None` where it cannot be asked after.
    pub(super) fn of(source: &str) -> Option<Self> {
        let source = CString::new(source).ok()?;
        let client = connect().ok()?;
        Some(Self { client, source })
    }

    /// Tells whether the server says that it has no such source.
    pub(super) async fn is_gone(&self) -> bool {
        let asked = self.client.source_info_by_name(self.source.clone());
        let answer = timeout(PATIENCE, asked).await;
        matches!(answer, Ok(Err(ClientError::ServerError(PulseError::NoEntity))))
    }
}
