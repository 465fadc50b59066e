//! The bus that we bring (MSG-1, SESSION-1 §2.5, and what clients of ovos-messagebus expect).

use serde_json::json;

use super::{Row, row, verdict};
use crate::probe::BusProbe;
use crate::wait::PATIENCE;

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
