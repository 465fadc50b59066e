//! What the properties on D-Bus are read from. Never changes any of it.

use std::sync::Arc;

use loquat_part::Offered;
use loquat_part::reload::Standing;
use tokio::sync::watch;

/// What the properties show.
#[derive(Debug, Clone)]
pub(super) struct Shown {
    pub(super) status: watch::Receiver<String>,
    /// The device has this model.
    pub(super) settings: watch::Receiver<Standing>,
    /// Of which the default one is shown.
    pub(super) personas: Arc<dyn Offered>,
}
