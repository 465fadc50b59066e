//! Without an ovos-core we are the orchestrator: what other skills registered goes to them, what no skill takes to the
//! persona, and every utterance ends once.

use loquat_tests::brain::Reply;
use loquat_tests::frame::Frame;
use loquat_tests::skill::{Manners, ScriptedSkill};
use loquat_tests::turn::{HANDLED, Turn, Utterance};
use loquat_tests::wait::PATIENCE;
use serde_json::{Value, json};

use crate::story::{Scene, Story, TESTER, assert_sentence, assert_well_formed};

async fn with_skill(manners: Manners) -> (Story, ScriptedSkill) {
    let story = Story::begin().await;
    story
        .brain
        .whenever(TESTER, "", Reply::answers("The persona has it."));
    let skill = ScriptedSkill::join(story.home.port(), "test-skill", manners).await;
    skill.teach("greet", &["(hello|good day) {name}"]).await;
    (story, skill)
}

fn in_order(turn: &Turn, wanted: &[&str]) {
    let topics = turn.topics();
    let mut rest = topics.iter();
    for topic in wanted {
        assert!(
            rest.any(|seen| seen == topic),
            "{topic} is not in its place in {topics:?}"
        );
    }
}

/// A session in which this skill has been active.
fn active(skill: &str) -> Value {
    json!([{"skill_id": skill, "activated_at": 4_000_000_000_u64}])
}

#[tokio::test]
async fn an_intent_of_a_skill_is_dispatched_to_it_and_ends_once() {
    for manners in [Manners::modern(), Manners::older()] {
        let older = manners.older;
        let (story, skill) = with_skill(manners).await;
        let turn = story.ask("Good day Ada Lovelace!").await;
        assert_eq!(turn.answer(), "test-skill has it.", "older: {older}");
        in_order(
            &turn,
            &[
                "ovos.intent.matched",
                "ovos.intent.handler.start",
                "test-skill:greet",
                "speak",
                "ovos.intent.handler.complete",
            ],
        );
        let data = &skill.heard()[0].data;
        assert_eq!(data["slots"], json!({"name": "Ada Lovelace"}));
        assert_eq!(data["utterance"], "Good day Ada Lovelace!");
        if older {
            assert_eq!(
                data["name"], "Ada Lovelace",
                "older skills read slots beside the utterance"
            );
        } else {
            assert_eq!(
                data.as_object().unwrap().len(),
                3,
                "lang, utterance and slots: {data}"
            );
        }
        let matched = turn.frame("ovos.intent.matched");
        assert_eq!(matched.data["skill_id"], "test-skill");
        assert_eq!(matched.data["intent_name"], "greet");
        let id = matched.utterance_id().unwrap();
        let entry = turn.frames.iter().position(Frame::is_entry).unwrap();
        for frame in turn.frames.iter().skip(entry + 1) {
            assert_eq!(frame.utterance_id(), Some(id), "{}", frame.topic);
        }
        let session = &turn.frame("test-skill:greet").context["session"];
        assert_eq!(session["active_handlers"][0]["skill_id"], "test-skill");
        assert_eq!(session["converse_handlers"][0]["skill_id"], "test-skill");
        assert!(story.brain.requests(TESTER).is_empty());
        assert_eq!(story.ask("Something else").await.answer(), "The persona has it.");
    }
}

#[tokio::test]
async fn what_was_understood_second_best_is_tried_too() {
    let (story, skill) = with_skill(Manners::modern()).await;
    let entry = Utterance::new("Good tray Ada");
    let mut frame = entry.frame();
    frame["data"]["utterances"] = json!(["Good tray Ada", "Good day Ada", "Good hay Ada"]);
    let mark = story.probe.mark();
    story.probe.send(&frame).await;
    let turn = entry.end(&story.probe, mark).await;
    assert_eq!(turn.answer(), "test-skill has it.");
    assert_eq!(skill.heard()[0].data["utterance"], "Good day Ada");
    assert_eq!(
        turn.frame("ovos.intent.matched").data["utterance"],
        "Good day Ada"
    );
}

#[tokio::test]
async fn a_skill_that_fails_ends_the_utterance_too() {
    let (story, _skill) = with_skill(Manners {
        fails: true,
        ..Manners::modern()
    })
    .await;
    let turn = story.ask("Hello Ada").await;
    assert_eq!(turn.ends(), 1);
    let error = turn.frame("ovos.intent.handler.error");
    assert_eq!(error.data["exception"], "ValueError: on purpose");
    assert_eq!(error.data["intent_name"], "greet");
}

#[tokio::test]
async fn while_a_skill_works_others_are_answered() {
    let (story, skill) = with_skill(Manners {
        hangs: true,
        ..Manners::modern()
    })
    .await;
    let hanging = Utterance::new("Hello Ada");
    let mark = hanging.enter(&story.probe).await;
    skill.had(1).await;
    assert_eq!(story.ask("And you?").await.answer(), "The persona has it.");
    assert_eq!(hanging.seen(&story.probe.recording(), mark).ends(), 0);
    skill.finish().await;
    assert_eq!(hanging.end(&story.probe, mark).await.ends(), 1);
}

#[tokio::test]
async fn what_the_session_denies_is_not_dispatched() {
    let (story, skill) = with_skill(Manners::modern()).await;
    for (field, value) in [
        ("blacklisted_skills", "test-skill"),
        ("blacklisted_intents", "test-skill:greet"),
    ] {
        let turn = Utterance::new("Hello Ada")
            .session(field, json!([value]))
            .ask(&story.probe)
            .await;
        assert_eq!(turn.answer(), "The persona has it.", "{field}");
    }
    let bare = Utterance::new("Hello Ada").session("blacklisted_intents", json!(["greet"]));
    assert_eq!(bare.ask(&story.probe).await.answer(), "test-skill has it.");
    let denied = Utterance::new("What now").session("blacklisted_skills", json!(["loquat"]));
    let turn = denied.ask(&story.probe).await;
    assert!(turn.spoken().is_empty(), "{:?}", turn.topics());
    in_order(&turn, &["ovos.intent.unmatched", HANDLED]);
    assert_eq!(turn.ends(), 1);
    assert_eq!(skill.heard().len(), 1);
}

#[tokio::test]
async fn a_session_may_choose_its_stages_by_the_names_of_ovos_core() {
    let (story, _skill) = with_skill(Manners::modern()).await;
    let through = async |stages: Value| {
        let utterance = Utterance::new("Hello Ada").session("pipeline", stages);
        utterance.ask(&story.probe).await
    };
    let older = json!(["stop_high", "converse", "padatious_high", "fallback_low"]);
    assert_eq!(through(older).await.answer(), "test-skill has it.");
    let persona = json!(["ovos-persona-pipeline-plugin-low"]);
    assert_eq!(through(persona).await.answer(), "The persona has it.");
    let turn = through(json!(["nobody-knows-this"])).await;
    assert!(turn.spoken().is_empty());
    in_order(&turn, &["ovos.intent.unmatched", HANDLED]);
}

#[tokio::test]
async fn nothing_said_is_unmatched_and_ended() {
    let story = Story::begin().await;
    for data in [
        json!({"utterances": []}),
        json!({}),
        json!({"utterances": ["  "]}),
    ] {
        let mark = story.probe.mark();
        let context = json!({"source": "audio", "mine": true, "session": {"session_id": "probe"}});
        story
            .probe
            .send(&json!({"type": "ovos.utterance.handle", "data": data, "context": context}))
            .await;
        let is_end = |frame: &Frame| frame.topic == HANDLED && frame.context["mine"] == true;
        story.probe.wait("the end", mark, PATIENCE, is_end).await;
        let topics: Vec<String> = story
            .probe
            .since(mark)
            .into_iter()
            .map(|frame| frame.topic)
            .collect();
        assert!(topics.contains(&"ovos.intent.unmatched".to_owned()), "{topics:?}");
    }
}

#[tokio::test]
async fn an_active_skill_that_wants_the_words_gets_them() {
    for older in [false, true] {
        let manners = Manners {
            converses: true,
            older,
            ..Manners::modern()
        };
        let (story, skill) = with_skill(manners).await;
        let utterance = Utterance::new("And tomorrow?").session("converse_handlers", active("test-skill"));
        let turn = utterance.ask(&story.probe).await;
        assert_eq!(turn.answer(), "test-skill has it.", "older: {older}");
        assert_eq!(turn.frame("ovos.intent.matched").data["intent_name"], "converse");
        assert_eq!(skill.heard()[0].data["utterances"], json!(["And tomorrow?"]));
        let stranger = story.ask("And tomorrow?").await;
        assert_eq!(
            stranger.answer(),
            "The persona has it.",
            "another session is not asked"
        );
    }
}

#[tokio::test]
async fn a_skill_that_asks_gets_the_next_utterance_and_no_other() {
    let (story, skill) = with_skill(Manners {
        hangs: true,
        ..Manners::modern()
    })
    .await;
    let asking = Utterance::new("Hello Ada");
    let mark = asking.enter(&story.probe).await;
    skill.had(1).await;
    skill.wait_for_answer().await;
    story.probe.request("mycroft.loquat.all_loaded", &json!({})).await;
    let turn = story.ask("Fine, thanks").await;
    assert!(turn.spoken().is_empty(), "{:?}", turn.topics());
    assert_eq!(turn.ends(), 1);
    skill.had(2).await;
    assert_eq!(skill.heard()[1].topic, "test-skill.converse.get_response");
    assert_eq!(skill.heard()[1].data["utterances"], json!(["Fine, thanks"]));
    assert_eq!(story.ask("And now?").await.answer(), "The persona has it.");
    skill.finish().await;
    assert_eq!(asking.end(&story.probe, mark).await.ends(), 1);
}

#[tokio::test]
async fn stop_goes_to_the_skill_that_is_at_work() {
    let (story, skill) = with_skill(Manners {
        hangs: true,
        ..Manners::modern()
    })
    .await;
    let hanging = Utterance::new("Hello Ada");
    let mark = hanging.enter(&story.probe).await;
    skill.had(1).await;
    let stop = Utterance::new("Stop!").session("active_handlers", active("test-skill"));
    let turn = stop.ask(&story.probe).await;
    assert_eq!(turn.ends(), 1);
    assert_eq!(turn.frame("ovos.intent.matched").data["intent_name"], "stop");
    assert!(
        !turn.topics().contains(&"ovos.stop"),
        "only one is stopped: {:?}",
        turn.topics()
    );
    let handled = turn.frame(HANDLED);
    assert!(
        handled.context["session"].get("active_handlers").is_none(),
        "{:?}",
        handled.context
    );
    assert_eq!(hanging.end(&story.probe, mark).await.ends(), 1);
}

#[tokio::test]
async fn fallback_handlers_are_asked_in_the_order_of_their_priority() {
    for older in [false, true] {
        let manners = Manners {
            falls_back: true,
            older,
            ..Manners::modern()
        };
        let (story, skill) = with_skill(manners).await;
        skill.offer(50).await;
        assert_eq!(
            story.ask("Anything").await.answer(),
            "test-skill has it.",
            "older: {older}"
        );
        skill.offer(99).await;
        assert_eq!(
            story.ask("Anything").await.answer(),
            "The persona has it.",
            "older: {older}"
        );
        assert_eq!(skill.heard().len(), 1);
    }
}

#[tokio::test]
async fn what_a_fallback_handler_claims_and_then_declines_is_answered_by_the_next() {
    for older in [false, true] {
        let manners = Manners {
            falls_back: true,
            fails: true,
            older,
            ..Manners::modern()
        };
        let (story, skill) = with_skill(manners).await;
        skill.offer(50).await;
        let turn = story.ask("Anything").await;
        assert_eq!(turn.answer(), "The persona has it.", "older: {older}");
        assert_eq!(skill.heard().len(), 1, "it is asked once");
        let count = |topic: &str| turn.topics().iter().filter(|seen| **seen == topic).count();
        let ends = count("ovos.intent.handler.complete") + count("ovos.intent.handler.error");
        assert_eq!(count("ovos.intent.handler.start"), ends);
    }
}

#[tokio::test]
async fn what_comes_back_is_not_taken_to_those_who_had_their_chance() {
    let (story, skill) = with_skill(Manners {
        falls_back: true,
        fails: true,
        knows: Some(""),
        ..Manners::modern()
    })
    .await;
    skill.take_part().await;
    skill.offer(50).await;
    let turn = story.ask("Anything").await;
    assert_eq!(turn.answer(), "The persona has it.");
    for topic in ["ovos.common_query.ping", "question:query"] {
        let asked = turn.topics().iter().filter(|seen| **seen == topic).count();
        assert_eq!(asked, 1, "{topic}");
    }
}

#[tokio::test]
async fn what_was_chosen_during_a_search_stays_when_it_ends() {
    let thinks = Manners {
        knows: Some(""),
        ..Manners::modern()
    };
    let (story, skill) = with_skill(thinks).await;
    skill.take_part().await;
    let ask = |text: &str| Utterance::new(text).in_session("default");
    let slow = ask("Capital of Peru?");
    let mark = slow.enter(&story.probe).await;
    let is_question = |frame: &Frame| frame.topic == "question:query";
    story
        .probe
        .wait("the skill to be asked", mark, PATIENCE, is_question)
        .await;
    let summon = ask("Talk to Tester").ask(&story.probe).await;
    let persona = |turn: &Turn| turn.frame(HANDLED).context["session"]["persona_id"].clone();
    assert_eq!(persona(&summon), TESTER);
    assert_eq!(slow.end(&story.probe, mark).await.answer(), "The persona has it.");
    let check = ask("Who am I talking to?").ask(&story.probe).await;
    assert_eq!(persona(&check), TESTER);
}

#[tokio::test]
async fn a_skill_that_knows_the_answer_is_told_to_say_it() {
    let (story, skill) = with_skill(Manners {
        knows: Some("Lima"),
        ..Manners::modern()
    })
    .await;
    skill.take_part().await;
    let turn = story.ask("Capital of Peru?").await;
    assert_eq!(turn.answer(), "test-skill has it.");
    assert_eq!(skill.heard()[0].topic, "question:action.test-skill");
    assert_eq!(skill.heard()[0].data["answer"], "Lima");
}

#[tokio::test]
async fn behind_everybody_somebody_says_that_there_is_no_answer() {
    let scene = Scene::default();
    scene.home.setting("desk.fallback_priority", "50");
    let tester = scene.tester();
    let story = scene.play(&tester).await;
    let turn = Utterance::new("Anything")
        .session("pipeline", json!(["fallback_low"]))
        .ask(&story.probe)
        .await;
    assert_sentence(turn.answer());
    assert_eq!(turn.frame("ovos.intent.matched").data["intent_name"], "unknown");
}

#[tokio::test]
async fn what_is_registered_can_be_looked_up_and_taken_back() {
    let (story, skill) = with_skill(Manners::modern()).await;
    let list = async |topic: &str, data: Value| story.probe.request(topic, &data).await.data;
    let own = list("ovos.intent.list", json!({"skill_id": "test-skill"})).await;
    assert_eq!(own["intents"][0]["intent_name"], "greet");
    assert_eq!(own["intents"][0]["lang"], "en-US");
    let described = list(
        "ovos.intent.describe",
        json!({"skill_id": "test-skill", "intent_name": "greet"}),
    )
    .await;
    assert_eq!(
        described["intents"][0]["samples"],
        json!(["(hello|good day) {name}"])
    );
    let skills = list("ovos.skills.list", json!({})).await;
    let ids: Vec<_> = skills["skills"]
        .as_array()
        .unwrap()
        .iter()
        .map(|skill| &skill["skill_id"])
        .collect();
    assert!(
        ids.contains(&&json!("test-skill")) && ids.contains(&&json!("loquat")),
        "{ids:?}"
    );
    for stage in [
        "loquat",
        "loquat-fallback",
        "loquat-stop",
        "loquat-converse",
        "loquat-intents",
    ] {
        let answer = list(&format!("ovos.pipeline.{stage}.intents.list"), json!({})).await;
        assert_eq!(answer["pipeline_id"], stage);
        assert!(answer["intents"].is_array(), "{answer}");
    }
    let conversing = list("ovos.converse.active.list", json!({})).await;
    assert_eq!(conversing["converse_handlers"], json!([]));
    skill
        .tell("ovos.skill.deregister", &json!({"skill_id": "test-skill"}))
        .await;
    let gone = list("ovos.intent.list", json!({"skill_id": "test-skill"})).await;
    assert_eq!(gone["intents"], json!([]));
    assert_eq!(story.ask("Hello Ada").await.answer(), "The persona has it.");
}

#[tokio::test]
async fn every_frame_of_ours_is_well_formed_and_carries_what_it_was_given() {
    let scene = Scene::default();
    let tester = scene.tester();
    let story = scene.play(&tester).await;
    story.script([Reply::answers("Paris.")]);
    let utterance = Utterance::new("Capital of France?").session("zzz", json!({"deep": [1, null]}));
    let turn = utterance.ask(&story.probe).await;
    assert_eq!(turn.answer(), "Paris.");
    let ours: Vec<Frame> = turn
        .frames
        .into_iter()
        .filter(|frame| !frame.is_entry())
        .collect();
    assert_well_formed(&ours);
    for frame in &ours {
        assert_eq!(
            frame.context["session"]["zzz"],
            json!({"deep": [1, null]}),
            "{}",
            frame.topic
        );
    }
}
