//! Who may be asked for by name, for the doors of the device.

use loquat_part::Offered;
use tokio::sync::watch;

use super::Mind;

impl Offered for Mind {
    fn offers(&self, persona: &str) -> bool {
        self.find_offered(persona).is_some()
    }

    fn default_name(&self) -> Option<String> {
        Some(self.default_persona()?.name.clone())
    }

    fn are_stopped(&self) -> bool {
        self.is_emergency_stopped()
    }

    fn replacements(&self) -> watch::Receiver<()> {
        Self::replacements(self)
    }
}
