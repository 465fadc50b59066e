//! Toolboxes of this process that have no tools yet when a turn begins, such as those of a server that is starting. They come
//! to the turn as soon as they have some; nothing waits for them.

use std::sync::Arc;

use futures_util::future::BoxFuture;
use loquat_agent::toolbox::{Arrivals, Toolbox};
use parking_lot::Mutex;

/// Those that one turn misses.
#[derive(Debug)]
pub struct Waking(Mutex<Vec<Arc<dyn Toolbox>>>);

impl Waking {
    /// Takes those without tools out of the toolboxes of a turn; nothing where all have some.
    pub fn among(toolboxes: &mut Vec<Arc<dyn Toolbox>>) -> Option<Arc<Self>> {
        let (asleep, awake) = toolboxes
            .drain(..)
            .partition(|toolbox| toolbox.tools().is_empty());
        *toolboxes = awake;
        let asleep: Vec<Arc<dyn Toolbox>> = asleep;
        (!asleep.is_empty()).then(|| Arc::new(Self(Mutex::new(asleep))))
    }
}

impl Arrivals for Waking {
    fn take(&self) -> BoxFuture<'_, Vec<Arc<dyn Toolbox>>> {
        let mut asleep = self.0.lock();
        let (awake, left) = asleep.drain(..).partition(|toolbox| !toolbox.tools().is_empty());
        *asleep = left;
        Box::pin(std::future::ready(awake))
    }
}
