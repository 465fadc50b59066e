//! The port by which the door of one part is opened at the listener of another: what answers requests of HTTP. Opens nothing.

use std::fmt::Debug;
use std::sync::Arc;

use axum::extract::Request;
use axum::response::Response;
use futures_util::future::BoxFuture;

/// What answers requests.
pub type Answering = Arc<dyn Fn(Request) -> BoxFuture<'static, Response> + Send + Sync>;

/// A door for programs that can stand at the listener of another part.
pub trait HttpDoor: Debug + Send + Sync {
    /// Opens it to requests for these names that come from no web page, or from one of these origins.
    fn open(&self, names: &[String], origins: &[String]) -> Answering;
}
