//! Timers, as the pack asks for them.

use serde_json::{Value, json};

use super::{Asked, Means, Understanding};
use loquat_time::alerts::ID;

/// The parts of a span: as the pack names them, and as our tools do.
const PARTS: [&str; 3] = ["hours", "minutes", "seconds"];

/// What a timer was set to, in these parts.
const LENGTH: [&str; 3] = ["start_hours", "start_minutes", "start_seconds"];

/// Words of a name: what has more is about something else, as in "how long does it take to boil an egg".
const LONGEST_NAME: usize = 3;

pub(super) fn asked(understood: &Understanding, means: Means<'_>) -> Option<Asked> {
    let name = understood.text("name").unwrap_or_default();
    if name.split_whitespace().nth(LONGEST_NAME).is_some() {
        return None;
    }
    Some(match understood.intent.as_str() {
        "HassStartTimer" => return start(understood, means),
        "HassCancelTimer" => one_of(understood, timer("cancel_alert")),
        "HassCancelAllTimers" => one_of(understood, timer("cancel_alert")).with("name", "all"),
        "HassIncreaseTimer" => one_of(understood, timer("change_alert")).with("by", span(understood, "")?),
        "HassDecreaseTimer" => one_of(understood, timer("change_alert")).with("by", span(understood, "-")?),
        "HassPauseTimer" => one_of(understood, Asked::new(ID, "pause_timer")),
        "HassUnpauseTimer" => one_of(understood, Asked::new(ID, "resume_timer")),
        "HassTimerStatus" => one_of(understood, timer("list_alerts")),
        _ => return None,
    })
}

fn timer(tool: &'static str) -> Asked {
    Asked::new(ID, tool).with("kind", "timer")
}

/// A timer, or a sentence that is said later, if it is one that is understood.
fn start(understood: &Understanding, means: Means<'_>) -> Option<Asked> {
    let Some(command) = understood.text("conversation_command") else {
        let asked = parts(understood, Asked::new(ID, "set_timer"));
        return Some(asked.with_some("name", understood.value("name")));
    };
    let is_understood = (means.understands)(&command);
    is_understood.then(|| parts(understood, Asked::new(ID, "do_later").with("command", command)))
}

fn parts(understood: &Understanding, asked: Asked) -> Asked {
    PARTS
        .iter()
        .fold(asked, |asked, part| asked.with_some(part, understood.value(part)))
}

/// The timer that is meant: by its name, by what it was set to, or by its room.
fn one_of(understood: &Understanding, asked: Asked) -> Asked {
    let length = words(understood, &LENGTH);
    asked
        .with_some("name", understood.value("name"))
        .with_some("length", length.map(Value::from))
        .with_some("area", understood.value("area"))
}

fn span(understood: &Understanding, sign: &str) -> Option<Value> {
    words(understood, &PARTS).map(|span| json!(format!("{sign}{span}")))
}

/// A span in the words that our tools read in every language.
fn words(understood: &Understanding, slots: &[&str; 3]) -> Option<String> {
    let parts = slots.iter().zip(PARTS).filter_map(|(slot, unit)| {
        let number = understood.value(slot)?.as_f64()?;
        Some(format!("{number} {unit}"))
    });
    let parts: Vec<String> = parts.collect();
    (!parts.is_empty()).then(|| parts.join(" "))
}
