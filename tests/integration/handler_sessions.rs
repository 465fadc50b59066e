//! What a skill leaves in the session of its dispatch: only what it changed counts, and its notes decide about the next
//! utterances for as long as they say (SESSION-2 §2.6, CONTEXT-1).

use loquat_tests::brain::Reply;
use loquat_tests::frame::Frame;
use loquat_tests::skill::{Manners, ScriptedSkill};
use loquat_tests::turn::{HANDLED, Turn, Utterance};
use serde_json::{Value, json};

use crate::story::{Story, TESTER};

fn in_default(text: &str) -> Utterance {
    Utterance::new(text).in_session("default")
}

async fn with_hanging_skill() -> (Story, ScriptedSkill) {
    let story = Story::begin().await;
    story
        .brain
        .whenever(TESTER, "", Reply::answers("The persona has it."));
    let hangs = Manners {
        hangs: true,
        ..Manners::modern()
    };
    let skill = ScriptedSkill::join(story.home.port(), "tea", hangs).await;
    skill.teach("make", &["make some tea"]).await;
    (story, skill)
}

/// The end of what the skill was asked last, with these fields in its session.
async fn ends_with(story: &Story, skill: &ScriptedSkill, fields: &Value) {
    let cause = skill.heard().pop().unwrap();
    let mut end = cause.forward("mycroft.skill.handler.complete", &json!({"name": "x"}));
    end["context"]["skill_id"] = json!("tea");
    for (field, value) in fields.as_object().unwrap() {
        end["context"]["session"][field] = value.clone();
    }
    story.probe.send(&end).await;
}

fn left(turn: &Turn) -> &Value {
    &turn.frame(HANDLED).context["session"]
}

fn was_skills(turn: &Turn) -> bool {
    let is_dispatch = |frame: &Frame| frame.topic.starts_with("tea:");
    turn.frames.iter().any(is_dispatch)
}

#[tokio::test]
async fn a_persona_that_was_dismissed_meanwhile_stays_away() {
    let (story, skill) = with_hanging_skill().await;
    in_default("Talk to Tester").ask(&story.probe).await;
    let tea = in_default("Make some tea");
    let mark = tea.enter(&story.probe).await;
    skill.had(1).await;
    assert_eq!(skill.heard()[0].context["session"]["persona_id"], TESTER);
    in_default("Goodbye Tester").ask(&story.probe).await;
    ends_with(&story, &skill, &json!({})).await;
    tea.end(&story.probe, mark).await;
    let next = in_default("Anything else").ask(&story.probe).await;
    assert_eq!(left(&next).get("persona_id"), None, "{}", left(&next));
}

#[tokio::test]
async fn a_note_decides_about_the_next_utterance_and_is_gone_after_it() {
    let (story, skill) = with_hanging_skill().await;
    let yes = json!({"skill_id": "tea", "intent_name": "milk", "lang": "en-US", "samples": ["yes", "yes {sort}"],
                     "requires_context": ["confirming"]});
    skill.tell("ovos.intent.register.template", &yes).await;
    assert!(
        !was_skills(&in_default("Yes").ask(&story.probe).await),
        "nobody has asked"
    );
    let note = json!({"tea:confirming": {"value": null, "turns_remaining": 1},
                      "sort": {"value": "oolong", "turns_remaining": 5}});
    for round in 0..2 {
        let tea = in_default("Make some tea");
        let mark = tea.enter(&story.probe).await;
        skill.had(1 + 2 * round).await;
        ends_with(&story, &skill, &json!({"intent_context": note})).await;
        let turn = tea.end(&story.probe, mark).await;
        assert_eq!(
            left(&turn)["intent_context"],
            note,
            "the round in which it is made does not count"
        );
        if round == 0 {
            let yes = in_default("Yes");
            let mark = yes.enter(&story.probe).await;
            skill.had(2).await;
            let heard = skill.heard().pop().unwrap();
            assert_eq!(
                heard.data["slots"]["sort"], "oolong",
                "what nobody named is filled"
            );
            ends_with(&story, &skill, &json!({})).await;
            yes.end(&story.probe, mark).await;
        } else {
            in_default("Something else").ask(&story.probe).await;
        }
        let late = in_default("Yes").ask(&story.probe).await;
        assert!(!was_skills(&late), "round {round}");
        let notes = &left(&late)["intent_context"];
        assert_eq!(notes["tea:confirming"], Value::Null, "{notes}");
        assert_eq!(notes["sort"]["turns_remaining"], 3, "{notes}");
    }
    let own = Utterance::new("Yes").session(
        "intent_context",
        json!({"tea:confirming": {"value": null, "turns_remaining": 1}}),
    );
    let mark = own.enter(&story.probe).await;
    skill.had(4).await;
    ends_with(&story, &skill, &json!({})).await;
    let turn = own.end(&story.probe, mark).await;
    assert_eq!(
        left(&turn)["intent_context"]["tea:confirming"]["turns_remaining"],
        0,
        "it is counted in named sessions too"
    );
}

#[tokio::test]
async fn what_is_wrong_with_a_session_is_told_by_name_and_once_where_it_lasts() {
    let (story, _skill) = with_hanging_skill().await;
    for _ in 0..2 {
        let odd = Utterance::new("Hello")
            .session("site_id", json!(7))
            .session("pipeline", json!(["no-such-stage", "loquat-fallback"]));
        assert_eq!(odd.ask(&story.probe).await.answer(), "The persona has it.");
    }
    let log = story.daemon.output();
    let lines = |words: [&str; 3]| {
        let told = |line: &&str| words.iter().all(|word| line.contains(word));
        log.lines().filter(told).count()
    };
    assert_eq!(lines(["WARN", "no-such-stage", "not there"]), 1, "{log}");
    assert!(lines(["WARN", "site_id", "number"]) > 0, "{log}");
}
