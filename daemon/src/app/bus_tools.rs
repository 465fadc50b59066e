//! Toolboxes of others on the bus, the skills there, and what these have registered.

use std::sync::Arc;
use std::time::Duration;

use super::place::Place;
use crate::settings::Settings;
use crate::tools::{InstalledSkills, Registered, RemoteToolboxes};

/// What others on the bus can do.
pub(super) struct BusTools {
    pub(super) remote: Arc<RemoteToolboxes>,
    pub(super) skills: Arc<InstalledSkills>,
    pub(super) registered: Registered,
}

impl BusTools {
    /// Begins to call them.
    pub(super) fn start(settings: &Settings, place: &Place) -> Self {
        let timeout = Duration::from_secs_f64(settings.tools.bus_timeout_seconds);
        let registered = Registered::default();
        let (skills, caller) = InstalledSkills::new(place.bus.clone(), registered.clone(), timeout);
        place.serve("skill caller", |token| caller.run(token));
        Self {
            remote: Arc::new(RemoteToolboxes::new(place.bus.clone(), timeout)),
            skills,
            registered,
        }
    }
}
