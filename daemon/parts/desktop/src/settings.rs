//! `[dbus]`: where programs of the desktop and the system reach us.

use loquat_settings::{choice, section};

choice! {
    /// On which D-Bus we offer ourselves.
    Interface {
        /// On that of the session, where there is one.
        Auto = "auto",
        /// On that of the session; it is told when there is none.
        Session = "session",
        /// On that of the machine.
        System = "system",
        /// On none.
        Off = "off",
    }
}

section! {
    /// D-Bus, on which programs of the person ask, stop and watch the device as `org.loquat.Loquat1`.
    "dbus" Dbus {
        /// Where: "auto" (on the bus of the session, where there is one), "session", "system" (needs
        /// `systemd/system/org.loquat.Loquat1.conf`) or "off".
        /// Only programs of the user who runs Loquat, and of root, are served. They read what is said to the device.
        interface: Interface = Interface::Auto;
    }
}
