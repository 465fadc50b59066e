//! What came of many turns with faults, counted.

use std::fmt;

use super::journals::Journals;
use super::kills::{DEVICE_KILLS, FROZEN, SERVER_KILLS, Size, THINKING, WORKER_FAULTS};
use super::{at, median};

/// What came of them.
#[derive(Debug)]
pub struct Counted {
    /// How much there was.
    pub size: Size,
    /// How long all took.
    pub seconds: f64,
    /// Turns with another answer than theirs, or none.
    pub lost: usize,
    /// Turns with more than one answer or end.
    pub doubled: usize,
    /// Lamps that were never switched though their devices lived.
    pub undone: usize,
    /// Turns whose device was killed.
    pub crashed: usize,
    /// Of these, lamps that were not switched: a call that was cut off is not made again.
    pub cut_off: usize,
    /// Lamps that were switched more than once.
    pub twice: usize,
    /// What the devices' own brain was asked.
    pub own: usize,
    /// Turns that another worker went on with.
    pub succeeded: usize,
    /// Runs whose next entry the server refused.
    pub fenced: usize,
    /// Runs that the device told that another has their turn.
    pub told: usize,
    /// Turns that the device ended itself.
    pub left: usize,
    /// What stands at the server.
    pub journals: Journals,
    /// How long each turn took, in seconds.
    pub times: Vec<f64>,
}

impl Counted {
    /// Whether nothing was lost, nothing came twice, and no run wrote behind its successor.
    pub fn is_clean(&self) -> bool {
        self.lost + self.doubled + self.undone + self.twice + self.journals.late == 0
    }
}

impl fmt::Display for Counted {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Size {
            turns,
            devices,
            workers,
        } = self.size;
        let mut times = self.times.clone();
        writeln!(
            f,
            "{turns} turns of {devices} devices and {workers} workers, {WORKER_FAULTS} workers killed, {WORKER_FAULTS} frozen \
             for {FROZEN:?}, the server killed {SERVER_KILLS} times, devices {DEVICE_KILLS} times: {:.1} s",
            self.seconds
        )?;
        writeln!(
            f,
            "  lost {}, answered twice {}, lamps not switched {}, lamps switched twice {}",
            self.lost, self.doubled, self.undone, self.twice
        )?;
        writeln!(
            f,
            "  turns whose device was killed {}; calls of them that were cut off, and not made again {}",
            self.crashed, self.cut_off
        )?;
        writeln!(
            f,
            "  turns that another worker went on with {}; runs fenced by the server {}, told by the device that another has \
             the turn {}; {}",
            self.succeeded, self.fenced, self.told, self.journals
        )?;
        writeln!(
            f,
            "  turns that the device ended itself {}, requests to the devices' own brain {} of {} or more",
            self.left,
            self.own,
            2 * turns
        )?;
        let longest = times.iter().copied().fold(0.0, f64::max);
        write!(
            f,
            "  a turn took p50 {:.2} s, p95 {:.2} s, at most {longest:.2} s ({:.2} s of it the brain's)",
            median(&mut times),
            at(&mut times, 0.95),
            2.0 * THINKING.as_secs_f64()
        )
    }
}
