//! What a skill of ours understands is answered by it: quickly, in its own words, and without any brain.

use loquat_tests::brain::Reply;
use loquat_tests::bus::FakeBus;
use loquat_tests::home::Home;
use loquat_tests::ovos_core::{Generation, ScriptedCore};
use loquat_tests::skill::{Manners, ScriptedSkill};
use loquat_tests::turn::Utterance;
use loquat_tests::wait::PATIENCE;
use rustix::process::Signal;
use serde_json::{Value, json};

use crate::story::{Scene, Story, TESTER};

fn scene() -> Scene {
    let scene = Scene::default();
    scene.home.setting("skills.intents", "\"alone\"");
    scene
}

async fn story() -> Story {
    let scene = scene();
    let tester = scene.tester();
    let story = scene.play(&tester).await;
    story
        .brain
        .whenever(TESTER, "", Reply::answers("The persona has it."));
    story
}

#[tokio::test]
async fn a_sentence_that_a_skill_understands_asks_no_brain() {
    let story = story().await;
    for (said, answer) in [
        ("What is 17 percent of 2,450?", "That is 416.5."),
        ("Hey, what's seven times eight please?", "That is 56."),
        ("How many kilometers are 5 miles?", "That is 8.05 kilometers."),
    ] {
        let turn = story.ask(said).await;
        assert_eq!(turn.answer(), answer, "{said}");
        turn.assert_ended_once();
        let matched = turn.frame("ovos.intent.matched");
        assert_eq!(matched.data["skill_id"], "loquat");
        let result = &turn.frame("loquat.turn.result").data;
        assert_eq!(result["termination_reason"], "answered", "{result}");
        assert_eq!(result["engine"], "loquat-intent", "{result}");
    }
    assert!(story.brain.requests(TESTER).is_empty());
    assert_eq!(
        story.ask("What is 17 percent of my money?").await.answer(),
        "The persona has it."
    );
    let request = story.brain.requests(TESTER).pop().expect("a request");
    let request = request.body().to_string();
    assert!(
        request.contains("8.05 kilometers"),
        "the conversation is one: {request}"
    );
}

/// Shares, discounts and tips, with the sign and in words.
const SHARES: &[(&str, &str, &str)] = &[
    ("en-US", "What is 20% off 45 euros?", "That is 36 euros."),
    ("en-US", "25% off 80 dollars", "That is 60 dollars."),
    ("en-US", "What's 30 per cent off 90?", "That is 63."),
    (
        "en-US",
        "How much is a 15% tip on 60 dollars?",
        "That is 9 dollars.",
    ),
    (
        "en-US",
        "What is a 10 percent discount on 250 euros?",
        "That is 225 euros.",
    ),
    ("de-DE", "Was sind 20% Rabatt auf 45 Euro?", "Das sind 36 Euro."),
    (
        "de-DE",
        "Wie viel sind 10 Prozent Nachlass auf 250 Euro?",
        "Das sind 225 Euro.",
    ),
    (
        "fr-FR",
        "Combien font 20 % de remise sur 45 euros ?",
        "Cela fait 36 euros.",
    ),
    (
        "fr-FR",
        "Combien font 30 pour cent de réduction sur 90 euros ?",
        "Cela fait 63 euros.",
    ),
    (
        "es-ES",
        "¿Cuánto es un 20% de descuento sobre 45 euros?",
        "Son 36 euros.",
    ),
    ("it-IT", "Quanto fa il 20% di sconto su 45 euro?", "Sono 36 euro."),
    ("pt-PT", "Quanto é 20% de desconto em 45 euros?", "São 36 euros."),
];

#[tokio::test]
async fn shares_discounts_and_tips_are_calculated_without_a_brain() {
    let story = story().await;
    for (lang, said, answer) in SHARES {
        let utterance = Utterance::new(said).session("lang", json!(lang));
        assert_eq!(utterance.ask(&story.probe).await.answer(), *answer, "{said}");
    }
}

#[tokio::test]
async fn each_language_is_answered_in_its_own_words() {
    let story = story().await;
    for (lang, said, answer) in [
        ("de-DE", "Was ist 17 Prozent von 2.450?", "Das ist 416,5."),
        (
            "fr-FR",
            "Combien font 5 miles en kilomètres ?",
            "Cela fait 8,05 kilomètres.",
        ),
        ("es-ES", "¿Cuánto es cinco por ocho?", "Son 40."),
        ("pt-PT", "Quanto é cinco vezes oito?", "São 40."),
        ("it-IT", "Quanto fa cinque per otto?", "Fa 40."),
    ] {
        let utterance = Utterance::new(said).session("lang", json!(lang));
        assert_eq!(utterance.ask(&story.probe).await.answer(), answer, "{said}");
    }
}

#[tokio::test]
async fn what_the_tool_refuses_is_the_persona_s() {
    let story = story().await;
    let turn = story.ask("What is 5 divided by 0?").await;
    assert_eq!(turn.answer(), "The persona has it.");
    assert_eq!(story.brain.requests(TESTER).len(), 1);
    turn.assert_ended_once();
}

#[tokio::test]
async fn a_skill_elsewhere_on_the_bus_goes_first() {
    let story = story().await;
    let skill = ScriptedSkill::join(story.home.port(), "test-skill", Manners::modern()).await;
    skill.teach("sum", &["what is {sum}"]).await;
    assert_eq!(
        story.ask("What is 5 plus 3?").await.answer(),
        "test-skill has it."
    );
}

#[tokio::test]
async fn a_persona_can_refuse() {
    let scene = scene();
    let persona = scene.tester().key("intents", json!(false));
    let story = scene.play(&persona).await;
    story
        .brain
        .whenever(TESTER, "", Reply::answers("The persona has it."));
    assert_eq!(
        story.ask("What is 5 plus 3?").await.answer(),
        "The persona has it."
    );
}

#[tokio::test]
async fn a_session_can_refuse_an_intent() {
    let story = story().await;
    let denied = json!(["loquat:math.calculate"]);
    let utterance = Utterance::new("What is 5 plus 3?").session("blacklisted_intents", denied);
    assert_eq!(utterance.ask(&story.probe).await.answer(), "The persona has it.");
}

#[tokio::test]
async fn without_any_model_the_device_is_useful() {
    let story = story().await;
    story.brain.whenever(TESTER, "", Reply::fails(500));
    assert_eq!(story.ask("What is 5 plus 3?").await.answer(), "That is 8.");
}

#[tokio::test]
async fn intents_of_ours_are_listed_like_any_skill_s() {
    let story = story().await;
    let answer = story
        .probe
        .request(
            "ovos.intent.list",
            &json!({"skill_id": "loquat", "lang": "de-DE"}),
        )
        .await;
    let intents = answer.data["intents"].as_array().cloned().unwrap_or_default();
    let names: Vec<&str> = intents
        .iter()
        .filter_map(|intent| intent["intent_name"].as_str())
        .collect();
    for name in ["clock.time", "math.calculate", "math.convert"] {
        assert!(names.contains(&name), "{name} is not among {names:?}");
    }
    let described = json!({"skill_id": "loquat", "intent_name": "clock.time"});
    let answer = story.probe.request("ovos.intent.describe", &described).await;
    assert_eq!(answer.data["ok"], Value::Bool(true), "{}", answer.data);
}

#[tokio::test]
async fn a_line_with_a_mistake_is_named_and_left_out() {
    let scene = scene();
    scene.home.write(
        "config/loquat/sentences/en-us.toml",
        "[math.sentences]\n\
         calculate = [\n\
         'what about {expression}',\n\
         'what (is {expression}',\n\
         'tell {me}',\n\
         ]\n\
         calcluate = ['how about {expression}']\n\
         [math.dialogs]\n\
         unit_convert = ['That is {result']\n\
         [math.lists]\n\
         operator = ['plus,+', 'times']\n",
    );
    let tester = scene.tester();
    let story = scene.play(&tester).await;
    assert_eq!(story.ask("What about 5 plus 3?").await.answer(), "That is 8.");
    let log = story.daemon.output();
    for told in [
        "line 4 of",
        "'what (is {expression}' is no sentence",
        "line 5 of",
        "math.calculate has no gap {me}",
        "calcluate.intent",
        "'That is {result' is no sentence; close every {",
        "'times' has no comma",
    ] {
        assert!(log.contains(told), "{told} is not in {log}");
    }
}

#[tokio::test]
async fn sentences_and_what_is_said_then_are_read_again_with_the_settings() {
    let story = story().await;
    let question = "what about 5 plus 3?";
    assert_eq!(story.ask(question).await.answer(), "The persona has it.");
    story.home.write(
        "config/loquat/sentences/en-us.toml",
        "[math.sentences]\n\
         calculate = ['what about {expression}']\n\
         convert = ['turn {me']\n\
         [math.dialogs]\n\
         evaluate_expression = ['It makes {result}.']\n",
    );
    story.daemon.signal(Signal::HUP);
    story.daemon.wrote("were read again", PATIENCE).await;
    assert_eq!(story.ask(question).await.answer(), "It makes 8.");
    let log = story.daemon.output();
    assert!(log.contains("'turn {me' is no sentence"), "{log}");
}

#[tokio::test]
async fn beside_a_core_sentences_are_registered_where_the_settings_say_so() {
    for (when, offered) in [("always", true), ("alone", false)] {
        let bus = FakeBus::start().await;
        let core = ScriptedCore::join(bus.port(), Generation::PreRelease).await;
        let scene = Scene::at(Home::with_bus(bus.port()));
        scene.home.setting("skills.intents", &format!("\"{when}\""));
        let tester = scene.tester();
        let story = scene.play(&tester).await;
        core.registered("loquat", PATIENCE).await;
        let mark = story.probe.mark();
        core.announce().await;
        // The last frame of a registration says what else we take part in.
        story
            .probe
            .wait("the end of the registration", mark, PATIENCE, |frame| {
                frame.topic == "ovos.skill.loaded" && frame.data["skill_id"] == "loquat"
            })
            .await;
        let frames = story.probe.since(mark);
        let registered = frames.iter().any(|frame| {
            frame.topic == "ovos.intent.register.template" && frame.data["intent_name"] == "math.calculate"
        });
        assert_eq!(registered, offered, "{when}");
        if !offered {
            continue;
        }
        let mark = story.probe.mark();
        let data =
            json!({"lang": "en-US", "utterance": "What is 5 plus 3?", "slots": {"expression": "5 plus 3"}});
        let context = json!({"source": "skills", "destination": "audio", "utterance_id": "u-1", "skill_id": "loquat",
                             "session": {"session_id": "kitchen"}});
        let dispatch = json!({"type": "loquat:math.calculate", "data": data, "context": context});
        story.probe.send(&dispatch).await;
        let speak = story
            .probe
            .wait("the answer", mark, PATIENCE, loquat_tests::frame::Frame::is_speak)
            .await;
        assert_eq!(speak.utterance(), "That is 8.");
        assert!(story.brain.requests(TESTER).is_empty());
    }
}
