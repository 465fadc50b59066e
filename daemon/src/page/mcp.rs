//! MCP on the page's listener, where the settings open it: with a token of its own, since a program is no browser.

use std::fmt;
use std::sync::Arc;

use axum::body::Body;
use axum::extract::{Request, State};
use axum::http::StatusCode;
use axum::response::Response;
use loquat_bus::Bus;
use rmcp::transport::streamable_http_server::StreamableHttpService;
use rmcp::transport::streamable_http_server::session::never::NeverSessionManager;
use secrecy::SecretString;

use super::PageState;
use super::guard::{opens, refused};
use super::own_address::OwnAddress;
use crate::cli::mcp::{Desk, streamable};
use crate::settings::Settings;

/// What serves it.
pub(super) struct Mcp {
    service: StreamableHttpService<Desk, NeverSessionManager>,
    token: SecretString,
}

impl fmt::Debug for Mcp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Mcp").finish_non_exhaustive()
    }
}

impl Mcp {
    /// For clients that bring this token.
    pub(super) fn new((settings, bus): (&Settings, Bus), own: &OwnAddress, token: SecretString) -> Self {
        let desk = Desk::new(settings, bus);
        let service = streamable(move || desk.anew(), &own.names(), &own.origins());
        Self { service, token }
    }
}

/// Serves one request.
pub(super) async fn serve(State(page): State<Arc<PageState>>, request: Request) -> Response {
    let Some(mcp) = &page.mcp else {
        return refused(
            StatusCode::NOT_FOUND,
            "MCP is not served here; page.mcp_token opens it.",
        );
    };
    if !opens(request.headers(), Some(&mcp.token)) {
        return refused(
            StatusCode::UNAUTHORIZED,
            "Send the token: Authorization: Bearer TOKEN",
        );
    }
    mcp.service.handle(request).await.map(Body::new)
}
