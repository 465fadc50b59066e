//! `org.freedesktop.Notifications`, the program of the desktop that shows notifications: what it is told and asked.
//!
//! Hears nothing that others tell it.

use std::collections::HashMap;

use zbus::Variant;

use super::kept::escaped;
use crate::dbus::{DeviceBus, Fault, proxy, within};
use loquat_kit::plain;

/// As people call it.
pub(super) const SERVICE: &str = "the notifications of the desktop";

pub(super) const NAME: &str = "org.freedesktop.Notifications";
pub(super) const PATH: &str = "/org/freedesktop/Notifications";

/// The server chooses for how long it shows one.
const ITS_CHOICE: i32 = -1;

#[zbus::proxy(interface = "org.freedesktop.Notifications")]
trait Notifications {
    #[expect(clippy::too_many_arguments, reason = "the specification's own")]
    fn notify(
        &self,
        app_name: &str,
        replaces_id: u32,
        app_icon: &str,
        summary: &str,
        body: &str,
        actions: &[&str],
        hints: HashMap<&str, Variant<'_>>,
        expire_timeout: i32,
    ) -> zbus::Result<u32>;
    fn close_notification(&self, id: u32) -> zbus::Result<()>;
    fn get_capabilities(&self) -> zbus::Result<Vec<String>>;
    /// Name, vendor, version, and that of the specification.
    fn get_server_information(&self) -> zbus::Result<(String, String, String, String)>;
}

/// The program that shows them.
pub(super) struct Server(NotificationsProxy<'static>);

impl Server {
    pub(super) async fn reach(bus: &DeviceBus) -> Result<Self, Fault> {
        let connection = bus.connection(SERVICE).await?;
        let server: NotificationsProxy<'_> = within(SERVICE, proxy(&connection, NAME, PATH)).await?;
        Ok(Self(server))
    }

    /// What it calls itself.
    pub(super) async fn name(&self) -> Result<String, Fault> {
        let (name, ..) = within(SERVICE, self.0.get_server_information()).await?;
        Ok(plain(&name).unwrap_or_else(|| "a program without a name".to_owned()))
    }

    pub(super) async fn show(&self, title: &str, text: &str) -> Result<(), Fault> {
        let able = within(SERVICE, self.0.get_capabilities()).await?;
        let reads_markup = able.iter().any(|one| one == "body-markup");
        let body = if reads_markup {
            escaped(text)
        } else {
            text.to_owned()
        };
        let shown = self
            .0
            .notify("Loquat", 0, "", title, &body, &[], HashMap::new(), ITS_CHOICE);
        within(SERVICE, shown).await.map(drop)
    }

    /// Takes one off the screen; one that is not there any more is none the worse.
    pub(super) async fn close(&self, id: u32) -> Result<(), Fault> {
        match within(SERVICE, self.0.close_notification(id)).await {
            Err(Fault::Refused { .. }) => Ok(()),
            other => other,
        }
    }
}
