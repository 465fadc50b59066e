//! A program that asks may say how one answer is drawn, no further than the owner allows, and is told when that makes
//! no sense.

use loquat_tests::brain::Reply;
use loquat_tests::home::Home;
use loquat_tests::turn::{HANDLED, Utterance};
use loquat_tests::wait::PATIENCE;
use serde_json::{Value, json};

use crate::story::{Scene, Story, TESTER, assert_sentence};

const KEY: &str = "loquat_sampling";
const ANSWER: &str = "ovos.persona.answer";

/// A brain whose owner has set how it draws.
async fn set(home: Home) -> Story {
    let scene = Scene::at(home);
    let tester = scene
        .tester()
        .brain("temperature", json!(0.5))
        .brain("max_tokens", json!(300));
    scene.play(&tester).await
}

/// How the last answer was drawn.
fn drawn(story: &Story) -> Value {
    let requests = story.brain.requests(TESTER);
    let body = requests.last().expect("a request").body();
    json!([body["temperature"], body["top_p"], body["max_tokens"]])
}

async fn query(story: &Story, wish: &Value) -> Value {
    let mark = story.probe.mark();
    let data = json!({"persona_id": TESTER, "utterance": "Well?"});
    let frame = json!({"type": "ovos.persona.query", "data": data, "context": {"source": "tool", KEY: wish}});
    story.probe.send(&frame).await;
    let answer = story
        .probe
        .wait("the answer to a query", mark, PATIENCE, |frame| {
            frame.topic == ANSWER
        });
    answer.await.data
}

#[tokio::test]
async fn a_wish_holds_for_one_turn_and_for_all_of_it() {
    let story = set(Home::without_bus()).await;
    story.script([
        Reply::acts("evaluate_expression", &json!({"expression": "2+2"})),
        Reply::answers("Four."),
    ]);
    let wish = json!({"temperature": 0.1, "top_p": 0.75, "max_tokens": 40});
    let turn = Utterance::new("What is 2+2?")
        .context(KEY, wish.clone())
        .ask(&story.probe)
        .await;
    assert_eq!(turn.answer(), "Four.");
    for request in story.brain.requests(TESTER) {
        let body = request.body();
        let drawn = json!({"temperature": body["temperature"], "top_p": body["top_p"], "max_tokens": body["max_tokens"]});
        assert_eq!(drawn, wish);
    }
    story.script([Reply::answers("Gladly.")]);
    assert_eq!(story.ask("And once more?").await.answer(), "Gladly.");
    assert_eq!(drawn(&story), json!([0.5, null, 300]));
}

#[tokio::test]
async fn a_wish_never_goes_beyond_what_the_owner_set() {
    let story = set(Home::without_bus()).await;
    story.script([
        Reply::answers("Yes."),
        Reply::answers("Yes."),
        Reply::answers("Yes."),
    ]);
    assert_eq!(
        query(&story, &json!({"max_tokens": 5000})).await["response"],
        "Yes."
    );
    assert_eq!(drawn(&story), json!([0.5, null, 300]));
    assert_eq!(
        query(&story, &json!({"temperature": 0})).await["response"],
        "Yes."
    );
    assert_eq!(drawn(&story), json!([0.0, null, 300]));
    assert_eq!(query(&story, &Value::Null).await["response"], "Yes.");
    assert_eq!(drawn(&story), json!([0.5, null, 300]));
}

#[tokio::test]
async fn what_makes_no_sense_is_an_error_that_names_the_key() {
    let story = set(Home::without_bus()).await;
    for (wish, key) in [
        (json!({"temperature": 9}), "loquat_sampling.temperature"),
        (json!({"top_p": "much"}), "loquat_sampling.top_p"),
        (json!({"max_tokens": -1}), "loquat_sampling.max_tokens"),
        (json!({"max_token": 9}), "did you mean max_tokens?"),
        (json!(0.5), "loquat_sampling must be an object"),
    ] {
        let answer = query(&story, &wish).await;
        let error = answer["error"].as_str().unwrap_or_default();
        assert!(
            error.contains(key) && answer.get("response").is_none(),
            "{wish}: {answer}"
        );

        let turn = Utterance::new("Well?")
            .context(KEY, wish.clone())
            .ask(&story.probe)
            .await;
        turn.assert_ended_once();
        assert_sentence(turn.answer());
        let error = turn.frame("ovos.intent.handler.error").data["exception"].to_string();
        assert!(error.contains(key), "{wish}: {error}");
        assert!(turn.topics().contains(&HANDLED));
    }
    assert_eq!(story.brain.requests(TESTER).len(), 0, "nobody is asked");
    story.assert_goes_on().await;
}

#[tokio::test]
async fn an_owner_may_take_no_wishes() {
    let home = Home::without_bus();
    home.setting("desk.sampling_by_asker", "false");
    let story = set(home).await;
    let answer = query(&story, &json!({"temperature": 0.1})).await;
    let error = answer["error"].as_str().unwrap_or_default();
    assert!(error.contains("desk.sampling_by_asker"), "{answer}");
    story.script([Reply::answers("Yes.")]);
    assert_eq!(query(&story, &Value::Null).await["response"], "Yes.");
}
