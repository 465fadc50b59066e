//! Toolboxes that come while a turn runs, written down or read.

use parking_lot::{Mutex, MutexGuard};
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

use futures_util::future::BoxFuture;

use super::recorder::Recorder;
use super::toolbox::WrittenToolbox;
use super::{Care, Happened, Offer};
use loquat_conversation::toolbox::{Arrivals, Tool, Toolbox};

#[derive(Debug)]
pub(super) struct WrittenArrivals {
    inner: Option<Arc<dyn Arrivals>>,
    recorder: Arc<Recorder>,
    /// A turn looks at the same moments when it is run again.
    looks: AtomicU32,
    /// Never held across an await.
    boxes: Mutex<Boxes>,
}

/// The toolboxes of a turn, and those that are not its yet.
#[derive(Debug)]
struct Boxes {
    /// The toolboxes that the brain knows of.
    known: Vec<Arc<WrittenToolbox>>,
    /// The toolboxes that came, or are there after a crash, and that the brain has not been told of.
    waiting: Vec<Arc<dyn Toolbox>>,
}

impl WrittenArrivals {
    pub(super) fn new(
        inner: Option<Arc<dyn Arrivals>>,
        known: Vec<Arc<WrittenToolbox>>,
        waiting: Vec<Arc<dyn Toolbox>>,
        recorder: Arc<Recorder>,
    ) -> Self {
        Self {
            inner,
            recorder,
            looks: AtomicU32::new(0),
            boxes: Mutex::new(Boxes { known, waiting }),
        }
    }

    fn boxes(&self) -> MutexGuard<'_, Boxes> {
        self.boxes.lock()
    }

    async fn look(&self) -> Vec<Arc<dyn Toolbox>> {
        let look = self.looks.fetch_add(1, Ordering::Relaxed);
        self.gather().await;
        if let Some(Offer(toolboxes)) = self.recorder.came(look) {
            let written = toolboxes.into_iter().map(|(id, tools)| {
                let inner = self.boxes().take_waiting(&id);
                self.written(id, tools, inner)
            });
            return written.collect();
        }
        // Until then the brain is asked what it was asked, or its replies would not fit.
        if !self.recorder.has_caught_up() {
            return Vec::new();
        }
        let came = std::mem::take(&mut self.boxes().waiting);
        if came.is_empty() {
            return came;
        }
        let toolboxes = Offer::of(&came);
        let written = toolboxes.0.iter().zip(came);
        let written = written
            .map(|((id, tools), inner)| self.written(id.clone(), Arc::clone(tools), Some(inner)))
            .collect();
        let happened = Happened::ToolsCame { look, toolboxes };
        self.recorder.write(happened, Care::Usual).await;
        written
    }

    /// Takes what has come. A box that the brain knows of and that had gone is there again at once.
    async fn gather(&self) {
        let came = match &self.inner {
            Some(inner) => inner.take().await,
            None => Vec::new(),
        };
        let mut boxes = self.boxes();
        let new = came.into_iter().filter(|toolbox| !boxes.stands_behind(toolbox));
        let new: Vec<_> = new.collect();
        boxes.waiting.extend(new);
    }

    fn written(&self, id: String, tools: Arc<[Tool]>, inner: Option<Arc<dyn Toolbox>>) -> Arc<dyn Toolbox> {
        let written = WrittenToolbox::new(id, tools, inner, &self.recorder);
        let written = Arc::new(written);
        self.boxes().known.push(Arc::clone(&written));
        written
    }
}

impl Boxes {
    fn take_waiting(&mut self, id: &str) -> Option<Arc<dyn Toolbox>> {
        let place = self.waiting.iter().position(|toolbox| toolbox.id() == id)?;
        Some(self.waiting.remove(place))
    }

    /// Tells whether it is one that the brain knows of and that had gone; then it is there again.
    fn stands_behind(&self, toolbox: &Arc<dyn Toolbox>) -> bool {
        let mut same = self.known.iter().filter(|known| known.id == toolbox.id());
        same.any(|known| known.inner.set(Arc::clone(toolbox)).is_ok())
    }
}

impl Arrivals for WrittenArrivals {
    fn take(&self) -> BoxFuture<'_, Vec<Arc<dyn Toolbox>>> {
        Box::pin(self.look())
    }
}
