//! Reads a request's body. Never more of it than is allowed, and never for ever.

use std::time::Duration;

use bytes::Bytes;
use http_body_util::{BodyExt, LengthLimitError, Limited};
use hyper::body::Incoming;

use crate::refusal::Refusal;

/// A body has at most this many bytes. That is far more than any window, so what is larger is a mistake.
const LARGEST: usize = 8 * 1024 * 1024;

/// A request comes over a local socket; one that takes longer does not come at all.
const PATIENCE: Duration = Duration::from_secs(30);

/// The whole body.
///
/// # Errors
/// 413 when it is too large, 408 when it does not come, 400 when it breaks off.
pub(super) async fn read(body: Incoming) -> Result<Bytes, Refusal> {
    let whole = Limited::new(body, LARGEST).collect();
    match tokio::time::timeout(PATIENCE, whole).await {
        Err(_) => Err(Refusal::too_slow()),
        Ok(Ok(whole)) => Ok(whole.to_bytes()),
        Ok(Err(error)) if error.is::<LengthLimitError>() => Err(Refusal::too_large(LARGEST)),
        Ok(Err(error)) => Err(Refusal::bad_request(
            None,
            format!("failed to read the request: its body broke off: {error}"),
        )),
    }
}
