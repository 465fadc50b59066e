//! The status line, as `systemctl status` shows it, for the parts that show it too.

use tokio::sync::watch;

/// The line as it is now, and when it changes.
#[derive(Debug, Clone)]
pub struct StatusLine(pub watch::Receiver<String>);
