//! What a browser gets for what it sends: another view to look at, or a refusal. Decides neither.

use axum::http::StatusCode;
use axum::http::header::LOCATION;
use axum::response::{IntoResponse, Response};

use super::session::{Notice, Session};

/// Has the browser look at another view; anything but a path of ours becomes the first one.
pub(super) fn see(path: &str) -> Response {
    let is_own = path.starts_with('/') && !path.starts_with("//") && !path.contains(['\\', '\r', '\n']);
    let path = if is_own { path } else { "/" };
    (StatusCode::SEE_OTHER, [(LOCATION, path.to_owned())]).into_response()
}

/// Has the browser look at a view, which tells what was done or why it was not.
pub(super) fn answered(session: &Session, back: &str, done: Result<Option<String>, String>) -> Response {
    let (text, is_fault) = match done {
        Ok(None) => return see(back),
        Ok(Some(text)) => (text, false),
        Err(text) => (text, true),
    };
    session.note(Notice { text, is_fault });
    see(back)
}

/// Refuses in one sentence.
pub(super) fn refused(status: StatusCode, why: &'static str) -> Response {
    (status, why).into_response()
}
