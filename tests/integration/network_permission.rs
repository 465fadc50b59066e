//! What leaves the device asks first: services outside are reached after a yes of the owner and not before, in
//! whichever way they are asked for.

use loquat_tests::brain::Reply;
use loquat_tests::browser::{Browser, served};
use loquat_tests::bus::FakeBus;
use loquat_tests::daemon::Launch;
use loquat_tests::frame::Frame;
use loquat_tests::home::Home;
use loquat_tests::ovos_core::{Generation, ScriptedCore};
use loquat_tests::turn::Utterance;
use loquat_tests::wait::PATIENCE;
use loquat_tests::web_server::{Answer, Asked, WebServer};
use serde_json::{Value, json};

use crate::page::{field, shows};
use crate::story::{Scene, Story, TESTER, assert_sentence};

const SUMMARY: &str = "Ada Lovelace was a mathematician.";
const MAY_I: &str = "I would ask Wikipedia about that. May I, from now on?";
const WHO: &str = "Who was Ada Lovelace?";
const NOT_ALLOWED: &str =
    "The owner has not allowed me to ask Wikipedia; at the device they can say: you may ask Wikipedia.";

/// A sentence for each service that is asked by default, and what the question calls it.
const SAID: [(&str, &str); 4] = [
    (WHO, "Wikipedia"),
    ("What is the weather in Lisbon?", "Open-Meteo"),
    ("What does frugal mean?", "Wiktionary"),
    ("How tall is the Eiffel Tower?", "Wikidata"),
];

/// All services in one, on loopback.
async fn services() -> WebServer {
    WebServer::start(answer).await
}

fn answer(asked: &Asked) -> Answer {
    if asked.path.starts_with("/v1/search") {
        let lisbon =
            json!({"name": "Lisbon", "latitude": 38.7, "longitude": -9.1, "timezone": "Europe/Lisbon"});
        return Answer::json(&json!({"results": [lisbon]}));
    }
    let page = json!({"pageid": 1, "title": "Ada Lovelace", "index": 1, "extract": SUMMARY});
    Answer::json(&json!({"query": {"pages": [page]}}))
}

/// A new device: the owner has not been asked anything yet.
fn new_device(services: &WebServer, home: Home) -> Scene {
    let scene = Scene::at(home);
    let url = services.url();
    scene.home.without_setting("network.allowed");
    scene.home.setting("skills.intents", "\"alone\"");
    for (key, path) in [
        ("weather.url", ""),
        ("weather.geocoding_url", ""),
        ("web.wikipedia_url", "/{lang}"),
        ("web.wiktionary_url", "/{lang}"),
        ("web.wikidata_url", ""),
    ] {
        scene.home.setting(key, &format!("\"{url}{path}\""));
    }
    scene
}

fn device(services: &WebServer) -> Scene {
    new_device(services, Home::without_bus())
}

/// With the owner at its terminal.
async fn attended(scene: Scene) -> Story {
    let tester = scene.tester();
    let story = scene.play_attended(&tester).await;
    story
        .brain
        .whenever(TESTER, "", Reply::answers("The brain has it."));
    story
}

fn is_question(frame: &Frame) -> bool {
    frame.topic == "speak" && frame.data["expect_response"] == true
}

fn is_answer(frame: &Frame) -> bool {
    frame.is_speak() && frame.data["expect_response"] != true
}

/// Types this and gives what is asked back.
async fn asked_back(story: &Story, words: &str) -> String {
    let mark = story.probe.mark();
    story.daemon.types(words).await;
    let question = story
        .probe
        .wait("the question", mark, PATIENCE, is_question)
        .await;
    question.utterance().to_owned()
}

/// Types this and gives what is answered; nothing is asked back.
async fn told(story: &Story, words: &str) -> String {
    let mark = story.probe.mark();
    story.daemon.types(words).await;
    let answer = story.probe.wait("the answer", mark, PATIENCE, is_answer).await;
    let asked = story
        .probe
        .since(mark)
        .into_iter()
        .any(|frame| is_question(&frame));
    assert!(!asked, "nothing is asked: {words}");
    answer.utterance().to_owned()
}

#[tokio::test]
async fn each_service_is_reached_after_the_yes_and_not_before() {
    for (words, name) in SAID {
        let services = services().await;
        let story = attended(device(&services)).await;
        let question = asked_back(&story, words).await;
        assert!(
            question.contains(name) && question.ends_with('?'),
            "{words}: {question}"
        );
        assert!(services.connected().is_empty(), "{words}: before the yes");
        told(&story, "Yes").await;
        assert!(!services.connected().is_empty(), "{words}: after the yes");
        let file = story.home.settings();
        let others = ["weather", "wikipedia", "wiktionary", "wikidata"]
            .iter()
            .filter(|service| file.contains(&format!("allowed = [\"{service}\"]")))
            .count();
        assert_eq!(others, 1, "one service and no other is allowed: {file}");
    }
}

/// A device that may ask the weather service and cannot reach it.
async fn without_a_network(place: bool) -> Story {
    let scene = Scene::default();
    for (key, value) in [
        ("network.allowed", "[\"weather\"]"),
        ("skills.intents", "\"alone\""),
        ("weather.url", "\"http://127.0.0.1:1\""),
        ("weather.geocoding_url", "\"http://127.0.0.1:1\""),
    ] {
        scene.home.setting(key, value);
    }
    if place {
        scene.home.setting("device.latitude", "38.7");
        scene.home.setting("device.longitude", "-9.1");
    }
    attended(scene).await
}

#[tokio::test]
async fn what_cannot_be_reached_or_has_no_place_is_said_without_a_brain() {
    for (has_place, words, begins) in [
        (
            true,
            "Will it rain tomorrow?",
            "I cannot reach the weather service.",
        ),
        (
            true,
            "What is the weather in Lisbon?",
            "I cannot reach the weather service.",
        ),
        (
            false,
            "Will it rain tomorrow?",
            "I do not know where this device is.",
        ),
    ] {
        let story = without_a_network(has_place).await;
        let said = told(&story, words).await;
        assert!(said.starts_with(begins), "{words}: {said}");
        assert_eq!(story.brain.requests(TESTER).len(), 0, "{words}");
    }
}

#[tokio::test]
async fn a_yes_is_remembered_over_a_restart() {
    let services = services().await;
    let story = attended(device(&services)).await;
    assert_eq!(asked_back(&story, WHO).await, MAY_I);
    assert_eq!(told(&story, "Yes").await, SUMMARY);
    assert_eq!(services.connected().len(), 1);
    let Story { home, mut daemon, .. } = story;
    daemon.signal(rustix::process::Signal::TERM);
    daemon.ended(PATIENCE).await;

    let scene = Scene::at(home);
    let story = attended(scene).await;
    assert_eq!(told(&story, WHO).await, SUMMARY);
    assert_eq!(services.connected().len(), 2);
    assert!(
        asked_back(&story, SAID[1].0).await.contains("Open-Meteo"),
        "of others it still asks"
    );
}

#[tokio::test]
async fn after_a_no_nothing_is_sent_nothing_is_asked_and_there_is_a_way_back() {
    let services = services().await;
    let story = attended(device(&services)).await;
    assert_eq!(asked_back(&story, WHO).await, MAY_I);
    let refused = told(&story, "No").await;
    assert!(refused.contains("you may ask Wikipedia"), "{refused}");
    assert_sentence(&refused);
    assert!(story.home.settings().contains("denied = [\"wikipedia\"]"));
    for _ in 0..2 {
        assert_eq!(told(&story, WHO).await, "I do not ask Wikipedia, as you told me.");
    }
    assert!(services.connected().is_empty());

    // The sentence alone allows nothing, since a program could bring it.
    let by_program = Utterance::new("You may ask Wikipedia").ask(&story.probe).await;
    assert_eq!(by_program.answer(), NOT_ALLOWED);
    let question = asked_back(&story, "You may ask Wikipedia").await;
    assert_eq!(question, "May I ask Wikipedia from now on?");
    assert_eq!(
        told(&story, "Yes").await,
        "From now on I ask Wikipedia where that helps."
    );
    assert_eq!(told(&story, WHO).await, SUMMARY);
    assert_eq!(services.connected().len(), 1);
    let file = story.home.settings();
    assert!(
        file.contains("allowed = [\"wikipedia\"]") && !file.contains("denied"),
        "{file}"
    );

    assert_eq!(
        told(&story, "Do not ask Wikipedia any more").await,
        "I do not ask Wikipedia any more."
    );
    assert_eq!(told(&story, WHO).await, "I do not ask Wikipedia, as you told me.");
    assert_eq!(services.connected().len(), 1);
}

#[tokio::test]
async fn unclear_words_send_nothing_and_say_nothing_for_the_next_time() {
    let services = services().await;
    let story = attended(device(&services)).await;
    assert_eq!(asked_back(&story, WHO).await, MAY_I);
    let mark = story.probe.mark();
    story.daemon.types("The garden is green today").await;
    let unclear = "I have not asked Wikipedia, as that was no clear yes.";
    let is_it = |frame: &Frame| frame.is_speak() && frame.utterance() == unclear;
    story.probe.wait("the refusal", mark, PATIENCE, is_it).await;
    assert!(services.connected().is_empty());
    assert_eq!(asked_back(&story, WHO).await, MAY_I);
}

#[tokio::test]
async fn a_brain_and_a_lookup_ask_in_the_same_way() {
    for (handlers, expected) in [
        (json!(["ovos-react-loop"]), "A mathematician."),
        (
            json!(["ovos-solver-wikipedia-plugin", "ovos-react-loop"]),
            SUMMARY,
        ),
    ] {
        let services = services().await;
        let scene = device(&services);
        scene.home.setting("skills.intents", "\"never\"");
        let tester = scene.tester().toolboxes(&["ovos-wikipedia-tools"]);
        let story = scene
            .play_attended(&tester.key("handlers", handlers.clone()))
            .await;
        story.script([
            Reply::acts("search_wikipedia", &json!({"query": "Ada Lovelace"})),
            Reply::answers("A mathematician."),
        ]);
        assert_eq!(asked_back(&story, WHO).await, MAY_I, "{handlers}");
        assert!(services.connected().is_empty(), "{handlers}: before the yes");
        assert_eq!(told(&story, "Yes").await, expected, "{handlers}");
        assert_eq!(services.connected().len(), 1, "{handlers}: after the yes");
    }
}

async fn called(story: &Story, topic: &str, data: &Value) -> String {
    let answer = story.probe.request(topic, data).await;
    answer.data["error"].as_str().unwrap_or_default().to_owned()
}

#[tokio::test]
async fn guests_and_programs_reach_nothing_and_are_told_how_it_is_allowed() {
    let services = services().await;
    let scene = device(&services);
    let tester = scene.tester().toolboxes(&["ovos-wikipedia-tools"]);
    // The owner sits at the terminal, and is not the one who asks.
    let story = scene.play_attended(&tester).await;
    let turn = Utterance::new(WHO).in_session("kitchen").ask(&story.probe).await;
    assert_eq!(turn.answer(), NOT_ALLOWED);
    assert_sentence(turn.answer());

    let by_brain = "Tell me of the first programmer";
    story.script([Reply::acts("search_wikipedia", &json!({"query": "Ada Lovelace"}))]);
    let turn = Utterance::new(by_brain)
        .in_session("kitchen")
        .ask(&story.probe)
        .await;
    assert_eq!(
        turn.answer(),
        NOT_ALLOWED,
        "also where a brain wants to look it up"
    );

    let arguments = json!({"query": "Ada Lovelace"});
    let call = json!({"toolbox_id": "ovos-wikipedia-tools", "name": "search_wikipedia", "kwargs": arguments});
    let flat = json!({"name": "search_wikipedia", "args": arguments});
    for (topic, data) in [("ovos.persona.tools.call", call), ("ovos.tools.invoke", flat)] {
        let error = called(&story, topic, &data).await;
        assert_eq!(error, format!("PermissionError: {NOT_ALLOWED}"), "{topic}");
    }
    for (tool, arguments) in [
        ("search_wikipedia", r#"{"query": "Ada Lovelace"}"#),
        ("get_weather", r#"{"place": "Lisbon"}"#),
        ("fetch_page", r#"{"url": "https://example.org/"}"#),
    ] {
        let call = Launch::new(&story.home, &["tools", "call", tool, arguments])
            .run()
            .await;
        assert!(
            !call.status.success() && call.stderr.contains("has not allowed"),
            "{}",
            call.shown()
        );
    }
    let check = Launch::new(&story.home, &["check"]).run().await;
    assert!(
        check.stdout.contains("asks you first about: weather"),
        "{}",
        check.shown()
    );
    assert!(services.connected().is_empty());
}

#[tokio::test]
async fn an_mcp_client_reaches_nothing() {
    let services = services().await;
    let scene = device(&services);
    let tester = scene.tester();
    let story = scene.play_attended(&tester).await;
    let client = Launch::new(&story.home, &["mcp"]).attended();
    let greeting = json!({"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "test", "version": "1"}});
    let says = async |message: Value| client.types(&message.to_string()).await;
    says(json!({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": greeting})).await;
    client.wrote("serverInfo", PATIENCE).await;
    says(json!({"jsonrpc": "2.0", "method": "notifications/initialized"})).await;
    for (times, name, arguments) in [
        (1, "search_wikipedia", json!({"query": "Ada Lovelace"})),
        (2, "ask_persona", json!({"question": WHO})),
    ] {
        let params = json!({"name": name, "arguments": arguments});
        says(json!({"jsonrpc": "2.0", "id": 1 + times, "method": "tools/call", "params": params})).await;
        client
            .wrote_times("has not allowed me to ask Wikipedia", times, PATIENCE)
            .await;
    }
    assert!(services.connected().is_empty());
}

#[tokio::test]
async fn where_nobody_sits_nothing_is_sent() {
    let services = services().await;
    let scene = device(&services);
    let tester = scene.tester();
    let story = scene.play(&tester).await;
    for _ in 0..6 {
        let turn = Utterance::new(WHO).in_session("default").ask(&story.probe).await;
        assert_eq!(turn.answer(), NOT_ALLOWED);
    }
    assert!(services.connected().is_empty());
    story.script([Reply::answers("As ever.")]);
    assert_eq!(
        story.ask("How are you?").await.answer(),
        "As ever.",
        "it is no failure of the session"
    );
}

#[tokio::test]
async fn with_the_bus_allowed_to_say_yes_a_guest_still_allows_nothing() {
    let services = services().await;
    let scene = device(&services);
    scene.home.setting("desk.consent_from", "\"bus\"");
    let tester = scene.tester();
    let story = scene.play(&tester).await;
    let turn = Utterance::new(WHO).in_session("kitchen").ask(&story.probe).await;
    assert_eq!(turn.answer(), NOT_ALLOWED);
    assert!(services.connected().is_empty());
    // In the device's own session the owner has said that clients of the bus count.
    let who = Utterance::new(WHO).in_session("default");
    let mark = who.enter(&story.probe).await;
    story
        .probe
        .wait("the question", mark, PATIENCE, is_question)
        .await;
    assert!(services.connected().is_empty());
    Utterance::new("Yes")
        .in_session("default")
        .ask(&story.probe)
        .await;
    who.end(&story.probe, mark).await;
    assert_eq!(services.connected().len(), 1);
}

#[tokio::test]
async fn beside_a_core_it_is_the_same() {
    let services = services().await;
    let bus = FakeBus::start().await;
    let core = ScriptedCore::join(bus.port(), Generation::PreRelease).await;
    let scene = new_device(&services, Home::with_bus(bus.port()));
    scene.home.setting("desk.consent_from", "\"bus\"");
    let tester = scene.tester().toolboxes(&["ovos-wikipedia-tools"]);
    let story = scene.play(&tester).await;
    core.registered("loquat", PATIENCE).await;
    let looks = || Reply::acts("search_wikipedia", &json!({"query": "Ada Lovelace"}));
    story.script([looks()]);
    let guest = Utterance::new(WHO).in_session("kitchen").ask(&story.probe).await;
    assert_eq!(guest.answer(), NOT_ALLOWED);
    assert!(services.connected().is_empty());

    story.script([looks(), Reply::answers("A mathematician.")]);
    let who = Utterance::new(WHO).in_session("default");
    let mark = who.enter(&story.probe).await;
    let question = story
        .probe
        .wait("the question", mark, PATIENCE, is_question)
        .await;
    assert_eq!(question.utterance(), MAY_I);
    assert!(services.connected().is_empty());
    Utterance::new("Yes")
        .in_session("default")
        .ask(&story.probe)
        .await;
    who.end(&story.probe, mark).await;
    assert_eq!(services.connected().len(), 1);
}

#[tokio::test]
async fn a_persona_that_asks_nothing_outside_says_so_in_every_language() {
    let services = services().await;
    let scene = device(&services);
    // Whatever the owner allows to others.
    scene.home.setting("network.allowed", "\"all\"");
    let url = scene.brain.url("Teddy");
    let teddy = |name: &str, handlers: Value| {
        json!({"name": name, "handlers": handlers, "network": false, "ovos-react-loop": {
            "brain": "ovos-chat-openai-plugin", "toolboxes": ["loquat-weather-tools"],
            "ovos-chat-openai-plugin": {"api_url": url, "key": "sk-scripted", "model": "m", "supports_tools": false}}})
    };
    for (name, handlers) in [
        ("Teddy", json!(["ovos-react-loop"])),
        (
            "Bruno",
            json!(["ovos-solver-wikipedia-plugin", "ovos-react-loop"]),
        ),
    ] {
        let file = teddy(name, handlers).to_string();
        scene
            .home
            .write(&format!("config/ovos_persona/{name}.json"), &file);
    }
    let tester = scene.tester();
    let story = scene.play_attended(&tester).await;
    for (lang, said, expected) in [
        ("en-US", WHO, "Teddy does not ask the internet."),
        ("en-US", SAID[1].0, "Teddy does not ask the internet."),
        ("en-US", SAID[2].0, "Teddy does not ask the internet."),
        ("en-US", SAID[3].0, "Teddy does not ask the internet."),
        (
            "de-DE",
            "Wie ist das Wetter in Lissabon?",
            "Teddy fragt nicht im Internet.",
        ),
        (
            "fr-FR",
            "Quel temps fait-il à Lisbonne ?",
            "Teddy ne consulte pas internet.",
        ),
        (
            "es-ES",
            "¿Qué tiempo hace en Lisboa?",
            "Teddy no consulta internet.",
        ),
        ("it-IT", "Che tempo fa a Lisbona?", "Teddy non consulta internet."),
        (
            "pt-PT",
            "Como está o tempo em Lisboa?",
            "Teddy não consulta a internet.",
        ),
    ] {
        let asked = Utterance::new(said).to("Teddy").session("lang", json!(lang));
        assert_eq!(asked.ask(&story.probe).await.answer(), expected, "{said}");
    }
    let weather = Reply::acts("get_weather", &json!({"place": "Lisbon"}));
    story.brain.script("Teddy", [weather]);
    let by_brain = Utterance::new("Should I take the umbrella along for granny?").to("Teddy");
    assert_eq!(
        by_brain.ask(&story.probe).await.answer(),
        "Teddy does not ask the internet."
    );
    let looked_up = Utterance::new("What is the Eiffel Tower?").to("Bruno");
    assert_eq!(
        looked_up.ask(&story.probe).await.answer(),
        "Bruno does not ask the internet."
    );
    assert!(services.connected().is_empty());
    assert_eq!(story.ask(WHO).await.answer(), SUMMARY, "the others do");
    assert_eq!(services.connected().len(), 1);
}

#[tokio::test]
async fn a_sentence_that_asks_for_more_has_the_rest_done() {
    let services = services().await;
    let scene = device(&services);
    let tester = scene.tester();
    let story = scene.play(&tester).await;
    let turn = story
        .ask("What is the weather in Lisbon and what is two times three")
        .await;
    let answer = turn.answer();
    assert!(
        answer.contains("has not allowed") && answer.contains('6'),
        "{answer}"
    );
    assert!(services.connected().is_empty());
}

#[tokio::test]
async fn the_page_and_the_command_line_show_and_change_it() {
    let services = services().await;
    let scene = device(&services);
    let root = served(&scene.home);
    let tester = scene.tester();
    let story = scene.play(&tester).await;
    let mut browser = Browser::entered(&story.home, &root).await;
    let shown = browser.look("/settings").await;
    assert!(
        shown.contains("Outside of this device") && shown.contains("Wikidata"),
        "{shown}"
    );
    browser
        .send(
            "/settings/network",
            &[("service", "wikipedia"), ("standing", "allowed")],
        )
        .await;
    assert!(story.home.settings().contains("allowed = [\"wikipedia\"]"));
    assert_eq!(story.ask(WHO).await.answer(), SUMMARY);
    assert_eq!(services.connected().len(), 1);
    browser
        .send(
            "/settings/network",
            &[("service", "wikipedia"), ("standing", "denied")],
        )
        .await;
    assert_eq!(story.ask(WHO).await.answer(), NOT_ALLOWED);

    let run = async |arguments: &[&str]| Launch::new(&story.home, arguments).run().await;
    let listed = run(&["network"]).await;
    assert!(listed.stdout.contains("not allowed"), "{}", listed.shown());
    let allowed = run(&["network", "allow", "weather"]).await;
    assert!(allowed.status.success(), "{}", allowed.shown());
    let file = story.home.settings();
    assert!(
        file.contains("allowed = [\"weather\"]") && file.contains("denied = [\"wikipedia\"]"),
        "{file}"
    );
    let unknown = run(&["network", "allow", "wikipeda"]).await;
    assert!(
        unknown.stderr.contains("did you mean wikipedia?"),
        "{}",
        unknown.shown()
    );
    let check = run(&["check"]).await;
    let line =
        "may ask: weather; may not ask: wikipedia; asks you first about: wiktionary, wikidata and web_pages";
    assert!(check.stdout.contains(line), "{}", check.shown());
    assert_eq!(services.connected().len(), 1);
}

#[tokio::test]
async fn a_yes_on_the_page_counts_as_one_at_the_device() {
    let services = services().await;
    let scene = device(&services);
    let root = served(&scene.home);
    let tester = scene.tester().toolboxes(&["ovos-wikipedia-tools"]);
    let story = scene.play(&tester).await;
    let mut browser = Browser::entered(&story.home, &root).await;
    let look_up = [("arg:query", "Ada Lovelace")];
    let form = "/tools/ovos-wikipedia-tools/search_wikipedia";
    let turn = browser.send(form, &look_up).await;
    let asks = shows(&mut browser, &turn, "Yes, from now on").await;
    assert!(asks.contains("Wikipedia"), "{asks}");
    assert!(
        services.connected().is_empty(),
        "it is asked before anything is sent"
    );
    let (id, call) = (turn.strip_prefix("/turns/").unwrap(), field(&asks, "call"));
    browser
        .send("/answer", &[("turn", id), ("call", &call), ("yes", "1")])
        .await;
    shows(&mut browser, &turn, "answered").await;
    assert_eq!(services.connected().len(), 1);
    assert!(story.home.settings().contains("allowed = [\"wikipedia\"]"));
    // It counts for everybody from now on.
    assert_eq!(story.ask(WHO).await.answer(), SUMMARY);
}

#[tokio::test]
async fn unknown_services_are_refused_with_the_nearest() {
    let home = Home::without_bus();
    home.setting("network.allowed", "[\"wikipedia\", \"wether\"]");
    let check = Launch::new(&home, &["check"]).run().await;
    assert!(
        check.stdout.contains("did you mean weather?"),
        "{}",
        check.shown()
    );
}
