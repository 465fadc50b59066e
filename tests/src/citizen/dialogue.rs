//! Personas through several utterances (PERSONA-1 §6 and §8, STOP-1 §9), where we orchestrate.

use serde_json::json;

use super::stand::{PIRATE, TESTER};
use super::stop::{pondering, stopped};
use super::{Row, row, verdict};
use crate::brain::Request;
use crate::daemon::Launch;
use crate::frame::Frame;
use crate::turn::{HANDLED, Utterance};
use crate::wait::PATIENCE;

#[expect(clippy::too_many_lines, reason = "a table of rows, each on its own")]
pub(super) fn rows() -> Vec<Row> {
    vec![
        row!(
            "PE-1",
            "one persona to a session, and an empty id is none",
            |stand| {
                let ask = |id: &str| Utterance::new("who is it").in_session("pe-one").to(id);
                let (none, ours) = (
                    ask("").ask(&stand.probe).await,
                    ask(PIRATE).ask(&stand.probe).await,
                );
                let other = stand.say("who is it", "pe-one-other").await;
                let said = [none.answer(), ours.answer(), other.answer()];
                let wanted = ["The tester has it.", "The pirate has it.", "The tester has it."];
                verdict(said == wanted, said.join(" "))
            }
        ),
        row!(
            "PE-6",
            "a dismissal ends what is being thought, and history stays",
            |stand| {
                let known = stand.say("my parrot is called Flint", "pe-six").await;
                let (long, mark) = pondering(stand, "pe-six").await;
                let given_up = stand.brain.given_up(TESTER);
                let goodbye = Utterance::new("Goodbye Tester").in_session("pe-six").to(TESTER);
                let goodbye = goodbye.ask(&stand.probe).await;
                let turn = long.end(&stand.probe, mark).await;
                stand.brain.abandoned(TESTER, given_up + 1, PATIENCE).await;
                Utterance::new("what is it called")
                    .in_session("pe-six")
                    .to(TESTER)
                    .ask(&stand.probe)
                    .await;
                let shown = stand
                    .brain
                    .requests(TESTER)
                    .last()
                    .map(Request::text)
                    .unwrap_or_default();
                let holds =
                    known.ends() == 1 && turn.ends() == 1 && turn.spoken().is_empty() && goodbye.ends() == 1;
                verdict(
                    holds && shown.contains("Flint"),
                    "ended in silence, and remembered",
                )
            }
        ),
        row!(
            "PE-12",
            "what a session said before is shown to its brain",
            |stand| {
                stand.say("the password is otter", "pe-twelve").await;
                stand.say("what is the password", "pe-twelve").await;
                let shown = stand
                    .brain
                    .requests(TESTER)
                    .last()
                    .map(Request::text)
                    .unwrap_or_default();
                verdict(shown.contains("otter"), "the second request has the first words")
            }
        ),
        row!("PE-17", "what is being thought watches for the stop", |stand| {
            let (turn, took) = stopped(stand, "ovos.stop", "pe-stop").await;
            verdict(turn.ends() == 1 && turn.spoken().is_empty(), format!("{took:?}"))
        }),
        row!("PE-22", "no persona is listed twice", |stand| {
            let list = stand.probe.request("ovos.persona.list", &json!({})).await;
            let personas = list.data["personas"].as_array().cloned().unwrap_or_default();
            let mut ids: Vec<String> = personas
                .iter()
                .map(|entry| entry["persona_id"].to_string())
                .collect();
            let all = ids.len();
            ids.sort();
            ids.dedup();
            verdict(all > 0 && ids.len() == all, ids.join(" "))
        }),
        row!(
            "PE-23",
            "at work it says that it can be stopped, and is",
            |stand| {
                let (long, mark) = pondering(stand, "pe-busy").await;
                let session = json!({"session_id": "pe-busy", "active_handlers": [{"skill_id": "loquat", "activated_at": 4e9}]});
                let context = json!({"session": session, "utterance_id": "pe-23"});
                let pong = stand
                    .ask("ovos.stop.ping", json!({}), context.clone(), "ovos.stop.pong")
                    .await;
                let pong = pong.map(|pong| pong.data).unwrap_or_default();
                stand.send("loquat:stop", json!({}), context).await;
                let turn = long.end(&stand.probe, mark).await;
                verdict(
                    pong["can_handle"] == true && turn.ends() == 1 && turn.spoken().is_empty(),
                    pong.to_string(),
                )
            }
        ),
        row!("SP-10", "to stop everything dismisses the persona", |stand| {
            let plain = Utterance::new("stop")
                .in_session("sp-ten")
                .to(PIRATE)
                .ask(&stand.probe)
                .await;
            let all = Utterance::new("stop everything")
                .in_session("sp-ten")
                .to(PIRATE)
                .ask(&stand.probe)
                .await;
            let left =
                |turn: &crate::turn::Turn| turn.frame(HANDLED).context["session"]["persona_id"].clone();
            verdict(
                left(&plain) == PIRATE && left(&all).is_null(),
                format!("{} then {}", left(&plain), left(&all)),
            )
        }),
        row!(
            "AO-1",
            "speech is asked for with its words and their language",
            |stand| {
                let turn = stand.say("say a word", "ao").await;
                let data = &turn.spoken()[0].data;
                let holds = data["utterance"] == "The tester has it."
                    && data["lang"] == "en-US"
                    && data["listen"] == false
                    && data["expect_response"] == false;
                verdict(holds, data.to_string())
            }
        ),
        row!("LA-5", "a language that nobody named is not made up", |stand| {
            let home = stand.home().ok_or("no home of its own")?;
            let mut seen = Vec::new();
            for (arguments, wanted) in [
                (&["ask", "what is it"][..], json!(null)),
                (&["ask", "--lang", "de-DE", "was ist es"], json!("de-DE")),
            ] {
                let mark = stand.probe.mark();
                let finished = Launch::new(home, arguments).run().await;
                let is_entry = |frame: &Frame| frame.is_entry() && frame.context["source"] == "loquat-cli";
                let entry = stand.probe.try_wait(mark, PATIENCE, is_entry).await;
                let lang = entry
                    .map(|entry| entry.data["lang"].clone())
                    .ok_or_else(|| finished.shown())?;
                if lang != wanted {
                    return Err(format!("{lang} instead of {wanted}"));
                }
                seen.push(lang.to_string());
            }
            verdict(true, format!("typed {}, told {}", seen[0], seen[1]))
        }),
    ]
}
