//! A daemon that is given no more memory: its data are bounded a little above what it has, and frames of megabytes
//! and questions come in. It answers, or it ends with a line that says why, is started again as a service is, and goes on
//! with what it was asked; it never hangs.

use std::fs;
use std::time::Duration;

use rustix::process::{Pid, Resource, Rlimit, Signal, prlimit};
use serde_json::json;
use tokio::time::{Instant, timeout};

use super::row::Row;
use super::scale::Scale;
use super::target::{OWN, QUESTION, RIGHT_ANSWER};
use crate::brain::Reply;
use crate::daemon::{Daemon, Launch};
use crate::home::{Home, free_port};
use crate::probe::BusProbe;
use crate::story::{Scene, TESTER};
use crate::turn::{Turn, Utterance};
use crate::wait::PATIENCE;

/// What it is given above what it has, one bound after the other.
const ROOM: [u64; 8] = [
    64 << 20,
    24 << 20,
    8 << 20,
    4 << 20,
    2 << 20,
    1 << 20,
    256 << 10,
    0,
];

/// The longest that a question may have neither an end nor a daemon that has ended.
const HANGS: Duration = Duration::from_secs(20);

/// A daemon goes on with what it was told within three seconds of its start.
const GOING_ON: Duration = Duration::from_secs(4);

/// Bytes of a stranger's words that are read with each question.
const HEAVY: usize = 6 << 20;

/// What a Rust program says when it is given no memory, and what the system's library and our own supervisor say.
const LAST_WORDS: [&str; 4] = [
    "memory allocation of",
    "out of memory",
    "Cannot allocate memory",
    "ended; see the log",
];

/// What came of the bounds.
#[derive(Debug, Default)]
struct Seen {
    answered: usize,
    ended: usize,
    slowest_return: Duration,
}

/// Each bound for a life of the daemon; afterwards it is asked without one.
pub async fn attack(scale: Scale) -> Row {
    let began = Instant::now();
    let scene = Scene::at(Home::with_bus(free_port()));
    scene.home.setting("bus.embed", "\"never\"");
    scene.home.persona(&scene.tester());
    scene
        .brain
        .whenever(TESTER, QUESTION, Reply::answers(RIGHT_ANSWER));
    scene.brain.whenever(TESTER, "", Reply::answers("Fine."));
    let _bus = Launch::new(&scene.home, &["bus"]).process();
    let probe = BusProbe::connect(scene.home.port()).await;
    let mut row = Row::default();
    let mut seen = Seen::default();
    for room in ROOM {
        row.count += 1;
        under_pressure(&scene.home, &probe, (room, scale.pressed), (&mut seen, &mut row)).await;
    }
    let mut daemon = Launch::new(&scene.home, &["run"]).spawn();
    drop(daemon.joined(scene.home.port()).await);
    let asked = Instant::now();
    let turn = question().ask(&probe).await;
    row.demand(turn.answer() == RIGHT_ANSWER, || {
        "the question without a bound got no answer".into()
    });
    row.question = Some(asked.elapsed());
    row.demand(seen.answered > 0 && seen.ended > 0, || {
        format!("the attack did not arrive: {seen:?}")
    });
    row.seen = format!(
        "{} answered, {} ended and came back within {:.1} s",
        seen.answered,
        seen.ended,
        seen.slowest_return.as_secs_f64()
    );
    let told = Instant::now();
    daemon.signal(Signal::TERM);
    let status = daemon.ended(PATIENCE).await;
    row.end = Some(told.elapsed());
    row.demand(status.success(), || format!("SIGTERM ended in {status}"));
    row.took = began.elapsed();
    row
}

fn question() -> Utterance {
    Utterance::new(&format!("Tell me {QUESTION}")).in_session(OWN)
}

/// A life under a bound, until it has answered so many questions or ended.
async fn under_pressure(
    home: &Home,
    probe: &BusProbe,
    (room, questions): (u64, usize),
    (seen, row): (&mut Seen, &mut Row),
) {
    let mut daemon = Launch::new(home, &["run"]).spawn();
    drop(daemon.joined(home.port()).await);
    bound(&daemon, room);
    for number in 0..questions {
        let heavy = json!({"type": "recognizer_loop:utterance",
                           "data": {"utterances": ["x".repeat(HEAVY)], "lang": "en-US"},
                           "context": {"source": "stranger", "session": {"session_id": format!("heavy-{number}")}}});
        probe.send(&heavy).await;
        let utterance = question();
        let mark = utterance.enter(probe).await;
        let asked = tokio::select! {
            turn = timeout(HANGS, utterance.end(probe, mark)) => turn.ok().map(Some),
            _ = daemon.gone() => Some(None),
        };
        match asked {
            Some(Some(turn)) => {
                seen.answered += 1;
                row.demand(is_told(&turn), || {
                    format!("with {room} bytes more a question ends without a word")
                });
            }
            Some(None) => {
                seen.ended += 1;
                let output = daemon.output();
                row.demand(LAST_WORDS.iter().any(|words| output.contains(words)), || {
                    format!(
                        "with {room} bytes more it ended without a reason: {}",
                        tail(&output)
                    )
                });
                // Its lock goes with the last of what it had started.
                daemon.kill();
                return come_back(home, probe, (&utterance, mark), (seen, row)).await;
            }
            None => {
                let why = tail(&daemon.output());
                row.fault(format!("with {room} bytes more it hangs: {why}"));
                break;
            }
        }
    }
    daemon.kill();
    daemon.ended(PATIENCE).await;
}

/// Started again, it goes on with the question at which it ended.
async fn come_back(
    home: &Home,
    probe: &BusProbe,
    (utterance, mark): (&Utterance, usize),
    (seen, row): (&mut Seen, &mut Row),
) {
    let began = Instant::now();
    let mut daemon = Launch::new(home, &["run"]).spawn();
    drop(daemon.joined(home.port()).await);
    // A question of which it had taken no notice is asked again, as a person does.
    let went_on = timeout(GOING_ON, utterance.end(probe, mark)).await;
    let is_answered = match went_on {
        Ok(turn) => turn.ends() == 1,
        Err(_) => question().ask(probe).await.answer() == RIGHT_ANSWER,
    };
    seen.slowest_return = seen.slowest_return.max(began.elapsed());
    row.demand(is_answered, || "started again it does not answer".into());
    daemon.kill();
    daemon.ended(PATIENCE).await;
}

/// Tells whether something was said at its end.
fn is_told(turn: &Turn) -> bool {
    !turn.spoken().is_empty()
}

/// Bounds its data to so much above what it has now. A bound of the address space would not do, of which each thread has much in reserve.
fn bound(daemon: &Daemon, room: u64) {
    let status = fs::read_to_string(format!("/proc/{}/status", daemon.pid())).unwrap_or_default();
    let size = status.lines().find_map(|line| line.strip_prefix("VmData:"));
    let kibibytes: u64 = size
        .and_then(|size| size.trim().trim_end_matches("kB").trim().parse().ok())
        .expect("the daemon runs");
    let limit = Rlimit {
        current: Some(kibibytes * 1024 + room),
        maximum: None,
    };
    let pid = i32::try_from(daemon.pid()).ok().and_then(Pid::from_raw);
    prlimit(pid, Resource::Data, limit).expect("the limit of a child can be set");
}

/// Gives the last of what it wrote.
fn tail(output: &str) -> String {
    let lines: Vec<&str> = output.lines().collect();
    lines[lines.len().saturating_sub(3)..].join(" / ")
}
