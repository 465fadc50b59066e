//! Questions at a terminal, each put again until its answer can be understood or is left out. Knows nothing of what is asked.

use std::io::{self, BufRead};

use super::super::Output;
use crate::settings::wording::nearest;

/// The person has left: the input has ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Left;

/// Asks one question after the other.
#[derive(Debug)]
pub(super) struct Interview {
    output: Output,
}

impl Interview {
    /// Asks on this output; answers are read from standard input.
    pub(super) fn new(output: Output) -> Self {
        Self { output }
    }

    /// Says something between two questions.
    pub(super) fn tell(&self, text: &str) {
        self.output.line(text);
    }

    /// Puts a question until its answer can be read; absent where it was left out.
    pub(super) fn asked<T>(
        &mut self,
        question: &str,
        read: impl Fn(&str) -> Result<T, String>,
    ) -> Result<Option<T>, Left> {
        loop {
            self.output.question(&format!("{question}: "));
            let mut line = String::new();
            match io::stdin().lock().read_line(&mut line) {
                Ok(0) | Err(_) => return Err(Left),
                Ok(_) => {}
            }
            let said = line.trim();
            if said.is_empty() {
                return Ok(None);
            }
            match read(said) {
                Ok(answer) => return Ok(Some(answer)),
                Err(complaint) => self.output.line(format!("  {complaint}")),
            }
        }
    }

    /// Puts a question that one of these words answers, in whatever case.
    pub(super) fn chosen(&mut self, question: &str, words: &[&str]) -> Result<Option<String>, Left> {
        self.asked(question, |said| {
            let found = words
                .iter()
                .find(|word| word.to_lowercase() == said.to_lowercase());
            let complaint = || format!("{said:?} is none of {}{}", words.join(", "), meant(said, words));
            found.map(|word| (*word).to_owned()).ok_or_else(complaint)
        })
    }

    /// Asks for a yes, which Enter alone is.
    pub(super) fn agreed(&mut self, question: &str) -> Result<bool, Left> {
        let said = self.chosen(&format!("{question} [Y/n]"), &["y", "n", "yes", "no"])?;
        Ok(said.is_none_or(|said| said.starts_with('y')))
    }
}

/// Asks whether the nearest word was meant, where one is near.
fn meant(said: &str, words: &[&str]) -> String {
    let near = nearest(said, words.iter().copied());
    near.map_or_else(String::new, |near| format!("; did you mean {near}?"))
}
