//! The conversation as it happens: what is heard, typed and said, and what the device is doing. A reader of the bus.

use std::collections::VecDeque;
use std::sync::Arc;

use axum::extract::{Extension, State};
use axum::response::Response;
use jiff::Timestamp;
use loquat_bus::{Received, Subscription, Topics};
use loquat_failure::with_causes;
use loquat_part::orders::OrderError;
use loquat_wire::topic;
use maud::{Markup, html};
use parking_lot::Mutex;
use serde_json::Value;
use tokio_util::sync::CancellationToken;

use super::clock::time_of_day;
use super::guard::Submission;
use super::live::{Change, Piece};
use super::session::Session;
use super::shell::{View, csrf, shell};
use super::veil::Veil;
use super::{PageState, answered, half_heard, sound, turns};

/// Lines that are kept.
const MOST_LINES: usize = 200;

/// Bytes of a line; the rest is not kept.
pub(super) const LONGEST: usize = 4096;

/// Who said a line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Speaker {
    Person,
    Device,
}

/// One line.
#[derive(Debug, Clone)]
struct Line {
    number: u64,
    at: Timestamp,
    speaker: Speaker,
    /// Empty for the device's own conversation.
    session: String,
    text: String,
}

/// What the device is doing.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) enum Hearing {
    /// Nothing.
    #[default]
    Idle,
    /// It was called.
    Called,
    /// It records what is said.
    Listening,
    /// It makes words of that.
    Understanding,
    /// It thinks.
    Thinking,
    /// It speaks.
    Speaking,
}

impl Hearing {
    fn told(&self) -> (&'static str, &'static str) {
        match self {
            Self::Idle => ("idle", "Waiting"),
            Self::Called => ("listening", "It heard its name"),
            Self::Listening => ("listening", "Listening"),
            Self::Understanding => ("thinking", "Making words of what it heard"),
            Self::Thinking => ("thinking", "Thinking"),
            Self::Speaking => ("speaking", "Speaking"),
        }
    }
}

/// All that is kept of it.
#[derive(Debug, Default)]
pub(super) struct Conversation(Mutex<Kept>);

#[derive(Debug, Default)]
struct Kept {
    lines: VecDeque<Line>,
    last: u64,
    hearing: Hearing,
    /// The last thing that the microphone heard.
    heard: Option<String>,
}

impl Conversation {
    fn say(&self, speaker: Speaker, session: &str, text: &str) -> u64 {
        let mut kept = self.0.lock();
        kept.last += 1;
        let number = kept.last;
        if kept.lines.len() >= MOST_LINES {
            kept.lines.pop_front();
        }
        kept.lines.push_back(Line {
            number,
            at: Timestamp::now(),
            speaker,
            session: if session == "default" {
                String::new()
            } else {
                session.chars().take(64).collect()
            },
            text: shortened(text, LONGEST),
        });
        number
    }

    /// Whether that is news.
    fn does(&self, hearing: Hearing) -> bool {
        let mut kept = self.0.lock();
        let is_news = kept.hearing != hearing;
        kept.hearing = hearing;
        is_news
    }

    /// The last thing that the microphone heard.
    pub(super) fn heard(&self) -> Option<String> {
        self.0.lock().heard.clone()
    }
}

/// So many bytes of a text at most, by whole letters.
pub(super) fn shortened(text: &str, most: usize) -> String {
    if text.len() <= most {
        return text.to_owned();
    }
    let ends = text.char_indices().map(|(at, letter)| at + letter.len_utf8());
    let end = ends.take_while(|end| *end <= most).last().unwrap_or_default();
    let rest = text.len() - end;
    format!("{}… ({rest} more bytes)", text.get(..end).unwrap_or_default())
}

/// What the reader listens to.
pub(super) fn topics() -> Topics {
    Topics::of([
        topic::UTTERANCE_HANDLE,
        topic::UTTERANCE_HANDLED,
        topic::SPEAK,
        topic::WAKEWORD,
        topic::RECORD_STARTED,
        topic::RECORD_ENDED,
        topic::STT_FAILED,
        topic::AUDIO_OUTPUT_STARTED,
        topic::AUDIO_OUTPUT_ENDED,
    ])
    .including_own()
}

/// Reads the bus until cancelled.
pub(super) async fn follow(page: Arc<PageState>, mut frames: Subscription, cancel: CancellationToken) {
    while let Some(Some(frame)) = cancel.run_until_cancelled(frames.recv()).await {
        take(&page, &frame);
    }
}

fn take(
    page: &PageState,
    Received {
        message, canonical, ..
    }: &Received,
) {
    let session = message.context.session();
    let text = |value: Option<&Value>| value.and_then(Value::as_str).unwrap_or_default().to_owned();
    let does = match canonical.as_str() {
        topic::UTTERANCE_HANDLE => {
            let said = text(message.data.get("utterances").and_then(|all| all.get(0)));
            if message.context.source() == Some("audio") {
                page.conversation.0.lock().heard = Some(shortened(&said, LONGEST));
            }
            page.tell(Change::Line(page.conversation.say(
                Speaker::Person,
                session.id(),
                &said,
            )));
            Hearing::Thinking
        }
        topic::SPEAK => {
            let said = text(message.data.get("utterance"));
            page.tell(Change::Line(page.conversation.say(
                Speaker::Device,
                session.id(),
                &said,
            )));
            return;
        }
        // What happens in other conversations is not of this device's ear.
        _ if !session.is_default() => return,
        topic::WAKEWORD => Hearing::Called,
        topic::RECORD_STARTED => Hearing::Listening,
        topic::RECORD_ENDED => Hearing::Understanding,
        topic::AUDIO_OUTPUT_STARTED => Hearing::Speaking,
        topic::STT_FAILED => {
            page.conversation.0.lock().heard = Some(String::new());
            page.tell(Change::Line(0));
            Hearing::Idle
        }
        _ => Hearing::Idle,
    };
    if page.conversation.does(does) {
        page.tell(Change::Hearing);
    }
}

/// What the device is doing, as a piece.
pub(super) fn hearing(page: &PageState) -> Piece {
    let kept = page.conversation.0.lock();
    let (class, words) = kept.hearing.told();
    let html = html! { p id="hearing" class={"hearing " (class)} role="status" { span.dot aria-hidden="true" {} (words) } };
    Piece::over("hearing", html)
}

/// One line, as a piece.
pub(super) fn line(page: &PageState, number: u64, veil: Veil) -> Option<Piece> {
    let kept = page.conversation.0.lock();
    let line = kept.lines.iter().rev().find(|line| line.number == number)?;
    Some(Piece {
        id: format!("line-{number}"),
        into: Some("lines"),
        first: false,
        html: shown(line, veil),
    })
}

/// All lines, as a piece.
pub(super) fn all(page: &PageState, veil: Veil) -> Piece {
    Piece::over("lines", lines(page, veil))
}

fn lines(page: &PageState, veil: Veil) -> Markup {
    let kept = page.conversation.0.lock();
    html! {
        div.lines id="lines" role="log" aria-label="Conversation" tabindex="0" {
            @for line in &kept.lines { (shown(line, veil)) }
        }
    }
}

fn shown(line: &Line, veil: Veil) -> Markup {
    let (class, name) = match line.speaker {
        Speaker::Person => ("person", "You"),
        Speaker::Device => ("device", "Loquat"),
    };
    html! {
        div id={"line-" (line.number)} class=(class) {
            p.who { (name) @if !line.session.is_empty() { " in " (line.session) } " · " (time_of_day(line.at)) }
            p.said { (veil.words(&line.text)) }
        }
    }
}

/// The view.
pub(super) async fn view(
    State(page): State<Arc<PageState>>,
    Extension(session): Extension<Arc<Session>>,
) -> Markup {
    let veil = Veil::of(&session);
    let content = html! {
        section.now aria-labelledby="talk" {
            h2 #talk { "Conversation" }
            (hearing(&page).html)
            (sound::meter(&page))
            (half_heard::piece(&page, veil).html)
            (lines(&page, veil))
            form.ask method="post" action="/ask" data-quiet {
                (csrf(&session))
                label for="question" { "Type to the device" }
                div.row {
                    input #question name="question" autocomplete="off" required maxlength="4000";
                    button.primary { "Send" }
                }
            }
            div.row {
                (super::shell::button(&session, "/listen", &[("back", "/")], &html! { button { "Listen now" } }))
                (super::shell::button(&session, "/stop", &[("back", "/")], &html! { button { "Stop" } }))
            }
        }
        section aria-labelledby="lately" {
            h2 #lately { "Latest turns" }
            (turns::latest(&page, veil).html)
        }
    };
    let view = View {
        path: "/",
        title: "Now",
        live: Some("/live/now".to_owned()),
        content,
    };
    shell(&page, &session, &view)
}

/// A typed line.
pub(super) async fn ask(
    State(page): State<Arc<PageState>>,
    Extension(session): Extension<Arc<Session>>,
    Extension(sent): Extension<Submission>,
) -> Response {
    let told = page.orders.tell(sent.get("question").unwrap_or_default()).await;
    answered(&session, "/", done(told))
}

fn done(done: Result<(), OrderError>) -> Result<Option<String>, String> {
    done.map(|()| None).map_err(|error| with_causes(&error))
}

/// Opens the microphone.
pub(super) async fn listen(
    State(page): State<Arc<PageState>>,
    Extension(session): Extension<Arc<Session>>,
    Extension(sent): Extension<Submission>,
) -> Response {
    let listens = page.orders.listen().await;
    answered(&session, sent.get("back").unwrap_or("/"), done(listens))
}

/// Ends what the device does and says.
pub(super) async fn stop(
    State(page): State<Arc<PageState>>,
    Extension(session): Extension<Arc<Session>>,
    Extension(sent): Extension<Submission>,
) -> Response {
    let stopped = page.orders.stop().await;
    answered(&session, sent.get("back").unwrap_or("/"), done(stopped))
}
