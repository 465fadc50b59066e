//! How the device fares, in five words, with the view that tells what is wrong: the worst only. The whole line is for `Check`.

use loquat_part::EarNews;

use super::page_state::PageState;

/// How bad it is; a class of the stylesheet.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Grade {
    Good,
    /// Something is missing that it does without.
    Less,
    Bad,
}

impl Grade {
    pub(super) fn class(self) -> &'static str {
        match self {
            Self::Good => "good",
            Self::Less => "busy",
            Self::Bad => "bad",
        }
    }
}

/// What is shown in the head of every view.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Fares {
    pub(super) grade: Grade,
    pub(super) words: String,
    /// Where the rest is told.
    pub(super) view: &'static str,
}

/// What is known of the device.
#[derive(Debug)]
struct Known<'a> {
    is_connected: bool,
    /// Whether the settings hold a mistake, and whether persona files do.
    mistakes: [bool; 2],
    has_model: bool,
    ear: &'a EarNews,
}

impl Fares {
    /// As the device fares now.
    pub(super) fn of(page: &PageState) -> Self {
        let standing = page.standing.borrow().clone();
        Self::judged(&Known {
            is_connected: page.bus.state().borrow().is_connected(),
            mistakes: [standing.mistake.is_some(), standing.left_out.is_some()],
            has_model: standing.language.is_present() || !page.device.administration.thinks_here(),
            ear: &page.device.hearing.news.borrow(),
        })
    }

    fn judged(known: &Known<'_>) -> Self {
        let told = |grade, words: &str, view| Self {
            grade,
            words: words.to_owned(),
            view,
        };
        match (known, known.ear) {
            (
                Known {
                    mistakes: [true, _], ..
                },
                _,
            ) => told(Grade::Bad, "The settings hold a mistake", "/settings"),
            (
                Known {
                    is_connected: false, ..
                },
                _,
            ) => told(Grade::Bad, "The bus is not reached", "/check"),
            (Known { has_model: false, .. }, _) => told(Grade::Less, "No language model yet", "/models"),
            (
                Known {
                    mistakes: [_, true], ..
                },
                _,
            ) => told(Grade::Less, "A persona file is wrong", "/personas"),
            (_, ear) if ear.why_nobody_listens().is_some() => {
                told(Grade::Less, "Ready, but hears nothing", "/sound")
            }
            (
                _,
                EarNews::Hears {
                    wake_word: Some(_), ..
                },
            ) => told(Grade::Good, "Ready, and hears its name", "/check"),
            _ => told(Grade::Good, "Ready", "/check"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_worst_is_told_in_five_words_with_its_view() {
        let deaf = EarNews::Deaf("failed to open a microphone (ALSA: no such device)".to_owned());
        let hears = EarNews::Hears {
            device: "USB".to_owned(),
            wake_word: Some("hey_mycroft".to_owned()),
        };
        let well = |ear| Known {
            is_connected: true,
            mistakes: [false, false],
            has_model: true,
            ear,
        };
        let told = [
            (well(&hears), Grade::Good, "/check"),
            (well(&EarNews::Unknown), Grade::Good, "/check"),
            (well(&deaf), Grade::Less, "/sound"),
            (
                Known {
                    has_model: false,
                    ..well(&deaf)
                },
                Grade::Less,
                "/models",
            ),
            (
                Known {
                    is_connected: false,
                    ..well(&deaf)
                },
                Grade::Bad,
                "/check",
            ),
            (
                Known {
                    mistakes: [true, true],
                    ..well(&deaf)
                },
                Grade::Bad,
                "/settings",
            ),
            (
                Known {
                    mistakes: [false, true],
                    ..well(&deaf)
                },
                Grade::Less,
                "/personas",
            ),
        ];
        for (known, grade, view) in told {
            let fares = Fares::judged(&known);
            assert_eq!((fares.grade, fares.view), (grade, view), "{known:?}");
            assert!(fares.words.split_whitespace().count() <= 5, "{}", fares.words);
        }
    }
}
