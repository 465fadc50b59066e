//! What `loquat check` says of the programs beside: the notifications of the desktop.

use std::sync::Arc;

use loquat_part::{Finding, Verdict};
use loquat_skills::Resources;

use crate::app;
use crate::settings::{Environment, Settings};

/// Tells whether notifications can be kept, where the settings want it.
pub(super) async fn notifications(settings: &Settings, environment: &Environment) -> Option<Finding> {
    if !settings.notifications.keep {
        return None;
    }
    let part = "notifications";
    let device = app::addresses(environment);
    let resources = Resources::volatile(Arc::new(loquat_skills::locales())).with_device(&device);
    Some(match resources.notifications.examine().await {
        Ok(name) => Finding::ok(part, format!("{name} shows them, and they are kept")),
        Err(why) => {
            let mend = "start the desktop, or a program such as dunst; the device works without it";
            Finding::bad(part, Verdict::Missing, why, mend)
        }
    })
}
