//! Beside the real audio service, which speaks with a silent voice: what we say is said aloud once, and after a question
//! the microphone is opened.

use loquat_tests::brain::{Reply, ScriptedBrain};
use loquat_tests::daemon::{Daemon, Launch};
use loquat_tests::frame::Frame;
use loquat_tests::ovos_core::Generation;
use loquat_tests::peers::Peers;
use loquat_tests::persona::Persona;
use loquat_tests::probe::BusProbe;
use loquat_tests::process::Process;
use loquat_tests::toolbox::{Act, ScriptedTool, ScriptedToolbox};
use loquat_tests::turn::{HANDLED, Utterance};
use loquat_tests::wait::PATIENCE;
use serde_json::json;

use crate::{GENERATIONS, TESTER};

/// What the service says about its work, under the names of the older and the newer generation. The older one copies
/// the mark of the repetition that it heard into what it says, so the marks tell nothing.
const BEGINS: [&str; 2] = ["recognizer_loop:audio_output_start", "ovos.audio.output.started"];
const SAYS: [&str; 2] = ["recognizer_loop:utterance_start"; 2];
const ENDS: [&str; 2] = ["recognizer_loop:audio_output_end", "ovos.audio.output.ended"];
const LISTENS: [&str; 2] = ["mycroft.mic.listen", "ovos.mic.listen"];

struct Stage {
    _bus: (Process, BusProbe),
    _audio: Process,
    _daemon: Daemon,
    probe: BusProbe,
    brain: ScriptedBrain,
    peers: Peers,
}

/// Bus, audio service and daemon; the daemon could speak by itself, and must not.
async fn with_audio(generation: Generation) -> Stage {
    let peers = Peers::of(generation);
    peers.configure(&json!({
        "tts": {"module": "silent-voice", "fallback_module": ""},
        "play_wav_cmdline": "/bin/sleep 0.3",
    }));
    let bus = peers.bus().await;
    let audio = peers.audio(&bus.1).await;
    let (brain, home) = (ScriptedBrain::start(), peers.home());
    home.setting("desk.persona", &format!("\"{TESTER}\""));
    home.setting("bus.embed", "\"never\"");
    home.setting("voice.espeak", "\"auto\"");
    home.setting("desk.consent_from", "\"bus\"");
    home.persona(&Persona::react(TESTER, &brain.url(TESTER)).toolboxes(&["peer-tools"]));
    let (daemon, probe) = Launch::new(home, &["run"]).ready().await;
    Stage {
        _bus: bus,
        _audio: audio,
        _daemon: daemon,
        probe,
        brain,
        peers,
    }
}

fn is(topics: [&'static str; 2], generation: Generation) -> impl Fn(&Frame) -> bool + Copy {
    let topic = topics[usize::from(generation == Generation::PreRelease)];
    move |frame| frame.topic == topic
}

/// Where the only such frame stands.
fn only(wire: &[Frame], what: &str, wanted: impl Fn(&Frame) -> bool) -> usize {
    let places: Vec<usize> = (0..wire.len()).filter(|place| wanted(&wire[*place])).collect();
    let [place] = places[..] else {
        let topics: Vec<_> = wire.iter().map(|frame| frame.topic.as_str()).collect();
        panic!("{what} {} times instead of once: {topics:?}", places.len())
    };
    place
}

#[tokio::test]
async fn what_we_say_is_spoken_aloud_once() {
    for generation in GENERATIONS {
        let stage = with_audio(generation).await;
        stage
            .brain
            .whenever(TESTER, "", Reply::answers("It is a fine day."));
        let mark = stage.probe.mark();
        let turn = Utterance::new("How is it?")
            .in_session("default")
            .ask(&stage.probe)
            .await;
        assert_eq!(turn.answer(), "It is a fine day.", "{generation:?}");
        stage
            .probe
            .wait("the end of the sound", mark, PATIENCE, is(ENDS, generation))
            .await;

        let elsewhere = Utterance::new("And there?")
            .in_session("kitchen")
            .ask(&stage.probe)
            .await;
        assert_eq!(elsewhere.answer(), "It is a fine day.", "{generation:?}");
        stage.probe.request("mycroft.audio.is_ready", &json!({})).await;

        let wire = stage.probe.since(mark);
        let here = |frame: &Frame| frame.session_id() == "default" && !frame.is_twin();
        let places = [
            only(&wire, "asked", |frame| frame.is_entry() && here(frame)),
            only(&wire, "answered", |frame| frame.is_speak() && here(frame)),
            only(&wire, "begun", is(BEGINS, generation)),
            only(&wire, "said", is(SAYS, generation)),
            only(&wire, "ended", is(ENDS, generation)),
        ];
        assert!(places.is_sorted(), "{generation:?}: {places:?}");
        assert_eq!(wire[places[3]].utterance(), "It is a fine day.", "{generation:?}");
        assert!(
            !wire.iter().any(is(LISTENS, generation)),
            "{generation:?}: nothing was asked"
        );
    }
}

#[tokio::test]
async fn what_is_typed_without_a_session_is_answered_aloud_too() {
    // ovos-bus-client 1.5 takes a session without an id for that of another device.
    for generation in GENERATIONS {
        let stage = with_audio(generation).await;
        stage
            .brain
            .whenever(TESTER, "", Reply::answers("It is a fine day."));
        let utterance = Utterance::new("How is it?");
        let mut frame = utterance.frame();
        frame["context"].as_object_mut().unwrap().remove("session");
        let mark = stage.probe.mark();
        stage.probe.send(&frame).await;
        assert_eq!(
            utterance.end(&stage.probe, mark).await.answer(),
            "It is a fine day."
        );
        stage
            .probe
            .wait("the sound", mark, PATIENCE, is(SAYS, generation))
            .await;
    }
}

#[tokio::test]
async fn after_a_question_the_microphone_is_opened() {
    for generation in GENERATIONS {
        let stage = with_audio(generation).await;
        let tool = ScriptedTool::named("unlock", Act::Returns(json!({"text": "unlocked"})));
        let toolbox = ScriptedToolbox::join(stage.peers.home().port(), "peer-tools", vec![tool]).await;
        let call = Reply::acts("unlock", &json!({"text": "the door"}));
        stage.brain.script(TESTER, [call, Reply::answers("It is open.")]);
        let utterance = Utterance::new("Open the door").in_session("default");
        let mark = utterance.enter(&stage.probe).await;
        stage
            .probe
            .wait("the microphone", mark, PATIENCE, is(LISTENS, generation))
            .await;
        assert!(toolbox.calls().is_empty(), "{generation:?}: nobody has said yes");

        let yes = Utterance::new("Yes")
            .in_session("default")
            .ask(&stage.probe)
            .await;
        assert_eq!(yes.ends(), 1, "{generation:?}");
        let turn = utterance.end(&stage.probe, mark).await;
        assert_eq!(turn.ends(), 1, "{generation:?}");
        assert_eq!(toolbox.calls().len(), 1, "{generation:?}");
        let spoken: Vec<_> = turn.spoken().into_iter().cloned().collect();
        assert_eq!(spoken[1].utterance(), "It is open.", "{generation:?}");
        let is_said = |frame: &Frame| is(SAYS, generation)(frame) && frame.utterance() == "It is open.";
        stage
            .probe
            .wait("the answer to be said", mark, PATIENCE, is_said)
            .await;

        let wire = stage.probe.since(mark);
        let question =
            |frame: &Frame| is(SAYS, generation)(frame) && frame.utterance() == spoken[0].utterance();
        let places = [
            only(&wire, "the question", question),
            only(&wire, "listened", is(LISTENS, generation)),
            only(&wire, "the answer", is_said),
        ];
        assert!(places.is_sorted(), "{generation:?}: {places:?}");
        let ended = wire
            .iter()
            .filter(|frame| frame.topic == HANDLED && utterance.owns(frame));
        assert_eq!(ended.count(), 1, "{generation:?}");
    }
}
