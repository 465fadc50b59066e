//! A brain that is away, broken, overloaded, slow or mad: one sentence, one end, and the next question is answered.

use std::time::Duration;

use loquat_tests::brain::{Delivery, Reply};
use loquat_tests::home::free_port;
use loquat_tests::persona::Persona;
use loquat_tests::turn::Utterance;
use serde_json::json;

use crate::story::{Scene, Story, TESTER, assert_sentence};

/// More replies than any client tries again.
const ALWAYS: usize = 12;

async fn answer_to(reply: Reply) -> (Story, String) {
    answer_of(|tester| tester, reply).await
}

async fn answer_of(change: impl FnOnce(Persona) -> Persona, reply: Reply) -> (Story, String) {
    let scene = Scene::default();
    let tester = change(scene.tester());
    let story = scene.play(&tester).await;
    story.brain.whenever(TESTER, "fault", reply);
    let answer = story.ask("fault").await.answer().to_owned();
    assert_sentence(&answer);
    story.assert_goes_on().await;
    (story, answer)
}

#[tokio::test]
async fn nobody_listens_at_the_brain_s_address() {
    let scene = Scene::default();
    scene.home.persona(&Persona::react(
        "Lost",
        &format!("http://127.0.0.1:{}/v1", free_port()),
    ));
    let tester = scene.tester();
    let story = scene.play(&tester).await;
    let turn = Utterance::new("Hello").to("Lost").ask(&story.probe).await;
    assert_sentence(turn.answer());
    assert!(turn.answer().contains("language model"), "{}", turn.answer());
    turn.frame("ovos.intent.handler.error");
    story.assert_goes_on().await;
}

#[tokio::test]
async fn an_error_of_the_server_is_tried_again_and_then_said() {
    let (story, answer) = answer_to(Reply::fails(500)).await;
    assert!(
        answer.contains("language model") && !answer.contains("reach"),
        "{answer}"
    );
    let tries = story.brain.requests(TESTER).len() - 1;
    assert!((2..=6).contains(&tries), "{tries} tries");
}

#[tokio::test]
async fn an_error_of_the_server_that_passes_is_never_heard_of() {
    let story = Story::begin().await;
    story.script([
        Reply::fails(503),
        Reply::garbage("<html>gateway</html>"),
        Reply::answers("Paris."),
    ]);
    assert_eq!(story.ask("Capital of France?").await.answer(), "Paris.");
}

#[tokio::test]
async fn a_refusal_is_not_tried_again() {
    let (story, answer) = answer_to(Reply::fails(401)).await;
    assert!(answer.contains("language model"), "{answer}");
    assert_eq!(
        story.brain.requests(TESTER).len(),
        2,
        "one for the refusal, one for the next question"
    );
}

#[tokio::test]
async fn a_short_pause_that_the_server_asks_for_is_made() {
    let story = Story::begin().await;
    story.script([
        Reply::fails(429).header("Retry-After", "1"),
        Reply::answers("Paris."),
    ]);
    assert_eq!(story.ask("Capital of France?").await.answer(), "Paris.");
    let requests = story.brain.requests(TESTER);
    let pause = requests[1].seen - requests[0].seen;
    assert!(pause >= Duration::from_secs(1), "asked again after {pause:?}");
}

#[tokio::test]
async fn a_long_pause_that_the_server_asks_for_is_not_waited_out() {
    let (_, answer) = answer_to(Reply::fails(429).header("Retry-After", "3600")).await;
    assert!(answer.contains("busy"), "{answer}");
}

#[tokio::test]
async fn a_stream_that_is_cut_in_half_is_asked_for_again() {
    let story = Story::begin().await;
    let cut = Reply::answers("Paris is the capital of France.").delivered(Delivery::CutInHalf);
    story.script([cut, Reply::answers("Paris.")]);
    assert_eq!(story.ask("Capital of France?").await.answer(), "Paris.");
}

#[tokio::test]
async fn a_stream_that_is_always_cut_in_half_is_no_answer() {
    let cut = Reply::answers("Paris is the capital of France.").delivered(Delivery::CutInHalf);
    let (_, answer) = answer_to(cut).await;
    assert!(!answer.contains("Paris"), "half a reply is not spoken: {answer}");
}

#[tokio::test]
async fn garbage_is_no_answer() {
    for body in [
        "<html>gateway</html>",
        "{\"choices\": []}",
        "{\"choices\": [{\"message\": 7}]}",
        "\u{0}\u{1}",
    ] {
        answer_to(Reply::garbage(body)).await;
    }
}

#[tokio::test]
async fn a_brain_that_never_answers_is_given_up() {
    let impatient = |tester: Persona| tester.brain("first_token_timeout_seconds", json!(1));
    let (story, _) = answer_of(impatient, Reply::says("").delivered(Delivery::Never)).await;
    story.brain.abandoned(TESTER, 1, Duration::from_secs(5)).await;
}

#[tokio::test]
async fn a_stream_that_stalls_is_given_up() {
    let impatient = |tester: Persona| {
        tester
            .brain("next_token_timeout_seconds", json!(1))
            .brain("retries", json!(0))
    };
    let stalled = Reply::answers("Paris is the capital of France.").delivered(Delivery::StallsHalfway);
    answer_of(impatient, stalled).await;
}

#[tokio::test]
async fn a_stream_of_single_bytes_is_understood() {
    let story = Story::begin().await;
    story.script([
        Reply::answers("Grüße aus Köln.").delivered(Delivery::Dripping(Duration::from_micros(100)))
    ]);
    assert_eq!(story.ask("Say hello").await.answer(), "Grüße aus Köln.");
}

#[tokio::test]
async fn a_reply_without_end_is_cut_off_and_does_not_grow_the_daemon() {
    let before_after = {
        let story = Story::begin().await;
        let before = story.daemon.resident_bytes();
        story
            .brain
            .whenever(TESTER, "fault", Reply::says("x".repeat(64 << 20)));
        let answer = story.ask("fault").await.answer().to_owned();
        assert_sentence(&answer);
        story.assert_goes_on().await;
        (before, story.daemon.resident_bytes())
    };
    let grown = before_after.1.saturating_sub(before_after.0);
    assert!(grown < 64 << 20, "grown by {grown} bytes");
}

#[tokio::test]
async fn an_empty_reply_is_asked_for_again_and_never_spoken() {
    let story = Story::begin().await;
    story.script([Reply::says(""), Reply::answers("Paris.")]);
    assert_eq!(story.ask("Capital of France?").await.answer(), "Paris.");
    story.script(std::iter::repeat_n(Reply::says("  \n"), ALWAYS));
    assert_sentence(story.ask("And of Spain?").await.answer());
}

#[tokio::test]
async fn the_next_brain_answers_when_the_first_cannot() {
    let scene = Scene::default();
    let lost = format!("http://127.0.0.1:{}/v1", free_port());
    let file = json!({
        "name": TESTER,
        "handlers": ["ovos-react-loop"],
        "ovos-react-loop": {
            "brain": "loquat-ladder",
            "loquat-ladder": {"brains": [
                {"plugin": "ovos-chat-openai-plugin", "api_url": lost, "model": "scripted", "key": "k"},
                {"plugin": "ovos-chat-openai-plugin", "api_url": scene.brain.url(TESTER), "model": "scripted", "key": "k"},
            ]},
        },
    });
    scene
        .home
        .write("config/ovos_persona/Tester.json", &file.to_string());
    let story = scene.start().await;
    story.script([Reply::answers("Paris.")]);
    assert_eq!(story.ask("Capital of France?").await.answer(), "Paris.");
}
