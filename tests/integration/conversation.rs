//! Sessions: what is remembered, what is kept apart, and what waits.

use loquat_tests::brain::{Gate, Reply, Request};
use loquat_tests::turn::{HANDLED, Utterance};
use loquat_tests::wait::PATIENCE;

use crate::story::{Scene, Story, TESTER};

#[tokio::test]
async fn a_session_remembers_and_another_knows_nothing_of_it() {
    let story = Story::begin().await;
    story.script([
        Reply::answers("Nice to meet you, Ada."),
        Reply::answers("Ada."),
        Reply::answers("I don't know."),
    ]);
    let ask = async |text: &str, session: &str| {
        Utterance::new(text)
            .in_session(session)
            .ask(&story.probe)
            .await
            .answer()
            .to_owned()
    };
    ask("My name is Ada.", "kitchen").await;
    assert_eq!(ask("What is my name?", "kitchen").await, "Ada.");
    assert_eq!(ask("And what is mine?", "garage").await, "I don't know.");

    let requests = story.brain.requests(TESTER);
    let shown = |number: usize| requests[number].text();
    assert!(
        shown(1).contains("My name is Ada.") && shown(1).contains("Nice to meet you, Ada."),
        "{}",
        shown(1)
    );
    assert!(
        !shown(1).contains("FINAL_ANSWER: Nice"),
        "the history holds what was said: {}",
        shown(1)
    );
    assert!(!shown(2).contains("Ada"), "{}", shown(2));
}

#[tokio::test]
async fn the_older_half_of_a_long_conversation_goes_at_once() {
    let scene = Scene::default();
    scene.home.setting("desk.history_turns", "4");
    let tester = scene.tester();
    let story = scene.play(&tester).await;
    story.script((0..7).map(|turn| Reply::answers(&format!("answer {turn}."))));
    for turn in 0..7 {
        story.ask(&format!("question {turn}")).await;
    }
    let shown: Vec<String> = story.brain.requests(TESTER).iter().map(Request::text).collect();
    // How many turns before its own each request shows: it grows to four, and is two after that.
    let holds = |text: &str, past: &usize| {
        let [question, answer] = ["question", "answer"].map(|said| format!("{said} {past}"));
        text.contains(&question) && text.contains(&answer)
    };
    let pairs = shown
        .iter()
        .map(|text| (0..7).filter(|past| holds(text, past)).count());
    assert_eq!(pairs.collect::<Vec<_>>(), [0, 1, 2, 3, 4, 2, 3]);
}

#[tokio::test]
async fn two_sessions_are_answered_at_once() {
    let story = Story::begin().await;
    let gate = Gate::default();
    story
        .brain
        .whenever(TESTER, "slow", Reply::answers("At last.").behind(&gate));
    story.brain.whenever(TESTER, "quick", Reply::answers("Here."));
    let slow = Utterance::new("a slow one").in_session("kitchen");
    let mark = slow.enter(&story.probe).await;
    story.brain.asked(TESTER, 1, PATIENCE).await;
    let quick = Utterance::new("a quick one")
        .in_session("garage")
        .ask(&story.probe)
        .await;
    assert_eq!(quick.answer(), "Here.");
    assert!(
        slow.seen(&story.probe.recording(), mark).spoken().is_empty(),
        "the slow one is still thought about"
    );
    gate.open();
    assert_eq!(slow.end(&story.probe, mark).await.answer(), "At last.");
}

#[tokio::test]
async fn one_session_has_one_turn_at_a_time_and_each_has_its_end() {
    let story = Story::begin().await;
    let gate = Gate::default();
    story
        .brain
        .whenever(TESTER, "first", Reply::answers("One.").behind(&gate));
    story.brain.whenever(TESTER, "second", Reply::answers("Two."));
    let (first, second) = (Utterance::new("the first"), Utterance::new("the second"));
    let mark = first.enter(&story.probe).await;
    story.brain.asked(TESTER, 1, PATIENCE).await;
    second.enter(&story.probe).await;
    story
        .probe
        .request("mycroft.loquat.all_loaded", &serde_json::json!({}))
        .await;
    assert_eq!(
        story.brain.requests(TESTER).len(),
        1,
        "the second waits for the first"
    );
    gate.open();
    assert_eq!(second.end(&story.probe, mark).await.answer(), "Two.");
    assert_eq!(first.end(&story.probe, mark).await.answer(), "One.");
    let ends = story
        .probe
        .since(mark)
        .into_iter()
        .filter(|frame| frame.topic == HANDLED);
    let order: Vec<bool> = ends.map(|frame| first.owns(&frame)).collect();
    assert_eq!(order, [true, false]);
    assert!(
        story.brain.requests(TESTER)[1].text().contains("One."),
        "the second knows the first's answer"
    );
}

#[tokio::test]
async fn many_sessions_never_see_each_other() {
    let story = Story::begin().await;
    let sessions: Vec<_> = (0..20).map(|number| format!("canary-{number:02}x")).collect();
    for name in &sessions {
        story
            .brain
            .whenever(TESTER, name, Reply::answers(&format!("I saw {name}.")));
    }
    for round in ["first", "second"] {
        let mark = story.probe.mark();
        let mut open = Vec::new();
        for name in &sessions {
            let utterance = Utterance::new(&format!("the {round} {name}")).in_session(name);
            utterance.enter(&story.probe).await;
            open.push((name, utterance));
        }
        for (name, utterance) in open {
            assert_eq!(
                utterance.end(&story.probe, mark).await.answer(),
                format!("I saw {name}.")
            );
        }
    }
    for request in story.brain.requests(TESTER) {
        let text = request.text();
        let seen: Vec<_> = sessions.iter().filter(|name| text.contains(*name)).collect();
        assert_eq!(seen.len(), 1, "one request shows {seen:?}");
    }
}
