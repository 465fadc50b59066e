//! The tools of the home, called as a turn calls them, in the home of a fake Home Assistant: what each action means for each
//! kind of things, what asks first, what is read, and what is said where nothing can come of it.

#![expect(
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a failed expectation is how a test fails"
)]

use std::sync::Arc;

use loquat_agent::toolbox::{Circumstances, ToolError, Toolbox};
use loquat_skills::Resources;
use loquat_skills::home::{Condition, HomeAssistant, HomeSettings, ID};
use loquat_tests::home_assistant::{FakeHomeAssistant, Manner, TOKEN, Thing};
use serde_json::{Map, Value, json};
use tokio::task::JoinSet;
use tokio_util::sync::CancellationToken;

mod homes;

use homes::furniture;

/// A home, and the tools that speak to it.
struct Flat {
    home: FakeHomeAssistant,
    toolbox: Arc<dyn Toolbox>,
    _running: JoinSet<()>,
}

/// What came of a call.
#[derive(Debug)]
struct Told {
    /// What is said, or the complaint.
    spoken: String,
    result: Map<String, Value>,
    /// What the person was asked.
    question: Option<Value>,
}

impl Flat {
    async fn new(area: &str) -> Self {
        Self::with(area, furniture()).await
    }

    async fn with(area: &str, things: Vec<Thing>) -> Self {
        let home = FakeHomeAssistant::start(Manner::Good).await;
        home.brings(things);
        let also = [
            "lock.front_door",
            "lock.kitchen_door",
            "valve.orchard",
            "siren.siren",
        ];
        let settings = HomeSettings {
            assist: true,
            area: (!area.is_empty()).then(|| area.to_owned()),
            also: also.map(str::to_owned).to_vec(),
            ..HomeSettings::new(home.url(), Arc::new(|| Ok(TOKEN.into())))
        };
        let link = Arc::new(HomeAssistant::new(settings));
        let mut running = JoinSet::new();
        running.spawn(Arc::clone(&link).run(CancellationToken::new()));
        let mut condition = link.condition();
        let ready = condition.wait_for(|now| matches!(now, Condition::Ready { .. }));
        ready.await.expect("a connection");
        let mut resources = Resources::volatile(Arc::new(loquat_skills::locales()));
        resources.home_assistant = Some(link);
        let toolbox = loquat_skills::find(ID, &Map::new(), &resources);
        Self {
            home,
            toolbox: toolbox.expect("a toolbox").expect("no settings"),
            _running: running,
        }
    }

    /// Calls a tool as the gate does: what it means is found first, and what asks is asked about.
    async fn call(&self, tool: &str, arguments: Value, is_consented: bool) -> Told {
        self.call_in("en-US", tool, arguments, is_consented).await
    }

    async fn call_in(&self, lang: &str, tool: &str, arguments: Value, is_consented: bool) -> Told {
        let person = Circumstances {
            lang: Some(lang.to_owned()),
            is_consented,
            ..Circumstances::default()
        };
        let mut arguments = object(arguments);
        let mut question = None;
        if ["control_home", "set_home", "play_home"].contains(&tool) {
            let meant = object(json!({"tool": tool, "arguments": arguments}));
            let meant = match self.toolbox.call("resolve_home", meant, &person).await {
                Ok(meant) => meant.result,
                Err(error) => return refused(&error),
            };
            question = (meant["asks"] == true).then(|| meant["told"].clone());
            arguments = object(meant["arguments"].clone());
        }
        match self.toolbox.call(tool, arguments, &person).await {
            Ok(outcome) => Told {
                spoken: outcome.spoken.unwrap_or_default(),
                result: outcome.result,
                question,
            },
            Err(error) => refused(&error),
        }
    }

    async fn says(&self, tool: &str, arguments: Value) -> String {
        self.call(tool, arguments, false).await.spoken
    }
}

fn object(value: Value) -> Map<String, Value> {
    serde_json::from_value(value).expect("an object")
}

fn refused(error: &ToolError) -> Told {
    let ToolError::Reply { class, message, .. } = error else {
        panic!("{error:?}")
    };
    Told {
        spoken: format!("{class}: {message}"),
        result: Map::new(),
        question: None,
    }
}

/// Arguments, the service that is called, and what is said.
type Row = (Value, &'static str, &'static str);

async fn rows(flat: &Flat, tool: &str, rows: Vec<Row>) {
    let mut wrong = Vec::new();
    for (arguments, called, said) in rows {
        let told = flat.call(tool, arguments.clone(), false).await;
        let calls = flat.home.calls().join(", ");
        if calls != called || told.spoken != said || told.question.is_some() {
            wrong.push(format!("{arguments}: {calls} | {}", told.spoken));
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
    assert_eq!(flat.home.guarded_moves(), [] as [String; 0]);
}

#[tokio::test]
async fn an_action_does_for_each_kind_what_it_means_for_it() {
    let flat = Flat::new("Kitchen").await;
    rows(&flat, "control_home", homes::controlled()).await;
}

#[tokio::test]
async fn what_is_set_is_what_each_kind_has() {
    let flat = Flat::new("Office").await;
    rows(&flat, "set_home", homes::set()).await;
}

#[tokio::test]
async fn numbers_are_passed_on_as_home_assistant_takes_them() {
    let flat = Flat::new("Office").await;
    for (arguments, data) in homes::numbers() {
        flat.home.data();
        flat.call("set_home", arguments.clone(), false).await;
        assert_eq!(flat.home.data(), [data], "{arguments}");
    }
}

#[tokio::test]
async fn what_opens_a_way_or_cannot_be_seen_to_be_harmless_waits_for_a_yes() {
    let flat = Flat::new("").await;
    for (tool, arguments, word, called) in homes::guarded() {
        let told = flat.call(tool, arguments.clone(), false).await;
        let question = told.question.unwrap_or_default();
        assert!(
            question.get(word).is_some(),
            "{tool} {arguments}: {question} {}",
            told.spoken
        );
        assert!(
            told.spoken.contains("only after a yes"),
            "{arguments}: {}",
            told.spoken
        );
        assert_eq!(flat.home.guarded_moves(), [] as [String; 0], "{arguments}");
        assert_eq!(flat.home.calls(), [] as [String; 0], "{arguments}");
        flat.call(tool, arguments.clone(), true).await;
        assert_eq!(flat.home.calls().join(", "), called, "{arguments}");
        flat.home.guarded_moves();
    }
    // What a caller writes as resolved is moved no more than anything else.
    for id in [
        "lock.front_door",
        "button.doorbell",
        "cover.front_gate",
        "assist_satellite.hall",
    ] {
        let person = Circumstances::default();
        let forged = object(json!({"action": "on", "entities": [id], "is_consented": true}));
        let outcome = flat
            .toolbox
            .call("control_home", forged, &person)
            .await
            .expect("a result");
        assert_eq!(outcome.result["done"], false, "{id}");
        assert_eq!(flat.home.calls(), [] as [String; 0], "{id}");
    }
}

#[tokio::test]
async fn a_wide_wish_leaves_out_what_asks_and_never_runs_all_scripts() {
    let flat = Flat::new("").await;
    let covers = flat
        .call("control_home", json!({"action": "open", "kind": "cover"}), false)
        .await;
    assert_eq!(covers.result["left_out"], json!(["Front Gate", "Garage Door"]));
    assert!(covers.question.is_none());
    for kind in ["script", "scene", "button"] {
        let told = flat
            .says("control_home", json!({"action": "on", "kind": kind}))
            .await;
        assert!(told.starts_with("Which one do you mean: "), "{kind}: {told}");
    }
    assert_eq!(flat.home.guarded_moves(), [] as [String; 0]);
}

#[tokio::test]
async fn questions_are_answered_in_a_sentence_and_with_what_matches() {
    let flat = Flat::new("Kitchen").await;
    let mut wrong = Vec::new();
    for (arguments, said) in homes::questions() {
        let told = flat.says("read_home", arguments.clone()).await;
        if told != said {
            wrong.push(format!("{arguments}: {told}"));
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
    let asked = json!({"kind": "cover", "area": "bedroom", "state": "open", "question": "all"});
    let told = flat.call("read_home", asked, false).await;
    let result = Value::Object(told.result);
    assert_eq!(result["answer"], "no");
    assert_eq!(result["count"], 1);
    let blind = json!({"name": "Bedroom Blind", "state": "open", "level": 70.0, "domain": "cover", "area": "Bedroom"});
    assert_eq!(result["matched"], json!([blind]));
    assert_eq!(result["unmatched"][0]["name"], "Bedroom Curtain");
}

#[tokio::test]
async fn every_language_answers() {
    let flat = Flat::new("Kitchen").await;
    for lang in ["en-US", "de-DE", "fr-FR", "es-ES", "it-IT", "pt-PT"] {
        for (tool, arguments) in homes::tellings() {
            let told = flat.call_in(lang, tool, arguments.clone(), false).await;
            assert!(
                !told.spoken.is_empty(),
                "{lang}: {tool} {arguments}: {:?}",
                told.result
            );
            assert!(!told.spoken.contains(['{', '}']), "{lang}: {}", told.spoken);
        }
    }
    // In other languages there is no sentence of ours, and what the result tells is all that a renderer needs.
    let arguments = json!({"action": "on", "thing": "Guest Mode"});
    let told = flat.call_in("pl", "control_home", arguments, false).await;
    assert_eq!(told.spoken, "");
    let matched = json!([{"name": "Guest Mode", "state": "on", "domain": "input_boolean"}]);
    assert_eq!(told.result["matched"], matched);
}

#[tokio::test]
async fn media_are_searched_and_played_where_a_player_can() {
    let flat = Flat::new("Office").await;
    for (arguments, called, said) in [
        (
            json!({"query": "Queen", "media_class": "artist"}),
            "media_player.search_media media_player.jukebox, media_player.play_media media_player.jukebox",
            "Playing The Best of Queen on Jukebox.",
        ),
        (
            json!({"query": "silence", "area": "office"}),
            "media_player.search_media media_player.jukebox",
            "I found nothing for silence.",
        ),
        (
            json!({"query": "Queen", "thing": "Walkman"}),
            "",
            "Walkman cannot search for media.",
        ),
        (
            json!({"query": " "}),
            "",
            "ValueError: query: write what is to be played, in at most 200 characters",
        ),
    ] {
        let told = flat.says("play_home", arguments.clone()).await;
        assert_eq!(
            (flat.home.calls().join(", ").as_str(), told.as_str()),
            (called, said),
            "{arguments}"
        );
    }
    let flat = Flat::with("Office", Vec::new()).await;
    let told = flat.says("play_home", json!({"query": "Queen"})).await;
    assert_eq!(told, "No player of the home can search for media.");
    let told = flat
        .says("play_home", json!({"query": "Queen", "media_class": "smell"}))
        .await;
    assert!(
        told.starts_with("ValueError: media_class: write one of album"),
        "{told}"
    );
}

#[tokio::test]
async fn words_are_announced_on_every_satellite_or_on_those_of_a_room() {
    let flat = Flat::new("Kitchen").await;
    let two =
        "assist_satellite.announce assist_satellite.hall, assist_satellite.announce assist_satellite.kitchen";
    let one = "assist_satellite.announce assist_satellite.kitchen";
    for (arguments, called, said) in [
        (
            json!({"message": "Dinner is ready"}),
            two,
            "Announced in 2 places.",
        ),
        (
            json!({"message": "Dinner", "area": "here"}),
            one,
            "Announced in one place.",
        ),
        (
            json!({"message": "Dinner", "area": "Ground floor"}),
            one,
            "Announced in one place.",
        ),
        (
            json!({"message": "Dinner", "area": "Office"}),
            "",
            "There is no device there that can announce.",
        ),
    ] {
        let told = flat.says("announce_home", arguments.clone()).await;
        let mut calls = flat.home.calls();
        calls.sort();
        assert_eq!(
            (calls.join(", ").as_str(), told.as_str()),
            (called, said),
            "{arguments}"
        );
    }
    let told = flat
        .says("announce_home", json!({"message": "Dinner", "area": "attic"}))
        .await;
    assert!(
        told.contains("no room 'attic'; its rooms and floors are Living Room, Kitchen"),
        "{told}"
    );
    let told = flat.says("announce_home", json!({"message": ""})).await;
    assert!(told.starts_with("ValueError: message"), "{told}");
}

#[tokio::test]
async fn what_there_is_is_told_where_something_is_not() {
    let flat = Flat::new("").await;
    for (tool, arguments, said) in homes::mistaken() {
        let told = flat.call(tool, arguments.clone(), false).await;
        let shown = Value::Object(told.result).to_string();
        let all = format!("{} {shown}", told.spoken);
        assert!(all.contains(said), "{tool} {arguments}: {all}");
    }
    assert_eq!(flat.home.calls(), [] as [String; 0]);
}

#[tokio::test]
async fn of_several_that_are_called_alike_the_nearest_is_meant() {
    for (area, called, said) in [
        (
            "Kitchen",
            "light.turn_on light.lamp_kitchen",
            "I have turned on Lamp.",
        ),
        (
            "Office",
            "light.turn_on light.lamp_bedroom",
            "I have turned on Lamp.",
        ),
        (
            "",
            "",
            "Which one do you mean: Lamp (Bedroom) and Lamp (Kitchen)?",
        ),
    ] {
        let flat = Flat::new(area).await;
        let told = flat
            .says("control_home", json!({"action": "on", "thing": "Lamp"}))
            .await;
        assert_eq!(
            (flat.home.calls().join(", ").as_str(), told.as_str()),
            (called, said),
            "{area}"
        );
    }
}

#[tokio::test]
async fn any_sensible_answer_to_which_one_is_taken() {
    for (lang, choice, called) in [
        ("en-US", "the kitchen", "light.turn_on light.lamp_kitchen"),
        (
            "en-US",
            "the one in the bedroom",
            "light.turn_on light.lamp_bedroom",
        ),
        ("en-US", "the first one", "light.turn_on light.lamp_bedroom"),
        ("en-US", "2", "light.turn_on light.lamp_kitchen"),
        (
            "en-US",
            "both",
            "light.turn_on light.lamp_bedroom light.lamp_kitchen",
        ),
        ("de-DE", "die in der Küche", "light.turn_on light.lamp_kitchen"),
        ("de-DE", "die zweite", "light.turn_on light.lamp_kitchen"),
        ("fr-FR", "la première", "light.turn_on light.lamp_bedroom"),
        ("es-ES", "la de la cocina", "light.turn_on light.lamp_kitchen"),
        ("it-IT", "quella della cucina", "light.turn_on light.lamp_kitchen"),
        (
            "pt-PT",
            "as duas",
            "light.turn_on light.lamp_bedroom light.lamp_kitchen",
        ),
        ("en-US", "the hall", ""),
        ("en-US", "the fifth", ""),
    ] {
        let flat = Flat::new("").await;
        let arguments = json!({"action": "on", "thing": "Lamp", "choice": choice});
        let told = flat.call_in(lang, "control_home", arguments, false).await;
        assert_eq!(
            flat.home.calls().join(", "),
            called,
            "{lang}: {choice}: {}",
            told.spoken
        );
        let choices = json!(["Lamp (Bedroom)", "Lamp (Kitchen)"]);
        assert_eq!(
            told.result.get("choices"),
            called.is_empty().then_some(&choices),
            "{choice}"
        );
    }
}

#[tokio::test]
async fn small_models_are_shown_small_schemas() {
    let flat = Flat::new("").await;
    let tools = flat.toolbox.tools();
    let arguments = |name: &str| {
        let tool = tools.iter().find(|tool| tool.name == name).expect("a tool");
        let properties = tool.argument_schema["properties"]
            .as_object()
            .expect("properties");
        properties.keys().cloned().collect::<Vec<String>>().join(" ")
    };
    for (tool, expected) in [
        ("control_home", "action area kind thing"),
        ("set_home", "area color level temperature thing"),
        ("read_home", "area kind thing"),
        ("play_home", "area query thing"),
        ("announce_home", "area message"),
    ] {
        let mut shown: Vec<String> = arguments(tool).split(' ').map(str::to_owned).collect();
        shown.sort();
        assert_eq!(shown.join(" "), expected, "{tool}");
    }
}

#[tokio::test]
async fn what_assist_understands_and_does_not_tell_is_not_handed_to_it() {
    let flat = Flat::new("").await;
    let told = flat
        .says("ask_assist", json!({"text": "announce dinner is ready"}))
        .await;
    assert_eq!(
        told,
        "Home Assistant understood that, but does not tell what it would move, so I have not handed it on."
    );
    assert!(flat.home.calls().is_empty());
}
