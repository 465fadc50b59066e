//! The one place that writes to standard output and standard error.
//!
//! People get text, programs get JSON; a closed pipe is a reader that has heard enough and no fault. Never passes on a
//! control character of brains, strangers and files: it could write to the clipboard or hide what was said.

use std::io::{IsTerminal, Write};

use loquat_agent::printable::{is_control, printable};

use serde::Serialize;

/// How a piece of a line looks on a terminal.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Style {
    /// It looks as everything does.
    Plain,
    /// What matters.
    Bold,
    /// What matters less.
    Dim,
}

/// Writes what commands say.
#[derive(Debug, Clone, Copy)]
pub struct Output {
    json: bool,
}

impl Output {
    /// Writes JSON for programs, or text for people.
    pub fn new(json: bool) -> Self {
        Self { json }
    }

    /// Tells whether a person sits in front of standard output.
    pub fn is_terminal(self) -> bool {
        !self.json && std::io::stdout().is_terminal()
    }

    /// Prints one line of text, in text mode only.
    pub fn line(self, text: impl AsRef<str>) {
        self.pieces(&[(Style::Plain, text.as_ref())]);
    }

    /// Prints one line in one style, in text mode only.
    pub fn styled(self, style: Style, text: impl AsRef<str>) {
        self.pieces(&[(style, text.as_ref())]);
    }

    /// Prints one line of pieces that look different on a terminal, in text mode only.
    pub fn pieces(self, pieces: &[(Style, &str)]) {
        if !self.json {
            let pieces = pieces.iter().map(|(style, text)| self.dressed(*style, text));
            write(&mut std::io::stdout(), &pieces.collect::<String>(), "\n");
        }
    }

    /// Prints a question without a line end, in text mode only.
    pub fn question(self, text: &str) {
        if !self.json {
            write(&mut std::io::stdout(), &printable(text), "");
        }
    }

    /// Prints a value as one line of JSON, in JSON mode only.
    pub fn value(self, value: &impl Serialize) {
        if self.json {
            let text =
                serde_json::to_string(value).unwrap_or_else(|error| format!("{{\"error\":\"{error}\"}}"));
            write(&mut std::io::stdout(), &escaped(&text), "\n");
        }
    }

    /// Prints a complaint or a remark, on standard error in both modes.
    pub fn remark(self, text: impl AsRef<str>) {
        write(&mut std::io::stderr(), &printable(text.as_ref()), "\n");
    }

    /// Prints one line on standard error that the next one takes the place of; nothing unless a person looks
    /// at it.
    pub fn passing(self, text: impl AsRef<str>) {
        if !self.json && std::io::stderr().is_terminal() {
            let line = format!("\r\u{1b}[K{}", printable(text.as_ref()));
            write(&mut std::io::stderr(), &line, "");
        }
    }

    /// Gives a text as it is printed in a style: without control characters, and plain where no terminal shows it.
    pub fn dressed(self, style: Style, text: &str) -> String {
        let text = printable(text);
        let code = match style {
            Style::Bold if self.is_terminal() => 1,
            Style::Dim if self.is_terminal() => 2,
            _ => return text.into_owned(),
        };
        format!("\u{1b}[{code}m{text}\u{1b}[0m")
    }
}

/// JSON in which no string holds a control character as it is; most are escaped already.
fn escaped(json: &str) -> String {
    let mut escaped = String::with_capacity(json.len());
    for character in json.chars() {
        if is_control(character) {
            let code = format!("\\u{:04x}", u32::from(character));
            escaped.push_str(&code);
        } else {
            escaped.push(character);
        }
    }
    escaped
}

fn write(to: &mut dyn Write, text: &str, end: &str) {
    // A reader that went away is no reason to fail.
    drop(write!(to, "{text}{end}").and_then(|()| to.flush()));
}

/// Exit codes, as `sysexits` names them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Exit {
    /// It is done.
    Ok,
    /// It could not be done.
    Failed,
    /// The command line was wrong.
    Usage,
    /// Another daemon does it already, or none runs that could do it.
    Taken,
    /// It took too long.
    Late,
    /// It ended to be started anew; systemd starts it again, by the units of ours.
    Again,
    /// A person or a rule did not allow it.
    Refused,
    /// The settings are wrong.
    Settings,
}

impl From<Exit> for std::process::ExitCode {
    fn from(exit: Exit) -> Self {
        Self::from(match exit {
            Exit::Ok => 0,
            Exit::Failed => 1,
            Exit::Usage => 64,
            Exit::Taken => 69,
            Exit::Late | Exit::Again => 75,
            Exit::Refused => 77,
            Exit::Settings => 78,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn json_holds_every_character_and_none_that_a_terminal_obeys() {
        let said = "\u{1b}[2J \u{9b}31m \u{7f} \u{202e} \r\n\t é";
        let json = escaped(&serde_json::to_string(said).unwrap());
        assert!(!json.contains(is_control), "{json}");
        assert_eq!(serde_json::from_str::<String>(&json).unwrap(), said);
    }

    #[test]
    fn a_style_is_ours_only() {
        let output = Output::new(false);
        assert_eq!(output.dressed(Style::Bold, "a\u{1b}[31mb\u{7}"), "a[31mb");
    }
}
