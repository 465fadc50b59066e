//! The toolboxes that Loquat brings along, each in a folder of its own.
//!
//! A toolbox is a list of typed functions ([`function::Function`]); names, arguments and results of the tools are
//! those of the OVOS toolboxes with the same ids, so that a persona file written for OVOS works unchanged. How people
//! ask for them is an [`intent`], and what they say then a dialog, in files of a [`locale`]. Nothing here knows the bus
//! or a brain.

use std::sync::Arc;

use loquat_agent::toolbox::Toolbox;
use serde_json::{Map, Value};

pub mod clock;
pub mod dialog;
pub mod function;
pub mod intent;
pub mod locale;
pub mod math;
mod numbers;
pub mod settings;
mod spelling;

pub use intent::Intents;
pub use locale::Locales;
pub use settings::ToolboxSettingsError;
pub use spelling::folded;

/// The ids of all toolboxes, in the order in which they are listed to people.
pub const TOOLBOXES: &[&str] = &[clock::ID, math::ID];

/// The toolbox with this id, set up with its part of a persona's settings; `None` when there is no such toolbox.
///
/// Settings that the toolbox does not know are refused, all of them at once. Its sentences are those of the locales.
pub fn find(
    id: &str,
    settings: &Map<String, Value>,
    locales: &Arc<Locales>,
) -> Option<Result<Arc<dyn Toolbox>, ToolboxSettingsError>> {
    let toolbox: Arc<dyn Toolbox> = match id {
        clock::ID => Arc::new(clock::toolbox(locales)),
        math::ID => Arc::new(math::toolbox(locales)),
        _ => return None,
    };
    // Neither toolbox has settings: zone, language and units are the person's and come with each call.
    Some(settings::refuse_unknown(id, settings, &[]).map(|()| toolbox))
}
