//! Cuts of the power: timers, lists, memories, settings and what is undone are written to a disk that loses what was not
//! synced; then the daemon is started on what each of many cuts has left of it.
//!
//! After each cut it must start with one complaint at most, and hold everything that the person was told before. A start
//! after a cut is one of another run of the kernel, where the machine lets a test say so.

mod claims;
mod remains;

use std::fs::{self, Permissions};
use std::os::unix::fs::PermissionsExt;
use std::time::Duration;

use serde_json::{Value, json};

use self::claims::{Claims, Key};
use self::remains::Remains;
use super::flood::told;
use super::row::Row;
use super::scale::Scale;
use super::target::Target;
use crate::dice::Dice;
use crate::home::Home;
use crate::mortal_disk::{MortalDisk, Record};
use crate::persona::Persona;
use crate::wait::{PATIENCE, wait_for};

const TIMERS: &str = "loquat-alert-tools";
const MEMORY: &str = "loquat-memory-tools";

/// How long the disk takes to sync, as the card of a small board does.
const SYNC: Duration = Duration::from_millis(15);

/// What speaks, so that its speed can be changed.
const VOICE: &str = "#!/bin/sh\nexec cat > /dev/null\n";

/// What was said in the life that is cut.
struct Life {
    claims: Claims,
    record: Record,
    /// The first moment at which everything is as it was at the beginning.
    begun: usize,
    port: u16,
}

/// Records one life, and starts another on what each cut has left.
pub async fn attack(scale: Scale) -> Row {
    let mut disk = None;
    let target = Target::begin_with(
        |tester, home| prepared(tester, home, &mut disk),
        |launch| launch.finding("bin"),
    )
    .await;
    let Some(disk) = disk else {
        let mut row = target.judged(Row::default(), Some(Duration::ZERO)).await;
        "not done: this machine lets this user mount no disk".clone_into(&mut row.seen);
        return row;
    };
    let mut life = Life {
        claims: Claims::default(),
        record: disk.record(),
        begun: disk.moment(),
        port: target.home.port(),
    };
    disk.set_sync(SYNC);
    let mut dice = Dice::new(scale.seed);
    let (half, whole) = (scale.deeds / 2, scale.deeds);
    live(&target, &disk, (0..half, &mut dice), &mut life.claims).await;
    let question = target.ask().await;
    live(&target, &disk, (half..whole, &mut dice), &mut life.claims).await;
    life.record = disk.record();
    disk.set_sync(Duration::ZERO);
    let mut row = target.judged(Row::default(), question).await;
    drop(disk);
    judge(&life, scale.cuts, &mut dice, &mut row).await;
    row
}

fn prepared(tester: Persona, home: &Home, disk: &mut Option<MortalDisk>) -> Persona {
    home.setting("skills.intents", "\"alone\"");
    home.setting("voice.espeak", "\"auto\"");
    home.setting("memory.notes_conversations", "false");
    let voice = home.write("bin/espeak-ng", VOICE);
    fs::set_permissions(&voice, Permissions::from_mode(0o755)).expect("the home can be written");
    *disk = MortalDisk::over(home.path()).ok();
    tester
}

/// Has the daemon do so many things, and notes what was told of each, and when.
async fn live(
    target: &Target,
    disk: &MortalDisk,
    (deeds, dice): (std::ops::Range<usize>, &mut Dice),
    claims: &mut Claims,
) {
    for number in deeds {
        let (key, value, deed) = drawn(number, claims, dice);
        let began = disk.moment();
        match deed {
            Deed::Call(toolbox, tool, arguments) => {
                let id = format!("deed-{number}");
                let answer = told(&target.probe, &id, toolbox, (tool, &arguments)).await;
                assert!(answer["error"].is_null(), "{tool} {arguments}: {answer}");
            }
            Deed::Say(words, answer) => {
                // In its first second the daemon does not know yet whether it speaks itself.
                wait_for(&format!("`{answer}` to `{words}`"), PATIENCE, async || {
                    let said = target.typed(&words).await;
                    said.contains(&answer).then_some(())
                })
                .await;
            }
        }
        claims.add(key, value, began..disk.moment());
    }
}

/// What a person or a program has done.
enum Deed {
    Call(&'static str, &'static str, Value),
    /// With a part of the answer that tells of its success.
    Say(String, String),
}

/// The next thing to be done, and what must be true of which thing afterwards.
fn drawn(number: usize, claims: &Claims, dice: &mut Dice) -> (Key, String, Deed) {
    let (there, gone) = (claims::THERE.to_owned(), claims::GONE.to_owned());
    let name = word(number);
    let last_item = claims.last().and_then(|claim| match &claim.key {
        Key::Item(name) if claim.value == claims::THERE => Some(name.clone()),
        _ => None,
    });
    if let Some(name) = last_item.filter(|_| dice.one_in(2)) {
        return (
            Key::Item(name),
            gone,
            Deed::Say("Undo that".to_owned(), "removed".to_owned()),
        );
    }
    match dice.index(8) {
        0 | 1 => {
            let call = json!({"duration": "3 hours", "name": name});
            (Key::Timer(name), there, Deed::Call(TIMERS, "set_timer", call))
        }
        2 => match claims.one_that_is_there(dice, |key| matches!(key, Key::Timer(_))) {
            Some(Key::Timer(name)) => {
                let call = json!({"kind": "timer", "name": name});
                (Key::Timer(name), gone, Deed::Call(TIMERS, "cancel_alert", call))
            }
            _ => (Key::Item(name.clone()), there, added(&name)),
        },
        3 | 4 => (Key::Item(name.clone()), there, added(&name)),
        5 => {
            let call = json!({"fact": format!("the {name} is under the bed")});
            (Key::Fact(name), there, Deed::Call(MEMORY, "remember", call))
        }
        6 => match claims.one_that_is_there(dice, |key| matches!(key, Key::Fact(_))) {
            Some(Key::Fact(name)) => {
                let call = json!({"about": name});
                (Key::Fact(name), gone, Deed::Call(MEMORY, "forget", call))
            }
            _ => (Key::Item(name.clone()), there, added(&name)),
        },
        _ => {
            let is_slow = claims.now(&Key::Pace) == Some(claims::SLOW);
            let (pace, words) = if is_slow {
                (claims::USUAL, "Speak normally")
            } else {
                (claims::SLOW, "Speak more slowly")
            };
            (
                Key::Pace,
                pace.to_owned(),
                Deed::Say(words.to_owned(), "I speak".to_owned()),
            )
        }
    }
}

fn added(name: &str) -> Deed {
    Deed::Say(format!("Add {name} to the shopping list"), name.to_owned())
}

/// Makes a word of its own for each number, which no language knows.
fn word(number: usize) -> String {
    let letter =
        |digit: u8| ["bo", "du", "fi", "ga", "ke", "lo", "mu", "ne", "pi", "sa"][usize::from(digit - b'0')];
    let syllables: String = number.to_string().bytes().map(letter).collect();
    format!("za{syllables}x")
}

/// Starts the daemon on what each cut has left.
async fn judge(life: &Life, cuts: usize, dice: &mut Dice, row: &mut Row) {
    let end = life.record.length();
    let (mut complaints, mut lost) = (0, 0);
    for number in 0..=cuts {
        let moment = match number {
            // The first shows that what is looked for is found where nothing was cut.
            0 => end,
            number if number % 2 == 0 => life.claims.moment_of_one(dice).unwrap_or(end),
            _ => life.begun + dice.index(end - life.begun + 1),
        };
        let tree = if number == 0 {
            life.record.whole()
        } else {
            life.record.cut(moment, dice)
        };
        let found = match Remains::look(life.port, &tree, &life.claims).await {
            Ok(found) => found,
            Err(why) => {
                row.fault(format!("cut {number} at {moment}: {why}"));
                continue;
            }
        };
        for (key, is, may) in life.claims.broken(moment, &found.values) {
            lost += 1;
            row.fault(format!(
                "cut {number} at {moment}: {key:?} is {is}, and was told to be {may:?}"
            ));
        }
        complaints += usize::from(!found.complaints.is_empty());

        row.demand(found.complaints.len() <= 1, || {
            format!("cut {number} at {moment}: complaints {:?}", found.complaints)
        });
    }
    row.count = cuts;
    row.seen = format!(
        "{} deeds, {} operations; {lost} lost, {complaints} starts complain",
        life.claims.count(),
        end - life.begun
    );
    row.faults.truncate(8);
}
