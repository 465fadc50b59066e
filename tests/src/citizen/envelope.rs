//! Frames, sessions and derivations (MSG-1, SESSION-1).

use serde_json::{Value, json};

use super::{Row, row, verdict};

/// Asked with a question that only we answer, since a persona of ovos-core answers those about personas too. The last
/// rows of a run, since some look at everything that was said before.
#[expect(clippy::too_many_lines, reason = "a table of rows, each on its own")]
pub(super) fn rows() -> Vec<Row> {
    vec![
        row!("MS-2", "absent data and unknown keys are borne", |stand| {
            let mark = stand.probe.mark();
            stand
                .probe
                .send(&json!({"type": "ovos.tools.list", "x": 1}))
                .await;
            let answer = stand.probe.try_wait(mark, super::stand::SILENCE, |frame| {
                frame.topic == "ovos.tools.list.response"
            });
            verdict(
                answer.await.is_some(),
                "a frame without data and context was answered",
            )
        }),
        row!("MS-3", "malformed frames are dropped", |stand| {
            // Beside a real bus these would cost the sender its connection, not us.
            let texts: &[&str] = if stand.beside.is_none() {
                &[
                    "[]",
                    "7",
                    "not json",
                    r#"{"type":5}"#,
                    r#"{"type":"a","data":[]}"#,
                ]
            } else {
                &[r#"{"type":5}"#, r#"{"type":"a.b","data":[]}"#]
            };
            for text in texts {
                stand.probe.send_raw(text).await;
            }
            stand.settle().await;
            verdict(true, format!("{} bad frames, then an answer", texts.len()))
        }),
        row!("MS-6", "unknown context keys come back", |stand| {
            let answer = stand
                .ask(
                    "ovos.tools.list",
                    json!({}),
                    json!({"zzz": [1]}),
                    "ovos.tools.list.response",
                )
                .await;
            let context = answer.map(|frame| frame.context).unwrap_or_default();
            verdict(context["zzz"] == json!([1]), format!("zzz is {}", context["zzz"]))
        }),
        row!(
            "MS-10",
            "a lone source is copied to the destination of a reply",
            |stand| {
                let answer = stand
                    .ask(
                        "ovos.tools.list",
                        json!({}),
                        json!({}),
                        "ovos.tools.list.response",
                    )
                    .await;
                let context = answer.map(|frame| frame.context).unwrap_or_default();
                verdict(
                    context["destination"] == "suite",
                    format!("destination is {}", context["destination"]),
                )
            }
        ),
        row!(
            "MS-8",
            "a list of destinations is read, a text is emitted",
            |stand| {
                let context = json!({"destination": ["skills", "other"]});
                let answer = stand
                    .ask("ovos.tools.list", json!({}), context, "ovos.tools.list.response")
                    .await;
                let context = answer.map(|frame| frame.context).unwrap_or_default();
                verdict(
                    context["source"] == "skills",
                    format!("source is {}", context["source"]),
                )
            }
        ),
        row!("SE1-4", "a session that is a text is dropped", |stand| {
            let found = stand
                .answers(
                    "ovos.tools.list",
                    json!({}),
                    json!({"session": "x"}),
                    "ovos.tools.list.response",
                )
                .await;
            stand.settle().await;
            verdict(
                found.is_empty(),
                format!("{} answers, and the connection lives", found.len()),
            )
        }),
        row!("SE1-2", "fields of a wrong type count as absent", |stand| {
            let session = json!({"session_id": "odd", "lang": 7, "site_id": null});
            let answer = stand
                .ask(
                    "ovos.tools.list",
                    json!({}),
                    json!({"session": session}),
                    "ovos.tools.list.response",
                )
                .await;
            verdict(answer.is_some(), "answered")
        }),
        row!("SE1-5", "unknown session keys are carried on", |stand| {
            let session = json!({"session_id": "odd", "zzz": {"deep": 1}});
            let answer = stand
                .ask(
                    "ovos.tools.list",
                    json!({}),
                    json!({"session": session}),
                    "ovos.tools.list.response",
                )
                .await;
            let kept = answer
                .map(|frame| frame.context["session"]["zzz"].clone())
                .unwrap_or_default();
            verdict(kept == json!({"deep": 1}), format!("zzz is {kept}"))
        }),
        row!("ST-1", "is_alive and is_ready are answered", |stand| {
            let alive = stand.probe.request("mycroft.loquat.is_alive", &json!({})).await;
            let ready = stand.probe.request("mycroft.loquat.is_ready", &json!({})).await;
            let both = alive.data["status"] == true && ready.data["status"] == true;
            verdict(both, format!("{} and {}", alive.data, ready.data))
        }),
        row!("MS-1", "frames have only type, data and context", |stand| {
            let known = ["type", "data", "context"];
            over_all(&ours_only(stand), |frame| {
                let keys = frame.as_object().into_iter().flat_map(|frame| frame.keys());
                keys.into_iter().all(|key| known.contains(&key.as_str()))
            })
        }),
        row!(
            "MS-4",
            "topics have letters, digits and single separators",
            |stand| {
                over_all(&ours_only(stand), |frame| {
                    let topic = frame["type"].as_str().unwrap_or_default();
                    let mut separated = true;
                    let legal = topic.chars().all(|letter| {
                        let separator = ".:_-".contains(letter);
                        let bad = separator && separated;
                        separated = separator;
                        !bad && (separator || letter.is_ascii_alphanumeric())
                    });
                    legal && !separated
                })
            }
        ),
        row!(
            "MS-5",
            "a colon stands between a skill and its intent only",
            |stand| {
                over_all(&ours_only(stand), |frame| {
                    let topic = frame["type"].as_str().unwrap_or_default();
                    let twin = frame["context"]["_namespace_compat_twin"] == true;
                    let dispatch = topic.starts_with("loquat:") || topic.starts_with("loquat-");
                    twin || dispatch || !topic.contains(':') || topic == "padatious:register_intent"
                })
            }
        ),
        row!("MS-14", "numbers are numbers of JSON", |stand| {
            let garbled = stand.garbled();
            verdict(
                garbled.is_empty(),
                format!("{} texts that are no JSON {:?}", garbled.len(), garbled.first()),
            )
        }),
        row!("MS-7", "no empty routing keys, and only texts", |stand| {
            over_all(&ours_only(stand), |frame| {
                ["source", "destination"].iter().all(|key| {
                    let value = &frame["context"][*key];
                    value.is_null() || value.as_str().is_some_and(|text| !text.is_empty())
                })
            })
        }),
        row!("SE1-1", "no null in a session that we emit", |stand| {
            over_all(&ours_only(stand), |frame| {
                let session = frame["context"]["session"].as_object();
                session.is_none_or(|session| !session.values().any(Value::is_null))
            })
        }),
    ]
}

/// Lists what carries our id, or answers in our name: beside a core the rest is the core's.
fn ours_only(stand: &super::Stand) -> Vec<Value> {
    let mut frames = stand.ours();
    if stand.beside.is_some() {
        frames.retain(|frame| {
            let topic = frame["type"].as_str().unwrap_or_default();
            let core = topic.starts_with("ovos.intent.") || topic == "ovos.utterance.handled";
            let answers = ["ovos.tools.", "ovos.persona.tools.", "mycroft.loquat."];
            let ours = frame["context"]["skill_id"] == "loquat"
                || answers.iter().any(|name| topic.starts_with(name));
            // The core's answers to us carry our id back.
            let core = core || topic == "mycroft.intents.is_ready.response";
            let core = core || ["converse:skill", "stop:skill"].contains(&topic);
            let asked = topic.ends_with("request") || topic.ends_with("ping") || topic.starts_with("loquat:");
            ours && !core && !asked && !topic.starts_with("loquat.")
        });
    }
    frames
}

fn over_all(frames: &[Value], holds: impl Fn(&Value) -> bool) -> super::Verdict {
    match frames.iter().find(|frame| !holds(frame)) {
        Some(frame) => Err(format!("of {} frames: {frame}", frames.len())),
        None => verdict(!frames.is_empty(), format!("{} frames", frames.len())),
    }
}
