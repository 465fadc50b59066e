//! What a person does on the page: sets the device up, sets, changes and deletes what is kept, edits personas, and follows a
//! conversation of their own.

use std::os::unix::fs::PermissionsExt;
use std::path::Path;

use loquat_tests::brain::{Delivery, Gate, Reply};
use loquat_tests::browser::{Browser, address, served};
use loquat_tests::daemon::Launch;
use loquat_tests::home::Home;
use loquat_tests::wait::PATIENCE;
use loquat_tests::web_server::WebServer;
use reqwest::Method;
use serde_json::{Value, json};

use crate::page::{field, shows, story};
use crate::setup::towns;
use crate::story::{Scene, TESTER};

const QUESTION: &str = "What is six times seven?";

#[tokio::test]
async fn timers_lists_and_memories_are_set_changed_and_deleted() {
    let (_story, mut browser) = story().await;
    browser.send("/reveal", &[("shown", "1")]).await;
    let mut pushed = browser.watch("timers").await;
    let timer = [("what", "timer"), ("duration", "10 minutes"), ("name", "pasta")];
    let set = browser.send_and_look("/timers/set", &timer).await;
    assert!(
        set.contains("imer set for 10 minutes") && set.contains("data-left=\""),
        "{set}"
    );
    let counts = |piece: &Value| piece["html"].as_str().is_some_and(|html| html.contains("pasta"));
    pushed.piece("the timer in an open view", PATIENCE, counts).await;
    let second = [("what", "timer"), ("duration", "20 minutes"), ("name", "pasta")];
    browser.send("/timers/set", &second).await;
    let id = field(&browser.look("/timers").await, "id");
    // By voice it would be asked which of the two is meant; here it is the one whose button was pressed.
    let change = [("what", "change"), ("id", id.as_str()), ("to", "3 hours")];
    let changed = browser.send_and_look("/timers/set", &change).await;
    assert!(
        changed.contains("3:00:00") || changed.contains("2:59:"),
        "{changed}"
    );
    let paused = browser.send_and_look("/timers/pause", &[("id", &id)]).await;
    assert!(paused.contains("left, paused"), "{paused}");
    let gone = browser.send_and_look("/timers/remove", &[("id", &id)]).await;
    assert!(
        gone.contains("cancelled") && gone.contains("pasta"),
        "the other stays: {gone}"
    );
    let again = browser.send_and_look("/timers/remove", &[("id", &id)]).await;
    assert!(again.contains("gone already"), "{again}");
    let wrong = browser
        .send_and_look("/timers/set", &[("what", "timer"), ("duration", "purple")])
        .await;
    assert!(
        wrong.contains("class=\"fault\"") && wrong.contains("purple"),
        "{wrong}"
    );
    let lists = browser
        .send_and_look("/lists/add", &[("items", "milk and eggs")])
        .await;
    let (list, item) = (field(&lists, "list"), field(&lists, "item"));
    let reworded = [
        ("list", list.as_str()),
        ("item", &item),
        ("to", "oat milk and honey"),
    ];
    let lists = browser.send_and_look("/lists/change", &reworded).await;
    assert!(
        lists.contains("oat milk and honey") && lists.contains("eggs"),
        "{lists}"
    );
    let item = field(&lists, "item");
    let less = browser
        .send_and_look("/lists/remove", &[("list", &list), ("item", &item)])
        .await;
    assert!(!less.contains("oat milk") && less.contains("eggs"), "{less}");
    let more = browser
        .send_and_look("/lists/add", &[("list", &list), ("items", "rice")])
        .await;
    assert!(more.contains("rice"), "{more}");
    let none = browser.send_and_look("/lists/remove", &[("list", &list)]).await;
    assert!(none.contains("Nothing is on any list"), "{none}");
    let memory = browser
        .send_and_look("/memory/add", &[("fact", "the bins go out on Tuesday")])
        .await;
    let id = field(&memory, "id");
    let changed = [("id", id.as_str()), ("fact", "the bins go out on Friday")];
    let memory = browser.send_and_look("/memory/change", &changed).await;
    assert!(
        memory.contains("on Friday") && !memory.contains("on Tuesday"),
        "{memory}"
    );
    let id = field(&memory, "id");
    let forgotten = browser.send_and_look("/memory/forget", &[("id", &id)]).await;
    assert!(
        forgotten.contains("Forgotten.") && !forgotten.contains("bins go out"),
        "{forgotten}"
    );
    let none = browser.send_and_look("/memory/forget", &[("id", &id)]).await;
    assert!(none.contains("not remembered any more"), "{none}");
}

#[tokio::test]
async fn what_was_typed_here_is_shown_here_and_covered_elsewhere() {
    let (story, mut browser) = story().await;
    let root = browser.request(Method::GET, "/").build().unwrap();
    let root = root.url().origin().ascii_serialization();
    let mut other = Browser::entered(&story.home, &root).await;
    let mut pushed = browser.watch("now").await;
    story.script([Reply::answers("Nobody has counted them.")]);
    browser.send("/ask", &[("question", QUESTION)]).await;
    let answered = |piece: &Value| {
        let html = piece["html"].as_str().unwrap_or_default();
        html.contains("class=\"device\"") && html.contains("has counted")
    };
    pushed.piece("the answer", PATIENCE, answered).await;
    let own = shows(&mut browser, "/", "has counted").await;
    assert!(own.contains("six times seven"), "{own}");
    let foreign = other.look("/").await;
    for said in ["six times", "has counted"] {
        assert!(!foreign.contains(said), "{said} in {foreign}");
    }
    assert!(
        foreign.contains("May this browser show what was said?"),
        "{foreign}"
    );
    // The choice is made once, and the browser keeps it.
    other.send("/reveal", &[("shown", "")]).await;
    assert!(!other.look("/").await.contains("May this browser show"));
    let address = address(&story.home).await;
    let path = address.strip_prefix(&root).unwrap();
    let entered = browser
        .request(Method::GET, path)
        .header("cookie", "loquat_words=shown")
        .send()
        .await
        .unwrap();
    let mut third = Browser::outside(&root);
    assert!(third.keep(&entered) && third.look("/").await.contains("six times seven"));
}

#[tokio::test]
async fn who_waits_is_told_so_and_an_answer_is_seen_while_it_is_written() {
    let (story, mut browser) = story().await;
    let mut pushed = browser.watch("now").await;
    let gate = Gate::default();
    story.script([
        Reply::answers("Nobody has counted them so far. Nobody is going to, since there are too many of them, and they move.")
            .delivered(Delivery::Pieces)
            .halting("since there are", &gate),
        Reply::answers("Yes."),
    ]);
    browser.send("/ask", &[("question", QUESTION)]).await;
    browser.send("/ask", &[("question", "Are you sure?")]).await;
    let is = |id: &'static str, words: &'static str| {
        move |piece: &Value| {
            piece["id"].as_str().is_some_and(|own| own.starts_with(id))
                && piece["html"].as_str().is_some_and(|html| html.contains(words))
        }
    };
    pushed
        .piece(
            "that it waits",
            PATIENCE,
            is("line-", "waits for the one before it"),
        )
        .await;
    pushed
        .piece("what is written", PATIENCE, is("writing", "counted"))
        .await;
    gate.open();
    shows(&mut browser, "/", "Yes.").await;
    assert!(!browser.look("/").await.contains("waits for the one"));
}

/// The text of a file that its owner alone may read.
fn read_by_its_owner_alone(file: &Path) -> String {
    let mode = std::fs::metadata(file).unwrap().permissions().mode();
    assert_eq!(mode & 0o777, 0o600);
    std::fs::read_to_string(file).unwrap()
}

#[tokio::test]
async fn the_device_is_set_up_on_the_page_and_asked_for_once() {
    let scene = Scene::default();
    let root = served(&scene.home);
    let services = WebServer::start(towns).await;
    scene
        .home
        .setting("weather.geocoding_url", &format!("\"{}\"", services.url()));
    let tester = scene.tester();
    let story = scene.play(&tester).await;
    story.daemon.wrote("the page is served", PATIENCE).await;
    let first = Browser::outside(&root);
    let address = address(&story.home).await;
    let path = address.strip_prefix(&root).unwrap();
    let entered = first.request(Method::GET, path).send().await.unwrap();
    assert_eq!(entered.headers()["location"], "/setup");
    let mut browser = Browser::outside(&root);
    browser.keep(&entered);
    let setup = browser.look("/setup").await;
    for step in [
        "Language",
        "Place",
        "Units",
        "Microphone",
        "Loudspeaker",
        "Wake word",
        "Voice",
        "Persona",
        "Home Assistant",
    ] {
        assert!(setup.contains(&format!("{step}</h2>")), "{step} in {setup}");
    }
    // The service is asked where a town lies only when the button for that is pressed.
    assert!(services.asked().is_empty());
    let sent = [("csrf", browser.csrf()), ("back", "/setup"), ("town", "Paris")];
    let towns = browser
        .submit("/settings/towns", &sent)
        .await
        .text()
        .await
        .unwrap();
    assert!(
        towns.contains("Texas") && towns.contains("value=\"-95.56\""),
        "{towns}"
    );
    let chosen = [
        ("back", "/setup"),
        ("device.place", "Paris"),
        ("device.latitude", "33.66"),
        ("device.longitude", "-95.56"),
        ("device.time_zone", "America/Chicago"),
    ];
    let saved = browser.send_and_look("/settings", &chosen).await;
    assert!(
        saved.contains("these count: device.time_zone.") && saved.contains("Paris (latitude 33.66"),
        "{saved}"
    );
    // The place of the device is told to the next turn.
    story.script([Reply::answers("In Paris.")]);
    story.ask("Where are you?").await;
    let request = format!("{:?}", story.brain.requests(TESTER).last().unwrap());
    assert!(request.contains("33.66"), "{request}");
    let units = [("back", "/setup"), ("device.units", "imperial")];
    let saved = browser.send_and_look("/settings", &units).await;
    assert!(
        saved.contains("<h1>Set up this device</h1>") && saved.contains("Saved."),
        "{saved}"
    );
    let home = [
        ("home_assistant.url", "http://127.0.0.1:8123"),
        ("home-token", "a-token-of-home"),
    ];
    let saved = browser.send_and_look("/settings", &home).await;
    assert!(
        !saved.contains("a-token-of-home") && saved.contains("home_assistant.token_file"),
        "{saved}"
    );
    let kept = story.home.path().join("config/loquat/home-assistant.token");
    assert_eq!(read_by_its_owner_alone(&kept), "a-token-of-home\n");
    let another = [("home-token", "another-token")];
    let saved = browser.send_and_look("/settings", &another).await;
    assert!(saved.contains("The token is saved"), "{saved}");
    assert_eq!(std::fs::read_to_string(&kept).unwrap(), "another-token\n");
    // A token belongs to what it was sent with.
    let refused = [("home_assistant.url", "nowhere"), ("home-token", "a-third-token")];
    let told = browser.send_and_look("/settings", &refused).await;
    assert!(
        !told.contains("Saved") && told.contains("home_assistant.url"),
        "{told}"
    );
    assert_eq!(std::fs::read_to_string(kept).unwrap(), "another-token\n");
    // Nothing would start this daemon again.
    let waiting = browser.look("/settings").await;
    assert!(
        waiting.contains("count after a restart: ")
            && waiting.contains("loquat run")
            && !waiting.contains("\"/restart\""),
        "{waiting}"
    );
    let left = browser.submit("/restart", &[("csrf", browser.csrf())]).await;
    assert!(left.text().await.unwrap().contains("so it was not ended"));
    let done = browser.send_and_look("/setup/done", &[]).await;
    assert!(
        done.contains("is set up") && !done.contains("not set up yet"),
        "{done}"
    );
}

#[tokio::test]
async fn a_persona_is_checked_before_it_is_saved_chosen_and_deleted() {
    let (story, mut browser) = story().await;
    let form = browser.look("/personas/edit?from=kitchen").await;
    assert!(
        form.contains("You are Kitchen") && form.contains("ovos-react-loop"),
        "{form}"
    );
    let rest = json!({"handlers": ["ovos-react-loop"], "ovos-react-loop": {
        "brain": "loquat-local-brain", "toolboxes": ["ovos-math-tools"]}})
    .to_string();
    let broken = rest.replace("[\"ovos-react-loop\"]", "7");
    for wrong in [broken.as_str(), "{\"handlers\": ["] {
        let sent = [("name", "Baker"), ("rest", wrong), ("do", "save")];
        let own = [("csrf", browser.csrf())];
        let fields: Vec<(&str, &str)> = own.into_iter().chain(sent).collect();
        let refused = browser.submit("/personas/edit", &fields).await;
        let refused = refused.text().await.unwrap();
        assert!(
            refused.contains("nothing is saved") && refused.contains("Baker"),
            "{refused}"
        );
        assert!(!browser.look("/personas").await.contains("Baker"));
    }
    let sent = [
        ("name", "Baker"),
        ("system_prompt", "You bake."),
        ("rest", &rest),
        ("do", "save"),
    ];
    let saved = browser.send_and_look("/personas/edit", &sent).await;
    assert!(
        saved.contains("It is saved") && saved.contains("baker.json"),
        "{saved}"
    );
    // What has its name is not written over.
    let own = [("csrf", browser.csrf())];
    let twice: Vec<(&str, &str)> = own.into_iter().chain(sent).collect();
    let twice = browser.submit("/personas/edit", &twice).await;
    let twice = twice.text().await.unwrap();
    assert!(twice.contains("A persona of this name is in"), "{twice}");
    let chosen = browser.send_and_look("/personas/use", &[("name", "Baker")]).await;
    assert!(chosen.contains("Baker answers from now on"), "{chosen}");
    let edited = [
        ("id", "baker"),
        ("name", "Baker"),
        ("description", "Bakes."),
        ("rest", &rest),
        ("do", "save"),
    ];
    let edited = browser.send_and_look("/personas/edit", &edited).await;
    assert!(edited.contains("Bakes."), "{edited}");
    // What is part of the program has no file that could be deleted.
    let refused = browser
        .send_and_look("/personas/delete", &[("id", "kitchen")])
        .await;
    assert!(refused.contains("Only personas of your own folder"), "{refused}");
    browser.send("/personas/use", &[("name", TESTER)]).await;
    let deleted = browser
        .send_and_look("/personas/delete", &[("id", "baker")])
        .await;
    assert!(
        deleted.contains("It is deleted") && !deleted.contains("Bakes."),
        "{deleted}"
    );
    story.script([Reply::answers("Still here.")]);
    assert_eq!(story.ask("Are you there?").await.answer(), "Still here.");
}

#[tokio::test]
async fn routines_and_deeds_are_set_and_deleted() {
    let scene = Scene::default();
    let root = served(&scene.home);
    scene.home.setting("skills.intents", "\"alone\"");
    let tester = scene.tester();
    let story = scene.play(&tester).await;
    story.daemon.wrote("the page is served", PATIENCE).await;
    let mut browser = Browser::entered(&story.home, &root).await;
    browser.send("/reveal", &[("shown", "1")]).await;
    let deed = [
        ("what", "time"),
        ("command", "what time is it"),
        ("time", "7 am"),
        ("repeat", "daily"),
    ];
    let set = browser.send_and_look("/routines/set", &deed).await;
    assert!(set.contains("again every day"), "{set}");
    let routine = [
        ("what", "word"),
        ("phrase", "good night"),
        ("steps", "set a timer for 5 minutes\nwhat time is it"),
    ];
    let set = browser.send_and_look("/routines/set", &routine).await;
    assert!(
        set.contains("When you say") && set.contains("set a timer for 5 minutes"),
        "{set}"
    );
    let unclear = [
        ("what", "word"),
        ("phrase", "good day"),
        ("steps", "gribble the flonk"),
    ];
    let unclear = browser.send_and_look("/routines/set", &unclear).await;
    assert!(!unclear.contains("good day"), "{unclear}");
    for _ in 0..2 {
        let id = field(&browser.look("/routines").await, "id");
        browser.send("/routines/remove", &[("id", &id)]).await;
    }
    assert!(
        browser
            .look("/routines")
            .await
            .contains("Nothing is done by itself")
    );
}

#[tokio::test]
async fn a_restart_is_offered_where_something_starts_the_daemon_again() {
    let home = Home::without_bus();
    let root = served(&home);
    let (mut daemon, _probe) = Launch::new(&home, &["run"])
        .env("RESTART_EXIT_STATUS", "75")
        .ready()
        .await;
    daemon.wrote("the page is served", PATIENCE).await;
    let mut browser = Browser::entered(&home, &root).await;
    assert!(
        !browser.look("/settings").await.contains("\"/restart\""),
        "nothing waits for one"
    );
    let zone = [("device.time_zone", "Asia/Tokyo")];
    let saved = browser.send_and_look("/settings", &zone).await;
    assert!(
        saved.contains("After a restart these count: device.time_zone."),
        "{saved}"
    );
    assert!(browser.look("/settings").await.contains("\"/restart\""));
    let told = browser.submit("/restart", &[("csrf", browser.csrf())]).await;
    assert!(told.text().await.unwrap().contains("Loquat ends now"));
    // The code by which our units start it again.
    assert_eq!(
        daemon.ended(PATIENCE).await.code(),
        Some(75),
        "{}",
        daemon.output()
    );
}
