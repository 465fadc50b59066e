//! Whether the device was set up, or its owner has left that: until then the first view of the page is that in which it is. Asks
//! and writes none of the settings.

use std::path::PathBuf;
use std::sync::Arc;

use loquat_settings::Origin;

use super::device::Administration;

/// The table in which `loquat setup` and the page write where the device stands.
const TABLE: &str = "device.";

/// Where it is kept that the owner is done with it.
#[derive(Debug)]
pub(super) struct FirstVisit {
    mark: PathBuf,
    administration: Arc<dyn Administration>,
}

impl FirstVisit {
    /// Keeps that in the state folder.
    pub(super) fn new(state: &std::path::Path, administration: Arc<dyn Administration>) -> Self {
        let mark = state.join("page-set-up");
        Self { mark, administration }
    }

    /// Tells whether it is still to be set up.
    pub(super) async fn is_due(&self) -> bool {
        if self.mark.exists() {
            return false;
        }
        let administration = Arc::clone(&self.administration);
        let is_set_up = tokio::task::spawn_blocking(move || {
            let settings = administration.settings().settings;
            let mut own = settings.iter().filter(|line| line.entry.key.starts_with(TABLE));
            own.any(|line| line.entry.origin != Origin::Default)
        });
        !is_set_up.await.unwrap_or(true)
    }

    /// The owner is done with it. Where that cannot be kept, they are asked again after a restart, which does no harm.
    pub(super) fn is_done(&self) {
        if let Err(error) = std::fs::write(&self.mark, "") {
            tracing::debug!(%error, "that the device is set up is not kept");
        }
    }
}
