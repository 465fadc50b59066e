//! What logind is asked, and what it can be told.
//!
//! Decides nothing.

use zbus::OwnedFd;

/// As people call it.
pub(super) const SERVICE: &str = "logind";

pub(super) const NAME: &str = "org.freedesktop.login1";
pub(super) const PATH: &str = "/org/freedesktop/login1";

#[zbus::proxy(interface = "org.freedesktop.login1.Manager")]
pub(super) trait Manager {
    fn can_suspend(&self) -> zbus::Result<String>;
    fn can_reboot(&self) -> zbus::Result<String>;
    fn can_power_off(&self) -> zbus::Result<String>;
    fn suspend(&self, interactive: bool) -> zbus::Result<()>;
    fn reboot(&self, interactive: bool) -> zbus::Result<()>;
    fn power_off(&self, interactive: bool) -> zbus::Result<()>;
    /// Puts off what is named, until the descriptor is closed.
    fn inhibit(&self, what: &str, who: &str, why: &str, mode: &str) -> zbus::Result<OwnedFd>;
}
