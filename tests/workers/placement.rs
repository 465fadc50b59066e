//! Which worker has a turn: the one that had the session before, none that is full, ends or has another brain, and none that a
//! person would then miss.

use std::time::Duration;

use async_nats::Subscriber;
use futures_util::StreamExt;
use loquat_tests::brain::{Gate, Reply};
use loquat_tests::daemon::Launch;
use loquat_tests::nats::NatsServer;
use loquat_tests::persona::Persona;
use loquat_tests::toolbox::{Act, ScriptedTool, ScriptedToolbox};
use loquat_tests::turn::Utterance;
use loquat_tests::wait::{PATIENCE, within};
use rustix::process::Signal;
use serde_json::{Value, json};
use tokio::time::Instant;

use loquat_tests::place::{CELLAR, Cellar, KITCHEN, LAMPS, Place, quoted};

/// Longer than a turn takes that is offered in vain and then put into the queue.
const SOON: Duration = Duration::from_secs(2);

/// All that devices are asked.
async fn requests(place: &Place) -> Subscriber {
    let client = async_nats::connect(place.nats.url()).await.unwrap();
    let heard = client.subscribe("loquat.home.device.*").await.unwrap();
    client.flush().await.unwrap();
    heard
}

/// The name of the worker that takes a turn next.
async fn taker(heard: &mut Subscriber) -> String {
    let claimed = async {
        while let Some(message) = heard.next().await {
            let request: Value = serde_json::from_slice(&message.payload).unwrap();
            if let Some(worker) = request["asked"]["claim"]["worker"].as_str() {
                return worker.split('.').next().unwrap_or_default().to_owned();
            }
        }
        String::new()
    };
    within("a claim", PATIENCE, claimed).await
}

/// A further worker with more places than the first, so that it would be asked first.
async fn attic(place: &Place) -> Cellar {
    let attic = place
        .worker_with(|home| {
            home.setting("workers.name", "\"attic\"");
            home.setting("workers.places", "16");
        })
        .await;
    place.daemon.wrote("turns run on 2 workers", PATIENCE).await;
    attic
}

fn here() -> Utterance {
    Utterance::new("Capital of Peru?").in_session("here")
}

fn knows(place: &Place) {
    place.brain.decides(CELLAR, |_| Some(Reply::answers("Lima.")));
    place.brain.decides(KITCHEN, |_| Some(Reply::answers("Lima.")));
}

#[tokio::test]
async fn the_worker_that_had_the_session_comes_first() {
    let place = Place::open().await;
    let _cellar = place.worker().await;
    knows(&place);
    let mut heard = requests(&place).await;
    here().ask(&place.probe).await;
    assert_eq!(taker(&mut heard).await, "cellar");
    let _attic = attic(&place).await;
    let mut takers = Vec::new();
    for session in ["here", "there", "here", "there", "here", "there"] {
        let turn = here().in_session(session).ask(&place.probe).await;
        assert_eq!(turn.answer(), "Lima.");
        takers.push(taker(&mut heard).await);
    }
    // A new session may go to either; then it stays there.
    let there = takers[1].as_str();
    assert_eq!(takers, ["cellar", there, "cellar", there, "cellar", there]);
    assert!(place.own_requests().is_empty(), "{}", place.daemon.output());
}

#[tokio::test]
async fn where_that_worker_has_died_another_takes_the_turn_at_once() {
    let place = Place::open().await;
    let cellar = place.worker().await;
    knows(&place);
    here().ask(&place.probe).await;
    let _attic = attic(&place).await;
    let mut heard = requests(&place).await;
    cellar.process.signal(Signal::KILL);
    assert_eq!(here().ask(&place.probe).await.answer(), "Lima.");
    assert_eq!(taker(&mut heard).await, "attic");
    assert!(place.own_requests().is_empty(), "{}", place.daemon.output());
}

/// Whether another or the device has it then is chance: a frozen worker may be given it by the queue as well.
#[tokio::test]
async fn where_that_worker_is_frozen_the_turn_is_answered_soon() {
    let place = Place::open().await;
    let cellar = place.worker().await;
    knows(&place);
    here().ask(&place.probe).await;
    let _attic = attic(&place).await;
    cellar.process.signal(Signal::STOP);
    let began = Instant::now();
    assert_eq!(here().ask(&place.probe).await.answer(), "Lima.");
    assert!(began.elapsed() < SOON, "{:?}", began.elapsed());
    cellar.process.signal(Signal::CONT);
}

#[tokio::test]
async fn where_that_worker_dies_in_the_turn_another_goes_on_with_it() {
    let place = Place::patient().await;
    let cellar = place.worker().await;
    place.brain.script(
        CELLAR,
        [
            Reply::answers("Lima."),
            Reply::acts("switch_lamp", &json!({"text": "on"})),
            Reply::answers("Nobody hears this.").behind(&Gate::default()),
            Reply::answers("The lamp is on."),
        ],
    );
    here().ask(&place.probe).await;
    let attic = attic(&place).await;
    let utterance = Utterance::new("Switch the lamp on").in_session("here");
    let mark = utterance.enter(&place.probe).await;
    place.brain.asked(CELLAR, 3, PATIENCE).await;
    cellar.process.signal(Signal::KILL);
    let turn = utterance.end(&place.probe, mark).await;
    assert_eq!(turn.answer(), "The lamp is on.");
    turn.assert_ended_once();
    assert_eq!(place.lamps.calls().len(), 1);
    assert!(place.own_requests().is_empty(), "{}", place.daemon.output());
    assert!(attic.process.output().contains("goes on with a turn"));
}

#[tokio::test]
async fn a_full_worker_is_not_waited_for() {
    let place = Place::open().await;
    let _cellar = place
        .worker_with(|home| home.setting("workers.places", "1"))
        .await;
    place.has_workers().await;
    let open = Gate::default();
    place
        .brain
        .script(CELLAR, [Reply::answers("Lima.").behind(&open)]);
    place.brain.script(KITCHEN, [Reply::answers("Quito.")]);
    let mark = here().enter(&place.probe).await;
    place.brain.asked(CELLAR, 1, PATIENCE).await;
    let other = Utterance::new("Capital of Ecuador?").in_session("there");
    assert_eq!(other.ask(&place.probe).await.answer(), "Quito.");
    open.open();
    let is_answer = |frame: &loquat_tests::frame::Frame| frame.is_speak() && frame.utterance() == "Lima.";
    place
        .probe
        .wait("the first answer", mark, PATIENCE, is_answer)
        .await;
    assert!(
        !place.daemon.output().contains("goes on here"),
        "it was never ordered"
    );
}

#[tokio::test]
async fn what_a_program_asks_leaves_the_last_place_to_a_person() {
    let place = Place::open().await;
    let _cellar = place
        .worker_with(|home| home.setting("workers.places", "1"))
        .await;
    place.has_workers().await;
    place
        .brain
        .decides(CELLAR, |_| Some(Reply::answers("From the cellar.")));
    place
        .brain
        .decides(KITCHEN, |_| Some(Reply::answers("From here.")));
    let data = json!({"persona_id": KITCHEN, "utterance": "Where is this thought?", "lang": "en-us"});
    let mark = place.probe.mark();
    place
        .probe
        .send(&json!({"type": "ovos.persona.query", "data": data, "context": {"source": "a program"}}))
        .await;
    place.brain.asked(KITCHEN, 1, PATIENCE).await;
    let is_response = |frame: &loquat_tests::frame::Frame| frame.topic == "ovos.persona.answer";
    place
        .probe
        .wait("the response", mark, PATIENCE, is_response)
        .await;
    assert!(place.brain.requests(CELLAR).is_empty());
    assert_eq!(here().ask(&place.probe).await.answer(), "From the cellar.");
}

#[tokio::test]
async fn a_worker_that_is_told_to_end_ends_its_turns_and_takes_no_more() {
    let place = Place::open().await;
    let mut cellar = place.worker().await;
    let open = Gate::default();
    place
        .brain
        .script(CELLAR, [Reply::answers("Lima.").behind(&open)]);
    place.brain.script(KITCHEN, [Reply::answers("Quito.")]);
    let utterance = here();
    let mark = utterance.enter(&place.probe).await;
    place.brain.asked(CELLAR, 1, PATIENCE).await;
    cellar.process.signal(Signal::TERM);
    place.daemon.wrote("no worker is there", PATIENCE).await;
    let other = Utterance::new("Capital of Ecuador?").in_session("there");
    assert_eq!(other.ask(&place.probe).await.answer(), "Quito.");
    open.open();
    assert_eq!(utterance.end(&place.probe, mark).await.answer(), "Lima.");
    assert!(cellar.process.ended(PATIENCE).await.success());
    assert_eq!(place.own_requests().len(), 1);
}

#[tokio::test]
async fn a_brain_that_the_settings_do_not_name_is_not_asked() {
    let nats = NatsServer::open().await;
    let place = Place::with(nats, Act::Returns(json!({"text": "on"})), |home, nats| {
        home.setting("workers.address", &quoted(&nats.url()));
        home.setting("workers.brains", "[\"another\"]");
    })
    .await;
    let _cellar = place.worker_with(|_| {}).await;
    place
        .daemon
        .wrote("workers.brains does not name it", PATIENCE)
        .await;
    knows(&place);
    assert_eq!(here().ask(&place.probe).await.answer(), "Lima.");
    assert!(place.brain.requests(CELLAR).is_empty());
    let checked = Launch::new(&place.home, &["check"]).run().await;
    assert!(
        checked.stdout.contains("name one of them in workers.brains"),
        "{}",
        checked.stdout
    );
}

/// A worker's turn is told of what comes to the device's.
#[tokio::test]
async fn tools_that_come_while_a_worker_thinks_are_known_to_its_brain() {
    const LATE: &str = "late-tools";
    let persona = |brain: &loquat_tests::brain::ScriptedBrain| {
        Persona::react(KITCHEN, &brain.url(KITCHEN))
            .trusting(LAMPS)
            .trusting(LATE)
    };
    let place = Place::with_persona(persona).await;
    let _cellar = place.worker().await;
    // Until it knows of the bell it plays with the lamp.
    place.brain.decides(CELLAR, |request| {
        let text = request.text();
        Some(if text.contains("ding") {
            Reply::answers("It has rung.")
        } else if text.contains("ring_bell") {
            Reply::acts("ring_bell", &json!({"text": "once"}))
        } else {
            let step = json!({"text": request.messages().len().to_string()});
            Reply::acts("switch_lamp", &step).after(Duration::from_millis(300))
        })
    });
    let utterance = Utterance::new("Ring the bell").in_session("here");
    let mark = utterance.enter(&place.probe).await;
    place.brain.asked(CELLAR, 1, PATIENCE).await;
    let bell = ScriptedTool::named("ring_bell", Act::Returns(json!({"text": "ding"})));
    let bells = ScriptedToolbox::join(place.home.port(), LATE, vec![bell]).await;
    assert_eq!(utterance.end(&place.probe, mark).await.answer(), "It has rung.");
    assert_eq!(bells.calls().len(), 1);
    assert!(place.own_requests().is_empty(), "{}", place.daemon.output());
}
