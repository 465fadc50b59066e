//! What the tools take, do and tell; what is kept and what shows it are the work of the modules beside.

use std::sync::Arc;

use futures_util::FutureExt;
use loquat_agent::toolbox::{Circumstances, ToolError};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::LONGEST_TEXT;
use super::hearing::{Hearing, Notifications};
use super::kept::Notice;
use super::service::Server;
use loquat_kit::dialog::{Gap, Telling};
use loquat_kit::report::{Nothing, Problem, Report, Reporting, reporting};

/// Read aloud at once.
const MOST_READ: usize = 5;

/// What is not named otherwise.
const TITLE: &str = "Loquat";

#[derive(Debug, Deserialize, JsonSchema)]
pub(super) struct ToShow {
    text: String,
    #[serde(default)]
    heading: Option<String>,
}

/// What came of a wish.
#[derive(Debug, Default, Serialize, JsonSchema)]
pub(super) struct Obeyed {
    done: bool,
}

/// The notifications that are kept, the latest first.
#[derive(Debug, Default, Serialize, JsonSchema)]
pub(super) struct Listed {
    notifications: Vec<Entry>,
}

#[derive(Debug, Serialize, JsonSchema)]
struct Entry {
    program: String,
    title: String,
    text: String,
}

pub(super) fn show(
    notifications: Arc<Notifications>,
    asked: ToShow,
    _: &Circumstances,
) -> Reporting<'_, Obeyed> {
    let title = asked.heading.filter(|title| !title.trim().is_empty());
    let title = title.unwrap_or_else(|| TITLE.to_owned());
    let is_right = |text: &str| text.chars().count() <= LONGEST_TEXT && !text.trim().is_empty();
    if !is_right(&asked.text) || !is_right(&title) {
        let complaint = format!("text, heading: write words, at most {LONGEST_TEXT} characters");
        return std::future::ready(Err(ToolError::reply("ValueError", complaint))).boxed();
    }
    reporting(async move {
        let server = Server::reach(&notifications.bus).await?;
        server.show(title.trim(), asked.text.trim()).await?;
        Ok::<_, Problem>(Report::new(Obeyed { done: true }, Telling::new("shown")))
    })
}

pub(super) fn read(
    notifications: Arc<Notifications>,
    _: Nothing,
    _: &Circumstances,
) -> Reporting<'_, Listed> {
    reporting(async move {
        heard(&notifications)?;
        let latest = notifications.kept.lock().latest();
        Ok::<_, Problem>(listed(latest))
    })
}

/// Whether notifications are heard, or what is to be done for that.
fn heard(notifications: &Notifications) -> Result<(), Problem> {
    match notifications.hearing() {
        Hearing::On => Ok(()),
        Hearing::Off => {
            let text = "notifications are not kept; set notifications.keep = true in loquat.toml and start \
                        Loquat again";
            Err(Problem::new(text, "not_kept"))
        }
        Hearing::Deaf(fault) => Err(fault.into()),
    }
}

fn listed(latest: Vec<Notice>) -> Report<Listed> {
    let more = latest.len().saturating_sub(MOST_READ);
    let read = latest.iter().take(MOST_READ).map(aloud);
    let first = match latest.len() {
        0 => Telling::new("none"),
        1 => Telling::new("one"),
        many => Telling::new("many").with("count", Gap::Number(many as f64)),
    };
    let told = read.fold(first, Telling::then);
    let told = if more > 0 {
        told.then(Telling::new("more").with("more", Gap::Number(more as f64)))
    } else {
        told
    };
    let entries = latest.into_iter().map(|notice| Entry {
        program: notice.program,
        title: notice.title,
        text: notice.text,
    });
    let notifications = entries.collect();
    Report::new(Listed { notifications }, told)
}

/// `Mail: Bob. Dinner at eight?`
fn aloud(notice: &Notice) -> Telling {
    let says = [&notice.title, &notice.text];
    let says: Vec<String> = says
        .into_iter()
        .filter(|part| !part.is_empty())
        .map(|part| ended(part))
        .collect();
    let dialog = if notice.program.is_empty() {
        "entry_of_nobody"
    } else {
        "entry"
    };
    Telling::new(dialog)
        .words("program", &notice.program)
        .words("says", says.join(" "))
}

/// As a sentence, so that the next one is heard as another.
fn ended(part: &str) -> String {
    let has_end = part.ends_with(['.', '!', '?', ':', '…']);
    if has_end {
        part.to_owned()
    } else {
        format!("{part}.")
    }
}

pub(super) fn clear(
    notifications: Arc<Notifications>,
    _: Nothing,
    _: &Circumstances,
) -> Reporting<'_, Obeyed> {
    reporting(async move {
        heard(&notifications)?;
        let cleared = notifications.kept.lock().clear();
        let shown: Vec<u32> = cleared.iter().filter_map(|notice| notice.id).collect();
        if !shown.is_empty() {
            let server = Server::reach(&notifications.bus).await?;
            for id in shown {
                server.close(id).await?;
            }
        }
        let dialog = if cleared.is_empty() { "none" } else { "cleared" };
        Ok::<_, Problem>(Report::new(Obeyed { done: true }, Telling::new(dialog)))
    })
}
