//! Who answers: the default, the one that the session names, one that is not there, and queries out of band.

use loquat_tests::brain::Reply;
use loquat_tests::daemon::Launch;
use loquat_tests::frame::Frame;
use loquat_tests::persona::Persona;
use loquat_tests::turn::Utterance;
use loquat_tests::wait::PATIENCE;
use serde_json::{Value, json};

use crate::story::{Scene, Story, TESTER, assert_sentence};

async fn query(story: &Story, data: Value) -> Frame {
    let mark = story.probe.mark();
    let context =
        json!({"source": "cli", "mine": 7, "session": {"session_id": "cli-7", "persona_id": "nobody"}});
    story
        .probe
        .send(&json!({"type": "ovos.persona.query", "data": data, "context": context}))
        .await;
    story
        .probe
        .wait("the answer to a query", mark, PATIENCE, |frame| {
            frame.topic == "ovos.persona.answer"
        })
        .await
}

#[tokio::test]
async fn the_session_chooses_the_persona() {
    let scene = Scene::default();
    scene.home.persona(&scene.tester());
    scene.home.persona(
        &Persona::react("Pirate", &scene.brain.url("pirate")).key("system_prompt", json!("Say arr.")),
    );
    let story = scene.start().await;
    story.script([Reply::answers("Good day.")]);
    story.brain.script("pirate", [Reply::answers("Arr.")]);
    assert_eq!(story.ask("Hello").await.answer(), "Good day.");
    assert_eq!(
        Utterance::new("Hello")
            .to("Pirate")
            .in_session("ship")
            .ask(&story.probe)
            .await
            .answer(),
        "Arr."
    );
    assert!(story.brain.requests("pirate")[0].text().contains("Say arr."));
    assert!(!story.brain.requests(TESTER)[0].text().contains("Say arr."));
}

#[tokio::test]
async fn files_of_other_devices_answer_with_what_is_here() {
    let scene = Scene::default();
    let brain = |lane: &str| json!({"api_url": scene.brain.url(lane), "key": "sk-scripted", "model": "m"});
    let old = json!({"module": "ovos-solver-openai-plugin", "ovos-solver-openai-plugin": brain("old")});
    let files = json!([
        {"name": "Old", "solvers": ["ovos-solver-rivescript-plugin", old, "ovos-solver-failure-plugin"]},
        {"name": "Chain", "chat": "ovos-chain-of-thought",
         "ovos-chain-of-thought": {"llm": "ovos-openai-plugin", "ovos-openai-plugin": brain("chain")}},
        {"name": "Bare", "solvers": ["ovos-solver-openai-plugin"]},
    ]);
    for file in files.as_array().unwrap() {
        let name = format!("config/ovos_persona/{}.json", file["name"].as_str().unwrap());
        scene.home.write(&name, &file.to_string());
    }
    let shown = Launch::new(&scene.home, &["personas"]).run().await.shown();
    assert!(shown.contains("(ovos-chain-of-thought-loop; "), "{shown}");
    let passed_over = "solvers[0]: there is no plugin ovos-solver-rivescript-plugin here; it is passed over";
    assert!(shown.contains(passed_over), "{shown}");

    let tester = scene.tester();
    let story = scene.play(&tester).await;
    let answer = async |persona: &str| {
        let turn = Utterance::new("Hello")
            .to(persona)
            .in_session(persona)
            .ask(&story.probe);
        turn.await.answer().to_owned()
    };
    for (persona, lane) in [("Old", "old"), ("Chain", "chain")] {
        story.brain.script(lane, [Reply::answers("Good day.")]);
        assert_eq!(answer(persona).await, "Good day.");
    }
    let bare = answer("Bare").await;
    assert_sentence(&bare);
    assert!(
        bare.contains("loquat"),
        "it is the model of this device that is missing: {bare}"
    );
}

#[tokio::test]
async fn an_unknown_persona_is_named_in_one_sentence() {
    let story = Story::begin().await;
    let turn = Utterance::new("Hello").to("Ziggy").ask(&story.probe).await;
    assert!(turn.answer().contains("Ziggy"), "{}", turn.answer());
    assert_sentence(turn.answer());
    assert!(story.brain.requests(TESTER).is_empty());
    story.assert_goes_on().await;
}

#[tokio::test]
async fn a_query_is_answered_without_speech_and_without_a_lifecycle() {
    let story = Story::begin().await;
    story.script([Reply::answers("Lima.")]);
    let mark = story.probe.mark();
    let answer = query(
        &story,
        json!({"persona_id": TESTER, "utterance": "Capital of Peru?"}),
    )
    .await;
    let expected = json!({"persona_id": TESTER, "utterance": "Capital of Peru?", "response": "Lima."});
    assert_eq!(answer.data, expected);
    assert_eq!(answer.context["destination"], "cli");
    assert_eq!(answer.context["mine"], 7);
    assert_eq!(
        answer.context["session"]["persona_id"], "nobody",
        "a query leaves the session alone"
    );
    story.assert_goes_on().await;
    let own = story
        .probe
        .since(mark)
        .into_iter()
        .filter(|frame| frame.context["mine"] == 7);
    let topics: Vec<_> = own.map(|frame| frame.topic).collect();
    assert_eq!(
        topics,
        ["ovos.persona.query", "loquat.turn.result", "ovos.persona.answer"]
    );
}

#[tokio::test]
async fn every_query_is_answered_even_when_there_is_nothing_to_say() {
    let story = Story::begin().await;
    story.brain.whenever(TESTER, "broken", Reply::fails(400));
    let cases = [
        json!({"persona_id": "nobody", "utterance": "Hi"}),
        json!({"persona_id": TESTER}),
        json!({"utterance": 7}),
        json!({}),
        json!({"persona_id": TESTER, "utterance": "broken"}),
    ];
    for data in cases {
        let mark = story.probe.mark();
        let answer = query(&story, data.clone()).await;
        assert!(answer.data["error"].is_string(), "{data}: {}", answer.data);
        assert!(answer.data.get("response").is_none(), "{data}: {}", answer.data);
        story.probe.request("mycroft.loquat.all_loaded", &json!({})).await;
        let answers = story
            .probe
            .since(mark)
            .into_iter()
            .filter(|frame| frame.topic == "ovos.persona.answer");
        assert_eq!(answers.count(), 1, "{data}");
    }
    story.assert_goes_on().await;
}

#[tokio::test]
async fn a_query_whose_steps_run_out_gets_the_answer_that_was_found() {
    let scene = Scene::default();
    let tester = scene.tester().setting("max_iterations", json!(1));
    let story = scene.play(&tester).await;
    story.script([
        Reply::acts("evaluate_expression", &json!({"expression": "2+2"})),
        Reply::answers("It is 4."),
    ]);
    let answer = query(&story, json!({"persona_id": TESTER, "utterance": "Two and two?"})).await;
    assert_eq!(answer.data["response"], "It is 4.", "{}", answer.data);
    assert_eq!(story.reasons(1).await, ["MaxIterations"]);
}

#[tokio::test]
async fn the_list_names_every_persona() {
    let story = Story::begin().await;
    let list = story.probe.request("ovos.persona.list", &json!({})).await;
    assert_eq!(list.data["pipeline_id"], "loquat");
    let personas = list.data["personas"].as_array().unwrap();
    let tester = personas.iter().find(|persona| persona["persona_id"] == TESTER);
    assert_eq!(tester.unwrap()["name"], TESTER);
}

#[tokio::test]
async fn older_files_with_solvers_and_plugin_config_work_too() {
    let scene = Scene::default();
    let brain = json!({"api_url": scene.brain.url(TESTER), "key": "sk-scripted", "model": "scripted"});
    let file = json!({
        "name": TESTER,
        "solvers": ["ovos-react-loop"],
        "plugin-config": {"ovos-react-loop": {"brain": "ovos-chat-openai-plugin", "ovos-chat-openai-plugin": brain}},
    });
    scene
        .home
        .write("config/ovos_persona/old.json", &file.to_string());
    let story = scene.start().await;
    story.script([Reply::answers("Hello.")]);
    assert_eq!(story.ask("Hello").await.answer(), "Hello.");
}
