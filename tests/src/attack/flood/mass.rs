//! Single frames of many megabytes in the fields that are kept or searched: sessions, notes, words.

use serde_json::{Map, Value, json};

use crate::attack::attacker::Attacker;
use crate::attack::row::Row;
use crate::attack::scale::Scale;
use crate::attack::target::Target;
use crate::brain::Reply;
use crate::frame::Frame;
use crate::story::TESTER;

/// Makes frames that are too much in different ways.
fn frame(number: usize) -> Value {
    let said = |text: &str, session: Value| {
        json!({"type": "recognizer_loop:utterance", "data": {"utterances": [text], "lang": "en-US"},
               "context": {"source": "mass", "mass": number, "session": session}})
    };
    let other = format!("mass-{number}");
    match number % 8 {
        0 => said(
            "hello",
            json!({"session_id": "default", "junk": "x".repeat(13 << 20)}),
        ),
        1 => said(
            "hello",
            json!({"session_id": "default", "more junk": "y".repeat(12 << 20)}),
        ),
        2 => said(
            "hello",
            json!({"session_id": other, "intent_context": notes(80_000)}),
        ),
        3 => said(
            "hello",
            json!({"session_id": "default", "intent_context": notes(20_000)}),
        ),
        4 => said(&"z".repeat(2 << 20), json!({"session_id": other})),
        5 => said(
            &format!("talk to {}{}", "w".repeat(1 << 20), " a".repeat(190)),
            json!({"session_id": other}),
        ),
        6 => said(
            "hello",
            json!({"session_id": "default", "pipeline": ["nobody-knows"],
                                  "blacklisted_skills": ["loquat"], "blacklisted_pipelines": ["loquat"]}),
        ),
        _ => said(
            "hello",
            json!({"session_id": other, "active_handlers": vec![json!({"skill_id": "a b", "activated_at": 1}); 20_000]}),
        ),
    }
}

fn notes(count: usize) -> Value {
    let notes: Map<String, Value> = (0..count)
        .map(|number| (format!("k{number}"), json!({})))
        .collect();
    Value::Object(notes)
}

/// Sends them one after the other; the person asks between them.
pub async fn oversize(scale: Scale) -> Row {
    let target = Target::begin(|tester, _| tester).await;
    target.brain.whenever(TESTER, "", Reply::answers("Fine."));
    let port = target.home.port();
    let mark = target.probe.mark();
    let mut through = 0;
    let mut worst = Some(std::time::Duration::ZERO);
    for number in 0..scale.oversize {
        let mut attacker = Attacker::join(port).await.expect("the bus lets the attacker in");
        attacker.send(&frame(number)).await.ok();
        if !attacker.is_through(&target.probe).await {
            break;
        }
        through += 1;
        let question = target.ask().await;
        worst = worst.and_then(|worst| question.map(|time| time.max(worst)));
    }
    let swollen = |frame: &Frame| frame.context["session"].to_string().len() > LARGEST_SESSION;
    let own = target.probe.since(mark);
    let swollen = own
        .iter()
        .filter(|frame| frame.session_id() == "default" && swollen(frame));
    let swollen = swollen.count();
    let mut row = Row {
        count: scale.oversize,
        seen: format!("{through} dealt with, {swollen} swollen frames"),
        ..Row::default()
    };
    row.demand(through == scale.oversize, || {
        format!("the daemon dealt with {through} of {} frames", scale.oversize)
    });
    row.demand(swollen == 0, || {
        format!("{swollen} frames of the person's session carry what a stranger put into it")
    });
    target.judged(row, worst).await
}

/// The most of a session that may be kept and sent on, in bytes.
const LARGEST_SESSION: usize = 64 << 10;
