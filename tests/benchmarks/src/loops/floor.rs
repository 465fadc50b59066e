//! What requests to a model server cost when nothing but the requests is made: the floor under a loop's own cost.
//!
//! The plain client is a process of its own, as the subjects are: within the server's process a request would be spared
//! the way from one process to the other.

use std::io::{BufRead, Write};

use anyhow::{Context, Result, ensure};
use bytes::Bytes;
use http_body_util::{BodyExt, Full};
use hyper::Request;
use hyper::client::conn::http1;
use hyper::header::{CONTENT_TYPE, HOST};
use hyper_util::rt::TokioIo;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use tokio::net::TcpStream;
use tokio::task::JoinSet;
use tokio::time::Instant;

use super::answer_lines;

/// Requests to be made.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct Errand {
    /// The address of a model server.
    pub(super) url: String,
    /// What is posted, one after the other.
    pub(super) bodies: Vec<Value>,
    /// How often.
    pub(super) rounds: usize,
}

/// Answers each errand, a line of `input`, with the seconds of its rounds, until there is no more.
pub async fn serve(input: impl BufRead, output: impl Write) -> Result<()> {
    answer_lines(input, output, errand_laps).await
}

/// Over one kept connection.
async fn errand_laps(errand: &Errand) -> Result<Vec<f64>> {
    let url = &errand.url;
    let rest = url
        .strip_prefix("http://")
        .context("an address of our own is plain")?;
    let (host, _) = rest.split_once('/').context("an address of our own has a path")?;
    let stream = TcpStream::connect(host).await?;
    stream.set_nodelay(true)?;
    let (mut sender, connection) = http1::handshake(TokioIo::new(stream)).await?;
    let mut tasks = JoinSet::new();
    tasks.spawn(connection);
    let bodies: Vec<Bytes> = errand
        .bodies
        .iter()
        .map(|body| Bytes::from(body.to_string()))
        .collect();
    let mut laps = Vec::with_capacity(errand.rounds);
    for _ in 0..errand.rounds {
        let began = Instant::now();
        for body in &bodies {
            let request = Request::post(format!("{url}/chat/completions"))
                .header(HOST, host)
                .header(CONTENT_TYPE, "application/json")
                .body(Full::new(body.clone()))?;
            sender.ready().await?;
            let response = sender.send_request(request).await?;
            ensure!(response.status().is_success(), "the scripted server refused");
            response.into_body().collect().await?;
        }
        laps.push(began.elapsed().as_secs_f64());
    }
    Ok(laps)
}
