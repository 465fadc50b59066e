//! Toolboxes that come while a turn runs, written down or read.

use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

use futures_util::future::BoxFuture;

use super::scribe::Scribe;
use super::toolbox::WrittenToolbox;
use super::{Care, Happened, Offer};
use crate::toolbox::{Arrivals, Toolbox};

#[derive(Debug)]
pub(super) struct WrittenArrivals {
    pub(super) inner: Option<Arc<dyn Arrivals>>,
    /// Who stands behind boxes that came before a crash.
    pub(super) known: Vec<Arc<dyn Toolbox>>,
    pub(super) scribe: Arc<Scribe>,
    /// A turn looks at the same moments when it is run again.
    pub(super) looks: AtomicU32,
}

impl WrittenArrivals {
    async fn look(&self) -> Vec<Arc<dyn Toolbox>> {
        let look = self.looks.fetch_add(1, Ordering::Relaxed);
        if let Some(Offer(toolboxes)) = self.scribe.came(look) {
            let behind = |id: &str| self.known.iter().find(|toolbox| toolbox.id() == id).cloned();
            let written = toolboxes.into_iter().map(|(id, tools)| {
                let inner = behind(&id);
                self.written(id, tools, inner)
            });
            return written.collect();
        }
        let came = match &self.inner {
            Some(inner) if !self.scribe.is_replay() => inner.take().await,
            _ => Vec::new(),
        };
        if came.is_empty() {
            return came;
        }
        let toolboxes = Offer::of(&came);
        let written = toolboxes.0.iter().zip(came);
        let written = written
            .map(|((id, tools), inner)| self.written(id.clone(), Arc::clone(tools), Some(inner)))
            .collect();
        let happened = Happened::ToolsCame { look, toolboxes };
        self.scribe.write(happened, Care::Usual).await;
        written
    }

    fn written(
        &self,
        id: String,
        tools: Arc<[crate::toolbox::Tool]>,
        inner: Option<Arc<dyn Toolbox>>,
    ) -> Arc<dyn Toolbox> {
        Arc::new(WrittenToolbox {
            id,
            tools,
            inner,
            scribe: Arc::clone(&self.scribe),
        })
    }
}

impl Arrivals for WrittenArrivals {
    fn take(&self) -> BoxFuture<'_, Vec<Arc<dyn Toolbox>>> {
        Box::pin(self.look())
    }
}
