//! The bus that we bring (MSG-1, SESSION-1 §2.5, and what clients of ovos-messagebus expect).

use futures_util::StreamExt;
use serde_json::json;
use tokio::time::timeout;
use tokio_tungstenite::connect_async;

use super::{Row, row, verdict};
use crate::frame::Frame;
use crate::probe::BusProbe;
use crate::wait::PATIENCE;

#[expect(clippy::too_many_lines, reason = "a table of rows, each on its own")]
pub(super) fn rows() -> Vec<Row> {
    vec![
        row!("BU-1", "what goes in comes out", |stand| {
            let frame = json!({"type": "suite.relay", "data": {"n": 1.50, "ü": null}, "context": {"source": "suite", "session": {"a": null}}, "more": [1]});
            let mark = stand.probe.mark();
            stand.probe.send(&frame).await;
            let seen = stand
                .probe
                .wait("the echo", mark, PATIENCE, |frame| frame.topic == "suite.relay")
                .await;
            verdict(
                seen.data == frame["data"] && seen.context == frame["context"],
                seen.context.to_string(),
            )
        }),
        row!("BU-2", "a malformed session is rejected once for all", |stand| {
            let others = [
                BusProbe::connect(stand.port).await,
                BusProbe::connect(stand.port).await,
            ];
            stand
                .probe
                .send(&json!({"type": "suite.bad", "context": {"session": "x"}}))
                .await;
            let mut counts = Vec::new();
            for probe in &others {
                probe
                    .wait("the rejection", 0, PATIENCE, |frame| {
                        frame.topic == "ovos.session.rejected"
                    })
                    .await;
                probe
                    .send(&json!({"type": "suite.after", "context": {"source": "suite"}}))
                    .await;
                probe
                    .wait("the echo", 0, PATIENCE, |frame| frame.topic == "suite.after")
                    .await;
                let seen = probe.since(0);
                counts.push(
                    seen.iter()
                        .filter(|frame| frame.topic == "ovos.session.rejected")
                        .count(),
                );
                counts.push(seen.iter().filter(|frame| frame.topic == "suite.bad").count());
            }
            verdict(counts == [1, 0, 1, 0], format!("{counts:?}"))
        }),
        row!("BU-3", "a destination restricts nothing", |stand| {
            let other = BusProbe::connect(stand.port).await;
            stand
                .probe
                .send(&json!({"type": "suite.for", "context": {"source": "suite", "destination": "nobody"}}))
                .await;
            let seen = other
                .try_wait(0, PATIENCE, |frame| frame.topic == "suite.for")
                .await;
            verdict(seen.is_some(), "everybody heard it")
        }),
        row!(
            "BU-4",
            "what is no message is dropped, and its sender stays",
            |stand| {
                let other = BusProbe::connect(stand.port).await;
                let garbage = [
                    "",
                    "not json",
                    "[]",
                    "42",
                    "{}",
                    r#"{"type":""}"#,
                    r#"{"type":"suite.bad","data":[]}"#,
                ];
                for text in garbage {
                    stand.probe.send_raw(text).await;
                }
                stand
                    .probe
                    .send(&json!({"type": "suite.good", "context": {"source": "suite"}}))
                    .await;
                other
                    .wait("the good frame", 0, PATIENCE, |frame| frame.topic == "suite.good")
                    .await;
                let heard = other
                    .since(0)
                    .iter()
                    .filter(|frame| frame.topic == "suite.bad")
                    .count();
                verdict(
                    heard == 0,
                    format!("{} dropped, the next was relayed", garbage.len()),
                )
            }
        ),
        row!(
            "BU-6",
            "in order, and who does not read is cut off alone",
            |stand| {
                let mark = stand.probe.mark();
                for number in 0..500 {
                    let frame =
                        json!({"type": "suite.count", "data": {"n": number}, "context": {"source": "suite"}});
                    stand.probe.send(&frame).await;
                }
                let last = |frame: &Frame| frame.topic == "suite.count" && frame.data["n"] == 499;
                stand.probe.wait("the last", mark, PATIENCE, last).await;
                let counted = stand
                    .probe
                    .since(mark)
                    .into_iter()
                    .filter(|frame| frame.topic == "suite.count");
                let numbers: Vec<_> = counted.filter_map(|frame| frame.data["n"].as_u64()).collect();
                let url = format!("ws://127.0.0.1:{}/core", stand.port);
                let (mut lazy, _) = connect_async(url).await.map_err(|error| error.to_string())?;
                let padding = "x".repeat(20 << 20);
                for number in 0..5 {
                    let data = json!({"n": number, "x": padding});
                    let frame = json!({"type": "suite.large", "data": data, "context": {"source": "suite"}});
                    stand.probe.send(&frame).await;
                    let echo = |frame: &Frame| frame.topic == "suite.large" && frame.data["n"] == number;
                    stand
                        .probe
                        .wait("the echo of a large frame", mark, PATIENCE, echo)
                        .await;
                }
                let left = async { while let Some(Ok(_)) = lazy.next().await {} };
                let cut = timeout(PATIENCE, left).await.is_ok();
                verdict(
                    numbers.len() == 500 && numbers.is_sorted() && cut,
                    format!("{} in order, cut off: {cut}", numbers.len()),
                )
            }
        ),
        row!("BU-7", "topics are not translated", |stand| {
            let mark = stand.probe.mark();
            let frame = json!({"type": "recognizer_loop:record_begin", "context": {"source": "suite"}});
            stand.probe.send(&frame).await;
            stand.settle().await;
            let frames = stand.probe.since(mark).into_iter();
            let names: Vec<String> = frames
                .map(|frame| frame.topic)
                .filter(|name| name.contains("record"))
                .collect();
            verdict(names == ["recognizer_loop:record_begin"], names.join(" "))
        }),
        row!("BU-5", "greeting, and frames of 24 MiB", |stand| {
            let other = BusProbe::connect(stand.port).await;
            let greeting = other
                .since(0)
                .into_iter()
                .next()
                .map(|frame| frame.context)
                .unwrap_or_default();
            let padding = "x".repeat(24 << 20);
            stand
                .probe
                .send(&json!({"type": "suite.big", "data": {"x": padding}, "context": {"source": "suite"}}))
                .await;
            other
                .wait("the big frame", 0, PATIENCE, |frame| frame.topic == "suite.big")
                .await;
            verdict(
                greeting == json!({"session": {"session_id": "default"}}),
                greeting.to_string(),
            )
        }),
    ]
}
