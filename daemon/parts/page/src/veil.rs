//! What people said, shown only to those who ask for it. Hidden words never leave the daemon: a browser gets how many there are.

use loquat_agent::printable::printable;
use maud::{Markup, html};

use super::session::Session;

/// Whether words are hidden.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Veil {
    Down,
    /// They are shown.
    Lifted,
}

impl Veil {
    /// As this browser wants it.
    pub(super) fn of(session: &Session) -> Self {
        if session.reveals() {
            Self::Lifted
        } else {
            Self::Down
        }
    }

    /// Words of people, on a line or within a paragraph.
    pub(super) fn words(self, text: &str) -> Markup {
        match self {
            Self::Lifted => html! { (printable(text)) },
            Self::Down => hidden(text),
        }
    }

    /// Shows a text that may hold words of people, with its lines as they are.
    pub(super) fn block(self, text: &str) -> Markup {
        match self {
            Self::Lifted => html! { pre tabindex="0" { (lines(text)) } },
            Self::Down => html! { p { (hidden(text)) } },
        }
    }
}

fn hidden(text: &str) -> Markup {
    let words = text.split_whitespace().count();
    let words = match words {
        0 => "nothing".to_owned(),
        1 => "1 word hidden".to_owned(),
        words => format!("{words} words hidden"),
    };
    html! { span.veiled { (words) } }
}

/// Without control characters, but with the ends of its lines.
pub(super) fn lines(text: &str) -> String {
    let lines: Vec<_> = text.lines().map(printable).collect();
    lines.join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hidden_words_are_counted_only() {
        let said = "my door code is 4711";
        assert_eq!(
            Veil::Down.words(said).into_string(),
            "<span class=\"veiled\">5 words hidden</span>"
        );
        assert!(!Veil::Down.block(said).into_string().contains("4711"));
        assert_eq!(Veil::Lifted.words("a <b>").into_string(), "a &lt;b&gt;");
    }
}
