//! What is looked through, place by place, and no more of it than this browser is shown in the views: words that are covered there
//! are not compared, since what was found would tell of them.

use std::collections::HashSet;
use std::sync::Arc;

use loquat_settings::Entry;
use loquat_skills::alerts::{Alert, Kind as AlertKind};
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};

use super::super::{settings, timers, turns};
use super::words::{Part, Words};
use crate::clock::{day_and_time, hour_and_minute, soon};
use crate::conversation::{Line, Speaker};
use crate::page_state::PageState;
use crate::session::Session;

/// Places that are shown of one kind; the others are counted.
const MOST: usize = 8;

/// Turns of the journal that are looked through.
const JOURNALED: u32 = 500;

/// What of an id is encoded in an address.
const ENCODED: &AsciiSet = &NON_ALPHANUMERIC.remove(b'-').remove(b'.').remove(b'_');

/// A kind of place.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    Said,
    Turns,
    Timers,
    Routines,
    Lists,
    Memory,
    Personas,
    Settings,
}

/// A place in which something was found.
#[derive(Debug)]
pub(super) struct Hit {
    /// Where it is.
    pub(super) path: String,
    pub(super) excerpt: Vec<Part>,
    /// What it is, where its words do not tell.
    pub(super) about: String,
}

/// What was found in places of one kind.
#[derive(Debug)]
pub(super) struct Group {
    pub(super) kind: Kind,
    pub(super) hits: Vec<Hit>,
    /// Places that are not shown.
    pub(super) more: usize,
    /// How much was looked through, in words.
    pub(super) looked_through: String,
}

/// Collects what is found in places of one kind.
struct Looking<'a> {
    words: &'a Words,
    group: Group,
    looked: usize,
}

impl<'a> Looking<'a> {
    fn new(words: &'a Words, kind: Kind) -> Self {
        let group = Group {
            kind,
            hits: Vec::new(),
            more: 0,
            looked_through: String::new(),
        };
        Self {
            words,
            group,
            looked: 0,
        }
    }

    /// Looks through the texts of one place.
    fn look(&mut self, texts: &[&str], path: impl FnOnce() -> String, about: impl FnOnce() -> String) {
        self.looked += 1;
        let Some(excerpt) = texts.iter().find_map(|text| self.words.found_in(text)) else {
            return;
        };
        if self.group.hits.len() >= MOST {
            self.group.more += 1;
            return;
        }
        self.group.hits.push(Hit {
            path: path(),
            excerpt,
            about: about(),
        });
    }

    /// Ends it: so many of these were looked through.
    fn end(mut self, one: &str, many: &str) -> Group {
        let what = if self.looked == 1 { one } else { many };
        self.group.looked_through = format!("{} {what}", self.looked);
        self.group
    }
}

/// A place in a view, by the id of its element.
fn place(view: &str, id: &str) -> String {
    format!("{view}#{}", utf8_percent_encode(id, ENCODED))
}

/// Looks through the conversation since the start, the newest first.
pub(super) fn said(page: &PageState, session: &Session, words: &Words) -> Group {
    let lines: Vec<Line> = page.conversation.kept().lines.iter().rev().cloned().collect();
    let mut looking = Looking::new(words, Kind::Said);
    let is_shown = |line: &Line| {
        let is_typed_here = || {
            line.question
                .as_ref()
                .is_some_and(|id| page.questions.is_of(session, id))
        };
        line.speaker != Speaker::Nobody && (session.reveals() || is_typed_here())
    };
    for line in lines.iter().filter(|line| is_shown(line)) {
        let who = match line.speaker {
            Speaker::Person => "You",
            _ => line.by.as_deref().unwrap_or("Loquat"),
        };
        let about = || format!("{who}, {}", hour_and_minute(line.at));
        looking.look(
            &[&line.text],
            || place("/", &format!("line-{}", line.number)),
            about,
        );
    }
    looking.end("line of the conversation", "lines of the conversation")
}

/// Looks through the turns since the start and, where nothing is covered, those of the journal before it.
pub(super) async fn turns(page: &PageState, session: &Session, words: &Words) -> Result<Group, String> {
    let mut looking = Looking::new(words, Kind::Turns);
    let kept: Vec<_> = {
        let all = page.turns.all();
        let all = all.iter().rev().filter(|turn| !turn.is_of_form);
        all.map(|turn| {
            (
                turn.id.to_string(),
                turn.since,
                turn.utterance.clone(),
                turn.answer.clone(),
            )
        })
        .collect()
    };
    for (id, since, utterance, answer) in &kept {
        if session.reveals() || page.questions.is_of(session, id) {
            looking.look(
                &[utterance, answer],
                || format!("/turns/{id}"),
                || day_and_time(*since),
            );
        }
    }
    let before = if session.reveals() {
        turns::before(page, JOURNALED).await?
    } else {
        Vec::new()
    };
    for turn in &before {
        let since = jiff::Timestamp::from_millisecond((turn.since * 1000.0) as i64).unwrap_or_default();
        looking.look(
            &[&turn.utterance],
            || format!("/turns/{}", turn.id),
            || day_and_time(since),
        );
    }
    Ok(looking.end("turn", "turns"))
}

/// Looks through timers, alarms and reminders.
pub(super) fn timers(page: &PageState, words: &Words) -> Group {
    let mut looking = Looking::new(words, Kind::Timers);
    for alert in page.alerts.all().iter().filter(|alert| timers::rings(alert)) {
        let text = format!(
            "{} {}",
            alert.kind.name(),
            alert.name.as_deref().unwrap_or_default()
        );
        looking.look(&[text.trim()], || of_alert("/timers", alert), || soon(alert.due));
    }
    looking.end("timer, alarm or reminder", "timers, alarms and reminders")
}

/// Looks through what is done by itself.
pub(super) fn routines(page: &PageState, words: &Words) -> Group {
    let mut looking = Looking::new(words, Kind::Routines);
    for alert in page.alerts.all().iter().filter(|alert| !timers::rings(alert)) {
        let event = alert.on.as_ref().map(|event| event.words.as_str());
        let texts = [event, alert.name.as_deref()].into_iter().flatten();
        let texts: Vec<&str> = texts.chain(alert.steps.iter().map(String::as_str)).collect();
        let about = || match alert.kind {
            AlertKind::Routine => "at a word".to_owned(),
            _ if event.is_some() => "when something is so".to_owned(),
            _ => soon(alert.due),
        };
        looking.look(&[&texts.join(": ")], || of_alert("/routines", alert), about);
    }
    looking.end("routine", "routines")
}

fn of_alert(view: &str, alert: &Alert) -> String {
    place(view, &format!("alert-{}", alert.id))
}

/// Looks through the names of lists and what is on them.
pub(super) async fn lists(page: &PageState, words: &Words) -> Result<Group, String> {
    let all = page.device.resources.lists.overview().await;
    let all = all.map_err(|why| format!("The lists cannot be read, since {why}."))?;
    let mut looking = Looking::new(words, Kind::Lists);
    for (number, list) in all.iter().enumerate() {
        let path = || place("/lists", &format!("list-{}", number + 1));
        looking.look(&[&list.name], path, || "a list".to_owned());
        for item in &list.items {
            looking.look(&[item], path, || format!("on {}", list.name));
        }
    }
    Ok(looking.end("list or thing on one", "lists and things on them"))
}

/// Looks through what persons had remembered.
pub(super) async fn memory(page: &PageState, words: &Words) -> Result<Group, String> {
    let all = page.device.resources.memories.of_all_owners().await;
    let all = all.map_err(|why| format!("What is remembered cannot be read, since {why}."))?;
    let mut looking = Looking::new(words, Kind::Memory);
    for (id, memory) in &all {
        let since = jiff::Timestamp::from_second(memory.since).unwrap_or_default();
        looking.look(
            &[&memory.text],
            || place("/memory", &format!("kept-{id}")),
            || day_and_time(since),
        );
    }
    Ok(looking.end("memory", "memories"))
}

/// Looks through the names of personas and what they are for.
pub(super) fn personas(page: &PageState, words: &Words) -> Group {
    let mut looking = Looking::new(words, Kind::Personas);
    for one in page.device.conversation.answerers() {
        let text = match &one.about {
            Some(about) => format!("{}: {about}", one.name),
            None => one.name.clone(),
        };
        let path = || place("/personas", &format!("persona-{}", one.id));
        looking.look(&[&text], path, String::new);
    }
    looking.end("persona", "personas")
}

/// Looks through the settings: their keys, what is said of each, and their values as far as the view shows them.
pub(super) async fn settings(page: &PageState, words: &Words) -> Result<Group, String> {
    let administration = Arc::clone(&page.device.administration);
    let read = tokio::task::spawn_blocking(move || administration.settings()).await;
    let read = read.map_err(|_| "The settings could not be read; see the log.".to_owned())?;
    let easy: HashSet<&str> = settings::EASY
        .map(|what| page.device.administration.key(what))
        .into();
    let mut looking = Looking::new(words, Kind::Settings);
    let mut entries: Vec<&Entry> = read.settings.iter().map(|line| &line.entry).collect();
    // Who writes the name of one means it, and not what is said of others.
    entries.sort_by_key(|entry| words.found_in(&entry.key).is_none());
    for entry in entries {
        let id = if easy.contains(entry.key.as_str()) {
            entry.key.clone()
        } else {
            settings::id_of(entry)
        };
        let value = format!("{} ({})", entry.key, settings::shown_value(entry));
        let doc = entry.doc.trim().replace('\n', " ");
        let whole = format!("{value}: {doc}");
        let about = || entry.key.clone();
        looking.look(&[&value, &doc, &whole], || place("/settings", &id), about);
    }
    Ok(looking.end("setting", "settings"))
}
