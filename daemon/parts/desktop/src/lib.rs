//! The device as programs of the desktop see it: `org.loquat.Loquat1` on D-Bus, where they ask, stop and watch it.
//!
//! All of it goes over the OVOS bus by a client of its own, so that no program is taken for the person at the microphone.
//! Without D-Bus the daemon is none the worse: it is tried again, and said once.

mod caller;
mod desktop;
mod interface;
mod part;
mod place;
pub mod settings;
mod shown;

pub use self::part::DesktopPart;
