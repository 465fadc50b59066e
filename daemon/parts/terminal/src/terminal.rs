//! The person in front of the terminal: typed lines become utterances, and what happens is shown as it happens.
//!
//! An empty line opens the microphone. Everything goes through the bus, exactly as for a spoken question; nothing is
//! answered here.

use std::collections::VecDeque;
use std::os::unix::fs::FileTypeExt;
use std::path::PathBuf;
use std::sync::Arc;

use loquat_agent::event::Event;
use loquat_bus::{Bus, Received, Topics};
use loquat_part::EarNews;
use loquat_part::events::News;
use loquat_part::output::{Output, Style};
use loquat_wire::session::DEFAULT_SESSION_ID;
use loquat_wire::speech::is_question;
use loquat_wire::{Message, topic};
use serde_json::{Value, json};
use tokio::sync::broadcast::error::RecvError;
use tokio::sync::{broadcast, watch};
use tokio_util::sync::CancellationToken;

use super::screen::Screen;
use super::shown::shown;
use super::typing::{Typed, Typing};

const SOURCE: &str = "loquat-terminal";

/// Lines that end the daemon instead of being asked.
const ENDS: [&str; 2] = ["exit", "quit"];

/// What a person is told of the keys, before the device tells what it can do.
const KEYS: &str = "  Enter alone listens. The arrow keys bring earlier lines back. Ctrl-C stops an answer. \"exit\" or Ctrl-D ends.";

/// What a person is told who presses Ctrl-C where there is nothing to stop.
const NOTHING_TO_STOP: &str = "  There is nothing to stop. Ctrl-C once more, or \"exit\", ends.";

/// Reads, shows.
#[derive(Debug)]
pub(super) struct Terminal {
    bus: Bus,
    screen: Screen,
    news: broadcast::Receiver<News>,
    ear: Option<watch::Receiver<EarNews>>,
    /// Says whether a person types, rather than a file being fed in.
    interactive: bool,
    /// Whether the device has asked something, so that silence is an answer.
    has_asked: bool,
    interrupted: Interrupted,
    course: Course,
}

/// What a person wanted with Ctrl-C.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
enum Interrupted {
    /// They did not press it, or did something else since.
    #[default]
    No,
    /// What is being answered is to stop, and has not ended yet.
    Answer,
    /// There was nothing to stop; once more, and the daemon ends.
    Nothing,
}

/// The utterances that are being answered, and the events that wait until the answer before them is shown: events come by a
/// shorter way than answers.
#[derive(Debug, Default)]
struct Course {
    unanswered: usize,
    shown: Option<Arc<str>>,
    over: Option<Arc<str>>,
    waiting: VecDeque<News>,
}

/// Tells whether anybody is there to type or to read: a terminal, a pipe or a file. A service's input is `/dev/null`, and
/// what people say must not get into its log.
pub fn is_attended() -> bool {
    let input = std::fs::metadata("/proc/self/fd/0").map(|input| input.file_type());
    stdin_is_terminal() || input.is_ok_and(|kind| kind.is_fifo() || kind.is_file())
}

/// Tells whether a terminal is our input.
pub fn stdin_is_terminal() -> bool {
    std::io::IsTerminal::is_terminal(&std::io::stdin())
}

impl Terminal {
    /// Makes one on this bus, and begins to read what is typed. Typed lines are kept in a file where one is given.
    pub(super) fn open(
        bus: Bus,
        output: Output,
        news: broadcast::Receiver<News>,
        history: Option<PathBuf>,
    ) -> (Self, Typing) {
        let interactive = output.is_terminal() && stdin_is_terminal();
        let mut typing = if interactive {
            Typing::edited(history).unwrap_or_else(|error| {
                tracing::warn!(%error, "lines cannot be edited on this terminal");
                Typing::plain()
            })
        } else {
            Typing::plain()
        };
        let terminal = Self {
            bus,
            screen: Screen::new(output, typing.above.take()),
            news,
            ear: None,
            interactive,
            has_asked: false,
            interrupted: Interrupted::No,
            course: Course::default(),
        };
        (terminal, typing)
    }

    /// Shows whether the device can hear.
    #[must_use]
    pub(super) fn with_ear(mut self, ear: watch::Receiver<EarNews>) -> Self {
        self.ear = Some(ear);
        self
    }

    /// Serves until cancelled; the end of a person's input ends the daemon.
    pub(super) async fn run(mut self, mut typing: Typing, cancel: CancellationToken) {
        let topics = [
            topic::SPEAK,
            topic::UTTERANCE_HANDLE,
            topic::UTTERANCE_HANDLED,
            topic::STT_FAILED,
        ];
        let mut frames = self.bus.subscribe(Topics::of(topics).including_own());
        let mut is_typing = true;
        loop {
            tokio::select! {
                biased;
                () = cancel.cancelled() => return,
                news = self.news.recv() => match news {
                    Ok(news) => self.show_news(news),
                    Err(RecvError::Lagged(_)) => self.screen.line("  (some events were too fast to show)"),
                    Err(RecvError::Closed) => return,
                },
                frame = frames.recv() => match frame {
                    Some(frame) => self.show_frame(&frame),
                    None => return,
                },
                typed = typing.typed.recv(), if is_typing => match typed {
                    Some(Typed::Line(line)) if self.interactive && ENDS.contains(&line.trim()) => {
                        return cancel.cancel();
                    }
                    Some(Typed::Line(line)) => self.take(line.trim()).await,
                    Some(Typed::Interrupt) if self.interrupted == Interrupted::Nothing => return cancel.cancel(),
                    Some(Typed::Interrupt) => self.interrupt().await,
                    None if self.interactive => return cancel.cancel(),
                    None => is_typing = false,
                },
                Some(news) = changed(&mut self.ear) => self.show_ear(&news),
            }
        }
    }

    async fn take(&mut self, line: &str) {
        self.interrupted = Interrupted::No;
        if line.is_empty() {
            if self.interactive {
                self.listen().await;
            }
            return;
        }
        if self.interactive && line.eq_ignore_ascii_case("help") {
            self.screen.line(KEYS);
        }
        // The language in which it is typed is not known (PIPELINE-1 §9.1).
        self.emit(topic::UTTERANCE_HANDLE, json!({"utterances": [line]}))
            .await;
    }

    async fn listen(&mut self) {
        let ear = self.ear.as_ref().map(|ear| ear.borrow().clone());
        match ear {
            Some(EarNews::Deaf(reason)) => self.screen.line(format!("  No microphone: {reason}")),
            _ => self.emit(topic::MIC_LISTEN, json!({})).await,
        }
    }

    /// Stops what is being answered or said; a second time in a row, where there is nothing, it ends the daemon.
    async fn interrupt(&mut self) {
        if self.course.unanswered == 0 {
            self.interrupted = Interrupted::Nothing;
            self.screen.line(NOTHING_TO_STOP);
        } else {
            self.interrupted = Interrupted::Answer;
        }
        self.emit(topic::STOP, json!({})).await;
    }

    async fn emit(&mut self, topic: &str, data: Value) {
        let mut frame = Message::new(topic, data);
        frame.context.set_source(SOURCE);
        frame.context.set_destination("skills");
        if let Err(error) = self.bus.emit(frame).await {
            self.screen
                .line(format!("  That did not reach the bus: {error}."));
        }
    }

    fn show_news(&mut self, news: News) {
        if &*news.session_id == DEFAULT_SESSION_ID
            && let Some(news) = self.course.next(news)
        {
            self.show_event(&news.event);
        }
    }

    fn show_event(&mut self, event: &Event) {
        if let Some(line) = shown(event) {
            self.screen.styled(Style::Dim, line);
        }
    }

    fn show_frame(
        &mut self,
        Received {
            message, canonical, ..
        }: &Received,
    ) {
        if !message.context.session().is_default() {
            return;
        }
        match canonical.as_str() {
            topic::SPEAK => {
                let text = message.data.get("utterance").and_then(Value::as_str);
                self.screen.styled(Style::Bold, text.unwrap_or_default());
                self.has_asked = is_question(message);
            }
            topic::UTTERANCE_HANDLE => {
                self.course.unanswered += 1;
                if message.context.source() != Some(SOURCE) {
                    let heard = message.data.get("utterances").and_then(|all| all.get(0));
                    let heard = heard.and_then(Value::as_str).unwrap_or_default();
                    self.screen.line(format!("  heard    {heard}"));
                }
            }
            topic::UTTERANCE_HANDLED => {
                if self.interrupted == Interrupted::Answer {
                    self.interrupted = Interrupted::No;
                    self.screen.line("  Stopped.");
                }
                for news in self.course.answered() {
                    self.show_event(&news.event);
                }
            }
            topic::STT_FAILED if std::mem::take(&mut self.has_asked) => {}
            topic::STT_FAILED => self.screen.line("  I heard nothing that I could understand."),
            _ => {}
        }
    }

    fn show_ear(&mut self, news: &EarNews) {
        match news {
            EarNews::Unknown => {}
            EarNews::Hears { device, wake_word } => {
                let say = wake_word.as_ref().map_or_else(String::new, |name| {
                    let said = name.replace('_', " ");
                    format!("say \"{said}\", or ")
                });
                self.screen.line(format!(
                    "  The microphone is open ({device}): {say}press Enter and speak."
                ));
            }
            EarNews::Deaf(reason) => self.screen.line(format!("  No microphone: {reason}")),
        }
    }
}

impl Course {
    /// Gives back what can be shown now. What belongs to a later turn than the one that is being answered waits.
    fn next(&mut self, news: News) -> Option<News> {
        let turn = Some(&news.turn_id);
        let is_late = turn == self.over.as_ref();
        if is_late || turn == self.shown.as_ref() {
            return Some(news);
        }
        if self.shown.is_some() && self.unanswered > 1 {
            self.waiting.push_back(news);
            return None;
        }
        self.shown = Some(Arc::clone(&news.turn_id));
        Some(news)
    }

    /// The answer of an utterance has been shown: gives what waited for it, as far as it belongs to the turn behind it.
    fn answered(&mut self) -> Vec<News> {
        self.unanswered = self.unanswered.saturating_sub(1);
        self.over = self.shown.take().or_else(|| self.over.take());
        let waiting = std::mem::take(&mut self.waiting);
        waiting.into_iter().filter_map(|news| self.next(news)).collect()
    }
}

/// Waits for the next change of a watch; for ever where there is none.
async fn changed(news: &mut Option<watch::Receiver<EarNews>>) -> Option<EarNews> {
    if let Some(receiver) = news
        && receiver.changed().await.is_ok()
    {
        return Some(receiver.borrow_and_update().clone());
    }
    std::future::pending().await
}

#[cfg(test)]
mod tests {
    use super::*;

    fn news(turn: &str, text: &str) -> News {
        News {
            session_id: DEFAULT_SESSION_ID.into(),
            turn_id: turn.into(),
            persona: "Loquat".into(),
            event: Event::Thought {
                step: 0,
                text: text.to_owned(),
            },
        }
    }

    fn texts(shown: Vec<News>) -> Vec<String> {
        shown
            .into_iter()
            .filter_map(|news| super::shown(&news.event))
            .collect()
    }

    #[test]
    fn what_belongs_to_the_next_turn_waits_for_the_answer_of_the_last() {
        let mut course = Course {
            unanswered: 2,
            ..Course::default()
        };
        assert!(course.next(news("one", "first")).is_some());
        assert!(course.next(news("two", "second")).is_none());
        assert!(course.next(news("one", "still the first")).is_some());
        assert_eq!(texts(course.answered()), ["  thinks   second"]);
        assert!(
            course.next(news("one", "late")).is_some(),
            "what is late is shown"
        );
        assert!(course.next(news("two", "more")).is_some());
        assert_eq!(texts(course.answered()), Vec::<String>::new());
    }

    #[test]
    fn a_turn_that_nobody_asked_for_holds_nothing_back() {
        let mut course = Course::default();
        assert!(course.next(news("unasked", "a")).is_some());
        course.unanswered = 1;
        assert!(course.next(news("asked", "b")).is_some());
    }
}
