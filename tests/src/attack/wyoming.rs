//! Events of the Wyoming protocol that are damaged at random: bits that flip, lengths that lie, lines that break off,
//! recordings of no format, and whole ones among them; on many connections that are closed, left open or not read.

use std::collections::VecDeque;
use std::time::Duration;

use serde_json::{Value, json};
use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader};
use tokio::net::TcpStream;
use tokio::time::timeout;

use super::row::Row;
use super::scale::Scale;
use super::target::Target;
use crate::brain::Reply;
use crate::dice::Dice;
use crate::story::TESTER;
use crate::wait::{PATIENCE, wait_for};
use crate::wyoming::{WyomingPort, sentence};

/// Connections that are left open with what they have said: half of those that are served.
const LEFT_OPEN: usize = 16;

/// How long one connection may take to be given its bytes.
const WRITING: Duration = Duration::from_secs(30);

/// How long a connection may take that is answered.
const ANSWERING: Duration = Duration::from_secs(5);

/// Sends them all; at half of them the person asks.
pub async fn attack(scale: Scale) -> Row {
    let mut door = None;
    let target = Target::begin(|tester, home| {
        door = Some(WyomingPort::of(home));
        tester
    })
    .await;
    let door = door.expect("the home was prepared");
    target.brain.whenever(TESTER, "", Reply::answers("Fine."));
    door.open().await;
    let mut dice = Dice::new(scale.seed);
    let mut sent = Sent::default();
    let written = sent.flood(door, scale.events / 2, &mut dice).await;
    let question = target.ask().await;
    let written = written && sent.flood(door, scale.events, &mut dice).await;
    let asked = target.brain.requests(TESTER).len();
    let mut row = Row {
        count: sent.events,
        seen: format!(
            "seed {}; {} connections, {} damaged, brain {asked}",
            scale.seed, sent.connections, sent.damaged
        ),
        ..Row::default()
    };
    row.demand(written, || "the daemon did not take what was written".into());
    row.demand(asked > scale.events / 500, || {
        format!("the brain was asked {asked} times: the sentences did not arrive")
    });
    drop(sent);
    // As soon as those that were left open have gone, others are served.
    wait_for("an offer", PATIENCE, async || offered(door).await.then_some(())).await;
    target.judged(row, question).await
}

/// Tells whether a peer is told what there is.
async fn offered(door: WyomingPort) -> bool {
    let exchange = async {
        let mut stream = door.connect().await;
        stream.write_all(b"{\"type\":\"describe\"}\n").await.ok()?;
        let mut lines = BufReader::new(stream).lines();
        let header = lines.next_line().await.ok()??;
        let header: Value = serde_json::from_str(&header).ok()?;
        Some(header["type"] == "info")
    };
    timeout(ANSWERING, exchange).await.ok().flatten() == Some(true)
}

/// What went out.
#[derive(Default)]
struct Sent {
    events: usize,
    damaged: usize,
    connections: usize,
    open: VecDeque<TcpStream>,
}

impl Sent {
    /// Tells whether so many events could be written in all.
    async fn flood(&mut self, door: WyomingPort, events: usize, dice: &mut Dice) -> bool {
        while self.events < events {
            let mut bytes = Vec::new();
            for _ in 0..=dice.index(12) {
                self.add(dice, &mut bytes);
            }
            let mut stream = door.connect().await;
            self.connections += 1;
            // A daemon that has heard enough closes the connection, and what is written then is lost.
            if timeout(WRITING, stream.write_all(&bytes)).await.is_err() {
                return false;
            }
            if dice.one_in(8) {
                self.open.push_back(stream);
                let surplus = self.open.len().saturating_sub(LEFT_OPEN);
                self.open.drain(..surplus);
            }
        }
        true
    }

    fn add(&mut self, dice: &mut Dice, bytes: &mut Vec<u8>) {
        let mut event = event(dice, self.events);
        self.events += 1;
        // Behind damage nothing is read on the connection, so there are fewer damaged events than whole ones.
        if dice.one_in(4) {
            self.damaged += 1;
            damage(dice, &mut event);
        }
        bytes.extend(event);
    }
}

/// Makes an event that is in order, but for lengths and numbers that lie.
fn event(dice: &mut Dice, number: usize) -> Vec<u8> {
    let lies = [0, 1, 2, 44_100, u64::from(u32::MAX), u64::MAX];
    let format = json!({"rate": 16_000, "width": dice.pick(&[2, 2, 2, 9]), "channels": dice.pick(&lies)});
    let junk = "[".repeat(dice.index(2000)) + &"x".repeat(dice.index(40_000));
    let (header, rest) = match dice.index(9) {
        0 | 1 => return sentence(&format!("c{}", number % 50), "Say something"),
        2 => (json!({"type": "describe"}), String::new()),
        3 => (
            json!({"type": "transcribe", "data": {"language": junk}}),
            String::new(),
        ),
        4 => (json!({"type": "audio-start", "data": format}), String::new()),
        5 => (
            json!({"type": "audio-chunk", "data": format, "payload_length": junk.len()}),
            junk,
        ),
        6 => (
            json!({"type": "audio-stop", "data": {"timestamp": lies}}),
            String::new(),
        ),
        7 => (
            json!({"type": "transcript", "data": {"text": junk, "context": {"conversation_id": [junk]}}}),
            String::new(),
        ),
        _ => (
            json!({"type": junk, "data_length": dice.pick(&lies), "payload_length": dice.pick(&lies)}),
            junk,
        ),
    };
    format!("{header}\n{rest}").into_bytes()
}

fn damage(dice: &mut Dice, event: &mut Vec<u8>) {
    match dice.index(5) {
        0 | 1 => {
            for _ in 0..=dice.index(6) {
                let place = dice.index(event.len());
                event[place] ^= 1 << dice.index(8);
            }
        }
        2 => event.truncate(dice.index(event.len())),
        3 => *event = vec![*dice.pick(b"[{\"0 ,:-x\n"); 1 + dice.index(100_000)],
        _ => {
            let text = String::from_utf8_lossy(event);
            let deeper = text.replacen("\"type\"", &format!("\"a\":{},\"type\"", "[".repeat(30_000)), 1);
            *event = deeper.into_bytes();
        }
    }
}
