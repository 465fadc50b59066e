//! What a soak has shown, and whether that is as it must be.

use std::cmp::Reverse;
use std::fmt;

use super::Held;
use super::errand::Effects;
use super::ledger::{Entry, Ledger};
use super::plan::Plan;
use super::stage::Told;

/// Utterances that are shown when something is wrong with them.
const SHOWN: usize = 10;

/// The outcome.
#[derive(Debug)]
pub struct Report {
    plan: Plan,
    calm: Tally,
    storm: Tally,
    held: Option<Held>,
    told: Told,
}

/// One part of it, counted. The first group must be zero.
#[derive(Debug, Default)]
struct Tally {
    utterances: usize,
    lost: usize,
    ended_twice: usize,
    answered_twice: usize,
    done_twice: usize,
    claimed_in_vain: usize,
    disturbed_by_nothing: usize,

    as_scripted: usize,
    otherwise: usize,
    without_a_word: usize,
    sent_again: usize,
    replaced: usize,
    forgotten: usize,
    /// What is wrong, the worst kinds last.
    faults: Vec<(usize, String)>,
}

impl Report {
    pub(super) fn new(plan: Plan) -> Self {
        Self {
            plan,
            calm: Tally::default(),
            storm: Tally::default(),
            held: None,
            told: Told::default(),
        }
    }

    pub(super) fn calm(&mut self, ledger: &Ledger, held: Held) {
        self.calm = Tally::of(ledger);
        self.held = Some(held);
    }

    pub(super) fn storm(&mut self, ledger: &Ledger, told: Told) {
        self.storm = Tally::of(ledger);
        self.told = told;
    }

    /// Tells whether nothing was lost, nothing doubled, nothing done twice, and memory does not grow.
    pub fn is_green(&self) -> bool {
        let whole = self.calm.utterances == self.plan.calm && self.storm.utterances == self.plan.utterances;
        let grows = |held: &Held| held.memory.grows() || held.holdings.grow();
        let is_bounded = !self.held.as_ref().is_some_and(grows);
        let is_seen = self.held.as_ref().is_none_or(|held| held.onlookers.is_content());
        whole && is_bounded && is_seen && self.calm.is_green() && self.storm.is_green()
    }
}

impl Tally {
    fn of(ledger: &Ledger) -> Self {
        let mut tally = Self::default();
        ledger.each(|entry| tally.add(entry, &ledger.effects));
        tally
    }

    fn add(&mut self, entry: &Entry, effects: &Effects) {
        if let Some((rank, fault)) = self.judge(entry, effects) {
            self.faults.push((rank, format!("{fault}: {entry:?}")));
        }
        self.sent_again += usize::from(entry.sent_again);
        if entry.replaced {
            self.replaced += 1;
            return;
        }
        self.utterances += 1;
        let scripted = entry.errand.answer();
        match entry.answers.first() {
            Some(answer) if *answer == scripted => self.as_scripted += 1,
            Some(_) => self.otherwise += 1,
            None if entry.ends > 0 => self.without_a_word += 1,
            None => {}
        }
    }

    /// Counts what is wrong with an utterance, and gives the worst of it and how bad that is.
    fn judge(&mut self, entry: &Entry, effects: &Effects) -> Option<(usize, &'static str)> {
        let done = entry.errand.effect().map(|key| effects.of(key));
        let scripted = entry.answers.contains(&entry.errand.answer());
        let endless = entry.ends == 0 && !entry.replaced;
        let forgotten = endless && entry.progress.forgettable;
        self.forgotten += usize::from(forgotten);
        let odd = !entry.touched && (!scripted || done == Some(0));
        let doubled = entry.answers.len() > 1 || entry.twins > 1;
        let wrongs = [
            (
                odd,
                &mut self.disturbed_by_nothing,
                "answered otherwise though nothing happened",
            ),
            (
                done == Some(0) && scripted,
                &mut self.claimed_in_vain,
                "said to be done and not done",
            ),
            (endless && !forgotten, &mut self.lost, "lost"),
            (entry.ends > 1, &mut self.ended_twice, "ended twice"),
            (doubled, &mut self.answered_twice, "answered twice"),
            (done > Some(1), &mut self.done_twice, "done twice"),
        ];
        let mut worst = None;
        for (rank, (is_wrong, count, name)) in wrongs.into_iter().enumerate() {
            if is_wrong {
                *count += 1;
                worst = Some((rank, name));
            }
        }
        worst
    }

    fn must_be_zero(&self) -> [(&'static str, usize); 6] {
        [
            ("lost: without an end", self.lost),
            ("doubled: ended twice", self.ended_twice),
            ("doubled: answered twice", self.answered_twice),
            ("effects that happened twice", self.done_twice),
            (
                "effects that were claimed and did not happen",
                self.claimed_in_vain,
            ),
            (
                "answered otherwise though nothing happened",
                self.disturbed_by_nothing,
            ),
        ]
    }

    fn shown(&self) -> [(&'static str, usize); 7] {
        [
            ("utterances", self.utterances),
            ("answered as scripted", self.as_scripted),
            (
                "answered otherwise, after a fault",
                self.otherwise - self.disturbed_by_nothing.min(self.otherwise),
            ),
            ("ended without a word", self.without_a_word),
            ("sent again for want of an echo", self.sent_again),
            ("said again: killed before any notice of it", self.replaced),
            ("forgotten: killed while the disk was full", self.forgotten),
        ]
    }

    fn is_green(&self) -> bool {
        self.must_be_zero().iter().all(|(_, count)| *count == 0)
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Plan { sessions, seed, .. } = self.plan;
        writeln!(f, "Soak with seed {seed:#x}, {sessions} sessions\n")?;
        writeln!(f, "{:<48}{:>10}{:>10}{:>8}", "", "calm", "storm", "bound")?;
        for ((name, calm), (_, storm)) in self.calm.must_be_zero().iter().zip(self.storm.must_be_zero()) {
            writeln!(f, "{name:<48}{calm:>10}{storm:>10}{:>8}", 0)?;
        }
        for ((name, calm), (_, storm)) in self.calm.shown().iter().zip(self.storm.shown()) {
            writeln!(f, "{name:<48}{calm:>10}{storm:>10}")?;
        }
        writeln!(f)?;
        self.told.fmt(f)?;
        if let Some(held) = &self.held {
            writeln!(f, "memory:  {}; bound +1 MiB", held.memory)?;
            writeln!(f, "held:    {}", held.holdings)?;
            writeln!(f, "looking: {}", held.onlookers)?;
        }
        for (part, tally) in [("calm", &self.calm), ("storm", &self.storm)] {
            let mut faults: Vec<_> = tally.faults.iter().collect();
            faults.sort_by_key(|(rank, _)| Reverse(*rank));
            for (_, fault) in faults.into_iter().take(SHOWN) {
                writeln!(f, "{part}: {fault}")?;
            }
        }
        write!(f, "{}", if self.is_green() { "green" } else { "RED" })
    }
}

impl fmt::Display for Told {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(
            f,
            "daemon:  killed {} times, ready again within {:.1} s",
            self.kills,
            self.slowest_start.as_secs_f64()
        )?;
        writeln!(
            f,
            "bus:     started again {} times, met again within {:.1} s",
            self.restarts,
            self.slowest_return.as_secs_f64()
        )?;
        writeln!(
            f,
            "disk:    full for {:.0} s and {} of the kills; {}",
            self.full.as_secs_f64(),
            self.kills_while_full,
            self.disk
        )?;
        let jumps: Vec<String> = self.jumps.iter().map(jump).collect();
        writeln!(f, "clock:   by libfaketime {}", jumps.join(", "))
    }
}

fn jump((seconds, runs): &(i64, bool)) -> String {
    let when = if *runs {
        "while it ran"
    } else {
        "while it was down"
    };
    format!("{:+} h {when}", seconds / 3600)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::super::errand::Errand;
    use super::*;
    use crate::frame::Frame;
    use crate::turn::{HANDLED, Utterance};

    /// A booking, and what was seen of it: topics with the text that was said.
    fn judged(seen: &[(&str, &str)], effects: usize) -> Tally {
        let ledger = Ledger::default();
        let utterance = Utterance::new("Book number 7.");
        ledger.open(&utterance, Errand::Book(7));
        for (topic, text) in seen {
            let mut frame = utterance.frame();
            frame["type"] = json!(topic);
            frame["data"] = json!({"utterance": text});
            ledger.hear(&Frame::parse(&frame.to_string()).unwrap());
        }
        (0..effects).for_each(|_| ledger.effects.note(7));
        Tally::of(&ledger)
    }

    const SAID: (&str, &str) = ("speak", "Booked number 7.");
    const END: (&str, &str) = (HANDLED, "");

    #[test]
    fn what_is_whole_is_green() {
        let tally = judged(&[SAID, END], 1);
        assert!(tally.is_green() && tally.as_scripted == 1, "{tally:?}");
    }

    #[test]
    fn whatever_is_lost_or_doubled_is_red() {
        for (seen, effects, wrong) in [
            (&[SAID][..], 1, "lost"),
            (&[SAID, END, END], 1, "ended twice"),
            (&[SAID, SAID, END], 1, "answered twice"),
            (&[SAID, END], 2, "done twice"),
            (&[SAID, END], 0, "not done"),
            (&[("speak", "Sorry."), END], 1, "otherwise"),
            (&[END], 1, "otherwise"),
        ] {
            let tally = judged(seen, effects);
            let fault = tally.faults.first().map(|(_, fault)| fault.as_str());
            assert!(!tally.is_green(), "{seen:?}");
            assert!(
                fault.is_some_and(|fault| fault.contains(wrong)),
                "{wrong}: {fault:?}"
            );
        }
    }
}
