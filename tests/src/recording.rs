//! All frames that somebody saw on a bus, and waiting for the one that matters.

use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tokio::sync::watch;
use tokio::time::timeout;

use crate::frame::Frame;
use crate::wait::PATIENCE;

/// Grows while a test runs.
#[derive(Debug, Default)]
pub struct Recording {
    frames: Mutex<Vec<Frame>>,
    count: watch::Sender<usize>,
}

impl Recording {
    /// Adds a frame.
    pub fn push(&self, frame: Frame) {
        let mut frames = self.lock();
        frames.push(frame);
        self.count.send_replace(frames.len());
    }

    /// Where the recording stands now; waits that start here see only what comes later.
    pub fn mark(&self) -> usize {
        self.lock().len()
    }

    /// All frames since `mark`.
    pub fn since(&self, mark: usize) -> Vec<Frame> {
        self.lock().iter().skip(mark).cloned().collect()
    }

    /// The frame at this position, as soon as there is one. Cancel safe.
    pub async fn at(&self, position: usize) -> Frame {
        let mut count = self.count.subscribe();
        let reached = count.wait_for(|count| *count > position).await.is_ok();
        assert!(reached, "a recording outlives those who wait for it");
        self.lock()
            .get(position)
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

    /// As [`Self::wait`], but nothing when the deadline passes.
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
    /// whoever watches a crowd takes part in it. The recording is locked while
    /// `is_last` looks, which so must not use it.
    pub async fn watch(&self, mark: usize, mut is_last: impl FnMut(&Frame) -> bool) {
        let mut count = self.count.subscribe();
        let mut position = mark;
        loop {
            let reached = count.wait_for(|count| *count > position).await.is_ok();
            assert!(reached, "a recording outlives those who wait for it");
            let frames = self.lock();
            for frame in frames.iter().skip(position) {
                if is_last(frame) {
                    return;
                }
            }
            position = frames.len();
        }
    }

    fn lock(&self) -> MutexGuard<'_, Vec<Frame>> {
        self.frames.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
