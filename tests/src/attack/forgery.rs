//! An attacker answers: the question that the person was asked, or the call of a tool.

mod answer;
mod assent;

use std::time::Duration;

use serde_json::{Value, json};

use self::answer::{EXTRAS, Forged};
use super::attacker::Attacker;
use super::row::Row;
use super::scale::Scale;
use super::target::{OWN, RIGHT_ANSWER, Target};
use crate::brain::Reply;
use crate::frame::Frame;
use crate::probe::BusProbe;
use crate::story::TESTER;
use crate::toolbox::{Act, ScriptedTool, ScriptedToolbox};
use crate::turn::{HANDLED, Utterance};
use crate::wait::PATIENCE;

const DOORS: &str = "door-tools";
const INFO: &str = "info-tools";
const BANK: &str = "bank-tools";

/// How long the true box takes, so that a forger can be first.
const SLOW: Duration = Duration::from_millis(150);

/// How often a wish is said: the daemon may find a box that has just joined only after the first turn.
const ATTEMPTS: usize = 3;

/// What an eavesdropper hears.
const TAPPED: [&str; 3] = ["speak", "ovos.utterance.handle", "recognizer_loop:utterance"];

/// The person is asked whether a door may be unlocked, and an attacker says yes in sixty ways.
pub async fn consent(scale: Scale) -> Row {
    let target = Target::begin(|tester, home| {
        home.setting("desk.history_turns", "0");
        home.setting("desk.consent_seconds", "20");
        tester.toolboxes(&[DOORS])
    })
    .await;
    let tool = ScriptedTool::named("unlock_door", Act::Returns(json!({"text": "open"})));
    let doors = ScriptedToolbox::join(target.home.port(), DOORS, vec![tool]).await;
    let open = Reply::acts("unlock_door", &json!({"text": "front"}));
    target.brain.whenever(TESTER, "nlock the front door", open);
    target.brain.whenever(TESTER, "", Reply::answers("Done."));
    let tap = BusProbe::hearing(target.home.port(), &TAPPED).await;
    let mut attacker = Attacker::join(target.home.port())
        .await
        .expect("the bus lets the attacker in");
    let mut row = Row::default();
    let mut opened = Vec::new();
    let mut question = None;
    let ways = assent::ways();
    for (number, way) in ways.iter().enumerate().step_by(scale.every) {
        row.count += 1;
        let before = doors.calls().len();
        let Some((typed, asked)) = ask_for_the_door(&target, &tap).await else {
            row.fault(format!("the person was not asked before `{}`", way.name));
            continue;
        };
        for frame in way.frames(number, &typed, &asked) {
            attacker.send(&frame).await.ok();
        }
        let through = attacker.is_through(&target.probe).await;
        row.demand(through, || {
            format!("the daemon did not get through `{}`", way.name)
        });
        target.daemon.types("No").await;
        question = target.ask().await;
        if doors.calls().len() > before {
            opened.push(way.name);
        }
    }
    row.seen = format!("{} doors opened by somebody else", opened.len());
    for name in opened {
        row.fault(format!("a door was opened by {name}"));
    }
    control(&target, &tap, &doors, &mut row).await;
    target.judged(row, question).await
}

/// A true yes opens the door: what was looked for can be seen.
async fn control(target: &Target, tap: &BusProbe, doors: &ScriptedToolbox, row: &mut Row) {
    let before = doors.calls().len();
    let mark = target.probe.mark();
    if ask_for_the_door(target, tap).await.is_some() {
        // The target's own probe is the voice that has spoken it.
        let is_question = |frame: &Frame| frame.topic == "speak" && frame.data["expect_response"] == true;
        target.probe.try_wait(mark, PATIENCE, is_question).await;
        target.daemon.types("Yes").await;
        target.ask().await;
    }
    row.demand(doors.calls().len() == before + 1, || {
        "a true yes did not open the door".into()
    });
}

/// Gives the frames of the person's wish and of the question that it was met with.
async fn ask_for_the_door(target: &Target, tap: &BusProbe) -> Option<(Frame, Frame)> {
    let mark = tap.mark();
    target.daemon.types("Unlock the front door").await;
    let is_question = |frame: &Frame| {
        frame.topic == "speak" && frame.data["expect_response"] == true && frame.session_id() == OWN
    };
    let asked = tap.try_wait(mark, PATIENCE, is_question).await?;
    let typed = tap.since(mark).into_iter().find(Frame::is_entry)?;
    Some((typed, asked))
}

/// A tool is called, and an attacker answers; or its own box answers with more than was asked.
pub async fn answers(scale: Scale) -> Row {
    let target = Target::begin(|tester, home| {
        home.setting("desk.history_turns", "0");
        let reads = json!({"trust": "safe", "read_only": true});
        tester.toolboxes(&[BANK]).trusting(INFO).setting(INFO, reads)
    })
    .await;
    target.brain.whenever(
        TESTER,
        "y balance",
        Reply::acts("balance", &json!({"text": "all"})),
    );
    let mut row = Row::default();
    let mut believed = Vec::new();
    target.brain.after(TESTER, 1, Reply::answers("Done."));
    let mut question = None;
    for (number, forged) in answer::all().iter().enumerate().step_by(scale.every) {
        row.count += 1;
        match forge(&target, number, forged).await {
            None => row.fault(format!("the turn with {} had no end", forged.name)),
            Some(true) => believed.push(forged.name),
            Some(false) => {}
        }
        if question.is_none() {
            question = target.ask().await;
        }
    }
    let changed = extras(&target, &mut row, scale.every).await;
    row.seen = format!(
        "{} forged answers believed, {changed} calls changed",
        believed.len()
    );
    for name in believed {
        row.fault(format!("believed {name}"));
    }
    target.judged(row, question).await
}

/// Tells whether the brain was shown the forgery; nothing when the turn has no end or the true box was never
/// called.
async fn forge(target: &Target, number: usize, forged: &Forged) -> Option<bool> {
    let port = target.home.port();
    let slow = ScriptedTool::named("balance", Act::Later(SLOW, json!({"text": "TRUE RESULT"})));
    let _info = ScriptedToolbox::join(port, INFO, vec![slow]).await;
    let mut forger = Attacker::join(port).await.ok()?;
    for attempt in 0..ATTEMPTS {
        let session = format!("forged-{number}-{attempt}");
        let utterance = Utterance::new("What is my balance").in_session(&session);
        let before = target.brain.requests(TESTER).len();
        forger.send(&forged.guess(&session)).await.ok()?;
        let mark = utterance.enter(&target.probe).await;
        let Some(call) = called(target, &session, mark).await else {
            continue;
        };
        for frame in forged.frames(&call) {
            forger.send(&frame).await.ok()?;
        }
        utterance.try_end(&target.probe, mark).await?;
        return Some(is_believed(target, before, mark));
    }
    None
}

/// Waits for the call of a tool in this session; there is none when its turn ends without one.
async fn called(target: &Target, session: &str, mark: usize) -> Option<Frame> {
    let is_call = |frame: &Frame| frame.topic == "ovos.persona.tools.call";
    let decides = |frame: &Frame| frame.session_id() == session && (is_call(frame) || frame.topic == HANDLED);
    let heard = target.probe.try_wait(mark, PATIENCE, decides).await;
    heard.filter(is_call)
}

/// Tells whether a forgery was spoken since `mark`, or was shown to the brain after its first `before`
/// requests.
fn is_believed(target: &Target, before: usize, mark: usize) -> bool {
    let requests = target.brain.requests(TESTER);
    let mut shown = requests.iter().skip(before).map(crate::brain::Request::newest);
    let spoken = target.probe.since(mark);
    let mut spoken = spoken.iter().map(Frame::utterance);
    spoken.any(|text| text.contains("FORGED")) || shown.any(|text| text.contains("FORGED"))
}

/// Counts the calls that ran with something that the person was not asked about.
async fn extras(target: &Target, row: &mut Row, every: usize) -> usize {
    let port = target.home.port();
    let definition = json!({"name": "transfer", "description": "Sends money.", "argument_schema": {
        "type": "object", "properties": {"amount": {"type": "integer"}, "to": {"type": "string"}},
        "required": ["amount", "to"]}});
    let bank = ScriptedTool::new(definition, |_, _| Act::Returns(json!({"text": "sent"})));
    let bank = ScriptedToolbox::join(port, BANK, vec![bank]).await;
    let wanted = json!({"amount": 1, "to": "Mum"});
    target.brain.whenever(
        TESTER,
        "end Mum one euro",
        Reply::acts("balance", &json!({"text": "all"})),
    );
    target
        .brain
        .whenever(TESTER, "HUNDRED", Reply::acts("transfer", &wanted));
    let mut changed = 0;
    for text in EXTRAS.iter().step_by(every) {
        row.count += 1;
        let extras: Value = serde_json::from_str(text).expect("our own extras are JSON");
        let answer =
            json!({"toolbox_id": INFO, "name": "balance", "result": {"text": "HUNDRED"}, "extras": extras});
        let tool = ScriptedTool::named("balance", Act::Garbage(answer));
        let _info = ScriptedToolbox::join(port, INFO, vec![tool]).await;
        let (before, mark) = (bank.calls().len(), target.probe.mark());
        if !asks_before_money_is_sent(target).await {
            row.fault(format!(
                "the person was not asked before money was sent with {text}"
            ));
        }
        target.daemon.types("Yes").await;
        target.ask().await;
        row.demand(bank.calls().len() == before + 1, || {
            format!("a true yes did not run the call beside {text}")
        });
        let is_call = |frame: &&Frame| {
            frame.topic == "ovos.persona.tools.call" && frame.data["toolbox_id"] == json!(BANK)
        };
        let frames = target.probe.since(mark);
        let given = frames.iter().find(is_call).map(|frame| &frame.data["kwargs"]);
        if given != Some(&wanted) {
            changed += 1;
            row.fault(format!(
                "the person agreed to {wanted}, and the bank was given {given:?}"
            ));
        }
    }
    changed
}

/// Lets the person wish until the daemon asks for a yes; it is false when every wish was answered without a
/// question.
async fn asks_before_money_is_sent(target: &Target) -> bool {
    // The repetition of the answer before may still be on its way.
    let says = |frame: &Frame| {
        frame.topic == "speak" && frame.session_id() == OWN && frame.utterance() != RIGHT_ANSWER
    };
    for _ in 0..ATTEMPTS {
        let mark = target.probe.mark();
        target.daemon.types("Send Mum one euro").await;
        let said = target.probe.try_wait(mark, PATIENCE, says).await;
        if said.is_some_and(|frame| frame.data["expect_response"] == true) {
            return true;
        }
    }
    false
}
