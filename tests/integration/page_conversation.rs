//! The conversation on the page: who answers in it, chosen there or aloud, and that it begins anew or goes on with the one before.

use loquat_tests::brain::{Gate, Reply};
use loquat_tests::browser::{Browser, served};
use loquat_tests::daemon::Launch;
use loquat_tests::frame::Frame;
use loquat_tests::persona::Persona;
use loquat_tests::turn::Utterance;
use loquat_tests::wait::{PATIENCE, wait_for};
use serde_json::{Value, json};

use crate::page::shows;
use crate::story::{Scene, Story, TESTER};

const PIRATE: &str = "Pirate";

/// A daemon with two personas, and a browser that is shown what was said.
async fn aboard() -> (Story, Browser) {
    let scene = Scene::default();
    let root = served(&scene.home);
    scene.home.persona(&scene.tester());
    let pirate = Persona::react(PIRATE, &scene.brain.url(PIRATE));
    scene
        .home
        .persona(&pirate.key("description", json!("Answers as one who sails.")));
    let story = scene.start().await;
    story.daemon.wrote("the page is served", PATIENCE).await;
    let mut browser = Browser::entered(&story.home, &root).await;
    browser.send("/reveal", &[("shown", "1")]).await;
    browser.look("/").await;
    (story, browser)
}

/// Types a question, and waits until the page shows this answer whole. While it is written, it stands apart from what was said.
async fn typed(browser: &mut Browser, question: &str, answer: &str) -> String {
    browser.send("/ask", &[("question", question)]).await;
    wait_for(&format!("{answer} in the conversation"), PATIENCE, async || {
        let text = browser.clone().look("/").await;
        let is_whole = !text.contains("Loquat is writing");
        (is_whole && text.contains(answer)).then_some(text)
    })
    .await
}

/// What the newest request of a persona's brain holds.
fn asked(story: &Story, persona: &str) -> String {
    let requests = story.brain.requests(persona);
    requests.last().expect("its brain was asked").text()
}

/// Says something to the device itself, as a listener does.
async fn said(story: &Story, text: &str) -> String {
    let turn = Utterance::new(text).in_session("default").ask(&story.probe).await;
    turn.answer().to_owned()
}

#[tokio::test]
async fn the_persona_that_is_chosen_answers_until_another_is() {
    let (story, mut browser) = aboard().await;
    let mut pushed = browser.watch("now").await;
    let now = browser.look("/").await;
    assert!(
        now.contains("Tester answers") && now.contains("Answers as one who sails."),
        "{now}"
    );
    let mark = story.probe.mark();
    let chosen = browser
        .send_and_look("/conversation/persona", &[("persona", PIRATE)])
        .await;
    assert!(
        chosen.contains("Pirate answers in this conversation."),
        "{chosen}"
    );
    let is_told =
        |frame: &Frame| frame.topic == "ovos.persona.activated" && frame.data["persona_id"] == PIRATE;
    story
        .probe
        .wait("that it was chosen", mark, PATIENCE, is_told)
        .await;
    let answers = |name: &'static str| {
        move |piece: &Value| {
            let html = piece["html"].as_str().unwrap_or_default();
            piece["id"] == "answering" && html.contains(&format!("{name} answers"))
        }
    };
    pushed
        .piece("it in an open view", PATIENCE, answers(PIRATE))
        .await;
    story
        .brain
        .script(PIRATE, [Reply::answers("Arr."), Reply::answers("Arr, aloud.")]);
    story.script([Reply::answers("Good day."), Reply::answers("Good day, aloud.")]);
    let answered = typed(&mut browser, "Who is there?", "Arr.").await;
    assert!(answered.contains("<p class=\"who\">Pirate"), "{answered}");
    assert_eq!(said(&story, "And who is here?").await, "Arr, aloud.");
    assert!(story.brain.requests(TESTER).is_empty());
    // Another conversation has the usual one.
    let elsewhere = Utterance::new("Hello")
        .in_session("kitchen")
        .ask(&story.probe)
        .await;
    assert_eq!(elsewhere.answer(), "Good day.");
    browser.send("/conversation/persona", &[("persona", "")]).await;
    assert_eq!(said(&story, "Are you back?").await, "Good day, aloud.");
    pushed.piece("the usual one", PATIENCE, answers(TESTER)).await;
    // What is chosen aloud is seen on the page.
    said(&story, "Talk to Pirate").await;
    pushed
        .piece("who was called aloud", PATIENCE, answers(PIRATE))
        .await;
    let unknown = browser
        .send_and_look("/conversation/persona", &[("persona", "Ziggy")])
        .await;
    assert!(
        unknown.contains("not there any more") && unknown.contains("Pirate answers"),
        "{unknown}"
    );
    // Who is to answer everywhere answers here, too.
    browser.send("/personas/use", &[("name", TESTER)]).await;
    pushed
        .piece("who answers everywhere", PATIENCE, answers(TESTER))
        .await;
}

#[tokio::test]
async fn a_new_conversation_knows_nothing_of_the_one_before_until_that_goes_on() {
    let (story, mut browser) = aboard().await;
    browser
        .send("/conversation/persona", &[("persona", PIRATE)])
        .await;
    story.brain.script(PIRATE, [Reply::answers("Aye, red.")]);
    typed(&mut browser, "My boat is red.", "Aye, red.").await;
    let begun = browser.send_and_look("/conversation/new", &[]).await;
    for words in ["A new conversation begins.", "My boat is red.", "Tester answers"] {
        assert!(begun.contains(words), "{words} in {begun}");
    }
    story.script([Reply::answers("I do not know."), Reply::answers("It is red.")]);
    typed(&mut browser, "Which colour has my boat?", "I do not know.").await;
    assert!(!asked(&story, TESTER).contains("red"), "it is known no more");
    let going_on = browser.send_and_look("/conversation/go-on", &[]).await;
    assert!(
        going_on.contains("goes on") && !going_on.contains("\"/conversation/go-on\""),
        "{going_on}"
    );
    typed(&mut browser, "And now?", "It is red.").await;
    let request = asked(&story, TESTER);
    assert!(
        request.contains("My boat is red.") && request.contains("Which colour"),
        "{request}"
    );
    let again = browser.send_and_look("/conversation/go-on", &[]).await;
    assert!(again.contains("Nothing of the conversation before"), "{again}");
    // What is forgotten does not come back.
    browser.send("/conversation/new", &[]).await;
    browser.send("/conversation/forget", &[]).await;
    let gone = browser.send_and_look("/conversation/go-on", &[]).await;
    assert!(gone.contains("Nothing of the conversation before"), "{gone}");
}

#[tokio::test]
async fn what_is_answered_while_a_conversation_begins_belongs_to_the_one_before() {
    let (story, mut browser) = aboard().await;
    let gate = Gate::default();
    story.script([
        Reply::answers("It is blue.").behind(&gate),
        Reply::answers("Which boat?"),
        Reply::answers("The blue one."),
    ]);
    let mut pushed = browser.watch("now").await;
    browser
        .send("/ask", &[("question", "Which colour has my boat?")])
        .await;
    let thinks = |piece: &Value| {
        let html = piece["html"].as_str().unwrap_or_default();
        html.contains("1 brain call")
    };
    pushed.piece("that it thinks", PATIENCE, thinks).await;
    browser.send("/conversation/new", &[]).await;
    gate.open();
    shows(&mut browser, "/", "It is blue.").await;
    typed(&mut browser, "And the sails?", "Which boat?").await;
    assert!(!asked(&story, TESTER).contains("blue"));
    browser.send("/conversation/go-on", &[]).await;
    typed(&mut browser, "Mine.", "The blue one.").await;
    assert!(asked(&story, TESTER).contains("It is blue."));
}

#[tokio::test]
async fn forgetting_takes_what_is_answered_meanwhile_and_no_memory() {
    let (story, mut browser) = aboard().await;
    browser
        .send("/memory/add", &[("fact", "the boat lies at pier nine")])
        .await;
    let gate = Gate::default();
    story.script([
        Reply::answers("It is blue.").behind(&gate),
        Reply::answers("Which boat?"),
    ]);
    let mut pushed = browser.watch("now").await;
    browser
        .send("/ask", &[("question", "Which colour has my boat?")])
        .await;
    let thinks = |piece: &Value| {
        let html = piece["html"].as_str().unwrap_or_default();
        html.contains("1 brain call")
    };
    pushed.piece("that it thinks", PATIENCE, thinks).await;
    browser.send("/conversation/forget", &[]).await;
    gate.open();
    let shown = shows(&mut browser, "/", "It is blue.").await;
    assert!(shown.contains("has forgotten what stands above"), "{shown}");
    typed(&mut browser, "And the sails?", "Which boat?").await;
    let request = asked(&story, TESTER);
    assert!(
        !request.contains("It is blue.") && !request.contains("Which colour"),
        "{request}"
    );
    assert!(browser.look("/memory").await.contains("pier nine"));
}

#[tokio::test]
async fn a_conversation_that_was_begun_anew_stays_so_after_a_restart() {
    let (mut story, mut browser) = aboard().await;
    story.script([Reply::answers("Red it is."), Reply::answers("I do not know.")]);
    typed(&mut browser, "My boat is red.", "Red it is.").await;
    browser.send("/conversation/new", &[]).await;
    story.daemon.signal(rustix::process::Signal::TERM);
    story.daemon.ended(PATIENCE).await;
    let (_daemon, probe) = Launch::new(&story.home, &["run"]).ready().await;
    let turn = Utterance::new("Which colour has my boat?").in_session("default");
    assert_eq!(turn.ask(&probe).await.answer(), "I do not know.");
    assert!(!asked(&story, TESTER).contains("My boat is red."));
}
