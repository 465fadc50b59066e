//! The HTTP side of the scripted brain.

use std::convert::Infallible;
use std::future::pending;
use std::sync::Arc;

use bytes::Bytes;
use futures_util::StreamExt;
use http_body_util::{BodyExt, Full, StreamBody, combinators::UnsyncBoxBody};
use hyper::body::{Frame, Incoming};
use hyper::header::{AUTHORIZATION, CONTENT_TYPE};
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper::{Method, Request as HttpRequest, Response};
use hyper_util::rt::TokioIo;
use serde_json::{Value, json};
use tokio::net::{TcpListener, TcpStream};
use tokio::task::JoinSet;
use tokio::time::sleep;

use super::Lanes;
use super::reply::{Delivery, Reply};
use super::request::Request;
use super::stream::{self, Broken};

type Body = UnsyncBoxBody<Bytes, Broken>;

/// Counts the request as given up unless it was seen through to the end.
struct Attention {
    lanes: Arc<Lanes>,
    lane: String,
    finished: bool,
}

impl Attention {
    fn finish(mut self) {
        self.finished = true;
    }
}

impl Drop for Attention {
    fn drop(&mut self) {
        if !self.finished {
            self.lanes.give_up(&self.lane);
        }
    }
}

/// Takes connections until it is dropped.
pub(super) async fn serve(listener: TcpListener, lanes: Arc<Lanes>) {
    let mut connections = JoinSet::new();
    while let Ok((stream, _)) = listener.accept().await {
        connections.spawn(connection(stream, Arc::clone(&lanes)));
        while connections.try_join_next().is_some() {}
    }
}

async fn connection(stream: TcpStream, lanes: Arc<Lanes>) {
    let service = service_fn(|request| answer(request, Arc::clone(&lanes)));
    // A connection that ends in an error is what several scripts are about.
    drop(
        http1::Builder::new()
            .serve_connection(TokioIo::new(stream), service)
            .await,
    );
}

async fn answer(request: HttpRequest<Incoming>, lanes: Arc<Lanes>) -> Result<Response<Body>, Infallible> {
    let path = request.uri().path().to_owned();
    if request.method() == Method::GET && path.ends_with("/v1/models") {
        let list = json!({"object": "list", "data": [{"id": "scripted", "object": "model"}]});
        return Ok(plain(200, &list));
    }
    let lane = path
        .strip_suffix("/v1/chat/completions")
        .filter(|_| request.method() == Method::POST);
    let Some(lane) = lane.map(|lane| lane.trim_start_matches('/').to_owned()) else {
        return Ok(plain(
            404,
            &json!({"error": {"message": format!("nothing at {path}")}}),
        ));
    };
    Ok(chat(request, lane, lanes).await)
}

async fn chat(request: HttpRequest<Incoming>, lane: String, lanes: Arc<Lanes>) -> Response<Body> {
    let authorization = request
        .headers()
        .get(AUTHORIZATION)
        .and_then(|value| value.to_str().ok())
        .map(str::to_owned);
    let Ok(bytes) = request
        .into_body()
        .collect()
        .await
        .map(http_body_util::Collected::to_bytes)
    else {
        return plain(400, &json!({"error": {"message": "the body broke off"}}));
    };
    let request = Request::new(bytes, authorization);
    let outline = request.outline();
    let (model, stream, spoken) = (Value::from(&*outline.model), outline.stream, outline.spoken());
    let reply = lanes.take(&lane, request, spoken);
    let attention = Attention {
        lanes,
        lane,
        finished: false,
    };
    // Even a sleep of no length lasts until the next millisecond, and benches would count it.
    if !reply.delay.is_zero() {
        sleep(reply.delay).await;
    }
    if let Some(gate) = &reply.gate {
        gate.opened().await;
    }
    if reply.delivery == Delivery::Never {
        pending::<()>().await;
    }
    respond(&reply, &model, stream, attention)
}

fn respond(reply: &Reply, model: &Value, streamed: bool, attention: Attention) -> Response<Body> {
    let body = stream::body(reply, model, streamed);
    let events = streamed && reply.status == 200 && reply.raw_body.is_none();
    let kind = if events {
        "text/event-stream"
    } else {
        "application/json"
    };
    let end = futures_util::stream::once(async move {
        attention.finish();
        Ok(Bytes::new())
    });
    // A body that the script itself breaks is not one that the client gave up.
    let broken = reply.delivery == Delivery::CutInHalf;
    let pieces = stream::halted(reply, body);
    let pieces = if broken {
        end.chain(pieces).boxed()
    } else {
        pieces.chain(end).boxed()
    };
    let body = StreamBody::new(pieces.map(|piece| piece.map(Frame::data)));
    let mut response = Response::builder()
        .status(reply.status)
        .header(CONTENT_TYPE, kind);
    for (name, value) in &reply.headers {
        response = response.header(name, value);
    }
    response
        .body(body.boxed_unsync())
        .expect("a scripted reply has valid headers")
}

fn plain(status: u16, value: &Value) -> Response<Body> {
    let body = Full::new(Bytes::from(value.to_string())).map_err(|never: Infallible| match never {});
    Response::builder()
        .status(status)
        .header(CONTENT_TYPE, "application/json")
        .body(body.boxed_unsync())
        .expect("a status of our own is valid")
}
