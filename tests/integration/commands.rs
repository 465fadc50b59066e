//! People choose who answers: summon, release, ask, list, check (PERSONA-1 §5 and §6).

use loquat_tests::brain::Reply;
use loquat_tests::persona::Persona;
use loquat_tests::turn::{HANDLED, Turn, Utterance};
use serde_json::{Value, json};

use crate::story::{Scene, Story, TESTER, assert_sentence};

async fn with_pirate() -> Story {
    let scene = Scene::default();
    scene.home.persona(&scene.tester());
    scene
        .home
        .persona(&Persona::react("Pirate", &scene.brain.url("pirate")));
    let story = scene.start().await;
    story.brain.whenever(TESTER, "", Reply::answers("Good day."));
    story.brain.whenever("pirate", "", Reply::answers("Arr."));
    story
}

/// The session as a client finds it at the end of an utterance.
fn left(turn: &Turn) -> Value {
    turn.frame(HANDLED).context["session"].clone()
}

async fn in_default(story: &Story, text: &str) -> Turn {
    Utterance::new(text).in_session("default").ask(&story.probe).await
}

#[tokio::test]
async fn a_summoned_persona_answers_until_it_is_dismissed() {
    let story = with_pirate().await;
    let turn = in_default(&story, "Talk to the pirate").await;
    assert_eq!(
        turn.answer(),
        "Good day.",
        "there is no persona called the pirate"
    );
    let turn = in_default(&story, "Talk to Pirate.").await;
    assert!(turn.answer().contains("Pirate"), "{}", turn.answer());
    assert_sentence(turn.answer());
    let dispatch = turn.frame("loquat:summon");
    assert_eq!(dispatch.data["slots"], json!({"persona": "Pirate"}));
    assert_eq!(dispatch.context["session"]["persona_id"], "Pirate");
    let activated = turn.frame("ovos.persona.activated");
    assert_eq!(
        activated.data,
        json!({"persona_id": "Pirate", "session_id": "default"})
    );
    assert_eq!(left(&turn)["persona_id"], "Pirate");

    assert_eq!(
        in_default(&story, "How are you?").await.answer(),
        "Arr.",
        "the device remembers"
    );
    assert_eq!(
        story.ask("How are you?").await.answer(),
        "Good day.",
        "another session"
    );
    assert!(
        in_default(&story, "Who am I talking to?")
            .await
            .answer()
            .contains("Pirate")
    );

    let turn = in_default(&story, "Goodbye Pirate").await;
    assert_eq!(turn.frame("ovos.persona.dismissed").data["persona_id"], "Pirate");
    assert!(left(&turn).get("persona_id").is_none(), "{}", left(&turn));
    assert_eq!(in_default(&story, "How are you?").await.answer(), "Good day.");
    let goodbye = in_default(&story, "Goodbye").await;
    assert_eq!(goodbye.answer(), "Good day.", "nobody is there to be dismissed");
}

#[tokio::test]
async fn a_named_session_is_its_own_store() {
    let story = with_pirate().await;
    let summoned = Utterance::new("Switch to Pirate")
        .in_session("kitchen")
        .ask(&story.probe)
        .await;
    assert_eq!(left(&summoned)["persona_id"], "Pirate");
    let forgot = Utterance::new("Hello")
        .in_session("kitchen")
        .ask(&story.probe)
        .await;
    assert_eq!(
        forgot.answer(),
        "Good day.",
        "the client has to bring its session"
    );
    let brought = Utterance::new("Hello")
        .in_session("kitchen")
        .to("Pirate")
        .ask(&story.probe)
        .await;
    assert_eq!(brought.answer(), "Arr.");
}

#[tokio::test]
async fn an_empty_persona_in_the_device_s_session_dismisses() {
    let story = with_pirate().await;
    in_default(&story, "Talk to Pirate").await;
    let cleared = Utterance::new("Hello")
        .in_session("default")
        .to("")
        .ask(&story.probe)
        .await;
    assert_eq!(cleared.answer(), "Good day.");
    assert_eq!(in_default(&story, "Hello").await.answer(), "Good day.");
}

#[tokio::test]
async fn asking_another_persona_changes_nothing() {
    let story = with_pirate().await;
    let turn = in_default(&story, "Ask Pirate what is the best rum").await;
    assert_eq!(turn.answer(), "Arr.");
    assert_eq!(turn.frame("ovos.intent.matched").data["intent_name"], "ask");
    assert!(left(&turn).get("persona_id").is_none());
    let shown = story.brain.requests("pirate")[0].newest();
    assert!(shown.contains("what is the best rum"), "{shown}");
    assert!(!shown.contains("Ask Pirate"), "{shown}");
    assert_eq!(in_default(&story, "Hello").await.answer(), "Good day.");
}

#[tokio::test]
async fn the_list_names_all_and_a_persona_that_was_taken_back_is_not_offered() {
    let story = with_pirate().await;
    let list = story.ask("List all personas").await;
    assert!(
        list.answer().contains("Pirate") && list.answer().contains(TESTER),
        "{}",
        list.answer()
    );
    in_default(&story, "Talk to Pirate").await;

    let send = async |topic: &str| {
        let frame = json!({"type": topic, "data": {"persona_id": "Pirate"}, "context": {"source": "ui"}});
        story.probe.send(&frame).await;
        story.probe.request("ovos.persona.list", &json!({})).await.data["personas"].to_string()
    };
    assert!(!send("ovos.persona.deregister").await.contains("Pirate"));
    assert_eq!(
        in_default(&story, "Hello").await.answer(),
        "Arr.",
        "who uses it is served"
    );
    in_default(&story, "Goodbye Pirate").await;
    assert_eq!(in_default(&story, "Talk to Pirate").await.answer(), "Good day.");
    assert!(send("ovos.persona.register").await.contains("Pirate"));
    in_default(&story, "Talk to Pirate").await;
    assert_eq!(in_default(&story, "Hello").await.answer(), "Arr.");
}

#[tokio::test]
async fn commands_are_understood_in_the_language_of_the_utterance() {
    let story = with_pirate().await;
    let cases = [
        ("de-DE", "Sprich mit Pirate", "Hier ist Pirate."),
        ("fr-FR", "Parle à Pirate", "Ici Pirate."),
        ("es-ES", "Habla con Pirate", "Aquí Pirate."),
        ("pt-PT", "Fala com Pirate", "Aqui Pirate."),
        ("it-IT", "Parla con Pirate", "Qui Pirate."),
    ];
    for (lang, said, answer) in cases {
        let utterance = Utterance::new(said).in_session(lang).session("lang", json!(lang));
        let turn = utterance.ask(&story.probe).await;
        assert_eq!(turn.answer(), answer);
        assert_eq!(turn.spoken()[0].data["lang"], lang);
    }
}
