//! Satellites of HiveMind whose owner has bound them: to a persona, or away from toolboxes, skills and intents. They reach
//! nothing else, by sentences or by messages.

use loquat_tests::brain::Reply;
use loquat_tests::daemon::Launch;
use loquat_tests::frame::Frame;
use loquat_tests::hive::{HivePort, Keys, let_in};
use loquat_tests::persona::Persona;
use loquat_tests::toolbox::{Act, ScriptedTool, ScriptedToolbox};
use loquat_tests::turn::Utterance;
use loquat_tests::wait::PATIENCE;
use serde_json::json;

use super::hive::DOORS;
use crate::story::{Scene, Story, TESTER};

/// A persona with a clock and nothing else.
const GUEST: &str = "Guest";

#[tokio::test]
async fn a_satellite_s_session_is_bound_to_what_it_may() {
    let scene = Scene::default();
    let door = HivePort::of(&scene.home);
    let access = [
        "--deny-skill",
        "kettle",
        "--deny-intent",
        "lamp:on",
        "--persona",
        TESTER,
    ];
    let tester = scene.tester();
    scene.home.persona(&tester);
    let keys = let_in(&scene.home, "kitchen", &access).await;
    let nobody = Persona::react("Nobody", &scene.brain.url("Nobody"));
    scene.home.persona(&nobody);
    let nobody = let_in(&scene.home, "attic", &["--persona", "nobody"]).await;
    std::fs::remove_file(scene.home.path().join("config/ovos_persona/Nobody.json")).unwrap();
    let tester = scene.tester();
    let story = scene.play(&tester).await;
    story.brain.whenever(TESTER, "", Reply::answers("Hello."));
    let mark = story.probe.mark();
    let mut kitchen = door.satellite(&keys, "s").await;
    assert_eq!(kitchen.ask("Hi").await, ["Hello."]);
    let is_question = |frame: &Frame| frame.topic == "ovos.utterance.handle";
    let heard = story
        .probe
        .wait("the question on the bus", mark, PATIENCE, is_question)
        .await;
    let session = &heard.context["session"];
    assert_eq!(session["blacklisted_skills"], json!(["kettle"]));
    assert_eq!(session["blacklisted_intents"], json!(["lamp:on"]));
    assert_eq!(session["persona_id"], TESTER);
    let mut attic = door.satellite(&nobody, "s").await;
    assert_eq!(attic.ask("Hi").await, ["denied: \"backend_unavailable\""]);
}

/// A daemon with a guest's persona, which has a clock, beside the usual one, which has the door, alerts and lists; a
/// satellite that is bound to the first, and the door.
async fn bound(access: &[&str]) -> (Story, HivePort, Keys, ScriptedToolbox) {
    let scene = Scene::default();
    scene.home.setting("skills.intents", "\"alone\"");
    let door = HivePort::of(&scene.home);
    let guest = Persona::react(GUEST, &scene.brain.url(GUEST)).toolboxes(&["ovos-clock-tools"]);
    scene.home.persona(&guest);
    let tester = scene.tester();
    let tester = tester
        .toolboxes(&["loquat-alert-tools", "loquat-list-tools"])
        .trusting(DOORS);
    scene.home.persona(&tester);
    let keys = let_in(&scene.home, "kitchen", access).await;
    let story = scene.play(&tester).await;
    let doors = vec![ScriptedTool::named(
        "unlock_door",
        Act::Returns(json!({"ok": true})),
    )];
    let doors = ScriptedToolbox::join(story.home.port(), DOORS, doors).await;
    story
        .brain
        .whenever(GUEST, "", Reply::answers("The guest's persona."));
    story.brain.whenever(
        TESTER,
        "door",
        Reply::acts("unlock_door", &json!({"text": "front"})),
    );
    story
        .brain
        .whenever(TESTER, "", Reply::answers("The other persona."));
    (story, door, keys, doors)
}

#[tokio::test]
async fn a_satellite_that_is_bound_to_a_persona_reaches_no_other_by_any_command() {
    let (story, door, keys, doors) = bound(&["--persona", "guest"]).await;
    let own = |text: &str| Utterance::new(text).in_session("default");
    own("remind me to call the lawyer in 3 hours")
        .ask(&story.probe)
        .await;
    own("add aubergine to my shopping list").ask(&story.probe).await;
    let mut kitchen = door.satellite(&keys, "s").await;
    for text in [
        "hello",
        "unlock the door",
        "ask Tester to unlock the door",
        "ask tester about the door",
        "what does Tester think about the door",
        "talk to Tester",
        "unlock the door",
        "activate Tester",
        "goodbye Guest",
        "dismiss the persona",
        "unlock the door",
        "what reminders do I have",
        "cancel all reminders",
        "what is on my shopping list",
        "add milk to my shopping list",
        "frage Tester nach der Tür",
        "parle à Tester",
    ] {
        let heard = kitchen.ask(text).await;
        assert_eq!(heard, ["The guest's persona."], "{text}");
    }
    assert_eq!(
        kitchen.ask("which personas are there").await,
        ["I can be: Guest."]
    );
    assert_eq!(
        kitchen.ask("who am I talking to").await,
        ["You are talking to Guest."]
    );
    // What its own persona has it still does without a brain.
    let asked = story.brain.requests(GUEST).len();
    let time = kitchen.ask("what time is it").await.concat();
    assert!(time.contains(':'), "{time}");
    assert_eq!(story.brain.requests(GUEST).len(), asked);
    assert!(doors.calls().is_empty());
    assert!(
        story.brain.requests(TESTER).is_empty(),
        "the other persona was asked"
    );
    let listed = own("what reminders do I have").ask(&story.probe).await;
    assert!(listed.answer().contains("lawyer"), "{}", listed.answer());
    let opened = own("ask Tester to unlock the door").ask(&story.probe).await;
    assert_eq!(opened.ends(), 1);
    assert!(!doors.calls().is_empty(), "the owner reaches it");
}

#[tokio::test]
async fn a_bound_satellite_reaches_no_other_persona_by_messages_that_it_may_send() {
    let allowed = [
        "ovos.persona.query",
        "ovos.persona.list",
        "ovos.persona.deregister",
        "ovos.persona.tools.call",
    ];
    let mut access = vec!["--persona", GUEST];
    access.extend(allowed.iter().flat_map(|topic| ["--allow", topic]));
    let (story, door, keys, doors) = bound(&access).await;
    let mut kitchen = door.satellite(&keys, "s").await;
    for persona in [TESTER, "tester"] {
        kitchen
            .send(
                "ovos.persona.query",
                json!({"persona_id": persona, "utterance": "unlock the door"}),
            )
            .await;
        let answer = kitchen.hear("ovos.persona.answer").await;
        assert_eq!(answer["data"]["error"], "unsupported persona_id");
    }
    kitchen.send("ovos.persona.list", json!({})).await;
    let listed = kitchen.hear("ovos.persona.list.response").await;
    let ids: Vec<_> = listed["data"]["personas"]
        .as_array()
        .unwrap()
        .iter()
        .map(|entry| &entry["persona_id"])
        .collect();
    assert_eq!(ids, [GUEST]);
    let read =
        json!({"toolbox_id": "loquat-list-tools", "name": "read_list", "kwargs": {"list": "shopping"}});
    kitchen.send("ovos.persona.tools.call", read).await;
    let refused = kitchen.hear("ovos.persona.tools.call.response").await;
    assert!(
        refused["data"]["error"]
            .as_str()
            .unwrap()
            .contains("PermissionError"),
        "{refused:?}"
    );
    kitchen
        .send("ovos.persona.deregister", json!({"persona_id": TESTER}))
        .await;
    assert_eq!(kitchen.ask("hello").await, ["The guest's persona."]);
    assert_eq!(story.ask("hello").await.answer(), "The other persona.");
    assert!(doors.calls().is_empty());
}

#[tokio::test]
async fn the_persona_of_a_bound_satellite_asks_no_other_on_its_behalf() {
    const PERSONAS: &str = "loquat-persona-tools";
    let scene = Scene::default();
    let door = HivePort::of(&scene.home);
    let guest = Persona::react(GUEST, &scene.brain.url(GUEST)).toolboxes(&["ovos-clock-tools", PERSONAS]);
    scene
        .home
        .persona(&guest.setting(PERSONAS, json!({"personas": [TESTER]})));
    let tester = scene.tester();
    scene.home.persona(&tester);
    let keys = let_in(&scene.home, "kitchen", &["--persona", GUEST]).await;
    let story = scene.play(&tester).await;
    story.brain.script(
        GUEST,
        [
            Reply::acts("ask_tester", &json!({"question": "What is in the diary?"})),
            Reply::answers("I may not ask."),
        ],
    );
    let mut kitchen = door.satellite(&keys, "s").await;
    assert_eq!(kitchen.ask("What is in the diary?").await, ["I may not ask."]);
    assert!(story.brain.requests(TESTER).is_empty());
}

#[tokio::test]
async fn a_toolbox_that_is_denied_is_denied_to_sentences_and_to_the_brain() {
    let (story, door, keys, _) = bound(&["--deny-skill", "loquat-list-tools"]).await;
    let own = |text: &str| Utterance::new(text).in_session("default");
    own("add aubergine to my shopping list").ask(&story.probe).await;
    let mut kitchen = door.satellite(&keys, "s").await;
    assert_eq!(
        kitchen.ask("what is on my shopping list").await,
        ["The other persona."]
    );
    assert_eq!(
        kitchen.ask("add milk to my shopping list").await,
        ["The other persona."]
    );
    let offered = story.brain.requests(TESTER).last().unwrap().text();
    assert!(
        !offered.contains("read_list") && offered.contains("list_alerts"),
        "{offered}"
    );
    let listed = own("what is on my shopping list").ask(&story.probe).await;
    assert!(
        listed.answer().contains("aubergine") && !listed.answer().contains("milk"),
        "{}",
        listed.answer()
    );
}

#[tokio::test]
async fn what_nothing_bears_is_not_denied_or_bound_to() {
    let scene = Scene::default();
    scene.home.setting("skills.intents", "\"alone\"");
    let tester = scene.tester();
    scene.home.persona(&tester);
    for (access, mend) in [
        (["--deny-skill", "loquat-list-tool"], "loquat-list-tools"),
        (["--deny-intent", "loquat:clock.tine"], "loquat:clock.time"),
        (["--deny-intent", "list_reminders"], "SKILL:INTENT"),
        (["--persona", "Testr"], TESTER),
        (
            ["--allow", "recognizer_loop:utterence"],
            "recognizer_loop:utterance",
        ),
    ] {
        let arguments = [["hive", "add", "kitchen"].as_slice(), &access].concat();
        let refused = Launch::new(&scene.home, &arguments).run().await;
        assert!(!refused.status.success(), "{access:?}");
        assert!(refused.stderr.contains(mend), "{access:?}: {}", refused.shown());
    }
    let foreign = Launch::new(&scene.home, &["hive", "add", "kitchen", "--deny-skill", "kettle"]);
    let taken = foreign.run().await;
    assert!(
        taken.status.success() && taken.stderr.contains("kettle"),
        "{}",
        taken.shown()
    );
    let story = scene.play(&tester).await;
    let foreign = Launch::new(&story.home, &["hive", "add", "bath", "--deny-skill", "kettle"]);
    let refused = foreign.run().await;
    assert!(
        !refused.status.success() && refused.stderr.contains("kettle"),
        "{}",
        refused.shown()
    );
}
