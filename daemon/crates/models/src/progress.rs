//! What is told while a model is fetched, and a bar that shows it on a terminal.
//!
//! The bar draws on standard error and is invisible where that is no terminal; sentences go to the code that made the bar.

use std::fmt;

use indicatif::{ProgressBar, ProgressStyle};
use parking_lot::Mutex;

/// A step of a fetch that is worth telling.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Progress<'a> {
    /// A sentence for the person, without a full stop at the end of a list.
    Remark(&'a str),
    /// More bytes have arrived.
    Bytes {
        /// The name of the model.
        model: &'a str,
        /// The bytes so far, with those of earlier runs.
        done: u64,
        /// The whole file has so many bytes.
        total: u64,
    },
    /// The model is there.
    Finished {
        /// The name of the model.
        model: &'a str,
    },
}

/// Hears how it goes. Must not block.
pub trait ProgressSink: Send + Sync {
    /// Takes the next piece of news.
    fn progress(&self, progress: Progress<'_>);
}

/// A sink that shows nothing.
impl ProgressSink for () {
    fn progress(&self, _: Progress<'_>) {}
}

/// A progress bar for a person in front of a terminal.
pub struct Bar {
    remark: Box<dyn Fn(&str) + Send + Sync>,
    shown: Mutex<Option<ProgressBar>>,
}

impl fmt::Debug for Bar {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Bar").finish_non_exhaustive()
    }
}

impl Bar {
    /// Makes a bar that hands sentences to `remark`, and draws itself again below them.
    pub fn new(remark: impl Fn(&str) + Send + Sync + 'static) -> Self {
        Self {
            remark: Box::new(remark),
            shown: Mutex::new(None),
        }
    }

    fn draw(&self, text: &str, done: u64, total: u64) {
        let mut shown = self.shown.lock();
        let bar = shown.get_or_insert_with(|| bar(total));
        bar.set_length(total);
        bar.set_position(done);
        bar.set_message(text.to_owned());
    }

    fn clear(&self) {
        if let Some(bar) = self.shown.lock().take() {
            bar.finish_and_clear();
        }
    }
}

impl ProgressSink for Bar {
    fn progress(&self, progress: Progress<'_>) {
        match progress {
            Progress::Remark(text) => {
                self.clear();
                (self.remark)(text);
            }
            Progress::Bytes { model, done, total } => self.draw(model, done, total),
            Progress::Finished { .. } => self.clear(),
        }
    }
}

fn bar(total: u64) -> ProgressBar {
    let template = "{msg} {wide_bar} {bytes}/{total_bytes} {bytes_per_sec} {eta}";
    let style = ProgressStyle::with_template(template).unwrap_or_else(|_| ProgressStyle::default_bar());
    ProgressBar::new(total).with_style(style)
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc::channel;

    use super::{Bar, Progress, ProgressSink};

    #[test]
    fn a_bar_passes_sentences_on_and_survives_any_order() {
        let (sender, remarks) = channel();
        let bar = Bar::new(move |text| drop(sender.send(text.to_owned())));
        let model = "small";
        bar.progress(Progress::Finished { model });
        bar.progress(Progress::Bytes {
            model,
            done: 5,
            total: 3,
        });
        bar.progress(Progress::Remark("One source failed."));
        bar.progress(Progress::Bytes {
            model,
            done: 0,
            total: 0,
        });
        bar.progress(Progress::Finished { model });
        drop(bar);
        assert_eq!(remarks.iter().collect::<Vec<_>>(), ["One source failed."]);
    }
}
