//! MCP on the page's listener, where the settings open it: with a token of its own, since a program is no browser.

use std::fmt;

use axum::extract::Request;
use axum::http::StatusCode;
use axum::response::Response;
use loquat_connections::http_door::{Answering, HttpDoor};
use secrecy::SecretString;

use super::answer::refused;
use super::bearer::opens;
use super::own_address::OwnAddress;

/// What serves it.
pub(super) struct Mcp {
    /// Absent where this program has no door for MCP clients.
    door: Option<Answering>,
    token: SecretString,
}

impl fmt::Debug for Mcp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Mcp").finish_non_exhaustive()
    }
}

impl Mcp {
    /// Serves clients that bring this token.
    pub(super) fn new(door: Option<&dyn HttpDoor>, own: &OwnAddress, token: SecretString) -> Self {
        let door = door.map(|door| door.open(&own.names(), &own.origins()));
        if door.is_none() {
            tracing::warn!("page.mcp_token counts for nothing: this loquat was built without mcp");
        }
        Self { door, token }
    }

    /// Answers one request.
    pub(super) async fn answer(&self, request: Request) -> Response {
        if !opens(request.headers(), Some(&self.token)) {
            return refused(
                StatusCode::UNAUTHORIZED,
                "Send the token: Authorization: Bearer TOKEN",
            );
        }
        match &self.door {
            Some(door) => door(request).await,
            None => refused(StatusCode::NOT_FOUND, "This loquat was built without mcp."),
        }
    }
}
