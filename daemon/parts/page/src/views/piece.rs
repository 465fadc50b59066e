//! A piece of a view, which is pushed to open browsers when it changes. Knows nothing of what it shows.

use axum::response::sse::Event;
use maud::Markup;
use serde_json::json;

/// A piece of HTML: it takes the place of the element with its id, or is put into another one.
#[derive(Debug)]
pub(super) struct Piece {
    pub(super) id: String,
    /// Where it goes when it is not there yet; `None` where it is then left out.
    pub(super) into: Option<&'static str>,
    /// Whether it goes to the beginning there.
    pub(super) first: bool,
    pub(super) html: Markup,
}

impl Piece {
    /// Makes one that is there already.
    pub(super) fn over(id: impl Into<String>, html: Markup) -> Self {
        Self {
            id: id.into(),
            into: None,
            first: false,
            html,
        }
    }

    /// As it is pushed.
    pub(super) fn event(self) -> Event {
        let data =
            json!({"id": self.id, "into": self.into, "first": self.first, "html": self.html.into_string()});
        Event::default().event("put").data(data.to_string())
    }
}
