//! What is set is due once, whatever becomes of the device's clock.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use jiff::{SignedDuration, Timestamp};
use loquat_agent::Speaker;
use loquat_agent::origin::Origin;
use loquat_agent::toolbox::Circumstances;
use parking_lot::Mutex;

use super::alert::{Alert, Kind, Person, Repetition};
use super::book::Alerts;
use super::now::Now;
use super::pausing::{paused, resumed};
use super::turn::Turn;
use loquat_kit::records::{Records, Volatile};

mod wordings;

fn at(wall: i64, uptime: f64) -> Now {
    Now {
        wall: Timestamp::from_second(wall).expect("a moment"),
        uptime,
        boot: "one".to_owned(),
    }
}

/// A timer of one minute that this person has set.
pub(super) fn timer(person: Person) -> Alert {
    Alert {
        id: 0,
        kind: Kind::Timer,
        name: None,
        person,
        by: Origin::Own,
        due: at(0, 60.0).wall,
        due_after_span: None,
        span_seconds: Some(60.0),
        set_seconds: None,
        room: None,
        paused: None,
        repetition: None,
        ringing: None,
        deed: None,
        on: None,
        steps: Vec::new(),
        whom: None,
        reminds: None,
    }
}

#[tokio::test]
async fn setting_the_clock_moves_no_timer_and_it_rings_once() {
    let now = Arc::new(Mutex::new(at(1_000_000, 10.0)));
    let clock = Arc::clone(&now);
    let alerts = Alerts::by(
        Arc::new(Volatile::default()),
        Arc::new(move || clock.lock().clone()),
    );
    let due = alerts.now().after(60.0);
    let timer = |id| Alert {
        id,
        due: due.wall,
        due_after_span: Some(due),
        ..timer(Person::default())
    };
    alerts.add(timer).await.expect("room");
    *now.lock() = at(2_000_000, 69.0);
    assert_eq!(alerts.turn().await, []);
    *now.lock() = at(500_000, 70.5);
    assert!(matches!(alerts.turn().await.as_slice(), [Turn::Rings(_)]));
    assert_eq!(alerts.turn().await, [], "it rings already");
    assert_eq!(alerts.silence_where(|_| true).await.len(), 1);
    *now.lock() = at(1_000_000, 100.0);
    assert_eq!(alerts.turn().await, []);
}

/// Numbers that look like chance and are the same in every run (`SplitMix64`).
struct Dice(u64);

impl Dice {
    fn below(&mut self, sides: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        (mixed ^ (mixed >> 31)) % sides
    }
}

/// A device whose clock is set and which is switched off and on again, as seen by a person with a stopwatch.
struct World {
    now: Arc<Mutex<Now>>,
    records: Arc<dyn Records>,
    alerts: Alerts,
    dice: Dice,
    /// What is to come: when, by the kernel's clock of timers and by the wall of alarms.
    expected: BTreeMap<u64, (Kind, f64)>,
    /// What is paused, with the seconds that are left of it.
    paused: BTreeMap<u64, f64>,
    /// Deeds that were begun by a process that died.
    unsure: BTreeSet<u64>,
    /// How often each was told.
    told: BTreeMap<u64, usize>,
}

fn book(records: &Arc<dyn Records>, now: &Arc<Mutex<Now>>) -> Alerts {
    let clock = Arc::clone(now);
    Alerts::by(Arc::clone(records), Arc::new(move || clock.lock().clone()))
}

impl World {
    fn new(seed: u64) -> Self {
        let now = Arc::new(Mutex::new(at(1_700_000_000, 50.0)));
        let records: Arc<dyn Records> = Arc::new(Volatile::default());
        Self {
            alerts: book(&records, &now),
            now,
            records,
            dice: Dice(seed),
            expected: BTreeMap::new(),
            paused: BTreeMap::new(),
            unsure: BTreeSet::new(),
            told: BTreeMap::new(),
        }
    }

    fn moment(&self) -> (f64, f64) {
        let now = self.now.lock();
        (now.wall.as_millisecond() as f64 / 1000.0, now.uptime)
    }

    /// Half a second passes.
    fn pass(&self) {
        let mut now = self.now.lock();
        *now = now.after(0.5);
    }

    /// The clock on the wall is set, by up to twenty minutes.
    fn jump(&mut self) {
        let by = i64::try_from(self.dice.below(2400)).expect("small") - 1200;
        let mut now = self.now.lock();
        now.wall += SignedDuration::from_secs(by);
    }

    fn restart(&mut self) {
        for _ in 0..self.dice.below(40) {
            self.pass();
        }
        self.alerts = book(&self.records, &self.now);
    }

    async fn set(&mut self) {
        let seconds = (1 + self.dice.below(900)) as f64;
        let due = self.alerts.now().after(seconds);
        let kind = match self.dice.below(3) {
            0 => Kind::Timer,
            1 => Kind::Alarm,
            _ => Kind::Deed,
        };
        let make = |id| Alert {
            id,
            kind,
            name: None,
            person: Person::default(),
            by: Origin::Own,
            due: due.wall,
            due_after_span: (kind != Kind::Alarm).then(|| due.clone()),
            span_seconds: None,
            set_seconds: None,
            room: None,
            paused: None,
            repetition: None,
            ringing: None,
            deed: None,
            on: None,
            steps: Vec::new(),
            whom: None,
            reminds: None,
        };
        let alert = self.alerts.add(make).await.expect("room").0;
        let (wall, uptime) = (due.wall.as_millisecond() as f64 / 1000.0, due.uptime);
        let when = if kind == Kind::Alarm { wall } else { uptime };
        assert!(
            self.expected.insert(alert.id, (kind, when)).is_none(),
            "an id is given twice"
        );
    }

    /// A timer is paused, or goes on.
    async fn pause_or_resume(&mut self) {
        if let Some((id, left)) = self.paused.pop_first() {
            let (altered, _) = self.alerts.alter(&[id], resumed).await;
            assert_eq!(altered.len(), 1, "{id} was lost while it was paused");
            self.expected.insert(id, (Kind::Timer, self.moment().1 + left));
            return;
        }
        let mut timers = self.expected.iter().filter(|(_, (kind, _))| *kind == Kind::Timer);
        let Some((id, when)) = timers.next().map(|(id, (_, when))| (*id, *when)) else {
            return;
        };
        let (altered, _) = self.alerts.alter(&[id], paused).await;
        if !altered.is_empty() {
            self.expected.remove(&id);
            self.paused.insert(id, when - self.moment().1);
        }
    }

    /// The deed is done, or the process dies before it has written that down.
    async fn does(&mut self, id: u64) {
        if self.dice.below(3) == 0 {
            self.unsure.insert(id);
            self.alerts = book(&self.records, &self.now);
        } else {
            assert!(self.alerts.cancel(id).await);
        }
    }

    /// What is due is told now, and nothing else is.
    async fn look(&mut self) {
        let turns = self.alerts.turn().await;
        let (wall, uptime) = self.moment();
        for turn in turns {
            let (Turn::Rings(alert) | Turn::Missed(alert) | Turn::Begins(alert)) = &turn else {
                continue;
            };
            if alert.has_begun() && matches!(turn, Turn::Missed(_)) {
                assert!(self.unsure.remove(&alert.id), "{} was never begun", alert.id);
                continue;
            }
            if matches!(turn, Turn::Begins(_)) {
                self.does(alert.id).await;
            }
            let (kind, when) = self.expected.remove(&alert.id).expect("told once");
            let now = if kind == Kind::Alarm { wall } else { uptime };
            assert!(now >= when, "{} of {kind:?} is early", when - now);
            *self.told.entry(alert.id).or_default() += 1;
        }
        for (id, (kind, when)) in &self.expected {
            let now = if *kind == Kind::Alarm { wall } else { uptime };
            assert!(now < *when, "{id} is not told though it is due");
        }
    }
}

#[tokio::test]
async fn two_hundred_are_told_once_each_over_restarts_and_jumps_of_the_clock() {
    for seed in 0..5 {
        let mut world = World::new(seed);
        let (mut set, mut restarts, mut jumps) = (0, 0, 0);
        for step in 0..20_000 {
            world.pass();
            let early = step < 4000;
            if early && set < 200 && world.dice.below(10) == 0 {
                world.set().await;
                set += 1;
            }
            if early && restarts < 50 && world.dice.below(60) == 0 {
                world.restart();
                restarts += 1;
            }
            if world.dice.below(40) == 0 {
                world.pause_or_resume().await;
            }
            if early && jumps < 40 && world.dice.below(80) == 0 {
                world.jump();
                jumps += 1;
            }
            world.look().await;
            if world.dice.below(20) == 0 {
                world.alerts.silence_where(|_| true).await;
            }
        }
        while !world.paused.is_empty() {
            world.pause_or_resume().await;
        }
        for _ in 0..2000 {
            world.pass();
            world.look().await;
        }
        assert!(world.expected.is_empty(), "lost: {:?}", world.expected);
        assert!(world.unsure.is_empty(), "not told: {:?}", world.unsure);
        assert_eq!((set, world.told.len()), (200, 200));
        assert!(world.told.values().all(|times| *times == 1));
        assert!(
            restarts >= 40 && jumps >= 30,
            "{restarts} restarts, {jumps} jumps"
        );
    }
}

#[tokio::test]
async fn an_alarm_of_every_day_does_not_ring_twice_when_the_clock_is_set_back() {
    let now = Arc::new(Mutex::new(at(1_700_000_000, 10.0)));
    let records: Arc<dyn Records> = Arc::new(Volatile::default());
    let alerts = book(&records, &now);
    let due = alerts.now().after(60.0).wall;
    let daily = |id| Alert {
        id,
        kind: Kind::Alarm,
        name: None,
        person: Person::default(),
        by: Origin::Own,
        due,
        due_after_span: None,
        span_seconds: None,
        set_seconds: None,
        room: None,
        paused: None,
        repetition: Some(Repetition {
            days: (1..=7).collect(),
            time: due
                .to_zoned(loquat_kit::calendar::zone_of(&Person::default().circumstances()))
                .time(),
            until: None,
            sun: None,
        }),
        ringing: None,
        deed: None,
        on: None,
        steps: Vec::new(),
        whom: None,
        reminds: None,
    };
    alerts.add(daily).await.expect("room");
    let mut rang = 0;
    for passed in [60, 61, 30, 60, 3600, 86_400, 86_460, 86_430, 86_460] {
        now.lock().wall = Timestamp::from_second(1_700_000_000 + passed).expect("a moment");
        let turns = alerts.turn().await;
        rang += turns.iter().filter(|turn| matches!(turn, Turn::Rings(_))).count();
        alerts.silence_where(|_| true).await;
    }
    assert_eq!(rang, 2, "once on each day");
}

#[test]
fn what_is_set_is_known_to_the_owner_and_to_whoever_has_set_it() {
    let circumstances = |speaker: Speaker, session: &str| Circumstances {
        speaker,
        session_id: session.to_owned(),
        ..Circumstances::default()
    };
    let owner = circumstances(Speaker::Owner, "default");
    let kitchen = circumstances(Speaker::guest("hive:kitchen"), "hive:kitchen:one");
    let again = circumstances(Speaker::guest("hive:kitchen"), "hive:kitchen:two");
    let bath = circumstances(Speaker::guest("hive:bath"), "hive:bath:one");
    let program = circumstances(Speaker::Program, "default");
    let other = circumstances(Speaker::Program, "elsewhere");
    let all = [&owner, &kitchen, &again, &bath, &program, &other];
    let known = |person: &Circumstances| all.map(|who| Person::of(person).is_known_to(who));
    assert_eq!(known(&owner), [true, false, false, false, false, false]);
    assert_eq!(known(&kitchen), [true, true, true, false, false, false]);
    assert_eq!(known(&program), [true, false, false, false, true, true]);
    let old: Person = serde_json::from_str(r#"{"session_id": "default"}"#).unwrap();
    assert_eq!(
        all.map(|who| old.is_known_to(who)),
        known(&owner),
        "kept by an older version"
    );
}
