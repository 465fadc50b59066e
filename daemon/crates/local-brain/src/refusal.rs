//! A request that is not served, in the OpenAI shape of errors. Never carries what people said.

use std::time::Duration;

use hyper::StatusCode;
use serde_json::{Value, json};

/// Says why a request is not served.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Refusal {
    status: StatusCode,
    code: Option<&'static str>,
    param: Option<String>,
    message: String,
    retry_after: Option<Duration>,
}

impl Refusal {
    fn new(status: StatusCode, code: Option<&'static str>, message: impl Into<String>) -> Self {
        Self {
            status,
            code,
            param: None,
            message: message.into(),
            retry_after: None,
        }
    }

    /// The request itself is wrong (400), in the field `param` where there is one.
    pub(crate) fn bad_request(param: Option<String>, message: impl Into<String>) -> Self {
        Self {
            param,
            ..Self::new(StatusCode::BAD_REQUEST, None, message)
        }
    }

    /// The conversation does not fit into the model's window (400).
    pub(crate) fn context_length_exceeded(message: impl Into<String>) -> Self {
        Self {
            param: Some("messages".to_owned()),
            ..Self::new(StatusCode::BAD_REQUEST, Some("context_length_exceeded"), message)
        }
    }

    /// Nothing is served at that path (404).
    pub(crate) fn not_found(method: &str, path: &str) -> Self {
        let message = format!(
            "failed to serve {method} {path}: only GET /health, GET /v1/models and POST /v1/chat/completions are served"
        );
        Self::new(StatusCode::NOT_FOUND, Some("not_found"), message)
    }

    /// The request's body did not come (408).
    pub(crate) fn too_slow() -> Self {
        Self::new(
            StatusCode::REQUEST_TIMEOUT,
            Some("request_timeout"),
            "failed to read the request: its body did not arrive in time",
        )
    }

    /// The request's body is too large (413).
    pub(crate) fn too_large(limit: usize) -> Self {
        let message = format!("failed to read the request: its body has more than {limit} bytes");
        Self::new(StatusCode::PAYLOAD_TOO_LARGE, Some("request_too_large"), message)
    }

    /// The model failed on the request (500).
    pub(crate) fn failed(message: impl Into<String>) -> Self {
        Self::new(
            StatusCode::INTERNAL_SERVER_ERROR,
            Some("generation_failed"),
            message,
        )
    }

    /// The model cannot answer now, but can after a while (503).
    pub(crate) fn unavailable(code: &'static str, message: &str, retry_after: Duration) -> Self {
        Self {
            retry_after: Some(retry_after),
            ..Self::new(StatusCode::SERVICE_UNAVAILABLE, Some(code), message)
        }
    }

    pub(crate) fn status(&self) -> StatusCode {
        self.status
    }

    pub(crate) fn retry_after(&self) -> Option<Duration> {
        self.retry_after
    }

    pub(crate) fn to_json(&self) -> Value {
        let kind = if self.status.is_client_error() {
            "invalid_request_error"
        } else {
            "server_error"
        };
        json!({"error": {
            "message": self.message,
            "type": kind,
            "param": self.param,
            "code": self.code,
        }})
    }
}
