//! How long a soak is, and which fault comes when.

use anyhow::{Context, Result};

use crate::binaries::setting;
use crate::dice::Dice;

/// Seconds of an hour and of a day.
const HOUR: i64 = 3600;
const DAY: i64 = 24 * HOUR;

/// The size of a soak.
#[derive(Debug, Clone, Copy)]
pub struct Plan {
    /// Utterances while faults happen.
    pub utterances: usize,
    /// Utterances before that, while nothing happens and memory is measured.
    pub calm: usize,
    /// Sessions that talk at once, each one utterance after the other.
    pub sessions: usize,
    /// How often the daemon is killed.
    pub kills: usize,
    /// How often the bus is started again.
    pub restarts: usize,
    /// Whether the disk is full for a while.
    pub full_disk: bool,
    /// Where chance begins.
    pub seed: u64,
}

/// A fault.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Event {
    /// The daemon is killed and started again.
    Kill,
    /// The bus is ended or killed and started again.
    RestartBus,
    /// From now on nothing can be written.
    FillDisk,
    /// There is room again.
    FreeDisk,
    /// The clock of the running daemon moves by so many seconds.
    Jump(i64),
    /// The clock jumps while the daemon is down: it is killed, and started at another time.
    KillAndJump(i64),
}

impl Plan {
    /// What `make soak` runs.
    pub const LONG: Self = Self {
        utterances: 10_000,
        calm: 90_000,
        sessions: 50,
        kills: 50,
        restarts: 100,
        full_disk: true,
        seed: 0x0001_09a7,
    };

    /// What `make test` runs.
    pub const SHORT: Self = Self {
        utterances: 240,
        calm: 60,
        sessions: 12,
        kills: 3,
        restarts: 3,
        full_disk: true,
        seed: 0x0001_09a7,
    };

    /// Changes the plan by what UTTERANCES, CALM, SESSIONS, KILLS, RESTARTS, DISK (0 or 1) and SEED say.
    ///
    /// # Errors
    /// Names the one that is no number.
    pub fn from_environment(self) -> Result<Self> {
        let whole = |key: &str, usual: usize| Ok::<usize, anyhow::Error>(number(key, usual as u64)? as usize);
        Ok(Self {
            utterances: whole("UTTERANCES", self.utterances)?,
            calm: whole("CALM", self.calm)?,
            sessions: whole("SESSIONS", self.sessions)?.max(1),
            kills: whole("KILLS", self.kills)?,
            restarts: whole("RESTARTS", self.restarts)?,
            full_disk: number("DISK", self.full_disk.into())? > 0,
            seed: number("SEED", self.seed)?,
        })
    }

    /// Lists all faults in their order. The disk is full during some of the kills, and the clock jumps
    /// forward, back while the daemon is down, and far forward.
    pub(super) fn events(&self, dice: &mut Dice) -> Vec<Event> {
        let while_full = (self.kills / 10).max(1).min(self.kills);
        let while_down = usize::from(self.kills > while_full);
        let kills = self.kills - while_full - while_down;
        let inside = self.restarts / 20;
        let mut events = faults(kills, self.restarts - inside, dice);
        let mut full = faults(while_full, inside, dice);
        if self.full_disk {
            full.insert(0, Event::FillDisk);
            full.push(Event::FreeDisk);
        }
        let third = events.len() / 3;
        events.splice(third..third, full);
        events.insert(events.len() / 2, Event::Jump(2 * DAY));
        if while_down > 0 {
            events.insert(events.len() * 2 / 3, Event::KillAndJump(-3 * HOUR));
        }
        events.insert(events.len() * 5 / 6, Event::Jump(400 * DAY));
        events
    }
}

fn faults(kills: usize, restarts: usize, dice: &mut Dice) -> Vec<Event> {
    let mut faults = vec![Event::Kill; kills];
    faults.resize(kills + restarts, Event::RestartBus);
    dice.shuffle(&mut faults);
    faults
}

/// Reads a whole number of the environment; it is hexadecimal where it begins with `0x`.
fn number(key: &str, usual: u64) -> Result<u64> {
    let Some(text) = setting(key) else {
        return Ok(usual);
    };
    let number = match text.strip_prefix("0x") {
        Some(digits) => u64::from_str_radix(digits, 16),
        None => text.parse(),
    };
    number.with_context(|| format!("{key} must be a whole number, not `{text}`"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_plan_has_as_many_faults_as_it_says_and_kills_while_the_disk_is_full() {
        for plan in [Plan::LONG, Plan::SHORT] {
            let events = plan.events(&mut Dice::new(plan.seed));
            let kill = |event: &&Event| matches!(event, Event::Kill | Event::KillAndJump(_));
            assert_eq!(events.iter().filter(kill).count(), plan.kills);
            let restarts = events.iter().filter(|event| **event == Event::RestartBus);
            assert_eq!(restarts.count(), plan.restarts);
            let place = |wanted: Event| events.iter().position(|event| *event == wanted).unwrap();
            let full = &events[place(Event::FillDisk)..place(Event::FreeDisk)];
            assert!(full.contains(&Event::Kill), "{full:?}");
            assert_eq!(
                events,
                plan.events(&mut Dice::new(plan.seed)),
                "the same seed, the same faults"
            );
        }
    }
}
