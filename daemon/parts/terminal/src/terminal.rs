//! The person in front of the terminal: typed lines become utterances, and what happens is shown as it happens.
//!
//! An empty line opens the microphone. Everything goes through the bus, exactly as for a spoken question; nothing is
//! answered here.

use std::io::BufRead;
use std::os::unix::fs::FileTypeExt;

use loquat_agent::event::Event;
use loquat_bus::{Bus, Received, Topics};
use loquat_part::EarNews;
use loquat_part::events::News;
use loquat_part::output::{Output, Style};
use loquat_wire::speech::is_question;
use loquat_wire::{Message, topic};
use serde_json::{Value, json};
use tokio::sync::broadcast::error::RecvError;
use tokio::sync::{broadcast, mpsc, watch};
use tokio_util::sync::CancellationToken;

const SOURCE: &str = "loquat-terminal";
const PROMPT: &str = "› ";

/// Back to the beginning of the line, and clears it.
const OVER_THE_PROMPT: &str = "\r\x1b[K";

/// Long observations are shown with their first words only.
const SHOWN: usize = 160;

/// Typed lines that may wait; a paste of more waits in the terminal's own buffer.
const LINES: usize = 16;

/// Reads, shows.
#[derive(Debug)]
pub struct Terminal {
    bus: Bus,
    output: Output,
    news: broadcast::Receiver<News>,
    ear: Option<watch::Receiver<EarNews>>,
    /// Says whether a person types, rather than a file being fed in.
    interactive: bool,
    /// Whether the device has asked something, so that silence is an answer.
    has_asked: bool,
}

/// Whether anybody is there to type or to read: a terminal, a pipe or a file. A service's input is `/dev/null`, and
/// what people say must not get into its log.
pub fn is_attended() -> bool {
    let input = std::fs::metadata("/proc/self/fd/0").map(|input| input.file_type());
    stdin_is_terminal() || input.is_ok_and(|kind| kind.is_fifo() || kind.is_file())
}

impl Terminal {
    /// A terminal on this bus.
    pub fn new(bus: Bus, output: Output, news: broadcast::Receiver<News>) -> Self {
        Self {
            bus,
            output,
            news,
            ear: None,
            interactive: output.is_terminal() && stdin_is_terminal(),
            has_asked: false,
        }
    }

    /// Shows whether the device can hear.
    #[must_use]
    pub fn with_ear(mut self, ear: watch::Receiver<EarNews>) -> Self {
        self.ear = Some(ear);
        self
    }

    /// Serves until cancelled; the end of a person's input ends the daemon.
    pub async fn run(mut self, cancel: CancellationToken) {
        let mut lines = read_lines();
        let topics = [
            topic::SPEAK,
            topic::UTTERANCE_HANDLE,
            topic::UTTERANCE_HANDLED,
            topic::STT_FAILED,
        ];
        let mut frames = self.bus.subscribe(Topics::of(topics).including_own());
        let mut typing = true;
        self.prompt();
        loop {
            tokio::select! {
                biased;
                () = cancel.cancelled() => return,
                news = self.news.recv() => match news {
                    Ok(news) => show(self.output, &news.event),
                    Err(RecvError::Lagged(_)) => self.output.line("  (some events were too fast to show)"),
                    Err(RecvError::Closed) => return,
                },
                frame = frames.recv() => match frame {
                    Some(frame) => self.show_frame(&frame),
                    None => return,
                },
                line = lines.recv(), if typing => match line {
                    Some(line) => self.typed(line.trim()).await,
                    None if self.interactive => return cancel.cancel(),
                    None => typing = false,
                },
                Some(news) = changed(&mut self.ear) => self.show_ear(&news),
            }
        }
    }

    async fn typed(&self, line: &str) {
        let (topic, data) = match line {
            "" if self.interactive => (topic::MIC_LISTEN, json!({})),
            "" => return,
            // The language in which it is typed is not known (PIPELINE-1 §9.1).
            line => (topic::UTTERANCE_HANDLE, json!({"utterances": [line]})),
        };
        let mut frame = Message::new(topic, data);
        if topic == topic::UTTERANCE_HANDLE {
            frame.context.set_source(SOURCE);
            frame.context.set_destination("skills");
        }
        if let Err(error) = self.bus.emit(frame).await {
            self.output.line(format!("  that did not reach the bus: {error}"));
            self.prompt();
        }
    }

    fn show_frame(
        &mut self,
        Received {
            message, canonical, ..
        }: &Received,
    ) {
        let session = message.context.session();
        if !session.is_default() {
            return;
        }
        match canonical.as_str() {
            topic::SPEAK => {
                let text = message
                    .data
                    .get("utterance")
                    .and_then(Value::as_str)
                    .unwrap_or_default();
                self.output.styled(Style::Bold, text);
                // A question waits for an answer in the middle of the turn.
                self.has_asked = is_question(message);
                if self.has_asked {
                    self.prompt();
                }
            }
            topic::UTTERANCE_HANDLE if message.context.source() != Some(SOURCE) => {
                let heard = message
                    .data
                    .get("utterances")
                    .and_then(|all| all.get(0))
                    .and_then(Value::as_str);
                self.output
                    .line(format!("  heard    {}", heard.unwrap_or_default()));
            }
            topic::UTTERANCE_HANDLED => self.prompt(),
            topic::STT_FAILED if std::mem::take(&mut self.has_asked) => {}
            topic::STT_FAILED => {
                self.output.line("  heard nothing that could be understood");
                self.prompt();
            }
            _ => {}
        }
    }

    fn show_ear(&self, news: &EarNews) {
        if self.interactive {
            self.output.prompt(OVER_THE_PROMPT);
        }
        match news {
            EarNews::Unknown => return,
            EarNews::Hears { device, wake_word } => {
                let say = wake_word.as_ref().map_or_else(String::new, |name| {
                    let said = name.replace('_', " ");
                    format!("say \"{said}\", or ")
                });
                self.output.line(format!(
                    "  The microphone is open ({device}): {say}press Enter and speak."
                ));
            }
            EarNews::Deaf(reason) => self.output.line(format!("  No microphone: {reason}")),
        }
        self.prompt();
    }

    fn prompt(&self) {
        if self.interactive {
            self.output.prompt(PROMPT);
        }
    }
}

/// Shows what happens in a turn, one line each.
pub fn show(output: Output, event: &Event) {
    let text = match event {
        Event::BrainAsked { brain, .. } => format!("  asks     {brain}"),
        Event::Thought { text, .. } => format!("  thinks   {}", shortened(text)),
        Event::Planned { steps } => format!("  plans    {}", shortened(&steps.join("; "))),
        Event::ToolCalled { tool, arguments, .. } => {
            format!(
                "  calls    {tool} {}",
                shortened(&serde_json::to_string(arguments).unwrap_or_default())
            )
        }
        Event::ToolPiece { text, .. } => format!("  tells    {}", shortened(text)),
        Event::ToolProgressed { text, .. } => format!("  works    {}", shortened(text)),
        Event::ToolAwaited { tool, phrase, .. } => {
            format!("  waits    {}", shortened(phrase.as_deref().unwrap_or(tool)))
        }
        Event::ToolReturned {
            observation,
            ok: true,
            ..
        } => format!("  gets     {}", shortened(observation)),
        Event::ToolReturned { observation, .. } => format!("  fails    {}", shortened(observation)),
        Event::BrainFailed { error, .. } => format!("  trouble  failed to {}", shortened(error)),
        Event::ReplyRejected { why, .. } => format!("  again    {}", shortened(why)),
        _ => return,
    };
    output.styled(Style::Dim, text);
}

/// The next change of a watch; for ever pending when there is none.
async fn changed(news: &mut Option<watch::Receiver<EarNews>>) -> Option<EarNews> {
    if let Some(receiver) = news {
        if receiver.changed().await.is_ok() {
            return Some(receiver.borrow_and_update().clone());
        }
    }
    std::future::pending().await
}

/// Whether a terminal is our input.
pub fn stdin_is_terminal() -> bool {
    std::io::IsTerminal::is_terminal(&std::io::stdin())
}

/// Lines from standard input, read on a thread of its own: a blocked read cannot be cancelled, so the thread is left
/// to end with the process.
fn read_lines() -> mpsc::Receiver<String> {
    let (sender, receiver) = mpsc::channel(LINES);
    let read = move || {
        for line in std::io::stdin().lock().lines().map_while(Result::ok) {
            if sender.blocking_send(line).is_err() {
                return;
            }
        }
    };
    if let Err(error) = std::thread::Builder::new()
        .name("terminal".to_owned())
        .spawn(read)
    {
        tracing::warn!(%error, "failed to read the terminal");
    }
    receiver
}

fn shortened(text: &str) -> String {
    let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
    match line.char_indices().nth(SHOWN) {
        Some((end, _)) => format!("{}…", line.get(..end).unwrap_or_default()),
        None => line,
    }
}
