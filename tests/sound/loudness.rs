//! The loudness by each of its three ways: the program of OVOS on the bus, the sound server, the card alone.

use std::sync::{Arc, Mutex};

use loquat_tests::frame::Frame;
use loquat_tests::probe::BusProbe;
use loquat_tests::sound::SoundServer;
use loquat_tests::wait::PATIENCE;
use serde_json::{Value, json};
use tokio::task::JoinSet;

use crate::story::{Scene, Story};

/// What a program of OVOS has, as ovos-phal-plugin-alsa 0.1.6 does it.
#[derive(Debug, Default)]
struct Card {
    percent: i64,
    muted: bool,
    can_mute: bool,
    /// How often it played the sound of a change.
    blops: usize,
    /// The topics that it was asked by.
    asked: Vec<String>,
}

impl Card {
    /// Does what a frame wants. The plugin cuts off what stands behind the point, and ends the silence when it sets.
    fn obeys(&mut self, frame: &Frame) {
        self.asked.push(frame.topic.clone());
        match frame.topic.as_str() {
            "mycroft.volume.set" => {
                let percent = frame.data["percent"].as_f64().unwrap() * 100.0;
                if frame.data["play_sound"] != false {
                    self.blops += 1;
                }
                self.percent = (percent as i64).clamp(0, 100);
                self.muted = false;
            }
            "mycroft.volume.mute" => self.muted = self.can_mute,
            "mycroft.volume.unmute" => self.muted = false,
            _ => {}
        }
    }
}

/// The program; it ends with this value.
struct Phal {
    card: Arc<Mutex<Card>>,
    _program: JoinSet<()>,
}

impl Phal {
    async fn join(port: u16, card: Card) -> Self {
        let probe = BusProbe::connect(port).await;
        let card = Arc::new(Mutex::new(card));
        let mut program = JoinSet::new();
        program.spawn(serve(probe, Arc::clone(&card)));
        Self {
            card,
            _program: program,
        }
    }
}

async fn serve(probe: BusProbe, card: Arc<Mutex<Card>>) {
    let mut place = 0;
    loop {
        let is_wish = |frame: &Frame| {
            let wishes = ["get", "set", "mute", "unmute"];
            let wish = frame.topic.strip_prefix("mycroft.volume.");
            wish.is_some_and(|wish| wishes.contains(&wish))
        };
        let Some(_) = probe.try_wait(place, PATIENCE, is_wish).await else {
            continue;
        };
        let frames = probe.since(place);
        place += frames.len();
        for frame in frames.iter().filter(|frame| is_wish(frame)) {
            if frame.context["session"]["session_id"] != "default" {
                continue;
            }
            let (percent, muted) = {
                let mut card = card.lock().unwrap();
                card.obeys(frame);
                (card.percent as f64 / 100.0, card.muted)
            };
            // A change is reported out of every context, a question is answered in its own.
            let context = if frame.topic == "mycroft.volume.get" {
                frame.context.clone()
            } else {
                json!({})
            };
            let told = json!({
                "type": "mycroft.volume.get.response",
                "data": {"percent": percent, "muted": muted},
                "context": context,
            });
            probe.send(&told).await;
        }
    }
}

async fn story(change: impl FnOnce(&Scene)) -> Story {
    let scene = Scene::default();
    scene.home.setting("skills.intents", "\"alone\"");
    change(&scene);
    let tester = scene.tester();
    scene.play(&tester).await
}

async fn says(story: &Story, text: &str) -> String {
    story.ask(text).await.answer().to_owned()
}

#[tokio::test]
async fn the_program_of_ovos_comes_first_and_plays_no_sound() {
    let story = story(|_| ()).await;
    let card = Card {
        percent: 50,
        can_mute: true,
        ..Card::default()
    };
    let phal = Phal::join(story.home.port(), card).await;
    assert_eq!(
        says(&story, "how loud are you").await,
        "The volume is 50 percent."
    );
    // All of these are less by one in the plugin's arithmetic when they come as they are.
    for percent in [29, 57, 58, 100, 0] {
        let said = says(&story, &format!("set the volume to {percent} percent")).await;
        assert_eq!(said, format!("The volume is {percent} percent."));
        assert_eq!(phal.card.lock().unwrap().percent, percent);
    }
    assert_eq!(says(&story, "louder").await, "The volume is 10 percent.");
    assert_eq!(says(&story, "mute").await, "Muted.");
    assert!(phal.card.lock().unwrap().muted);
    assert_eq!(says(&story, "unmute").await, "The volume is 10 percent.");
    let card = phal.card.lock().unwrap();
    assert!(!card.muted);
    assert_eq!(card.blops, 0);
}

#[tokio::test]
async fn what_the_program_of_ovos_does_not_do_is_not_said_to_be_done() {
    let story = story(|_| ()).await;
    let _phal = Phal::join(story.home.port(), Card::default()).await;
    assert_eq!(says(&story, "mute").await, "The sound server did not do it.");
}

#[tokio::test]
async fn one_that_did_not_answer_is_not_asked_again_at_once() {
    let story = story(|_| ()).await;
    let mark = story.probe.mark();
    for _ in 0..2 {
        assert_eq!(
            says(&story, "louder").await,
            "I find no sound server on this device. Start PulseAudio or PipeWire."
        );
    }
    let asked = story.probe.since(mark);
    let asked = asked
        .iter()
        .filter(|frame| frame.topic == "mycroft.volume.get")
        .count();
    assert_eq!(asked, 1);
}

/// ALSA's own library with a card that is in truth a sound server of the test's.
#[tokio::test]
async fn without_a_sound_server_the_card_is_set_by_alsa() {
    let folder = tempfile::tempdir().unwrap();
    let server = SoundServer::start(folder.path()).await;
    let story = story(|scene| {
        let card = format!("ctl.!default {{ type pulse server \"{}\" }}\n", server.address());
        scene.home.write(".asoundrc", &card);
    })
    .await;
    let said = says(&story, "set the volume to 30 percent").await;
    assert_eq!(said, "The volume is 30 percent.");
    let shown = server.control(&["get-sink-volume", "vmic_sink"]).await;
    assert!(shown.contains("30%"), "{shown}");
    assert_eq!(says(&story, "louder").await, "The volume is 40 percent.");
    assert_eq!(says(&story, "mute").await, "Muted.");
    let shown = server.control(&["get-sink-mute", "vmic_sink"]).await;
    assert!(shown.contains("yes"), "{shown}");
    assert_eq!(says(&story, "unmute").await, "The volume is 40 percent.");
}

#[tokio::test]
async fn without_any_of_the_three_each_is_named_with_its_mend() {
    let story = story(|scene| scene.home.setting("tools.expose", "[\"loquat-volume-tools\"]")).await;
    let call = json!({"toolbox_id": "loquat-volume-tools", "name": "get_volume", "kwargs": {}});
    let answer = story.probe.request("ovos.persona.tools.call", &call).await;
    let problem = find(&answer.data, "problem").unwrap_or_else(|| panic!("{}", answer.data));
    for part in [
        "no program of OVOS on the bus has the volume",
        "start PulseAudio or PipeWire, or set PULSE_SERVER",
        "failed to open the ALSA mixer 'default'",
        "aplay -l",
    ] {
        assert!(problem.contains(part), "{part}: {problem}");
    }
}

/// The text of this key, wherever it stands.
fn find(value: &Value, key: &str) -> Option<String> {
    match value {
        Value::Object(map) => {
            let here = map.get(key).and_then(Value::as_str).map(str::to_owned);
            here.or_else(|| map.values().find_map(|value| find(value, key)))
        }
        Value::Array(all) => all.iter().find_map(|value| find(value, key)),
        Value::String(text) => find(
            &serde_json::from_str(text)
                .ok()
                .filter(|value: &Value| !value.is_string())?,
            key,
        ),
        _ => None,
    }
}
