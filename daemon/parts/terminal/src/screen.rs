//! Where lines appear: above the line that a person is typing where there is one, else on standard output. Decides nothing about
//! what is shown.

use std::fmt;

use loquat_part::output::{Output, Style};
use rustyline::ExternalPrinter;

/// The lines that a person reads.
pub(super) struct Screen {
    output: Output,
    above: Option<Box<dyn ExternalPrinter + Send>>,
}

impl fmt::Debug for Screen {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Screen")
            .field("is_edited", &self.above.is_some())
            .finish_non_exhaustive()
    }
}

impl Screen {
    /// Writes on standard output; where an editor of lines has a printer, above the line that is being typed.
    pub(super) fn new(output: Output, above: Option<Box<dyn ExternalPrinter + Send>>) -> Self {
        Self { output, above }
    }

    /// Shows a line.
    pub(super) fn line(&mut self, text: impl AsRef<str>) {
        self.styled(Style::Plain, text);
    }

    /// Shows a line in a style.
    pub(super) fn styled(&mut self, style: Style, text: impl AsRef<str>) {
        match &mut self.above {
            Some(above) => {
                let line = format!("{}\n", self.output.dressed(style, text.as_ref()));
                // A terminal that went away is no reason to fail.
                drop(above.print(line));
            }
            None => self.output.styled(style, text),
        }
    }
}
