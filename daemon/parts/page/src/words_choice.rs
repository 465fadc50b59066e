//! Whether a browser is shown what people said: chosen once, and kept in that browser, so that it outlives our restart. Knows no
//! words.

use axum::http::HeaderMap;

use super::guard::cookie;
use super::session::Session;

/// The cookie that keeps the choice. It opens nothing: who has it has still to enter.
const NAME: &str = "loquat_words";

/// A year, in seconds.
const LASTS: u32 = 31_536_000;

const SHOWN: &str = "shown";
const HIDDEN: &str = "hidden";

/// Has a browser that enters be shown what it was shown before.
pub(super) fn recall(headers: &HeaderMap, session: &Session) {
    match cookie(headers, NAME).as_deref() {
        Some(SHOWN) => session.reveal(true),
        Some(HIDDEN) => session.reveal(false),
        _ => {}
    }
}

/// Makes what has a browser keep the choice.
pub(super) fn kept(reveals: bool) -> String {
    let choice = if reveals { SHOWN } else { HIDDEN };
    format!("{NAME}={choice}; Path=/; HttpOnly; SameSite=Strict; Max-Age={LASTS}")
}
