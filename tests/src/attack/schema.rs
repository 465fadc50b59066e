//! Argument schemas that cost more than their size, announced by a box that the persona wants, and then called.

mod trap;

use std::time::Duration;

use tokio::time::Instant;

use self::trap::Trap;
use super::row::Row;
use super::scale::Scale;
use super::target::Target;
use crate::brain::Reply;
use crate::story::TESTER;
use crate::toolbox::{Act, ScriptedTool, ScriptedToolbox};
use crate::turn::Utterance;
use serde_json::json;

/// The box.
const TRAPS: &str = "trap-tools";

/// How long a turn may take that has met a trap.
const PATIENCE: Duration = Duration::from_secs(15);

/// Sets one trap after the other, while the person asks.
pub async fn attack(scale: Scale) -> Row {
    let target = Target::begin(|tester, _| tester.trusting(TRAPS)).await;
    let mut row = Row::default();
    let mut worst = Some(Duration::ZERO);
    let (mut ended, mut sprung) = (0, 0);
    // The first one is harmless and shows that calls arrive.
    for (number, trap) in trap::all().into_iter().enumerate().step_by(scale.every_schema) {
        row.count += 1;
        let began = Instant::now();
        let (whole, question, calls) = spring(&target, number, &trap).await;
        ended += usize::from(whole);
        sprung += calls;
        row.demand(whole, || {
            format!(
                "the turn with {} had no end after {:?}",
                trap.name,
                began.elapsed()
            )
        });
        row.demand(number > 0 || calls == 1, || {
            "a harmless call did not arrive: neither do the others".into()
        });
        worst = worst.and_then(|worst| question.map(|time| time.max(worst)));
        if !whole && question.is_none() {
            // It stands still, and would with every other trap.
            break;
        }
    }
    row.seen = format!("{ended} turns ended, {sprung} calls arrived");
    target.judged(row, worst).await
}

/// Tells whether the turn ended, how long the person's question took meanwhile, and how often the tool was
/// called.
async fn spring(target: &Target, number: usize, trap: &Trap) -> (bool, Option<Duration>, usize) {
    let definition = json!({"name": "trap", "description": trap.description, "argument_schema": trap.schema,
                            "output_schema": {"type": "object"}});
    let tool = ScriptedTool::new(definition, |_, _| Act::Returns(json!({"text": "sprung"})));
    let toolbox = ScriptedToolbox::join(target.home.port(), TRAPS, vec![tool]).await;
    let text = format!("spring trap {number}.");
    target
        .brain
        .whenever(TESTER, &text, Reply::acts("trap", &trap.arguments));
    target.brain.whenever(TESTER, "sprung", Reply::answers("Fine."));
    target.brain.after(TESTER, 1, Reply::answers("Fine."));
    let utterance = Utterance::new(&text)
        .in_session(&format!("trap-{number}"))
        .patience(PATIENCE);
    let mark = utterance.enter(&target.probe).await;
    let (end, question) = tokio::join!(utterance.try_end(&target.probe, mark), target.ask());
    (end.is_some(), question, toolbox.calls().len())
}
