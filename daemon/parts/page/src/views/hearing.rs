//! What the device hears right now: what it is doing, how loud it is, and what it understands while it still listens, hidden
//! as all that people say. The whole utterance, or that nothing was heard, takes the place of the last.
//!
//! Screen readers are not told of half an utterance: they read it once it is whole.

use maud::{Markup, html};

use super::icons::{Icon, icon};
use super::piece::Piece;
use super::shell::button;
use crate::conversation::LONGEST;
use crate::excerpt::shortened;
use crate::page_state::PageState;
use crate::session::Session;
use crate::veil::Veil;

/// The element with what is understood so far.
const ID: &str = "half-heard";

/// Makes a piece that says what the device is doing.
pub(super) fn doing(page: &PageState) -> Piece {
    let kept = page.conversation.kept();
    let (class, words) = kept.hearing.told();
    let html = html! { p id="hearing" class={"hearing " (class)} role="status" { span.dot aria-hidden="true" {} (words) } };
    Piece::over("hearing", html)
}

/// Shows how loud it is, where there is an ear that hears.
pub(super) fn meter(page: &PageState) -> Markup {
    let hears = page.device.hearing.news.borrow().why_nobody_listens().is_none();
    html! {
        @if hears && page.device.hearing.ear.is_some() {
            p.level {
                label for="level" { "Microphone" }
                meter #level data-level min="0" max="100" low="2" high="95" optimum="40" value="0" { "0" }
            }
        }
    }
}

/// Makes a piece of the button that opens the microphone. Where no program listens it says so, and leads to the reason.
pub(super) fn listen(page: &PageState, session: &Session, back: &str) -> Piece {
    let news = page.device.hearing.news.borrow();
    let html = html! {
        div.listen id="listen" {
            @if news.why_nobody_listens().is_some() {
                button disabled { (icon(Icon::Listen)) "Listen now" }
                span.hint { "No microphone." @if back != "/sound" { " " a href="/sound" { "See why" } } }
            } @else {
                (button(session, "/listen", &[("back", back)], &html! { button { (icon(Icon::Listen)) "Listen now" } }))
            }
        }
    };
    Piece::over("listen", html)
}

/// Makes a piece of what is understood so far.
pub(super) fn half_heard(page: &PageState, veil: Veil) -> Piece {
    Piece::over(ID, shown(&page.device.hearing.so_far.borrow(), veil))
}

fn shown(text: &str, veil: Veil) -> Markup {
    html! {
        p.half-heard id=(ID) aria-live="off" hidden[text.is_empty()] {
            @if !text.is_empty() { "hears: " (veil.words(&shortened(text, LONGEST))) }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn half_heard_words_are_hidden_as_others_are_and_gone_at_the_end() {
        let said = "my door code is 4711";
        let hidden = shown(said, Veil::Down).into_string();
        assert!(
            hidden.contains("5 words hidden") && !hidden.contains("4711"),
            "{hidden}"
        );
        let lifted = shown(said, Veil::Lifted).into_string();
        assert!(
            lifted.contains("hears: my door code") && lifted.contains("aria-live=\"off\""),
            "{lifted}"
        );
        let gone = shown("", Veil::Lifted).into_string();
        assert!(gone.contains(" hidden") && !gone.contains("hears"), "{gone}");
    }
}
