//! The skills that tell the services of this device what to do: sound, players, power, networks, notifications and settings.
//!
//! Where a service is not there, a sentence says so with the mend. Nothing here asks a server outside of the device.

pub mod battery;
pub mod bluetooth;
mod dbus;
pub mod media;
pub mod network;
pub mod notifications;
pub mod power;
pub mod preferences;
pub mod services;
pub mod time_zone;
pub mod volume;

pub use dbus::{DeviceAddresses, DeviceBus, connecting};
