//! Timers without end: more than the book takes, many that ring at once, and calls that set, change and cancel them faster
//! than they can be served, with arguments of every wrong kind among them.

use std::collections::HashSet;

use serde_json::{Value, json};

use super::talk::{missing, pour};
use crate::attack::row::Row;
use crate::attack::scale::Scale;
use crate::attack::target::Target;
use crate::dice::Dice;
use crate::frame::Frame;
use crate::probe::BusProbe;
use crate::wait::PATIENCE;

const TIMERS: &str = "loquat-alert-tools";
const CALL: &str = "ovos.persona.tools.call";
const ANSWER: &str = "ovos.persona.tools.call.response";

/// The session that a flood of calls is made in.
pub(super) const FLOOD: &str = "flood";

/// As many as the device keeps of all sessions.
const MOST: usize = 200;

/// The call of a tool of ours; `id` comes back with the answer.
pub(super) fn call(id: &str, toolbox: &str, (name, arguments): (&str, &Value)) -> Value {
    json!({"type": CALL, "data": {"toolbox_id": toolbox, "name": name, "kwargs": arguments},
           "context": {"source": "flood", "tool_call_id": id, "session": {"session_id": FLOOD, "lang": "en-US"}}})
}

/// Gives the id that a flood gave to the call which is answered here.
pub(super) fn answered(frame: &Frame) -> Option<&str> {
    let is_answer = frame.topic == ANSWER;
    is_answer
        .then(|| frame.context["tool_call_id"].as_str())
        .flatten()
}

/// Makes one call and gives its answer.
pub(in crate::attack) async fn told(
    probe: &BusProbe,
    id: &str,
    toolbox: &str,
    call_of: (&str, &Value),
) -> Value {
    let mark = probe.mark();
    probe.send(&call(id, toolbox, call_of)).await;
    let answer = |frame: &Frame| answered(frame) == Some(id);
    probe.wait(id, mark, PATIENCE, answer).await.data
}

/// Fills the book, lets half of it ring, and pours calls over it.
pub async fn timers(scale: Scale) -> Row {
    let target = Target::begin(|tester, _| tester).await;
    let rings = BusProbe::hearing(target.home.port(), &["loquat.alert"]).await;
    let first = rings.mark();
    let mut set = 0;
    for number in 0..MOST + 50 {
        let span = if number % 2 == 0 { "2 seconds" } else { "3 hours" };
        let arguments = json!({"duration": span, "name": format!("number {number}")});
        let answer = told(
            &target.probe,
            &format!("fill-{number}"),
            TIMERS,
            ("set_timer", &arguments),
        )
        .await;
        set += usize::from(answer["result"]["id"].is_u64());
    }
    let ids: Vec<String> = (0..scale.calls).map(|number| format!("call-{number}")).collect();
    let mut dice = Dice::new(scale.seed);
    let calls: Vec<Value> = ids.iter().map(|id| drawn(&mut dice, id)).collect();
    let mark = target.probe.mark();
    let (attacker, question) = tokio::join!(pour(&target, calls.into_iter()), target.ask());
    let open: HashSet<String> = ids.into_iter().collect();
    let missing = missing(&target, mark, open, answered).await;
    drop(attacker);
    let rung = |frame: &Frame| frame.data["state"] == "ringing";
    rings.try_wait(first, PATIENCE, rung).await;
    let rang = rings.since(first).iter().filter(|frame| rung(frame)).count();
    let kept =
        told(&target.probe, "kept", TIMERS, ("list_alerts", &json!({}))).await["result"]["count"].clone();
    let gone = json!({"name": "all"});
    told(&target.probe, "gone", TIMERS, ("cancel_alert", &gone)).await;
    let left =
        told(&target.probe, "left", TIMERS, ("list_alerts", &json!({}))).await["result"]["count"].clone();
    let again = json!({"duration": "10 minutes"});
    let again = told(&target.probe, "again", TIMERS, ("set_timer", &again)).await;
    let mut row = Row {
        count: scale.calls + MOST + 50,
        seen: format!("{set} set, {rang} rang, {kept} kept, {missing} unanswered"),
        ..Row::default()
    };
    row.demand(set >= MOST, || {
        format!("only {set} were set: the attack did not arrive")
    });
    row.demand(rang > 0, || "none rang: the attack did not arrive".into());
    row.demand(missing == 0, || format!("{missing} calls got no answer"));
    row.demand(kept.as_u64().is_some_and(|kept| kept <= MOST as u64), || {
        format!("{kept} are kept, of {MOST}")
    });
    row.demand(left == 0, || format!("{left} are left after all were cancelled"));
    row.demand(again["result"]["id"].is_u64(), || {
        format!("no timer can be set afterwards: {again}")
    });
    target.judged(row, question).await
}

/// Draws what a stranger may want of the timers.
fn drawn(dice: &mut Dice, id: &str) -> Value {
    let spans =
        json!(["1 second", "5 minutes", "-5 minutes", "1e400 hours", "", [], {"a": 1}, null, 7, "☃ minutes"]);
    let span = &spans[dice.index(10)];
    let name = match dice.index(4) {
        0 => json!("x".repeat(dice.index(100_000))),
        1 => json!(format!("number {}", dice.index(MOST))),
        2 => json!("[".repeat(dice.index(1000))),
        _ => Value::Null,
    };
    let (tool, arguments) = match dice.index(6) {
        0 | 1 => ("set_timer", json!({"duration": span, "name": name})),
        2 => ("cancel_alert", json!({"kind": "timer", "name": name})),
        3 => ("change_alert", json!({"name": "last", "to": span})),
        4 => ("snooze_alert", json!({"duration": span})),
        _ => ("set_reminder", json!({"text": name, "duration": span})),
    };
    call(id, TIMERS, (tool, &arguments))
}
