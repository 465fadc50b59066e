//! Which request is answered by what. Never waits for anything itself.

use bytes::Bytes;
use http_body_util::{Either, Full};
use hyper::body::Incoming;
use hyper::header::{CONTENT_TYPE, RETRY_AFTER};
use hyper::{Method, Request, Response, StatusCode};
use serde_json::{Value, json};

use super::events::EventStream;
use super::{Service, chat, completion};
use crate::refusal::Refusal;

/// A body that is there at once, or one that is written while it is sent.
pub(super) type Body = Either<Full<Bytes>, EventStream>;

pub(super) async fn answer(service: &Service, request: Request<Incoming>) -> Response<Body> {
    let (method, path) = (request.method().clone(), request.uri().path().to_owned());
    let answered = match (&method, path.as_str()) {
        (&Method::GET, "/health") => Ok(health(service)),
        (&Method::GET, "/v1/models") => Ok(json_response(StatusCode::OK, &models(service))),
        (&Method::POST, "/v1/chat/completions") => chat::answer(service, request.into_body()).await,
        _ => Err(Refusal::not_found(method.as_str(), &path)),
    };
    answered.unwrap_or_else(|refusal| refused(&refusal))
}

fn health(service: &Service) -> Response<Body> {
    let (code, status) = match service.facts.get() {
        Some(_) => (StatusCode::OK, "ok"),
        None => (StatusCode::SERVICE_UNAVAILABLE, "loading"),
    };
    let (sandbox, kernel) = (&service.confinement, service.kernel.to_string());
    json_response(
        code,
        &json!({"status": status, "sandbox": sandbox, "kernel": kernel}),
    )
}

fn models(service: &Service) -> Value {
    let window = service.facts.get().map(|facts| facts.window);
    json!({"object": "list", "data": [{
        "id": service.model,
        "object": "model",
        "created": completion::now(),
        "owned_by": "loquat",
        "context_length": window,
    }]})
}

pub(super) fn json_response(status: StatusCode, content: &Value) -> Response<Body> {
    let mut response = Response::new(Either::Left(Full::new(Bytes::from(content.to_string()))));
    *response.status_mut() = status;
    response.headers_mut().insert(
        CONTENT_TYPE,
        hyper::header::HeaderValue::from_static("application/json"),
    );
    response
}

fn refused(refusal: &Refusal) -> Response<Body> {
    let mut response = json_response(refusal.status(), &refusal.to_json());
    if let Some(after) = refusal.retry_after() {
        response
            .headers_mut()
            .insert(RETRY_AFTER, after.as_secs().max(1).into());
    }
    response
}
