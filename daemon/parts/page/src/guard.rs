//! Who may see what: every request is for one of our own names, of no foreign page, of a browser that has entered; and what
//! changes something comes from a form of ours. Says in headers what browsers may do with an answer.

use std::sync::Arc;
use std::time::Duration;

use axum::body::{Body, to_bytes};
use axum::extract::{Form, FromRequest, Request, State};
use axum::http::header::{
    CACHE_CONTROL, CONTENT_SECURITY_POLICY, COOKIE, HOST, HeaderName, LOCATION, ORIGIN, REFERRER_POLICY,
    X_CONTENT_TYPE_OPTIONS, X_FRAME_OPTIONS,
};
use axum::http::{HeaderMap, HeaderValue, Method, StatusCode};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use tokio::time::timeout;

use super::answer::refused;
use super::bearer::opens;
use super::page_state::PageState;
use super::session::{Session, is_same};
use super::submission::Submission;

pub(super) const COOKIE_NAME: &str = "loquat_page";

/// Where browsers enter.
const ENTRY: &str = "/enter";

/// Bytes of a form.
const LARGEST_FORM: usize = 64 << 10;

/// For a form to arrive.
const PATIENCE: Duration = Duration::from_secs(10);

/// Scripts, styles and requests of ours alone; no page frames us, and no form of ours goes elsewhere.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; \
                      form-action 'self'; base-uri 'none'; frame-ancestors 'none'";

/// Lets a request through, or says why not.
pub(super) async fn guard(State(page): State<Arc<PageState>>, request: Request, next: Next) -> Response {
    let is_asset = request.uri().path().starts_with("/assets/");
    let mut response = match admit(&page, request).await {
        Ok(request) => next.run(request).await,
        Err(refusal) => refusal,
    };
    let cache = if is_asset { "max-age=3600" } else { "no-store" };
    let headers = [
        (CONTENT_SECURITY_POLICY, POLICY),
        (X_CONTENT_TYPE_OPTIONS, "nosniff"),
        (X_FRAME_OPTIONS, "DENY"),
        // Without a referrer to itself, a browser hides where our own forms come from.
        (REFERRER_POLICY, "same-origin"),
        (
            HeaderName::from_static("cross-origin-opener-policy"),
            "same-origin",
        ),
        (
            HeaderName::from_static("cross-origin-resource-policy"),
            "same-origin",
        ),
        (
            HeaderName::from_static("permissions-policy"),
            "camera=(), microphone=(), geolocation=()",
        ),
        (CACHE_CONTROL, cache),
    ];
    for (name, value) in headers {
        response
            .headers_mut()
            .insert(name, HeaderValue::from_static(value));
    }
    response
}

async fn admit(page: &PageState, mut request: Request) -> Result<Request, Response> {
    let host = host_of(&request).filter(|host| page.own.is_host(host));
    let host = host.ok_or_else(|| {
        refused(
            StatusCode::MISDIRECTED_REQUEST,
            "This is not the page of that name; page.names says which names it has.",
        )
    })?;
    let path = request.uri().path().to_owned();
    // Which of several would count is another one for each program on the way.
    if request.headers().get_all(ORIGIN).iter().nth(1).is_some() {
        return Err(refused(
            StatusCode::BAD_REQUEST,
            "The request has more than one origin.",
        ));
    }
    // What MCP clients may is up to their own door.
    if path == "/mcp" {
        return Ok(request);
    }
    let changes = request.method() != Method::GET && request.method() != Method::HEAD;
    let origin = text(request.headers(), &ORIGIN);
    // What a file of this machine sends has no origin; it may enter with a token, which is proof enough.
    let is_of_file = changes && path == ENTRY && origin.as_deref() == Some("null");
    let is_own = origin.map(|origin| page.own.is_origin(&origin, &host));
    if (is_own == Some(false) && !is_of_file) || (changes && is_own.is_none()) {
        return Err(refused(
            StatusCode::FORBIDDEN,
            "The request comes from another page.",
        ));
    }
    let session = cookie(request.headers(), COOKIE_NAME).and_then(|secret| page.sessions.find(&secret));
    if changes {
        request = read(request).await?;
    }
    if is_of_file && !has_only_token(&request) {
        return Err(refused(
            StatusCode::FORBIDDEN,
            "The request comes from another page.",
        ));
    }
    let is_open = path == ENTRY || path.starts_with("/assets/");
    let Some(session) = session else {
        let is_monitor = path == "/metrics" && opens(request.headers(), page.metrics_token.as_ref());
        return if is_open || is_monitor {
            Ok(request)
        } else {
            Err(outside(&request))
        };
    };
    if changes && !is_open && !is_of(&request, &session) {
        return Err(refused(
            StatusCode::FORBIDDEN,
            "The form is not of this visit; load the page again.",
        ));
    }
    request.extensions_mut().insert(session);
    Ok(request)
}

/// Finds the one host that a request is for; none where it names several, or one in its first line that is
/// another.
fn host_of(request: &Request) -> Option<String> {
    let mut hosts = request.headers().get_all(HOST).iter();
    let (host, None) = (hosts.next()?.to_str().ok()?, hosts.next()) else {
        return None;
    };
    let named = request.uri().authority();
    let is_same = named.is_none_or(|named| named.as_str().eq_ignore_ascii_case(host));
    is_same.then(|| host.to_owned())
}

/// Tells whether a form brings a token, and no password to be guessed.
fn has_only_token(request: &Request) -> bool {
    let sent = request.extensions().get::<Submission>();
    sent.is_some_and(|sent| sent.get("token").is_some() && sent.get("password").is_none())
}

/// Reads a form; requests of ours hold nothing else.
async fn read(request: Request) -> Result<Request, Response> {
    let (parts, body) = request.into_parts();
    let bytes = match timeout(PATIENCE, to_bytes(body, LARGEST_FORM)).await {
        Ok(Ok(bytes)) => bytes,
        Ok(Err(_)) => {
            return Err(refused(
                StatusCode::PAYLOAD_TOO_LARGE,
                "The form is larger than 64 KiB.",
            ));
        }
        Err(_) => return Err(refused(StatusCode::REQUEST_TIMEOUT, "The form did not arrive.")),
    };
    let again = Request::from_parts(parts.clone(), Body::from(bytes));
    let Ok(Form(fields)) = Form::<Vec<(String, String)>>::from_request(again, &()).await else {
        return Err(refused(
            StatusCode::BAD_REQUEST,
            "The request holds no form of ours.",
        ));
    };
    let mut request = Request::from_parts(parts, Body::empty());
    request.extensions_mut().insert(Submission::new(fields));
    Ok(request)
}

fn is_of(request: &Request, session: &Session) -> bool {
    let sent = request.extensions().get::<Submission>();
    let sent = sent.and_then(|sent| sent.get("csrf"));
    sent.is_some_and(|sent| is_same(sent, &session.csrf))
}

/// Answers a browser that has not entered.
fn outside(request: &Request) -> Response {
    if request.method() == Method::GET && request.uri().path() == "/" {
        return (StatusCode::SEE_OTHER, [(LOCATION, "/enter")]).into_response();
    }
    refused(
        StatusCode::UNAUTHORIZED,
        "Enter first: run loquat page on the device.",
    )
}

fn text(headers: &HeaderMap, name: &HeaderName) -> Option<String> {
    headers.get(name)?.to_str().ok().map(str::to_owned)
}

/// Gives what a cookie of this name holds.
pub(super) fn cookie(headers: &HeaderMap, wanted: &str) -> Option<String> {
    let all = headers
        .get_all(COOKIE)
        .iter()
        .filter_map(|value| value.to_str().ok());
    let mut pairs = all
        .flat_map(|value| value.split(';'))
        .filter_map(|pair| pair.trim().split_once('='));
    let own = pairs.find(|(name, _)| *name == wanted)?.1;
    Some(own.to_owned())
}
