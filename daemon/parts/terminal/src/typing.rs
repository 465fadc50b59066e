//! Reads what is typed, on a thread of its own: with an editor of lines and their history where a person sits at a terminal, line
//! by line from a pipe or a file. Understands nothing of it.
//!
//! A blocked read cannot be cancelled, so the thread is left to end with the process; the terminal is made what it was before.

use std::io::{self, BufRead};
use std::path::{Path, PathBuf};

use nix::sys::termios::{SetArg, Termios, tcgetattr, tcsetattr};
use rustyline::error::ReadlineError;
use rustyline::history::FileHistory;
use rustyline::{Config, Editor, ExternalPrinter};
use tokio::sync::mpsc;

const PROMPT: &str = "› ";

/// Typed lines that may wait; a paste of more waits in the terminal's own buffer.
const LINES: usize = 16;

/// Lines that the arrow keys bring back.
const HISTORY: usize = 500;

/// What a person did.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Typed {
    /// A line, without its end.
    Line(String),
    /// Ctrl-C.
    Interrupt,
}

/// What is typed, and how lines are shown meanwhile.
pub(super) struct Typing {
    /// Ends with the input.
    pub(super) typed: mpsc::Receiver<Typed>,
    /// Prints above the line that is being typed, where it is edited.
    pub(super) above: Option<Box<dyn ExternalPrinter + Send>>,
    _terminal: Option<AsItWas>,
}

impl Typing {
    /// Begins to read a person's terminal. The lines of earlier days are read from this file, and new ones are added to it.
    ///
    /// # Errors
    /// Where the terminal cannot be edited on.
    pub(super) fn edited(history: Option<PathBuf>) -> Result<Self, ReadlineError> {
        let config = Config::builder()
            .max_history_size(HISTORY)?
            .history_ignore_dups(true)?
            .history_ignore_space(true)
            .build();
        let mut editor: Editor<(), FileHistory> = Editor::with_config(config)?;
        if let Some(file) = &history
            && let Err(error) = editor.load_history(file)
            && !is_absent(&error)
        {
            tracing::warn!(%error, file = %file.display(), "failed to read the lines that were typed before");
        }
        let above = Box::new(editor.create_external_printer()?);
        let terminal = Some(AsItWas::now()?);
        let typed = on_a_thread(move |sender| edit(&mut editor, history.as_deref(), &sender));
        Ok(Self {
            typed,
            above: Some(above),
            _terminal: terminal,
        })
    }

    /// Begins to read standard input as it comes.
    pub(super) fn plain() -> Self {
        let typed = on_a_thread(|sender| {
            for line in io::stdin().lock().lines().map_while(Result::ok) {
                if sender.blocking_send(Typed::Line(line)).is_err() {
                    return;
                }
            }
        });
        Self {
            typed,
            above: None,
            _terminal: None,
        }
    }
}

/// Reads lines until the input ends.
fn edit(editor: &mut Editor<(), FileHistory>, history: Option<&Path>, sender: &mpsc::Sender<Typed>) {
    loop {
        let typed = match editor.readline(PROMPT) {
            Ok(line) => {
                remember(editor, history, &line);
                Typed::Line(line)
            }
            Err(ReadlineError::Interrupted) => Typed::Interrupt,
            Err(_) => return,
        };
        if sender.blocking_send(typed).is_err() {
            return;
        }
    }
}

fn remember(editor: &mut Editor<(), FileHistory>, history: Option<&Path>, line: &str) {
    let added = !line.trim().is_empty() && editor.add_history_entry(line).unwrap_or(false);
    if let Some(file) = history.filter(|_| added)
        && let Err(error) = editor.append_history(file)
    {
        tracing::warn!(%error, file = %file.display(), "failed to keep what was typed");
    }
}

fn is_absent(error: &ReadlineError) -> bool {
    matches!(error, ReadlineError::Io(error) if error.kind() == io::ErrorKind::NotFound)
}

fn on_a_thread(read: impl FnOnce(mpsc::Sender<Typed>) + Send + 'static) -> mpsc::Receiver<Typed> {
    let (sender, receiver) = mpsc::channel(LINES);
    let thread = std::thread::Builder::new().name("terminal".to_owned());
    if let Err(error) = thread.spawn(move || read(sender)) {
        tracing::warn!(%error, "failed to read the terminal");
    }
    receiver
}

/// Makes the terminal what it was, whatever the editor is in the middle of.
struct AsItWas(Termios);

impl AsItWas {
    fn now() -> io::Result<Self> {
        Ok(Self(tcgetattr(io::stdin())?))
    }
}

impl Drop for AsItWas {
    fn drop(&mut self) {
        if let Err(error) = tcsetattr(io::stdin(), SetArg::TCSADRAIN, &self.0) {
            tracing::debug!(%error, "the terminal could not be made what it was");
        }
    }
}
