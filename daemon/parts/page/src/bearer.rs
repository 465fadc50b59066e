//! Tokens that programs bring with their requests, since a program is no browser. Knows none itself.

use axum::http::HeaderMap;
use axum::http::header::AUTHORIZATION;
use secrecy::{ExposeSecret, SecretString};

use super::session::is_same;

/// Tells whether the request brings this token.
pub(super) fn opens(headers: &HeaderMap, token: Option<&SecretString>) -> bool {
    let sent = headers.get(AUTHORIZATION).and_then(|sent| sent.to_str().ok());
    let sent = sent.and_then(|sent| sent.strip_prefix("Bearer "));
    sent.zip(token)
        .is_some_and(|(sent, token)| is_same(sent, token.expose_secret()))
}
