//! Deeds and triggers by chance, and a daemon that is killed over and over while its clock jumps and summer time begins and ends:
//! each is done once or told as missed once, and what is done is done on time, or as soon as the daemon is there again.
//!
//! The long form takes as many as the environment says (`DEEDS`, `TRIGGERS`, `MOMENTS`, `KILLS`, `SPAN`, `SEED`); `make bench-deeds`
//! runs it.

use std::collections::BTreeMap;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use loquat_tests::binaries::wanted;
use loquat_tests::bus::FakeBus;
use loquat_tests::clock::Clock;
use loquat_tests::daemon::Launch;
use loquat_tests::dice::Dice;
use loquat_tests::frame::Frame;
use loquat_tests::home::Home;
use loquat_tests::home_assistant::{FakeHomeAssistant, Manner};
use loquat_tests::wait::PATIENCE;
use rustix::process::Signal;
use serde_json::{Value, json};
use tokio::time::{Instant, sleep_until};

use crate::story::{Scene, Story};

/// How late one may be, after its time or after the daemon is back.
const LATE: Duration = Duration::from_secs(1);

/// Triggers that wait for the same.
const BATCH: usize = 6;

/// The steps of a batch: the lamp goes off, the triggers are set, the lamp goes on.
const BETWEEN_STEPS: Duration = Duration::from_millis(1_500);

/// The clock is put so far before a moment.
const BEFORE: i64 = 4;

/// A night in which summer time begins or ends in Lisbon, at one o'clock of Greenwich.
struct Night {
    date: &'static str,
    one_o_clock: i64,
    /// When half past one is, in seconds behind one o'clock of Greenwich.
    half_past_one: i64,
    /// When it is once more, by the clock on the wall or by one that is put back.
    again: i64,
    /// Other moments of the night, as they are said and when they are.
    others: [(&'static str, i64); 3],
}

const NIGHTS: [Night; 2] = [
    // Half past one is not there that night, and is half past two.
    Night {
        date: "2027-03-28",
        one_o_clock: 1_806_195_600,
        half_past_one: 1_800,
        again: 1_800,
        others: [("2:10 am", 600), ("12:30 am", -1_800), ("3 am", 3_600)],
    },
    // Half past one is there twice that night, and counts once.
    Night {
        date: "2027-10-31",
        one_o_clock: 1_824_944_400,
        half_past_one: -1_800,
        again: 1_800,
        others: [("2:10 am", 4_200), ("12:30 am", -5_400), ("3 am", 7_200)],
    },
];

/// How much is asked of the daemon.
struct Trial {
    deeds: usize,
    triggers: usize,
    /// Moments of each night beside half past one.
    moments: usize,
    kills: usize,
    /// Within which time all but the nights happens.
    span: Duration,
    seed: u64,
    /// Says whether lateness counts: the short form runs beside other tests, where the machine is late itself.
    is_timed: bool,
}

impl Trial {
    fn of_environment() -> Self {
        Self {
            is_timed: loquat_tests::binaries::setting("DEEDS").is_some(),
            deeds: wanted("DEEDS", 14),
            triggers: wanted("TRIGGERS", BATCH),
            moments: wanted("MOMENTS", 0),
            kills: wanted("KILLS", 3),
            span: Duration::from_secs(wanted("SPAN", 10)),
            seed: wanted("SEED", 5),
        }
    }
}

/// A sentence that is kept: its command is like no other's.
struct Kept {
    id: Value,
    /// When it is to be done; not known as long as what it waits for is not so.
    due: Option<Instant>,
}

/// The daemon, its home and its clock.
struct Court {
    story: Story,
    _bus: FakeBus,
    home: FakeHomeAssistant,
    clock: Clock,
    /// Seconds by which its clock is ahead.
    ahead: i64,
    kept: BTreeMap<String, Kept>,
    opened: Instant,
    /// When it was gone, and when it was back.
    away: Vec<(Instant, Instant)>,
}

impl Court {
    async fn open() -> Self {
        let home = FakeHomeAssistant::start(Manner::Good).await;
        let bus = FakeBus::start().await;
        let scene = Scene::at(Home::with_bus(bus.port()));
        scene.home.setting("bus.embed", "\"never\"");
        scene.home.setting("desk.mode", "\"solo\"");
        home.furnish(&scene.home);
        scene.home.setting("skills.intents", "\"alone\"");
        scene.home.persona(&scene.tester());
        let clock = Clock::new(&scene.home);
        let story = scene.start_with(|launch| clock.worn_by(launch)).await;
        let court = Self {
            story,
            _bus: bus,
            home,
            clock,
            ahead: 0,
            kept: BTreeMap::new(),
            opened: Instant::now(),
            away: Vec::new(),
        };
        court.connected().await;
        court
    }

    async fn connected(&self) {
        self.story
            .daemon
            .wrote("connected to Home Assistant", PATIENCE)
            .await;
    }

    async fn kill(&mut self) {
        let gone = Instant::now();
        self.story.daemon.signal(Signal::KILL);
        self.story.daemon.ended(PATIENCE).await;
        let launch = self.clock.worn_by(Launch::new(&self.story.home, &["run"]));
        (self.story.daemon, _) = launch.ready().await;
        self.connected().await;
        self.away.push((gone, Instant::now()));
    }

    /// Keeps one more sentence by a tool, and gives its command.
    async fn keep(&mut self, tool: &str, mut kwargs: Value) -> String {
        let command = format!("roll a {} sided die", self.kept.len() + 2);
        kwargs["command"] = json!(command);
        let call = json!({"toolbox_id": "loquat-alert-tools", "name": tool, "kwargs": kwargs});
        let answer = self.story.probe.request("ovos.persona.tools.call", &call).await;
        let id = answer.data["result"]["id"].clone();
        assert!(id.is_u64(), "{kwargs} is not kept: {:?}", answer.data);
        self.kept.insert(command.clone(), Kept { id, due: None });
        command
    }

    async fn deed(&mut self, seconds: f64) {
        let due = Instant::now() + Duration::from_secs_f64(seconds);
        let command = self
            .keep("do_later", json!({"duration": format!("{seconds:.3} seconds")}))
            .await;
        self.due_at(&command, due);
    }

    fn due_at(&mut self, command: &str, due: Instant) {
        if let Some(kept) = self.kept.get_mut(command) {
            kept.due = Some(due);
        }
    }

    /// Puts the clock of the daemon to a moment of Greenwich.
    fn put(&mut self, unix: i64) {
        let jump = unix - unix_now() - self.ahead;
        self.clock.jump(jump);
        self.ahead += jump;
    }

    async fn step(&mut self, step: Step, dice: &mut Dice, span: Duration) {
        match step {
            Step::Deed => self.deed(1.0 + part(dice, span).as_secs_f64()).await,
            Step::Kill => self.kill().await,
            Step::Jump => {
                let jump = i64::try_from(dice.below(7_200)).unwrap_or_default() - 3_600;
                self.clock.jump(jump);
                self.ahead += jump;
            }
            Step::Off => self.home.becomes("light.bed_light", "off"),
            Step::Triggers => {
                for _ in 0..BATCH {
                    self.keep("do_when", json!({"event": "the bed light is on"}))
                        .await;
                }
            }
            Step::On => {
                self.home.becomes("light.bed_light", "on");
                let now = Instant::now();
                let waiting = self.kept.values_mut().filter(|kept| kept.due.is_none());
                waiting.for_each(|kept| kept.due = Some(now));
            }
        }
    }

    /// The deeds of a night, each when its moment comes; what is done every day at half past one is done once.
    async fn night(&mut self, night: &Night, moments: usize) {
        let at = |behind: i64| night.one_o_clock + behind;
        self.put(at(-7_200));
        self.kill().await;
        let daily = self
            .keep("do_later", json!({"time": "1:30 am", "repeat": "daily"}))
            .await;
        let mut due = vec![(at(night.half_past_one), daily)];
        for (said, behind) in night.others.iter().take(moments) {
            let command = self
                .keep("do_later", json!({"time": said, "date": night.date}))
                .await;
            due.push((at(*behind), command));
        }
        due.sort_unstable();
        for (unix, command) in due {
            let mark = self.story.probe.mark();
            let moment = self.comes(unix);
            self.due_at(&command, moment);
            let is_it = |frame: &Frame| done(frame) == Some(command.as_str());
            self.story.probe.wait(&command, mark, PATIENCE, is_it).await;
        }
        let again = self.comes(at(night.again));
        sleep_until(again + LATE * 2).await;
        let all = json!({"toolbox_id": "loquat-alert-tools", "name": "cancel_alert",
                         "kwargs": {"kind": "deed", "name": "all"}});
        self.story.probe.request("ovos.persona.tools.call", &all).await;
    }

    /// Has a moment of Greenwich come soon, and tells when.
    fn comes(&mut self, unix: i64) -> Instant {
        self.put(unix - BEFORE);
        Instant::now() + Duration::from_secs(BEFORE.unsigned_abs())
    }

    fn verdict(&self) -> Verdict {
        let frames = self.story.probe.since(0);
        let mut verdict = Verdict::default();
        for (command, kept) in &self.kept {
            let seen: Vec<Instant> = frames
                .iter()
                .filter(|frame| done(frame) == Some(command.as_str()))
                .map(|frame| frame.seen)
                .collect();
            let is_missed = |frame: &&Frame| {
                frame.topic == "loquat.alert"
                    && frame.data["state"] == "missed"
                    && frame.data["id"] == kept.id
            };
            let missed = frames.iter().filter(is_missed).count();
            verdict.told += missed;
            match (seen.as_slice(), missed) {
                ([], 1) => {}
                ([], _) => verdict.lost.push(self.told(command, kept)),
                ([one], 0) => verdict.is_done(kept.due.map(|due| self.late(due, *one)), command),
                _ => verdict.twice.push(command.clone()),
            }
        }
        verdict
    }

    /// A command with when it was due and when the daemon was away then.
    fn told(&self, command: &str, kept: &Kept) -> String {
        let seconds = |moment: &Instant| moment.saturating_duration_since(self.opened).as_secs_f64();
        let due = kept.due.as_ref().map_or(0.0, seconds);
        let near = self.away.iter().filter(|(_, back)| seconds(back) > due - 10.0);
        let near = near.map(|(gone, back)| format!("{:.3} to {:.3}", seconds(gone), seconds(back)));
        let near: Vec<String> = near.take(3).collect();
        format!("{command}, due at {due:.3} s, away from {}", near.join(", "))
    }

    /// By how many seconds it was early, below zero, or late. While the daemon is away nothing can be done.
    fn late(&self, due: Instant, seen: Instant) -> f64 {
        if seen < due {
            return -(due - seen).as_secs_f64();
        }
        let away = self.away.iter().map(|(gone, back)| {
            let (gone, back) = ((*gone).max(due), (*back).min(seen));
            back.saturating_duration_since(gone)
        });
        (seen - due).saturating_sub(away.sum()).as_secs_f64()
    }
}

/// Something that is done to the daemon.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Step {
    Deed,
    Kill,
    Jump,
    Off,
    Triggers,
    On,
}

/// What came of all of them.
#[derive(Debug, Default)]
struct Verdict {
    done: usize,
    told: usize,
    lost: Vec<String>,
    twice: Vec<String>,
    early: Vec<String>,
    latest: f64,
}

impl Verdict {
    fn is_done(&mut self, late: Option<f64>, command: &str) {
        self.done += 1;
        match late {
            // The clock of the test and that of the daemon are read at different moments.
            Some(late) if late < -1.1 => self.early.push(command.to_owned()),
            Some(late) => self.latest = self.latest.max(late),
            None => self.early.push(command.to_owned()),
        }
    }
}

/// The command that is said now, having been kept.
fn done(frame: &Frame) -> Option<&str> {
    let is_kept = frame.topic == "recognizer_loop:utterance" && frame.context.get("loquat_later").is_some();
    frame.data["utterances"][0].as_str().filter(|_| is_kept)
}

fn unix_now() -> i64 {
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    i64::try_from(now.as_secs()).unwrap_or_default()
}

/// So much of a span, by chance.
fn part(dice: &mut Dice, span: Duration) -> Duration {
    Duration::from_millis(dice.below(u64::try_from(span.as_millis()).unwrap_or(u64::MAX)))
}

/// All steps of a trial but the nights, with the moment of each.
fn steps(trial: &Trial, dice: &mut Dice) -> Vec<(Duration, Step)> {
    let mut steps = Vec::new();
    for (count, step) in [
        (trial.deeds, Step::Deed),
        (trial.kills, Step::Kill),
        (trial.kills / 2, Step::Jump),
    ] {
        steps.extend((0..count).map(|_| (part(dice, trial.span), step)));
    }
    steps.sort_by_key(|(at, _)| *at);
    let batches = trial.triggers.div_ceil(BATCH);
    let share = trial.span / u32::try_from(batches.max(1)).unwrap_or(1);
    for batch in 0..batches {
        let begin = share * u32::try_from(batch).unwrap_or_default();
        let at = |steps: u32| begin + BETWEEN_STEPS * steps;
        steps.extend([(at(0), Step::Off), (at(1), Step::Triggers), (at(2), Step::On)]);
    }
    steps.sort_by_key(|(at, _)| *at);
    steps
}

#[tokio::test]
async fn each_of_many_is_done_once_and_on_time_whatever_becomes_of_daemon_and_clock() {
    let trial = Trial::of_environment();
    let mut dice = Dice::new(trial.seed);
    let mut court = Court::open().await;
    let start = Instant::now();
    let mut last = None;
    for (at, step) in steps(&trial, &mut dice) {
        // A step that was late, as one behind a kill is, does not come at once with the next of its batch.
        let earliest = last.map_or(start, |last: Instant| last + BETWEEN_STEPS);
        let is_of_batch = matches!(step, Step::Off | Step::Triggers | Step::On);
        sleep_until((start + at).max(if is_of_batch { earliest } else { start })).await;
        court.step(step, &mut dice, trial.span).await;
        if is_of_batch {
            last = Some(Instant::now());
        }
    }
    let end = court.kept.values().filter_map(|kept| kept.due).max();
    sleep_until(end.unwrap_or(start) + LATE * 3).await;
    for night in NIGHTS {
        court.night(&night, trial.moments).await;
    }
    let verdict = court.verdict();
    println!(
        "{} deeds and triggers, {} kills: {} done, {} told as missed, at most {:.3} s late",
        court.kept.len(),
        court.away.len(),
        verdict.done,
        verdict.told,
        verdict.latest
    );
    let none: [String; 0] = [];
    assert_eq!(verdict.lost, none, "lost");
    assert_eq!(verdict.twice, none, "done or told twice");
    assert_eq!(verdict.early, none, "too early");
    let is_in_time = !trial.is_timed || verdict.latest <= LATE.as_secs_f64();
    assert!(is_in_time, "{} s late", verdict.latest);
    assert!(verdict.done >= court.kept.len() / 10 * 9, "{verdict:?}");
}
