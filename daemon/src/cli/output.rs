//! The one place that writes to standard output and standard error.
//!
//! People get text, programs get JSON; a closed pipe is a reader that has heard enough and no fault.

use std::io::{IsTerminal, Write};

use serde::Serialize;

/// Writes what commands say.
#[derive(Debug, Clone, Copy)]
pub struct Output {
    json: bool,
}

impl Output {
    /// JSON for programs, or text for people.
    pub fn new(json: bool) -> Self {
        Self { json }
    }

    /// Whether a program reads.
    pub fn is_json(self) -> bool {
        self.json
    }

    /// Whether a person sits in front of standard output.
    pub fn is_terminal(self) -> bool {
        !self.json && std::io::stdout().is_terminal()
    }

    /// One line of text, in text mode only.
    pub fn line(self, text: impl AsRef<str>) {
        if !self.json {
            write(&mut std::io::stdout(), text.as_ref(), "\n");
        }
    }

    /// A prompt without a line end, in text mode only.
    pub fn prompt(self, text: &str) {
        if !self.json {
            write(&mut std::io::stdout(), text, "");
        }
    }

    /// A value as one line of JSON, in JSON mode only.
    pub fn value(self, value: &impl Serialize) {
        if self.json {
            let text =
                serde_json::to_string(value).unwrap_or_else(|error| format!("{{\"error\":\"{error}\"}}"));
            write(&mut std::io::stdout(), &text, "\n");
        }
    }

    /// A complaint or a remark, on standard error in both modes.
    pub fn remark(self, text: impl AsRef<str>) {
        write(&mut std::io::stderr(), text.as_ref(), "\n");
    }

    /// Dims a text on a terminal.
    pub fn dim(self, text: &str) -> String {
        if self.is_terminal() {
            format!("\u{1b}[2m{text}\u{1b}[0m")
        } else {
            text.to_owned()
        }
    }

    /// Makes a text bold on a terminal.
    pub fn bold(self, text: &str) -> String {
        if self.is_terminal() {
            format!("\u{1b}[1m{text}\u{1b}[0m")
        } else {
            text.to_owned()
        }
    }
}

fn write(to: &mut dyn Write, text: &str, end: &str) {
    // A reader that went away is no reason to fail.
    drop(write!(to, "{text}{end}").and_then(|()| to.flush()));
}

/// Exit codes, as `sysexits` names them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Exit {
    /// Done.
    Ok,
    /// It could not be done.
    Failed,
    /// The command line was wrong.
    Usage,
    /// The settings are wrong.
    Settings,
}

impl From<Exit> for std::process::ExitCode {
    fn from(exit: Exit) -> Self {
        Self::from(match exit {
            Exit::Ok => 0,
            Exit::Failed => 1,
            Exit::Usage => 64,
            Exit::Settings => 78,
        })
    }
}
