//! The workers that a device knows of, as they said last, and which of them is asked for a turn.
//!
//! Turns wait nowhere: one is ordered only where a place is free, and runs at the device otherwise. The worker that had the
//! session's last turn comes first, because the session's words are in the cache of its model. What no person waits for leaves
//! the last free place of all to a person. A worker that was left is not asked for a while: the next turn would only wait for it
//! as long again.

use std::cmp::Reverse;
use std::collections::HashMap;
use std::time::Duration;

use tokio::time::Instant;

use crate::condition::Condition;
use crate::order::{Announcement, VERSION, kind_of};
use crate::subjects::is_token;

/// A worker that says nothing for so long is gone.
const SILENT: Duration = Duration::from_secs(3);

/// A worker may need this long to know that a turn is over, and to say so.
const NEWS: Duration = Duration::from_millis(250);

/// Workers that are known at once; one more is not heard.
const WORKERS: usize = 1_000;

/// Places of one worker, more than any has.
const PLACES: u32 = 256;

/// The worker that had a session last has the session's words in its cache for about this long.
const WARM: Duration = Duration::from_secs(600);

/// Sessions whose last worker is remembered; that of one more is not.
const SESSIONS: usize = 1_000;

/// A worker that was left is not asked for this long. One that was started anew has another name, and is asked at
/// once.
const SHUNNED: Duration = Duration::from_secs(30);

/// The wishes of a turn for its worker.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Wish<'a> {
    pub(crate) session: &'a str,
    /// Says whether a person waits for it.
    pub(crate) is_urgent: bool,
    /// The brains that may think it, the best first; all where none is named.
    pub(crate) brains: &'a [String],
}

/// The worker that is asked.
#[derive(Debug, Clone)]
pub(crate) struct Choice {
    pub(crate) worker: Announcement,
    /// Says whether it had the session's last turn.
    pub(crate) is_warm: bool,
}

#[derive(Debug, Default)]
pub(crate) struct Roster {
    workers: HashMap<String, Known>,
    /// The worker that had the last turn of each session, and when that turn ended.
    warm: HashMap<String, (String, Instant)>,
    /// The workers that were left, and when; also of those that are silent, since one may only be frozen.
    left: HashMap<String, Instant>,
}

/// A worker, as it said last.
#[derive(Debug)]
struct Known {
    announcement: Announcement,
    heard: Instant,
    /// The moment at which a turn of this device last left one of its places.
    given_back: Option<Instant>,
}

impl Roster {
    /// A worker says something of itself. Its name becomes a part of a subject, so it has to be fit for one.
    pub(crate) fn hear(&mut self, mut announcement: Announcement) {
        announcement.places = announcement.places.min(PLACES);
        announcement.free = announcement.free.min(announcement.places);
        let name = &announcement.worker;
        if !name
            .split_once('.')
            .is_some_and(|(name, id)| is_token(name) && is_token(id))
        {
            return;
        }
        if announcement.leaving {
            self.workers.remove(name);
        } else if self.workers.len() < WORKERS || self.workers.contains_key(name) {
            let before = self.workers.remove(name);
            self.workers
                .insert(name.clone(), Known::new(announcement, before));
        }
    }

    /// Forgets workers that have said nothing for too long.
    pub(crate) fn forget_silent(&mut self) {
        self.workers.retain(|_, known| known.heard.elapsed() < SILENT);
        self.warm.retain(|_, (_, when)| when.elapsed() < WARM);
        self.left.retain(|_, when| when.elapsed() < SHUNNED);
    }

    /// There is no server to hear them by.
    pub(crate) fn clear(&mut self) {
        self.workers.clear();
    }

    /// A place is free again before the worker says so: what is asked next would otherwise find none.
    pub(crate) fn give_back(&mut self, worker: &str) {
        if let Some(known) = self.workers.get_mut(worker) {
            let announcement = &mut known.announcement;
            announcement.free = announcement.places.min(announcement.free + 1);
            known.given_back = Some(Instant::now());
        }
    }

    /// A turn went on at the device because of this worker.
    pub(crate) fn shun(&mut self, worker: &str) {
        if self.left.len() < WORKERS || self.left.contains_key(worker) {
            self.left.insert(worker.to_owned(), Instant::now());
        }
    }

    /// A worker has had a turn of this session to its end.
    pub(crate) fn remember(&mut self, session: &str, worker: &str) {
        if self.warm.len() < SESSIONS || self.warm.contains_key(session) {
            let last = (worker.to_owned(), Instant::now());
            self.warm.insert(session.to_owned(), last);
        }
    }

    /// Chooses a worker with a free place, which counts as taken until it says otherwise.
    pub(crate) fn choose(&mut self, wish: Wish<'_>) -> Option<Choice> {
        let warm = self.warm.get(wish.session).map(|(worker, _)| worker.clone());
        let is_warm = |worker: &Announcement| warm.as_ref() == Some(&worker.worker);
        let wanted: Vec<_> = self
            .workers
            .values_mut()
            .map(|known| &mut known.announcement)
            .filter(|worker| takes_turns(worker) && worker.free > 0 && !is_shunned(&self.left, worker))
            .filter_map(|worker| Some((merit(worker, wish.brains)?, worker)))
            .collect();
        let free: u32 = wanted.iter().map(|(_, worker)| worker.free).sum();
        if free < if wish.is_urgent { 1 } else { 2 } {
            return None;
        }
        let (_, worker) = wanted
            .into_iter()
            .max_by_key(|(merit, worker)| (*merit, is_warm(worker), worker.free))?;
        worker.free -= 1;
        Some(Choice {
            is_warm: is_warm(worker),
            worker: worker.clone(),
        })
    }

    /// Tells where turns are thought now.
    pub(crate) fn condition(&self, brains: &[String]) -> Condition {
        let all = self.workers.values().map(|known| &known.announcement);
        let (fitting, others): (Vec<_>, Vec<_>) = all.partition(|worker| takes_turns(worker));
        let (wanted, unwanted): (Vec<_>, Vec<_>) = fitting
            .into_iter()
            .partition(|worker| merit(worker, brains).is_some());
        let (shunned, wanted): (Vec<_>, Vec<_>) = wanted
            .into_iter()
            .partition(|worker| is_shunned(&self.left, worker));
        let names = |workers: &[&Announcement]| {
            let mut brains: Vec<String> = workers.iter().map(|worker| worker.brain.clone()).collect();
            brains.sort();
            brains.dedup();
            brains
        };
        if wanted.is_empty() && !shunned.is_empty() {
            return Condition::Shunned(shunned.len());
        }
        match (wanted.len(), unwanted.is_empty(), others.first()) {
            (0, false, _) => Condition::OtherBrains(names(&unwanted)),
            (0, true, Some(other)) => Condition::OtherVersion(other.version.clone()),
            (0, true, None) => Condition::NoWorkers,
            (workers, ..) => Condition::Ready {
                workers,
                brains: names(&wanted),
            },
        }
    }
}

/// Ranks a worker's brain by this list: the first is the best, and all are where none is named. There is no rank
/// where it is not wanted.
fn merit(worker: &Announcement, brains: &[String]) -> Option<Reverse<usize>> {
    if brains.is_empty() {
        return Some(Reverse(0));
    }
    let place = brains.iter().position(|brain| *brain == worker.brain)?;
    Some(Reverse(place))
}

impl Known {
    /// Takes in what a worker says. What it said before it knew that a turn was over is not news.
    fn new(announcement: Announcement, before: Option<Self>) -> Self {
        let recent = before.filter(|before| before.given_back.is_some_and(|when| when.elapsed() < NEWS));
        let free = recent.as_ref().map_or(0, |before| before.announcement.free);
        Self {
            announcement: Announcement {
                free: announcement.free.max(free),
                ..announcement
            },
            heard: Instant::now(),
            given_back: recent.and_then(|before| before.given_back),
        }
    }
}

/// Tells whether it was left too lately to be asked.
fn is_shunned(left: &HashMap<String, Instant>, worker: &Announcement) -> bool {
    left.get(&worker.worker)
        .is_some_and(|when| when.elapsed() < SHUNNED)
}

/// Tells whether it can run turns of this device.
fn takes_turns(worker: &Announcement) -> bool {
    let kind = kind_of(VERSION, &worker.brain, worker.capabilities);
    worker.version == VERSION && worker.kind == kind
}

#[cfg(test)]
mod tests {
    use loquat_agent::brain::Capabilities;
    use tokio::time::advance;

    use super::*;

    fn worker(name: &str, brain: &str, free: u32) -> Announcement {
        let capabilities = Capabilities::default();
        Announcement {
            worker: format!("{name}.1"),
            version: VERSION.to_owned(),
            kind: kind_of(VERSION, brain, capabilities),
            brain: brain.to_owned(),
            capabilities,
            places: 4,
            free,
            leaving: false,
        }
    }

    fn roster(workers: impl IntoIterator<Item = Announcement>) -> Roster {
        let mut roster = Roster::default();
        for worker in workers {
            roster.hear(worker);
        }
        roster
    }

    fn wish(session: &str) -> Wish<'_> {
        Wish {
            session,
            is_urgent: true,
            brains: &[],
        }
    }

    fn chosen(roster: &mut Roster, wish: Wish<'_>) -> Option<(String, bool)> {
        let choice = roster.choose(wish)?;
        Some((choice.worker.worker, choice.is_warm))
    }

    #[tokio::test(start_paused = true)]
    async fn the_last_worker_of_a_session_comes_first_while_its_cache_is_warm() {
        let both = || [worker("cellar", "oak", 1), worker("attic", "oak", 3)];
        let mut roster = roster(both());
        let (cellar, attic) = ("cellar.1".to_owned(), "attic.1".to_owned());
        assert_eq!(chosen(&mut roster, wish("a")), Some((attic.clone(), false)));
        roster.remember("a", &cellar);
        assert_eq!(chosen(&mut roster, wish("a")), Some((cellar.clone(), true)));
        // Its only place is taken, so another has the turn.
        assert_eq!(chosen(&mut roster, wish("a")), Some((attic.clone(), false)));
        advance(WARM).await;
        roster.forget_silent();
        for worker in both() {
            roster.hear(worker);
        }
        assert_eq!(chosen(&mut roster, wish("a")), Some((attic, false)));
    }

    #[tokio::test(start_paused = true)]
    async fn what_no_person_waits_for_leaves_the_last_place() {
        let mut roster = roster([worker("cellar", "oak", 2)]);
        let patient = Wish {
            is_urgent: false,
            ..wish("a")
        };
        assert!(roster.choose(patient).is_some());
        assert!(roster.choose(patient).is_none());
        assert!(roster.choose(wish("a")).is_some());
        assert!(roster.choose(wish("a")).is_none(), "no place is free");
    }

    #[tokio::test(start_paused = true)]
    async fn brains_are_asked_in_the_order_in_which_they_are_named() {
        let mut roster = roster([worker("cellar", "oak", 1), worker("attic", "elm", 3)]);
        let brains = ["oak".to_owned(), "elm".to_owned()];
        let wish = Wish {
            brains: &brains,
            ..wish("a")
        };
        let names = [(); 2].map(|()| chosen(&mut roster, wish).map(|(name, _)| name));
        assert_eq!(names, [Some("cellar.1".to_owned()), Some("attic.1".to_owned())]);
        let others = ["ash".to_owned()];
        let none = Wish {
            brains: &others,
            ..wish
        };
        assert!(roster.choose(none).is_none());
        assert!(
            matches!(roster.condition(&others), Condition::OtherBrains(brains) if brains == ["elm", "oak"])
        );
    }

    #[tokio::test(start_paused = true)]
    async fn a_worker_that_was_left_is_not_asked_for_half_a_minute_unless_it_was_started_anew() {
        let mut roster = roster([worker("cellar", "oak", 2)]);
        roster.shun("cellar.1");
        assert!(roster.choose(wish("a")).is_none());
        assert_eq!(roster.condition(&[]), Condition::Shunned(1));
        roster.hear(worker("attic", "oak", 1));
        let chosen_now = chosen(&mut roster, wish("a")).map(|(name, _)| name);
        assert_eq!(chosen_now, Some("attic.1".to_owned()));
        // It was only frozen: forgotten as one that is silent, and heard again.
        advance(SILENT).await;
        roster.forget_silent();
        roster.hear(worker("cellar", "oak", 2));
        assert!(roster.choose(wish("a")).is_none());
        roster.hear(Announcement {
            worker: "cellar.2".to_owned(),
            ..worker("cellar", "oak", 1)
        });
        let anew = chosen(&mut roster, wish("a")).map(|(name, _)| name);
        assert_eq!(anew, Some("cellar.2".to_owned()));
        advance(SHUNNED).await;
        roster.forget_silent();
        roster.hear(worker("cellar", "oak", 2));
        let later = chosen(&mut roster, wish("a")).map(|(name, _)| name);
        assert_eq!(later, Some("cellar.1".to_owned()));
    }

    #[tokio::test(start_paused = true)]
    async fn who_leaves_is_silent_or_has_no_name_for_a_subject_is_not_asked() {
        let mut roster = roster([worker("cellar", "oak", 1), worker("a.>", "oak", 9)]);
        assert_eq!(
            chosen(&mut roster, wish("a")).map(|(name, _)| name),
            Some("cellar.1".to_owned())
        );
        roster.hear(Announcement {
            leaving: true,
            ..worker("cellar", "oak", 1)
        });
        assert!(matches!(roster.condition(&[]), Condition::NoWorkers));
        roster.hear(worker("cellar", "oak", 1));
        advance(SILENT).await;
        roster.forget_silent();
        assert!(roster.choose(wish("a")).is_none());
    }
}
