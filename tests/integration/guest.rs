//! Beside an ovos-core we are a fallback handler and nothing else. The core here is a scripted one; the real ones are
//! driven by `make test-peers`.

use std::time::Duration;

use loquat_tests::brain::Reply;
use loquat_tests::bus::FakeBus;
use loquat_tests::home::Home;
use loquat_tests::ovos_core::{Generation, ScriptedCore};
use loquat_tests::turn::{HANDLED, Utterance};
use loquat_tests::wait::PATIENCE;

use crate::story::{Scene, Story, TESTER};

/// A core is believed gone after two questions without an answer, which are ten seconds apart.
const CORE_LEAVES: Duration = Duration::from_secs(60);

async fn beside(generation: Generation) -> (FakeBus, ScriptedCore, Story) {
    let bus = FakeBus::start().await;
    let core = ScriptedCore::join(bus.port(), generation).await;
    let scene = Scene::at(Home::with_bus(bus.port())).await;
    let tester = scene.tester();
    let story = scene.play(&tester).await;
    core.registered("loquat", PATIENCE).await;
    (bus, core, story)
}

#[tokio::test]
async fn beside_a_core_an_utterance_is_answered_once_as_its_fallback() {
    for generation in [Generation::Stable, Generation::PreRelease] {
        let (_bus, core, story) = beside(generation).await;
        story.script([Reply::answers("Paris.")]);
        let turn = story.ask("Capital of France?").await;
        assert_eq!(turn.answer(), "Paris.", "{generation:?}");
        let topics = turn.topics();
        let place = |wanted: &str| topics.iter().position(|topic| *topic == wanted);
        assert!(place("ovos.skills.fallback.loquat.start") < place("ovos.skills.fallback.loquat.response"));
        assert!(
            place("ovos.skills.fallback.loquat.response") < place(HANDLED),
            "{topics:?}"
        );
        assert!(
            !topics.contains(&"loquat:chat"),
            "the core orchestrates: {topics:?}"
        );
        assert_eq!(story.brain.requests(TESTER).len(), 1);
        assert!(core.slowest_pong() < Duration::from_millis(500));
    }
}

#[tokio::test]
async fn a_core_that_has_forgotten_us_is_told_again() {
    let (_bus, core, story) = beside(Generation::PreRelease).await;
    core.forget();
    core.announce().await;
    core.registered("loquat", PATIENCE).await;
    story.script([Reply::answers("Paris.")]);
    assert_eq!(story.ask("Capital of France?").await.answer(), "Paris.");
}

#[tokio::test]
async fn a_failing_brain_still_ends_the_utterance_of_a_core() {
    let (_bus, _core, story) = beside(Generation::Stable).await;
    story.script(std::iter::repeat_n(Reply::fails(400), 4));
    crate::story::assert_sentence(story.ask("fault").await.answer());
    story.brain.whenever(TESTER, "next", Reply::answers("Yes."));
    assert_eq!(
        Utterance::new("the next one").ask(&story.probe).await.answer(),
        "Yes."
    );
}

#[tokio::test]
async fn when_the_core_goes_we_orchestrate() {
    let (_bus, core, story) = beside(Generation::PreRelease).await;
    drop(core);
    story.daemon.wrote("Solo", CORE_LEAVES).await;
    story.script([Reply::answers("Paris.")]);
    let turn = story.ask("Capital of France?").await;
    assert_eq!(turn.answer(), "Paris.");
    turn.frame("loquat:chat");
}
