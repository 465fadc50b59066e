//! A home behind a Home Assistant: sentences move its things and are told what really came of it, locks and doors wait for a
//! yes, and whatever the server does the device answers.

mod community;
mod nearly;
mod real;
mod several;
mod unrelated;
mod which_one;

use loquat_tests::brain::Reply;
use loquat_tests::certificate::Identity;
use loquat_tests::home_assistant::{FakeHomeAssistant, Manner, Release, TOKEN};
use loquat_tests::turn::Utterance;
use loquat_tests::wait::{PATIENCE, wait_for};
use serde_json::json;

use crate::story::{Scene, Story, TESTER};

/// What is told where there is no Home Assistant at the address, with the mend.
const UNREACHABLE: &str = "I cannot reach Home Assistant. See that it runs, and that home_assistant.url in loquat.toml is its address.";

const TOOLS: &str = "loquat-home-tools";

/// A daemon with a person at its terminal, in a home.
async fn at_home(manner: Manner) -> (Story, FakeHomeAssistant) {
    living_with(FakeHomeAssistant::start(manner).await, manner, "[]").await
}

/// With scripts that run without a yes.
async fn living_with(
    home_assistant: FakeHomeAssistant,
    manner: Manner,
    unasked: &str,
) -> (Story, FakeHomeAssistant) {
    let scene = Scene::default();
    home_assistant.furnish(&scene.home);
    scene.home.setting("home_assistant.unasked", unasked);
    let tester = scene.tester().toolboxes(&[TOOLS]);
    let story = scene.play_attended(&tester).await;
    if manner == Manner::Good {
        story.daemon.wrote("connected to Home Assistant", PATIENCE).await;
    }
    (story, home_assistant)
}

/// Types a line and waits for what is said to it.
async fn types(story: &Story, line: &str) -> String {
    let mark = story.probe.mark();
    story.daemon.types(line).await;
    let said = story
        .probe
        .wait("what is said", mark, PATIENCE, |frame| {
            frame.is_speak() && frame.session_id() == "default"
        })
        .await;
    said.utterance().to_owned()
}

/// What was said, what is answered, and what was called.
type Spoken = (&'static str, &'static str, &'static [&'static str]);

const ENGLISH: &[Spoken] = &[
    (
        "Turn on the bed light",
        "I have turned on Bed Light.",
        &["light.turn_on light.bed_light"],
    ),
    (
        "Turn the bed light off please",
        "I have turned off Bed Light.",
        &["light.turn_off light.bed_light"],
    ),
    (
        "Switch on the desk lamp",
        "I have turned on Office RGBW Lights.",
        &["light.turn_on light.office_rgbw_lights"],
    ),
    (
        "Could you turn off the fairy lights",
        "I have turned off Decorative Lights.",
        &["switch.turn_off switch.decorative_lights"],
    ),
    (
        "Turn on the bed lihgt",
        "I have turned on Bed Light.",
        &["light.turn_on light.bed_light"],
    ),
    (
        "Turn off the lights in the kitchen",
        "I have turned off Kitchen Lights.",
        &["light.turn_off light.kitchen_lights"],
    ),
    (
        "Set the bed light to 40 percent",
        "I have set Bed Light.",
        &["light.turn_on light.bed_light"],
    ),
    (
        "Make the office rgbw lights blue",
        "I have set Office RGBW Lights.",
        &["light.turn_on light.office_rgbw_lights"],
    ),
    (
        "Close the curtains",
        "I have closed Living Room Window.",
        &["cover.close_cover cover.living_room_window"],
    ),
    (
        "Open the kitchen blind",
        "I have opened Kitchen Window.",
        &["cover.open_cover cover.kitchen_window"],
    ),
    (
        "Set the heatpump to 21 degrees",
        "I have set HeatPump.",
        &["climate.set_temperature climate.heatpump"],
    ),
    (
        "Turn on the living room fan",
        "I have turned on Living Room Fan.",
        &["fan.turn_on fan.living_room_fan"],
    ),
    (
        "Turn on evening mood",
        "I have turned on Evening.",
        &["script.turn_on script.evening"],
    ),
    (
        "Run reading",
        "I have started Reading.",
        &["scene.turn_on scene.reading"],
    ),
    ("Is the front door locked?", "Front Door: locked.", &[]),
    ("Is the bed light on?", "Bed Light: on, 40 percent.", &[]),
    ("How bright is the bed light?", "Bed Light: on, 40 percent.", &[]),
    (
        "How warm is it in the bedroom?",
        "Ecobee: 23 °. Outside Temperature: 15.6 °C.",
        &[],
    ),
    (
        "Turn on the air conditioner",
        "I have turned on AC.",
        &["switch.turn_on switch.ac"],
    ),
    (
        "Turn off everything upstairs",
        "I have turned off Bed Light, Office RGBW Lights and AC.",
        &[
            "light.turn_off light.bed_light light.office_rgbw_lights",
            "switch.turn_off switch.ac",
        ],
    ),
    ("Turn on the flux capacitor", "The persona has it.", &[]),
];

const GERMAN: &[Spoken] = &[
    (
        "Schalte die Bettlampe ein",
        "Ich habe Bed Light eingeschaltet.",
        &["light.turn_on light.bed_light"],
    ),
    (
        "Mach die Bettlampe aus",
        "Ich habe Bed Light ausgeschaltet.",
        &["light.turn_off light.bed_light"],
    ),
    (
        "Schalte die Stehlampe an",
        "Ich habe Living Room RGBWW Lights eingeschaltet.",
        &["light.turn_on light.living_room_rgbww_lights"],
    ),
    (
        "Mach das Licht in der Küche aus",
        "Ich habe Kitchen Lights ausgeschaltet.",
        &["light.turn_off light.kitchen_lights"],
    ),
    (
        "Kannst du bitte die Lichterkette ausschalten",
        "Ich habe Decorative Lights ausgeschaltet.",
        &["switch.turn_off switch.decorative_lights"],
    ),
    (
        "Schalte die Klimaanlage ein",
        "Ich habe AC eingeschaltet.",
        &["switch.turn_on switch.ac"],
    ),
    (
        "Dimme die Bettlampe auf 30 Prozent",
        "Ich habe Bed Light eingestellt.",
        &["light.turn_on light.bed_light"],
    ),
    (
        "Schließe den Vorhang",
        "Ich habe Living Room Window geschlossen.",
        &["cover.close_cover cover.living_room_window"],
    ),
    (
        "Öffne das Küchenrollo",
        "Ich habe Kitchen Window geöffnet.",
        &["cover.open_cover cover.kitchen_window"],
    ),
    (
        "Fahre das Küchenrollo herunter",
        "Ich habe Kitchen Window geschlossen.",
        &["cover.close_cover cover.kitchen_window"],
    ),
    (
        "Stelle HeatPump auf 20 Grad",
        "Ich habe HeatPump eingestellt.",
        &["climate.set_temperature climate.heatpump"],
    ),
    (
        "Schalte die Abendstimmung ein",
        "Ich habe Evening eingeschaltet.",
        &["script.turn_on script.evening"],
    ),
    (
        "Starte Abendstimmung",
        "Ich habe Evening gestartet.",
        &["script.turn_on script.evening"],
    ),
    ("Ist die Bettlampe an?", "Bed Light: an, 30 Prozent.", &[]),
    ("Ist das Garagentor zu?", "Garage Door: geschlossen.", &[]),
    (
        "Wie warm ist es im Schlafzimmer?",
        "Ecobee: 23 °. Outside Temperature: 15,6 °C.",
        &[],
    ),
    (
        "Mach die Schreibtischlampe blau",
        "Ich habe Office RGBW Lights eingestellt.",
        &["light.turn_on light.office_rgbw_lights"],
    ),
    (
        "Schalte die Schreibtischlanpe an",
        "Ich habe Office RGBW Lights eingeschaltet.",
        &["light.turn_on light.office_rgbw_lights"],
    ),
    (
        "Schalte alles oben aus",
        "Ich habe Bed Light, Office RGBW Lights und AC ausgeschaltet.",
        &[
            "light.turn_off light.bed_light light.office_rgbw_lights",
            "switch.turn_off switch.ac",
        ],
    ),
    ("Schalte den Fluxkompensator ein", "The persona has it.", &[]),
];

#[tokio::test]
async fn sentences_in_two_languages_move_what_they_name() {
    let both = [
        (Release::April2025, "[]"),
        (Release::November2026, r#"["script.evening"]"#),
    ];
    for (release, unasked) in both {
        let home_assistant = FakeHomeAssistant::released(release, Manner::Good).await;
        let (story, home) = living_with(home_assistant, Manner::Good, unasked).await;
        sentences_move_what_they_name(&story, &home).await;
    }
}

#[tokio::test]
async fn a_script_whose_steps_only_an_administrator_is_told_asks_first() {
    let home_assistant = FakeHomeAssistant::released(Release::November2026, Manner::Good).await;
    let (story, home) = living_with(home_assistant, Manner::Good, "[]").await;
    let asked = types(&story, "Turn on evening mood").await;
    assert!(asked.ends_with(": shall I turn on this?"), "{asked}");
    assert_eq!(home.calls(), Vec::<String>::new());
    types(&story, "Yes").await;
    assert_eq!(home.calls(), ["script.turn_on script.evening"]);
}

async fn sentences_move_what_they_name(story: &Story, home: &FakeHomeAssistant) {
    story
        .brain
        .whenever(TESTER, "", Reply::answers("The persona has it."));
    let mut wrong = Vec::new();
    for (lang, sentences) in [("en-US", ENGLISH), ("de-DE", GERMAN)] {
        for (said, answer, called) in sentences {
            let utterance = Utterance::new(said).session("lang", json!(lang));
            let turn = utterance.ask(&story.probe).await;
            let (told, calls) = (turn.answer().to_owned(), home.calls());
            if told != *answer || calls != *called {
                wrong.push(format!("{said}: {told} {calls:?}"));
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
    assert_eq!(home.guarded_moves(), Vec::<String>::new());
}

#[tokio::test]
async fn how_bright_a_light_is_is_told_in_six_languages() {
    let (story, home) = at_home(Manner::Good).await;
    types(&story, "Set the bed light to 40 percent").await;
    assert_eq!(home.calls(), ["light.turn_on light.bed_light"]);
    for (lang, said) in [
        ("en-US", "How dim is the bed light in the bedroom?"),
        ("de-DE", "Wie hell ist Bed Light?"),
        ("fr-FR", "À quel point Bed Light éclaire ?"),
        ("es-ES", "¿Qué tan brillante está Bed Light?"),
        ("it-IT", "Quanto è luminosa Bed Light?"),
        ("pt-PT", "Qual é o brilho de Bed Light?"),
    ] {
        let turn = Utterance::new(said)
            .session("lang", json!(lang))
            .ask(&story.probe)
            .await;
        let told = turn.answer();
        assert!(
            told.starts_with("Bed Light") && told.contains("40"),
            "{said}: {told}"
        );
    }
    assert_eq!(home.calls(), Vec::<String>::new());
}

#[tokio::test]
async fn what_only_looks_like_a_sentence_about_the_home_goes_to_the_persona() {
    let (story, home) = at_home(Manner::Good).await;
    for said in ["Errand 0", "Chapter 12", "Errand 0", "Open up leave the house"] {
        story.script([Reply::answers("The persona has it.")]);
        let turn = Utterance::new(said).in_session("hall").ask(&story.probe).await;
        assert_eq!(turn.answer(), "The persona has it.", "{said}");
    }
    assert_eq!(home.calls(), Vec::<String>::new());
}

/// A daemon that hands what it does not understand to Assist.
async fn with_assist() -> (Story, FakeHomeAssistant) {
    let home_assistant = FakeHomeAssistant::start(Manner::Good).await;
    let scene = Scene::default();
    home_assistant.furnish(&scene.home);
    scene.home.setting("home_assistant.assist", "true");
    let tester = scene.tester().toolboxes(&[TOOLS]);
    let story = scene.play_attended(&tester).await;
    story.daemon.wrote("connected to Home Assistant", PATIENCE).await;
    story
        .brain
        .whenever(TESTER, "", Reply::answers("The persona has it."));
    (story, home_assistant)
}

#[tokio::test]
async fn what_no_sentence_of_ours_takes_is_handed_to_assist_where_it_is_set() {
    let (story, home) = with_assist().await;
    for (lang, said, answer, called) in [
        (
            "en-US",
            "Lights out in the bedroom",
            "Turned off the lights",
            "conversation.process light.bed_light",
        ),
        (
            "en-US",
            "Activate the evening script",
            "Started",
            "conversation.process script.evening",
        ),
        ("en-US", "What is the meaning of life?", "The persona has it.", ""),
        (
            "en-US",
            "Announce dinner is ready",
            "I have said it there: the main device.",
            "",
        ),
        // Ours go first.
        (
            "en-US",
            "Turn off the bed light",
            "I have turned off Bed Light.",
            "light.turn_off light.bed_light",
        ),
    ] {
        let utterance = Utterance::new(said).session("lang", json!(lang));
        let turn = utterance.ask(&story.probe).await;
        turn.assert_ended_once();
        assert_eq!(
            (turn.answer(), home.calls().join(" ").as_str()),
            (answer, called),
            "{said}"
        );
    }
    let told = story.ask("How many lights are on?").await;
    assert!(
        told.answer().starts_with('4'),
        "ours counts what the real one had: {}",
        told.answer()
    );
    // The persona is shown nothing of it.
    let request = story.brain.requests(TESTER).pop().expect("a request").text();
    assert!(!request.contains("ask_assist"), "{request}");
    assert_eq!(home.guarded_moves(), Vec::<String>::new());
    home.behave(Manner::Forswears);
    let told = story.ask("Lights out in the bedroom").await;
    assert!(
        told.answer().starts_with("Home Assistant says"),
        "{}",
        told.answer()
    );
}

#[tokio::test]
async fn assist_moves_no_lock_and_no_garage_without_a_yes() {
    let (story, home) = with_assist().await;
    let (said, id) = ("Leave the house", "lock.front_door");
    let question = "Leave the house, with Leave the house: shall I have Home Assistant do this?";
    let before = home.state(id);
    assert_eq!(types(&story, said).await, question);
    assert!(types(&story, "No").await.contains("left it"));
    assert_eq!(home.state(id), before);
    assert_eq!(types(&story, said).await, question);
    types(&story, "Yes").await;
    assert_eq!(home.state(id), "unlocked");
    home.guarded_moves();
    // A program says no yes, and one who cannot be asked gets nothing moved.
    let turn = story.ask("Leave the house").await;
    turn.assert_ended_once();
    let german = Utterance::new("Garage auf").session("lang", json!("de-DE"));
    german.ask(&story.probe).await.assert_ended_once();
    assert_eq!(home.guarded_moves(), Vec::<String>::new());
}

#[tokio::test]
async fn tls_is_spoken_and_no_certificate_is_accepted_unseen() {
    for (identity, file, answer) in [
        (Identity::self_signed(), None, "I have turned on Bed Light."),
        (Identity::of_an_authority(), None, "I have turned on Bed Light."),
        (
            Identity::of_an_authority(),
            Some(Identity::stranger()),
            UNREACHABLE,
        ),
        (
            Identity::self_signed(),
            Some("no certificate".to_owned()),
            UNREACHABLE,
        ),
        (Identity::self_signed(), Some(String::new()), UNREACHABLE),
    ] {
        let home = FakeHomeAssistant::secure(Manner::Good, &identity).await;
        let scene = Scene::default();
        home.furnish(&scene.home);
        // Without a file the authorities of the machine count, and this one is none of them.
        if file.as_deref() != Some("") {
            let trusted = file.clone().unwrap_or_else(|| identity.trusted.clone());
            let path = scene.home.write("trusted.pem", &trusted);
            scene
                .home
                .setting("home_assistant.ca_file", &format!("\"{}\"", path.display()));
        }
        let tester = scene.tester().toolboxes(&[TOOLS]);
        let story = scene.play(&tester).await;
        let told = wait_for("the sentence", PATIENCE, async || {
            let told = story.ask("Turn on the bed light").await.answer().to_owned();
            (told == answer).then_some(told)
        });
        told.await;
        if answer.starts_with("I cannot") {
            assert_eq!(home.connections(), 0, "the token was sent to a stranger");
            story.daemon.wrote("home_assistant.ca_file", PATIENCE).await;
        }
    }
}

#[tokio::test]
async fn what_names_neither_a_kind_nor_a_room_waits_for_a_yes_where_much_would_move() {
    let (story, home) = at_home(Manner::Good).await;
    let covers = ["cover.hall_window", "cover.living_room_window"];
    let states = || covers.map(|id| home.state(id));
    let before = states();
    let asked = types(&story, "Close everything").await;
    assert!(asked.ends_with(": shall I close this?"), "{asked}");
    assert!(!asked.contains("Garage"), "what asks is left out: {asked}");
    assert!(types(&story, "No").await.contains("left it"));
    assert_eq!(states(), before);
    types(&story, "Close everything").await;
    types(&story, "Yes").await;
    assert_eq!(states(), ["closed", "closed"]);
    // Who names a kind means all of it.
    let told = types(&story, "Open all covers").await;
    assert!(!told.contains('?'), "{told}");
}

#[tokio::test]
async fn a_lock_a_garage_and_what_moves_them_wait_for_a_yes() {
    let (story, home) = at_home(Manner::Good).await;
    for (said, question, id, to) in [
        (
            "Unlock the front door",
            "Front Door: shall I unlock this?",
            "lock.front_door",
            "unlocked",
        ),
        (
            "Open the garage",
            "Garage Door: shall I open this?",
            "cover.garage_door",
            "open",
        ),
        (
            "Lock the front door",
            "Front Door: shall I lock this?",
            "lock.front_door",
            "locked",
        ),
        (
            "Turn on open house",
            "Open house: shall I turn on this?",
            "lock.front_door",
            "unlocked",
        ),
    ] {
        let before = home.state(id);
        assert_eq!(types(&story, said).await, question);
        assert!(types(&story, "No").await.contains("left it"), "{said}");
        assert_eq!(home.state(id), before, "{said}");
        assert_eq!(types(&story, said).await, question);
        let told = types(&story, "Yes").await;
        assert!(told.starts_with("I have"), "{said}: {told}");
        assert_eq!(home.state(id), to, "{said}");
    }
}

#[tokio::test]
async fn whatever_the_server_does_is_told_truthfully_and_in_time() {
    let (story, home) = at_home(Manner::Good).await;
    // A connection that comes between the question and the call leaves it to the persona.
    story
        .brain
        .whenever(TESTER, "", Reply::answers("The persona has it."));
    for (manner, answer) in [
        (Manner::Lies, "I told Bed Light, but nothing has changed there."),
        (
            Manner::Confuses,
            "I told Bed Light, but nothing has changed there.",
        ),
        (Manner::Deaf, "Home Assistant does not answer."),
        (Manner::Babbles, "Home Assistant does not answer."),
        (Manner::Closes, UNREACHABLE),
        (Manner::Floods, UNREACHABLE),
    ] {
        home.behave(manner);
        let turn = story.ask("Turn on the bed light").await;
        assert_eq!(turn.answer(), answer, "{manner:?}");
        turn.assert_ended_once();
        home.behave(Manner::Good);
        // What is lost comes back by itself.
        wait_for("the connection", PATIENCE, async || {
            let told = story.ask("Turn off the bed light").await.answer().to_owned();
            (told == "I have turned off Bed Light.").then_some(())
        })
        .await;
    }
    let before = home.connections();
    home.hang_up();
    wait_for("another connection", PATIENCE, async || {
        (home.connections() > before).then_some(())
    })
    .await;
    assert!(!story.daemon.output().contains(TOKEN), "the token is in the log");
}

#[tokio::test]
async fn a_wrong_token_and_a_server_that_says_nothing_are_told_with_the_mend() {
    for (manner, spoken, mend) in [
        (
            Manner::Refuses,
            "Home Assistant does not accept my token.",
            "make a new long-lived token",
        ),
        (Manner::Silent, UNREACHABLE, "home_assistant.url"),
    ] {
        let (story, home) = at_home(manner).await;
        wait_for("a connection", PATIENCE, async || {
            (home.connections() > 0).then_some(())
        })
        .await;
        let told = wait_for("the sentence", PATIENCE, async || {
            let told = story.ask("Turn on the bed light").await.answer().to_owned();
            (told == spoken).then_some(told)
        });
        told.await;
        let call = json!({"action": "on", "thing": "bed light"});
        story.script([
            Reply::acts("control_home", &call),
            Reply::answers("It is not there."),
        ]);
        story.ask("Please see to the lamp beside the bed").await;
        let shown = story.brain.requests(TESTER).pop().expect("a request").text();
        assert!(shown.contains(mend), "{shown}");
        story.script([Reply::answers("Well.")]);
        assert_eq!(story.ask("How are you?").await.answer(), "Well.");
    }
}

#[tokio::test]
async fn a_list_is_changed_and_told_as_it_is_afterwards() {
    let (story, _home) = at_home(Manner::Good).await;
    let steps = [
        (
            "change_home_list",
            json!({"action": "add", "item": "eggs"}),
            r#"{"done":true"#,
        ),
        ("read_home_list", json!({}), r#""items":["milk","eggs"]"#),
        (
            "change_home_list",
            json!({"action": "complete", "item": "Milk"}),
            r#"{"done":true"#,
        ),
        (
            "read_home_list",
            json!({"list": "shopping list"}),
            r#""items":["eggs"]"#,
        ),
        (
            "change_home_list",
            json!({"action": "remove", "item": "bread"}),
            "Shopping List has no 'bread'",
        ),
    ];
    // In sessions of their own: after words of others on a list a change asks.
    for (number, (tool, arguments, told)) in steps.into_iter().enumerate() {
        story.script([Reply::acts(tool, &arguments), Reply::answers("Done.")]);
        let said = Utterance::new("Please see to the list of the house");
        said.in_session(&format!("list-{number}")).ask(&story.probe).await;
        let shown = story.brain.requests(TESTER).pop().expect("a request").text();
        assert!(shown.contains(told), "{tool} {arguments}: {shown}");
    }
}

#[tokio::test]
async fn a_home_that_changes_all_the_time_still_answers_what_it_does_not_know() {
    let scene = Scene::default();
    let home = FakeHomeAssistant::start(Manner::Good).await;
    home.furnish(&scene.home);
    scene.home.setting("tools.expose", &format!("{:?}", [TOOLS]));
    let tester = scene.tester();
    let story = scene.play(&tester).await;
    story.daemon.wrote("connected to Home Assistant", PATIENCE).await;
    let unknown = json!({"toolbox_id": TOOLS, "name": "read_home", "kwargs": {"thing": "flux capacitor"}});
    for number in 0..300 {
        for step in 0..5 {
            let name = format!("Hall Window {number} {step}");
            home.changes("cover.hall_window", &json!({"friendly_name": name}));
        }
        let answer = story.probe.request("ovos.persona.tools.call", &unknown).await;
        assert!(answer.data.to_string().contains("nothing called"), "{answer:?}");
    }
}

#[tokio::test]
async fn without_a_home_nothing_of_it_is_offered() {
    let scene = Scene::default();
    scene.home.setting("skills.intents", "\"alone\"");
    let tester = scene.tester().toolboxes(&[TOOLS, "ovos-clock-tools"]);
    let story = scene.play(&tester).await;
    story
        .brain
        .whenever(TESTER, "", Reply::answers("The persona has it."));
    assert_eq!(
        story.ask("Turn on the bed light").await.answer(),
        "The persona has it."
    );
    let request = story.brain.requests(TESTER).pop().expect("a request").text();
    assert!(!request.contains("control_home"), "{request}");
}
