//! Stock skills inside the real core as tools of a persona: what a skill says for a call is an observation and is not
//! spoken, only what is allowed is offered, and what is not trusted asks first.

use loquat_tests::brain::{Reply, Request, ScriptedBrain};
use loquat_tests::daemon::{Daemon, Launch};
use loquat_tests::frame::Frame;
use loquat_tests::ovos_core::Generation;
use loquat_tests::peers::Peers;
use loquat_tests::persona::Persona;
use loquat_tests::probe::BusProbe;
use loquat_tests::turn::Utterance;
use loquat_tests::wait::PATIENCE;
use serde_json::{Value, json};

use crate::{GENERATIONS, TESTER};

/// What the parrot is as a tool.
const SAY: &str = "skill_parrot_speak";

/// A persona that trusts the parrot, asks before the greeter, and is not allowed the third of the installed skills.
async fn with_skills(peers: &Peers, brain: &ScriptedBrain) -> (Daemon, BusProbe) {
    let home = peers.home();
    home.setting("desk.persona", &format!("\"{TESTER}\""));
    home.setting("bus.embed", "\"never\"");
    home.setting("desk.consent_from", "\"bus\"");
    let skills = json!({
        "ovos-skill-parrot.openvoiceos": {"trust": "safe"},
        "ovos-skill-hello-world.openvoiceos": {},
    });
    let tester = Persona::react(TESTER, &brain.url(TESTER))
        .toolboxes(&["ovos-math-tools", "loquat-skill-tools"])
        .setting("loquat-skill-tools", json!({"skills": skills}));
    home.persona(&tester);
    Launch::new(home, &["run"]).ready().await
}

/// Waits until the daemon offers a tool to programs, or to its brain.
async fn is_a_guest(watch: &BusProbe) {
    let is_ours =
        |frame: &Frame| frame.topic.ends_with("fallback.register") && frame.data["skill_id"] == "loquat";
    watch.wait("our registration", 0, PATIENCE, is_ours).await;
}

/// The greeter's answer to thanks: in the older generation by keywords, which are said in a sentence.
fn thanks(generation: Generation) -> (&'static str, Value) {
    match generation {
        Generation::Stable => (
            "skill_hello_world_thankyouintent",
            json!({"utterance": "thank you"}),
        ),
        Generation::PreRelease => ("skill_hello_world_thank_you_intent", json!({})),
    }
}

/// Asks for a calculation that the parrot has to say before the answer.
async fn ask_through_the_parrot(brain: &ScriptedBrain, probe: &BusProbe, what: &str) {
    brain.script(
        TESTER,
        [
            Reply::acts("evaluate_expression", &json!({"expression": "6*7"})),
            Reply::acts(SAY, &json!({"sentence": "forty two bananas"})),
            Reply::answers("It said so."),
        ],
    );
    let before = brain.requests(TESTER).len();
    let turn = Utterance::new("Have six times seven bananas said")
        .in_session("default")
        .ask(probe)
        .await;
    assert_eq!(turn.answer(), "It said so.", "{what}");
    turn.assert_ended_once();
    let requests = brain.requests(TESTER).split_off(before);
    assert_eq!(requests.len(), 3, "{what}");
    let shown = requests[0].text();
    assert!(
        shown.contains(SAY) && shown.contains("skill_hello_world_"),
        "{what}: {shown}"
    );
    assert!(
        !shown.contains("randomness"),
        "{what}: it is not allowed: {shown}"
    );
    let seen = requests[2].newest();
    assert!(
        seen.contains("forty two bananas") && seen.contains(r#""done":true"#),
        "{what}: {seen}"
    );
    let spoken: Vec<Frame> = probe.since(0).into_iter().filter(Frame::is_speak).collect();
    let for_the_person = spoken.iter().filter(|frame| frame.session_id() == "default");
    assert!(
        for_the_person
            .clone()
            .all(|frame| frame.utterance() == "It said so."),
        "{what}: {spoken:?}"
    );
}

#[tokio::test]
async fn a_stock_skill_is_called_in_the_middle_of_a_plan_and_an_untrusted_one_after_a_yes() {
    for generation in GENERATIONS {
        let what = format!("{generation:?}");
        let peers = Peers::with_skills(generation);
        let (_bus, watch) = peers.bus().await;
        let brain = ScriptedBrain::start();
        let (_daemon, probe) = with_skills(&peers, &brain).await;
        let _core = peers.core(&watch).await;
        is_a_guest(&watch).await;
        ask_through_the_parrot(&brain, &probe, &what).await;

        let (thank, arguments) = thanks(generation);
        for (words, runs) in [("No", false), ("Yes, please", true)] {
            brain.script(TESTER, [Reply::acts(thank, &arguments), Reply::answers("Well.")]);
            let utterance = Utterance::new("Be thankful for me").in_session("default");
            let mark = utterance.enter(&probe).await;
            let asks = |frame: &Frame| frame.is_speak() && frame.data["expect_response"] == true;
            let question = probe.wait("the question", mark, PATIENCE, asks).await;
            assert!(
                question.utterance().contains("thank"),
                "{what}: {}",
                question.utterance()
            );
            let is_call = |frame: &Frame| frame.topic.starts_with("ovos-skill-hello-world.openvoiceos:");
            assert!(
                !probe.since(mark).iter().any(is_call),
                "{what}: it is asked first"
            );
            Utterance::new(words).in_session("default").enter(&probe).await;
            let turn = utterance.end(&probe, mark).await;
            assert_eq!(
                turn.spoken().last().map(|last| last.utterance()),
                Some("Well."),
                "{what}"
            );
            let newest = brain.requests(TESTER).last().map(Request::newest);
            assert_eq!(
                probe.since(mark).iter().any(is_call),
                runs,
                "{what}: {words}: {newest:?}"
            );
        }
    }
}

#[tokio::test]
async fn a_daemon_that_comes_after_the_skills_asks_the_core_which_there_are() {
    // Cores of the older generation cannot be asked.
    let generation = Generation::PreRelease;
    let peers = Peers::with_skills(generation);
    let (_bus, watch) = peers.bus().await;
    let brain = ScriptedBrain::start();
    let _core = peers.core(&watch).await;
    let (_daemon, probe) = with_skills(&peers, &brain).await;
    is_a_guest(&watch).await;
    ask_through_the_parrot(&brain, &probe, "after the core").await;
}
