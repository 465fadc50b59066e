//! What the commands of parts find of this device.

use std::sync::Arc;

use loquat_part::command::CommandContext;

use crate::settings::{Environment, Settings};

/// A context in which it is offered.
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
