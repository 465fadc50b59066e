//! Toolboxes that were not on the bus when a turn began: they are looked for as long as it runs, and nothing waits for
//! them.

use futures_util::future::BoxFuture;
use loquat_agent::toolbox::{Arrivals, Toolbox};
use loquat_agent::turn::TurnCache;
use loquat_failure::Backoff;

use parking_lot::Mutex;
use std::sync::Arc;
use std::time::Duration;

use super::{RemoteToolboxes, WantedToolbox};

/// How long the bus is left alone before it is asked again for what is missing; first it is asked at once. Each
/// question takes the time of its answers besides, and a box that never comes costs the bus little.
const PAUSES: Backoff = Backoff::doubling(Duration::from_millis(500), Duration::from_secs(5));

/// The boxes that one turn misses.
#[derive(Debug)]
pub struct LateToolboxes {
    boxes: Arc<RemoteToolboxes>,
    turn_cache: Arc<TurnCache>,
    missing: Vec<WantedToolbox>,
    /// Those that came and have not been taken.
    came: Mutex<Vec<Arc<dyn Toolbox>>>,
}

impl LateToolboxes {
    /// Those of the wanted boxes that are not among the found ones; nothing when all are there.
    pub fn missing(
        boxes: &Arc<RemoteToolboxes>,
        turn_cache: &Arc<TurnCache>,
        wanted: &[WantedToolbox],
        found: &[Arc<dyn Toolbox>],
    ) -> Option<Arc<Self>> {
        let is_missing = |wanted: &&WantedToolbox| found.iter().all(|found| found.id() != wanted.toolbox_id);
        let missing: Vec<_> = wanted.iter().filter(is_missing).cloned().collect();
        (!missing.is_empty()).then(|| {
            Arc::new(Self {
                boxes: Arc::clone(boxes),
                turn_cache: Arc::clone(turn_cache),
                missing,
                came: Mutex::default(),
            })
        })
    }

    /// Looks until all have come. Cancel safe.
    pub async fn look(&self) {
        let mut missing = self.missing.clone();
        let mut looked = 0;
        while !missing.is_empty() {
            let found = self.boxes.look_for(&missing, &self.turn_cache).await;
            missing.retain(|wanted| found.iter().all(|found| found.id() != wanted.toolbox_id));
            self.came.lock().extend(found);
            tokio::time::sleep(PAUSES.after(looked)).await;
            looked += 1;
        }
    }
}

impl Arrivals for LateToolboxes {
    fn take(&self) -> BoxFuture<'_, Vec<Arc<dyn Toolbox>>> {
        let mut came = self.came.lock();
        Box::pin(std::future::ready(std::mem::take(&mut *came)))
    }
}
