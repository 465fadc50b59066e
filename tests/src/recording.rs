//! All frames that a client saw on a bus, and waiting for the one that matters.

use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tokio::sync::watch;
use tokio::time::timeout;

use crate::frame::Frame;
use crate::wait::PATIENCE;

/// Grows while a test runs, unless what is in it is taken.
#[derive(Debug, Default)]
pub struct Recording {
    frames: Mutex<Kept>,
    count: watch::Sender<usize>,
}

/// The frames that were not taken away; positions count those too that were.
#[derive(Debug, Default)]
struct Kept {
    taken: usize,
    frames: Vec<Frame>,
}

impl Kept {
    /// Counts all that there ever were.
    fn len(&self) -> usize {
        self.taken + self.frames.len()
    }

    /// Gives those at `position` and behind it.
    fn from(&self, position: usize) -> &[Frame] {
        let place = position.saturating_sub(self.taken).min(self.frames.len());
        &self.frames[place..]
    }
}

impl Recording {
    /// Adds a frame.
    pub fn push(&self, frame: Frame) {
        let mut kept = self.lock();
        kept.frames.push(frame);
        self.count.send_replace(kept.len());
    }

    /// Takes everything out that is in it, as soon as there is something; for a test that listens longer than memory lasts.
    /// Who else waits for a frame may miss it then. Cancel safe.
    pub async fn take(&self) -> Vec<Frame> {
        let mut count = self.count.subscribe();
        let taken = self.lock().taken;
        let reached = count.wait_for(|count| *count > taken).await.is_ok();
        assert!(reached, "a recording outlives those who wait for it");
        let mut kept = self.lock();
        kept.taken = kept.len();
        std::mem::take(&mut kept.frames)
    }

    /// Says where the recording stands now; waits that start here see only what comes later.
    pub fn mark(&self) -> usize {
        self.lock().len()
    }

    /// Lists all frames since `mark`.
    pub fn since(&self, mark: usize) -> Vec<Frame> {
        self.lock().from(mark).to_vec()
    }

    /// Waits for the frame at this position. Cancel safe.
    pub async fn at(&self, position: usize) -> Frame {
        let mut count = self.count.subscribe();
        let reached = count.wait_for(|count| *count > position).await.is_ok();
        assert!(reached, "a recording outlives those who wait for it");
        self.lock()
            .from(position)
            .first()
            .cloned()
            .expect("a frame that was counted is there")
    }

    /// Waits for a frame after `mark`.
    ///
    /// # Panics
    /// When the deadline passes; `what` names what was waited for, and the topics that came instead are listed.
    pub async fn wait(
        &self,
        what: &str,
        mark: usize,
        deadline: Duration,
        wanted: impl Fn(&Frame) -> bool,
    ) -> Frame {
        self.try_wait(mark, deadline, wanted).await.unwrap_or_else(|| {
            let seen: Vec<_> = self.since(mark).into_iter().map(|frame| frame.topic).collect();
            panic!("waited {deadline:?} in vain for {what}; seen instead: {seen:?}")
        })
    }

    /// Waits until there are `count` such frames after `mark`.
    ///
    /// # Panics
    /// As [`Self::wait`].
    pub async fn wait_for_several(
        &self,
        what: &str,
        mark: usize,
        count: usize,
        wanted: impl Fn(&Frame) -> bool,
    ) -> Vec<Frame> {
        let found = |frames: Vec<Frame>| {
            frames
                .into_iter()
                .filter(|frame| wanted(frame))
                .collect::<Vec<_>>()
        };
        // Each frame that is wanted may be the last one that was missing.
        let enough = |frame: &Frame| wanted(frame) && found(self.since(mark)).len() >= count;
        self.wait(what, mark, PATIENCE, enough).await;
        found(self.since(mark))
    }

    /// Waits for a frame; nothing when the deadline passes.
    pub async fn try_wait(
        &self,
        mark: usize,
        deadline: Duration,
        wanted: impl Fn(&Frame) -> bool,
    ) -> Option<Frame> {
        let search = async {
            let mut position = mark;
            loop {
                let frame = self.at(position).await;
                if wanted(&frame) {
                    return frame;
                }
                position += 1;
            }
        };
        timeout(deadline, search).await.ok()
    }

    /// Shows every frame after `mark`, as soon as there is one, until one is the last that is wanted. Copies none, since
    /// the watcher of a crowd takes part in it. The recording is locked while
    /// `is_last` looks, which so must not use it.
    pub async fn watch(&self, mark: usize, mut is_last: impl FnMut(&Frame) -> bool) {
        let mut count = self.count.subscribe();
        let mut position = mark;
        loop {
            let reached = count.wait_for(|count| *count > position).await.is_ok();
            assert!(reached, "a recording outlives those who wait for it");
            let kept = self.lock();
            for frame in kept.from(position) {
                if is_last(frame) {
                    return;
                }
            }
            position = kept.len();
        }
    }

    fn lock(&self) -> MutexGuard<'_, Kept> {
        self.frames.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
