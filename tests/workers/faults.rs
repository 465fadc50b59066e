//! What happens when workers, the server or the way to them fail: the answer comes all the same, and nothing is done twice.

use std::time::Duration;

use loquat_tests::brain::{Gate, Reply, Request};
use loquat_tests::daemon::Launch;
use loquat_tests::home::Home;
use loquat_tests::nats::NatsServer;
use loquat_tests::toolbox::Act;
use loquat_tests::turn::Utterance;
use loquat_tests::wait::PATIENCE;
use rustix::process::Signal;
use serde_json::json;
use tokio::time::Instant;

use loquat_tests::place::{CELLAR, KITCHEN, Place, quoted};

/// Longer than the device waits for a worker to take a turn, shorter than a person does.
const UNNOTICED: Duration = Duration::from_secs(2);

/// A place whose device waits long for a worker that is silent, on a slow machine too.
async fn patient(lamp: Act) -> Place {
    Place::with(NatsServer::open().await, lamp, |home, nats| {
        home.setting("workers.address", &quoted(&nats.url()));
        home.setting("workers.silence_seconds", "20.0");
    })
    .await
}

fn on() -> serde_json::Value {
    json!({"text": "on"})
}

#[tokio::test]
async fn without_a_server_the_device_answers_itself_and_says_why_once() {
    let server = NatsServer::open().await;
    let place = Place::with(server, Act::Returns(on()), |home, _| {
        home.setting("workers.address", "\"nats://127.0.0.1:9\"");
    })
    .await;
    place.brain.script(KITCHEN, [Reply::answers("Lima.")]);
    place
        .daemon
        .wrote("failed to reach the NATS server at nats://127.0.0.1:9", PATIENCE)
        .await;
    assert_eq!(place.ask("Capital of Peru?").await.answer(), "Lima.");
    assert_eq!(place.own_requests().len(), 1);
}

#[tokio::test]
async fn without_a_worker_the_device_answers_itself_at_once() {
    let place = Place::open().await;
    place.daemon.wrote("no worker is there", PATIENCE).await;
    place.brain.script(KITCHEN, [Reply::answers("Lima.")]);
    let began = Instant::now();
    assert_eq!(place.ask("Capital of Peru?").await.answer(), "Lima.");
    assert!(began.elapsed() < UNNOTICED, "{:?}", began.elapsed());
}

#[tokio::test]
async fn a_worker_that_has_just_frozen_costs_no_more_than_a_moment() {
    let place = Place::open().await;
    let worker = place.worker().await;
    place.brain.script(KITCHEN, [Reply::answers("Lima.")]);
    worker.process.signal(Signal::STOP);
    let began = Instant::now();
    assert_eq!(place.ask("Capital of Peru?").await.answer(), "Lima.");
    assert!(began.elapsed() < UNNOTICED, "{:?}", began.elapsed());
    worker.process.signal(Signal::CONT);
}

#[tokio::test]
async fn a_worker_that_is_killed_is_succeeded_and_the_lamp_is_switched_once() {
    let place = patient(Act::Returns(on())).await;
    let first = place.worker().await;
    place.brain.script(
        CELLAR,
        [
            Reply::acts("switch_lamp", &on()),
            Reply::answers("Nobody hears this.").behind(&Gate::default()),
            Reply::answers("The lamp is on."),
        ],
    );
    let utterance = Utterance::new("Switch the lamp on");
    let mark = utterance.enter(&place.probe).await;
    place.brain.asked(CELLAR, 2, PATIENCE).await;
    let second = place.worker_with(|_| {}).await;
    first.process.signal(Signal::KILL);
    let turn = utterance.end(&place.probe, mark).await;
    assert_eq!(turn.answer(), "The lamp is on.");
    turn.assert_ended_once();
    assert_eq!(place.lamps.calls().len(), 1);
    assert!(place.own_requests().is_empty(), "{}", place.daemon.output());
    assert!(second.process.output().contains("goes on with a turn"));
}

#[tokio::test]
async fn a_worker_that_is_killed_during_a_call_is_succeeded_and_the_call_is_not_made_again() {
    let place = patient(Act::Later(Duration::from_secs(1), on())).await;
    let first = place.worker().await;
    place.brain.script(
        CELLAR,
        [
            Reply::acts("switch_lamp", &on()),
            Reply::answers("The lamp is on."),
        ],
    );
    let utterance = Utterance::new("Switch the lamp on");
    let mark = utterance.enter(&place.probe).await;
    place.lamps.called(1, PATIENCE).await;
    let _second = place.worker_with(|_| {}).await;
    first.process.signal(Signal::KILL);
    let turn = utterance.end(&place.probe, mark).await;
    assert_eq!(turn.answer(), "The lamp is on.");
    assert_eq!(place.lamps.calls().len(), 1);
    assert!(place.own_requests().is_empty(), "{}", place.daemon.output());
    let shown = place
        .brain
        .requests(CELLAR)
        .last()
        .map(Request::newest)
        .unwrap_or_default();
    assert!(
        !shown.contains("may have taken effect"),
        "the device knew what came of it: {shown}"
    );
}

#[tokio::test]
async fn a_worker_that_was_frozen_writes_nothing_when_another_has_its_turn() {
    let place = patient(Act::Returns(on())).await;
    let first = place.worker().await;
    let (late, open) = (Gate::default(), Gate::default());
    place.brain.script(
        CELLAR,
        [
            Reply::acts("switch_lamp", &on()),
            Reply::answers("The dead have spoken.").behind(&late),
            Reply::answers("The lamp is on.").behind(&open),
        ],
    );
    let utterance = Utterance::new("Switch the lamp on");
    let mark = utterance.enter(&place.probe).await;
    place.brain.asked(CELLAR, 2, PATIENCE).await;
    first.process.signal(Signal::STOP);
    let _second = place.worker_with(|_| {}).await;
    place.brain.asked(CELLAR, 3, PATIENCE).await;
    late.open();
    first.process.signal(Signal::CONT);
    first
        .process
        .wrote("another worker has gone on with this turn", PATIENCE)
        .await;
    open.open();
    let turn = utterance.end(&place.probe, mark).await;
    assert_eq!(turn.answer(), "The lamp is on.");
    assert_eq!(place.lamps.calls().len(), 1);
    assert!(place.own_requests().is_empty(), "{}", place.daemon.output());
}

#[tokio::test]
async fn when_the_server_dies_the_device_ends_the_turn_itself_and_uses_it_again_later() {
    let mut place = patient(Act::Returns(on())).await;
    let worker = place.worker().await;
    place.brain.script(
        CELLAR,
        [
            Reply::acts("switch_lamp", &on()),
            Reply::answers("Nobody hears this.").behind(&Gate::default()),
            Reply::answers("Lima."),
        ],
    );
    place.brain.script(KITCHEN, [Reply::answers("The lamp is on.")]);
    let utterance = Utterance::new("Switch the lamp on");
    let mark = utterance.enter(&place.probe).await;
    place.brain.asked(CELLAR, 2, PATIENCE).await;
    place.nats.kill().await;
    let turn = utterance.end(&place.probe, mark).await;
    assert_eq!(turn.answer(), "The lamp is on.");
    turn.assert_ended_once();
    assert_eq!(
        place.lamps.calls().len(),
        1,
        "what was done before is not done again"
    );
    let (is_same, shown) = place.replay().await;
    assert!(is_same && shown.contains("The lamp is on."), "{shown}");

    place.nats.start().await;
    place.daemon.wrote("no worker is there", NatsServer::BACK).await;
    drop(worker);
    let _worker = place.worker_with(|_| {}).await;
    let asked = place.brain.requests(CELLAR).len();
    while place.brain.requests(CELLAR).len() == asked {
        place.brain.whenever(KITCHEN, "Peru", Reply::answers("Lima."));
        assert_eq!(place.ask("Capital of Peru?").await.answer(), "Lima.");
    }
}

#[tokio::test]
async fn a_device_that_is_killed_goes_on_alone_and_switches_no_lamp_twice() {
    let mut place = patient(Act::Returns(on())).await;
    let _worker = place.worker().await;
    place.brain.script(
        CELLAR,
        [
            Reply::acts("switch_lamp", &on()),
            Reply::answers("Nobody hears this.").behind(&Gate::default()),
        ],
    );
    place.brain.script(KITCHEN, [Reply::answers("The lamp is on.")]);
    let utterance = Utterance::new("Switch the lamp on");
    let mark = utterance.enter(&place.probe).await;
    place.brain.asked(CELLAR, 2, PATIENCE).await;
    place.crash().await;
    let turn = utterance.end(&place.probe, mark).await;
    assert_eq!(turn.answer(), "The lamp is on.");
    turn.assert_ended_once();
    assert_eq!(place.lamps.calls().len(), 1);
    assert_eq!(
        place.own_requests().len(),
        1,
        "what the worker's brain said first is written here"
    );
}

#[tokio::test]
async fn a_dangerous_tool_is_asked_for_at_the_device() {
    let server = NatsServer::open().await;
    let settings = |home: &Home, nats: &NatsServer| {
        home.setting("workers.address", &quoted(&nats.url()));
        home.setting("workers.silence_seconds", "20.0");
    };
    let place = Place::of(server, Act::Returns(on()), settings, false).await;
    let _worker = place.worker_with(|_| {}).await;
    place.heard_a_worker().await;
    for (words, calls) in [("No", 0), ("Yes, please", 1)] {
        place.brain.script(
            CELLAR,
            [
                Reply::acts("switch_lamp", &on()),
                Reply::answers("That was the lamp."),
            ],
        );
        let mark = place.probe.mark();
        place.daemon.types("Switch the lamp on").await;
        let is_question = |frame: &loquat_tests::frame::Frame| {
            frame.topic == "speak" && frame.data["expect_response"] == true
        };
        place
            .probe
            .wait("the question", mark, PATIENCE, is_question)
            .await;
        assert_eq!(place.lamps.calls().len(), 0, "nothing is done before the yes");
        place.daemon.types(words).await;
        let is_answer = |frame: &loquat_tests::frame::Frame| frame.utterance() == "That was the lamp.";
        place.probe.wait("the answer", mark, PATIENCE, is_answer).await;
        assert_eq!(place.lamps.calls().len(), calls, "{words}");
    }
    assert!(place.own_requests().is_empty(), "{}", place.daemon.output());
}

#[tokio::test]
async fn a_wrong_password_is_one_sentence_and_the_answer_comes() {
    let server = NatsServer::of_the_example().await;
    let place = Place::with(server, Act::Returns(on()), |home, nats| {
        let file = home.write("config/password", "wrong\n");
        home.setting("workers.address", &quoted(&nats.tls_url()));
        home.setting("workers.ca_file", &quoted(&nats.ca_file().display().to_string()));
        home.setting("workers.user", "\"kitchen\"");
        home.setting("workers.password_file", &quoted(&file.display().to_string()));
    })
    .await;
    place
        .daemon
        .wrote("it refuses the user or the password", PATIENCE)
        .await;
    place.brain.script(KITCHEN, [Reply::answers("Lima.")]);
    assert_eq!(place.ask("Capital of Peru?").await.answer(), "Lima.");
    let checked = Launch::new(&place.home, &["check"]).run().await;
    let line = checked
        .stdout
        .lines()
        .find(|line| line.contains("it refuses the user"));
    assert!(
        line.is_some_and(|line| line.starts_with("BROKEN")),
        "{}",
        checked.stdout
    );
}

#[tokio::test]
async fn workers_of_another_version_are_told_of_and_not_asked() {
    let place = Place::open().await;
    let client = async_nats::connect(place.nats.url()).await.unwrap();
    let announcement = json!({
        "worker": "old.1", "version": "0.0.1", "kind": "0123456789ab", "brain": "elder",
        "capabilities": {"native_tools": false, "json_schema": false, "context_tokens": null}, "free": 9,
    });
    let payload = announcement.to_string();
    client
        .publish("loquat.home.present.old", payload.into())
        .await
        .unwrap();
    client.flush().await.unwrap();
    place
        .daemon
        .wrote("the workers are of version 0.0.1", PATIENCE)
        .await;
    place.brain.script(KITCHEN, [Reply::answers("Lima.")]);
    assert_eq!(place.ask("Capital of Peru?").await.answer(), "Lima.");
}

#[tokio::test]
async fn the_check_says_where_turns_run() {
    let place = Place::open().await;
    let without = Launch::new(&place.home, &["check"]).run().await;
    assert!(
        without.stdout.contains("no worker is there"),
        "{}",
        without.stdout
    );
    let _worker = place.worker().await;
    let with = Launch::new(&place.home, &["check"]).run().await;
    assert!(
        with.stdout.contains("turns run on a worker with"),
        "{}",
        with.stdout
    );
}

#[tokio::test]
async fn a_worker_that_was_left_is_not_waited_for_again_by_the_next_turn() {
    let place = Place::with(NatsServer::open().await, Act::Returns(on()), |home, nats| {
        home.setting("workers.address", &quoted(&nats.url()));
        home.setting("workers.silence_seconds", "3.0");
    })
    .await;
    let worker = place.worker().await;
    place.brain.script(CELLAR, [Reply::answers("Lima.")]);
    assert_eq!(place.ask("Capital of Peru?").await.answer(), "Lima.");
    place.brain.script(
        CELLAR,
        [Reply::answers("Nobody hears this.").behind(&Gate::default())],
    );
    place.brain.decides(KITCHEN, |_| Some(Reply::answers("Quito.")));
    let utterance = Utterance::new("Capital of Ecuador?");
    let mark = utterance.enter(&place.probe).await;
    place.brain.asked(CELLAR, 2, PATIENCE).await;
    worker.process.signal(Signal::STOP);
    assert_eq!(utterance.end(&place.probe, mark).await.answer(), "Quito.");
    // It is there again, says so, and has just cost a person three seconds.
    worker.process.signal(Signal::CONT);
    place.heard_a_worker().await;
    let asked = place.brain.requests(CELLAR).len();
    let began = Instant::now();
    assert_eq!(place.ask("And now?").await.answer(), "Quito.");
    assert!(began.elapsed() < UNNOTICED, "{:?}", began.elapsed());
    assert_eq!(place.brain.requests(CELLAR).len(), asked);
    place
        .daemon
        .wrote("the worker has just failed to answer", PATIENCE)
        .await;
}

#[tokio::test]
async fn a_call_that_a_full_disk_forbids_costs_no_time() {
    let place = Place::open().await;
    let _worker = place.worker().await;
    place.brain.script(
        CELLAR,
        [
            Reply::acts("switch_lamp", &on()),
            Reply::answers("I could not do that."),
        ],
    );
    place.fill_disk();
    let began = Instant::now();
    let turn = place.ask("Switch the lamp on").await;
    assert_eq!(turn.answer(), "I could not do that.");
    assert!(began.elapsed() < UNNOTICED, "{:?}", began.elapsed());
    let shown = place.brain.requests(CELLAR).last().map(Request::newest);
    assert!(shown.is_some_and(|shown| shown.contains("cannot be written down")));
    assert!(place.lamps.calls().is_empty());
    assert!(place.own_requests().is_empty(), "{}", place.daemon.output());
}

#[tokio::test]
async fn a_worker_whose_queue_was_wiped_joins_anew_and_takes_turns() {
    let place = Place::open().await;
    let worker = place.worker().await;
    let client = async_nats::connect(place.nats.url()).await.unwrap();
    let jetstream = async_nats::jetstream::new(client);
    jetstream.delete_stream("LOQUAT_TURNS_home").await.unwrap();
    worker
        .process
        .wrote("the queue of the pool is gone from the NATS server", PATIENCE)
        .await;
    worker.process.wrote_times("takes turns", 2, PATIENCE).await;
    place.brain.decides(CELLAR, |_| Some(Reply::answers("Lima.")));
    place.brain.decides(KITCHEN, |_| Some(Reply::answers("Quito.")));
    // The device hears the worker again within a second or two.
    let asked = tokio::time::timeout(PATIENCE, async {
        while place.brain.requests(CELLAR).is_empty() {
            place.ask("Capital of Peru?").await;
        }
    });
    asked.await.expect("a turn on the worker");
}

#[tokio::test]
async fn two_devices_of_one_host_have_names_of_their_own() {
    let nats = NatsServer::open().await;
    let mut names = Vec::new();
    for _ in 0..2 {
        let home = Home::without_bus();
        home.setting("workers.address", &quoted(&nats.url()));
        let told = Launch::new(&home, &["check"]).run().await.stdout;
        let name = told.split("this machine is called ").nth(1);
        let name = name.and_then(|rest| rest.split_whitespace().next());
        names.push(name.unwrap_or_else(|| panic!("{told}")).to_owned());
    }
    assert_ne!(names[0], names[1]);
}
