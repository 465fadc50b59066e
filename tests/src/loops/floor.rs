//! What requests to a model server cost when nothing but the requests is made: the floor under a loop's own cost.

use anyhow::{Context, Result, ensure};
use bytes::Bytes;
use http_body_util::{BodyExt, Full};
use hyper::Request;
use hyper::client::conn::http1;
use hyper::header::{CONTENT_TYPE, HOST};
use hyper_util::rt::TokioIo;
use serde_json::Value;
use tokio::net::TcpStream;
use tokio::task::JoinSet;
use tokio::time::Instant;

/// Posts these bodies one after the other over one kept connection, `rounds` times; gives the seconds of each round.
pub async fn measure(url: &str, bodies: &[Value], rounds: usize) -> Result<Vec<f64>> {
    let rest = url
        .strip_prefix("http://")
        .context("an address of our own is plain")?;
    let (host, _) = rest.split_once('/').context("an address of our own has a path")?;
    let stream = TcpStream::connect(host).await?;
    stream.set_nodelay(true)?;
    let (mut sender, connection) = http1::handshake(TokioIo::new(stream)).await?;
    let mut tasks = JoinSet::new();
    tasks.spawn(connection);
    let bodies: Vec<Bytes> = bodies.iter().map(|body| Bytes::from(body.to_string())).collect();
    let mut laps = Vec::with_capacity(rounds);
    for _ in 0..rounds {
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
