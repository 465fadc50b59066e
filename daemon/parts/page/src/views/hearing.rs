//! What the device understands while it still listens, hidden as all that people say. The whole utterance, or that nothing
//! was heard, takes its place.
//!
//! Screen readers are not told of it: they read the utterance once it is whole.

use std::sync::Arc;

use maud::{Markup, html};
use tokio_util::sync::CancellationToken;

use super::PageState;
use super::conversation::{LONGEST, shortened};
use super::live::{Change, Piece};
use super::veil::Veil;

const ID: &str = "half-heard";

/// Tells of changes of it until cancelled.
pub(super) async fn follow(page: Arc<PageState>, cancel: CancellationToken) {
    let mut half_heard = page.device.hearing.so_far.clone();
    while let Some(Ok(())) = cancel.run_until_cancelled(half_heard.changed()).await {
        page.tell(Change::HalfHeard);
    }
}

/// What is understood so far, as a piece.
pub(super) fn piece(page: &PageState, veil: Veil) -> Piece {
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
