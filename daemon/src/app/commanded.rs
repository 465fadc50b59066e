//! What this device offers to the commands of parts, by ports. Runs none of them.

use std::sync::Arc;

use loquat_part::command::CommandContext;

use crate::settings::{Environment, Settings};

/// Adds to the context of a command what the parts of this program ask for: names for the hive, and brains for workers.
pub fn offered_to_commands(
    mut context: CommandContext,
    settings: &Settings,
    environment: &Environment,
) -> CommandContext {
    #[cfg(feature = "hive")]
    {
        let names = super::hive_names::HiveNames {
            settings: settings.clone(),
            environment: environment.clone(),
        };
        let names: Arc<dyn loquat_hive_part::Names> = Arc::new(names);
        context.offer(names);
    }
    #[cfg(feature = "workers")]
    {
        let brains = super::workers::OwnBrains {
            settings: settings.clone(),
            environment: environment.clone(),
        };
        let brains: Arc<dyn loquat_workers_part::Thinking> = Arc::new(brains);
        context.offer(brains);
    }
    context
}
