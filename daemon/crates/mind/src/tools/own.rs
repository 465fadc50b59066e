//! The toolboxes of this process.

use std::sync::Arc;

use loquat_agent::toolbox::Toolbox;
use loquat_skills::Resources;
use serde_json::Map;

/// All of them, as they are without settings.
pub fn own_toolboxes(resources: &Resources) -> Vec<Arc<dyn Toolbox>> {
    let ids = loquat_skills::TOOLBOXES.iter();
    ids.filter_map(|id| loquat_skills::find(id, &Map::new(), resources)?.ok())
        .collect()
}
