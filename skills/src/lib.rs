//! The toolboxes that Loquat brings along, each in a folder of its own.
//!
//! A toolbox is a list of typed functions ([`function::Function`]); names, arguments and results of the tools are
//! those of the OVOS toolboxes with the same ids, so that a persona file written for OVOS works unchanged. Nothing
//! here knows the bus or a brain.

use std::sync::Arc;

use loquat_agent::toolbox::Toolbox;
use serde_json::{Map, Value};

pub mod clock;
pub mod function;
pub mod math;
pub mod settings;
mod spelling;

pub use settings::ToolboxSettingsError;
pub use spelling::folded;

/// The ids of all toolboxes, in the order in which they are listed to people.
pub const TOOLBOXES: &[&str] = &[clock::ID, math::ID];

/// The toolbox with this id, set up with its part of a persona's settings; `None` when there is no such toolbox.
///
/// Settings that the toolbox does not know are refused, all of them at once.
pub fn find(
    id: &str,
    settings: &Map<String, Value>,
) -> Option<Result<Arc<dyn Toolbox>, ToolboxSettingsError>> {
    let toolbox: Arc<dyn Toolbox> = match id {
        clock::ID => Arc::new(clock::toolbox()),
        math::ID => Arc::new(math::toolbox()),
        _ => return None,
    };
    // Neither toolbox has settings: zone, language and units are the person's and come with each call.
    Some(settings::refuse_unknown(id, settings, &[]).map(|()| toolbox))
}
