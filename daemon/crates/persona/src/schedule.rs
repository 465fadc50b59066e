//! What a persona does of its own accord: prompts with the time or the event at which it is given each. Runs none.

use loquat_settings::wording::shown;
use serde_json::{Map, Value};

use super::fields::Report;

/// A persona has no more of them.
const MOST: usize = 16;

/// A prompt that a persona is given of its own accord.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Scheduled {
    /// The words that it is given.
    pub prompt: String,
    /// The time at which it is given them, or what has to be so.
    pub at: ScheduledAt,
}

/// The time or the event at which a persona is given a prompt, as a person would say it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ScheduledAt {
    /// As in "every day at 7:30".
    Time(String),
    /// As in "the front door is open".
    Event(String),
}

/// Reads the list of a persona file. An entry that cannot be read is passed over.
pub(super) fn read(file: &Map<String, Value>, report: &mut Report) -> Vec<Scheduled> {
    let list = match file.get("schedule") {
        None | Some(Value::Null) => return Vec::new(),
        Some(Value::Array(list)) => list,
        Some(other) => {
            let other = shown(other);
            report.warn(format!(
                "schedule must be a list of {{\"prompt\": …, \"time\": …}}, not {other}; there is none"
            ));
            return Vec::new();
        }
    };
    if list.len() > MOST {
        report.warn(format!(
            "schedule has more than {MOST} entries; the others are passed over"
        ));
    }
    let entries = list.iter().take(MOST).enumerate();
    let read = entries.filter_map(|(index, entry)| {
        let scheduled = one(entry);
        if scheduled.is_none() {
            report.warn(format!(
                "schedule[{index}] must be {{\"prompt\": a text, \"time\": a text}} or {{\"prompt\": a text, \"event\": a \
                 text}}; it is passed over"
            ));
        }
        scheduled
    });
    read.collect()
}

fn one(entry: &Value) -> Option<Scheduled> {
    let entry = entry.as_object().filter(|entry| entry.len() == 2)?;
    let text = |key: &str| {
        let text = entry.get(key)?.as_str()?.trim();
        (!text.is_empty()).then(|| text.to_owned())
    };
    let at = match (text("time"), text("event")) {
        (Some(time), None) => ScheduledAt::Time(time),
        (None, Some(event)) => ScheduledAt::Event(event),
        _ => return None,
    };
    Some(Scheduled {
        prompt: text("prompt")?,
        at,
    })
}

#[cfg(test)]
mod tests {
    use loquat_settings::complaint::Origin;
    use serde_json::json;

    use super::*;

    #[test]
    fn each_entry_has_a_prompt_and_one_time_or_event() {
        let file = json!({"schedule": [
            {"prompt": "Tell the weather.", "time": "every day at 7:30"},
            {"prompt": "Greet.", "event": "the front door is open"},
            {"prompt": "Both.", "time": "7:30", "event": "the front door is open"},
            {"prompt": "", "time": "7:30"},
            {"time": "7:30"},
            "7:30",
        ]});
        let mut report = Report::new(Origin::file("/persona.json"));
        let read = read(file.as_object().unwrap(), &mut report);
        let prompts: Vec<&str> = read.iter().map(|one| one.prompt.as_str()).collect();
        assert_eq!(prompts, ["Tell the weather.", "Greet."]);
        assert_eq!(
            read[1].at,
            ScheduledAt::Event("the front door is open".to_owned())
        );
        assert_eq!(report.complaints.len(), 4);
    }
}
