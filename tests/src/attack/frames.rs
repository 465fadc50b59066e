//! Generated frames: half of them JSON that is hostile in some field that is read, half of them damaged bytes.

mod damage;
mod field;
mod value;

use tokio::sync::Notify;

use super::attacker::{Attacker, TEXT, append};
use super::row::Row;
use super::scale::Scale;
use super::target::Target;
use crate::brain::Reply;
use crate::dice::Dice;
use crate::story::TESTER;

/// After so many frames it is waited until the daemon has read them, so that it really does.
const BATCH: usize = 250;

/// Sends them all; at half of them the person asks.
pub async fn attack(scale: Scale) -> Row {
    let target = Target::begin(|tester, _| tester).await;
    target.brain.whenever(TESTER, "", Reply::answers("Fine."));
    let mut sent = Sent::default();
    let half = Notify::new();
    let flood = async {
        let whole = sent.flood(&target, scale, &half).await;
        half.notify_one();
        whole
    };
    let person = async {
        half.notified().await;
        target.ask().await
    };
    let (whole, question) = tokio::join!(flood, person);
    let relayed = target.probe.heard();
    let asked = target.brain.requests(TESTER).len();
    let mut row = Row {
        count: sent.whole + sent.damaged,
        seen: format!(
            "seed {}; {} JSON, {} damaged, {relayed} heard, brain {asked}",
            scale.seed, sent.whole, sent.damaged
        ),
        ..Row::default()
    };
    row.demand(whole, || "the daemon did not get through the frames".into());
    row.demand(sent.whole.abs_diff(sent.damaged) <= 2, || {
        "not half and half".into()
    });
    row.demand(relayed >= sent.whole as u64 / 2, || {
        format!("only {relayed} frames came through: most of the attack did not arrive")
    });
    row.demand(asked >= scale.frames / 1000, || {
        format!("the brain was asked {asked} times: the utterances did not arrive")
    });
    target.judged(row, question).await
}

/// How many frames went out.
#[derive(Debug, Default)]
struct Sent {
    whole: usize,
    damaged: usize,
}

impl Sent {
    /// Tells whether the daemon has read them all. A connection that the bus has closed for what was sent on
    /// it is opened again.
    async fn flood(&mut self, target: &Target, scale: Scale, half: &Notify) -> bool {
        let mut dice = Dice::new(scale.seed);
        let mut attacker = Attacker::join(target.home.port()).await.ok();
        let mut lost = 0;
        while self.whole + self.damaged < scale.frames {
            let Some(open) = attacker.as_mut().filter(|open| !open.is_closed()) else {
                attacker = Attacker::join(target.home.port()).await.ok();
                lost += usize::from(attacker.is_none());
                if lost > 100 {
                    return false;
                }
                continue;
            };
            let mut bytes = Vec::new();
            for _ in 0..BATCH / 2 {
                append(&mut bytes, TEXT, true, field::frame(&mut dice).as_bytes());
                self.whole += 1;
            }
            let closes = damage::batch(&mut dice, BATCH / 2, &mut bytes);
            self.damaged += BATCH / 2;
            if self.damaged >= scale.frames / 4 {
                half.notify_one();
            }
            let written = open.write(&bytes).await.is_ok();
            // Where the connection lives on, its own question comes behind all that was sent.
            let through = closes || written && open.is_through(&target.probe).await;
            if !through && !open.is_closed() {
                return false;
            }
            if closes {
                attacker = None;
                if !target.is_through().await {
                    return false;
                }
            }
        }
        true
    }
}
