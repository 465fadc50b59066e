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

/// Writes a persona file as people have them, whose brain is this lane.
fn published(scene: &Scene, name: &str, more: &Value) {
    let mut file = json!({
        "name": name, "handlers": ["ovos-react-loop"],
        "ovos-react-loop": {"brain": "ovos-chat-openai-plugin", "ovos-chat-openai-plugin": {
            "api_url": scene.brain.url(TESTER), "key": "sk-scripted", "model": "scripted"}},
    });
    for (pointer, value) in more.as_object().unwrap() {
        let (parent, key) = pointer.rsplit_once('/').unwrap();
        file.pointer_mut(parent).unwrap()[key] = value.clone();
    }
    scene
        .home
        .write(&format!("config/ovos_persona/{name}.json"), &file.to_string());
}

#[tokio::test]
async fn what_is_unknown_in_a_persona_file_is_a_remark_and_the_persona_answers() {
    let engine = |key: &str| format!("/ovos-react-loop/{key}");
    let server = |key: &str| format!("/ovos-react-loop/ovos-chat-openai-plugin/{key}");
    let cases = [
        (
            "A1",
            json!({"/ovos-wikipedia-tool": {"lang": "en"}}),
            "ovos-wikipedia-tool is not used here",
        ),
        (
            "A2",
            json!({"/solver": ["x"], "/tag": "fun"}),
            "solver is not used here",
        ),
        (
            "A3",
            json!({"/memory_modules": "x"}),
            "memory_modules is not used here",
        ),
        (
            "A4",
            json!({"/handlers": ["ovos-react-loops", "ovos-react-loop"]}),
            "there is no plugin ovos-react-loops here",
        ),
        (
            "A5",
            json!({engine("max_iteration"): 3}),
            "max_iteration is not used here",
        ),
        (
            "A6",
            json!({engine("toolboxs"): ["x"], engine("verbose"): true}),
            "toolboxs is not used here",
        ),
        (
            "A7",
            json!({engine("max_iterations"): "lots"}),
            "max_iterations must be a whole number",
        ),
        (
            "A8",
            json!({server("temprature"): 0.3}),
            "temprature is not used here",
        ),
        (
            "A9",
            json!({server("temperature"): "warm", server("top_p"): [1]}),
            "temperature must be a number",
        ),
        (
            "B1",
            json!({"/description": 7, "/tags": {}, "/examples": "none"}),
            "description must be a text",
        ),
        (
            "B2",
            json!({engine("toolboxes"): ["ovos-math-tool"]}),
            "did you mean ovos-math-tools?",
        ),
        (
            "B3",
            json!({engine("toolboxes"): ["ovos-math-tools"], engine("ovos-math-tools"): {"precision": 9}}),
            "ovos-math-tools.precision is not used here",
        ),
    ];
    let scene = Scene::default();
    for (name, more, _) in &cases {
        published(&scene, name, more);
    }
    let shown = Launch::new(&scene.home, &["personas"]).run().await.shown();
    let checked = Launch::new(&scene.home, &["check"]).run().await.shown();
    for (name, _, remark) in &cases {
        let told = |shown: &str| {
            shown
                .lines()
                .any(|line| line.contains(&format!("{name}.json")) && line.contains(remark))
        };
        assert!(told(&shown) && told(&checked), "{name}: {remark}: {shown}");
    }
    assert!(
        !shown.contains("left out") && !shown.contains("not ready"),
        "{shown}"
    );
    let tester = scene.tester();
    let story = scene.play(&tester).await;
    for (name, _, _) in &cases {
        story.script([Reply::answers("Good day.")]);
        let turn = Utterance::new("Hello")
            .to(name)
            .in_session(name)
            .ask(&story.probe)
            .await;
        assert_eq!(turn.answer(), "Good day.", "{name}");
    }
}

#[tokio::test]
async fn what_may_have_forbidden_something_is_not_passed_over_and_all_say_why() {
    let engine = |key: &str| format!("/ovos-react-loop/{key}");
    let math = |settings: Value| json!({engine("toolboxes"): ["ovos-math-tools"], engine("ovos-math-tools"): settings});
    let cases = [
        (
            "C1",
            json!({engine("channels"): "voice"}),
            "channels must be an object",
        ),
        (
            "C2",
            json!({engine("channels"): {"voice": {"categories": "safe"}}}),
            "categories must be a list",
        ),
        (
            "C3",
            json!({engine("channels"): {"voice": {"categoris": ["safe"]}}}),
            "categoris is no setting",
        ),
        (
            "C4",
            math(json!({"confirm": "sometimes"})),
            "confirm must be one of ask and pin",
        ),
        ("C5", math(json!({"tools": ["add"]})), "tools must be an object"),
        (
            "C6",
            math(json!({"tools": {"no_such_tool": {"confirm": "ask"}}})),
            "has no tool no_such_tool",
        ),
        ("C7", json!({"/enabled": "off"}), "enabled must be true or false"),
        (
            "C8",
            json!({"/budget": {"max_cost": "cheap"}}),
            "budget.max_cost must be a number",
        ),
        ("C9", json!({"/handlers": []}), "handlers is missing"),
        (
            "C10",
            json!({engine("max_iterations"): 3, engine("channels"): {"text": {"max_iterations": 50}}}),
            "text.max_iterations has no effect: 50 is more than the 3 that hold everywhere",
        ),
        (
            "C11",
            json!({engine("channels"): {"mcp": {"decompose": false}}}),
            "mcp.decompose has no effect with ovos-react-loop",
        ),
        (
            "C12",
            json!({engine("channels"): {"satellite": {"engine": "ovos-react-lop"}}}),
            "there is no engine ovos-react-lop here",
        ),
    ];
    let scene = Scene::default();
    for (name, more, _) in &cases {
        published(&scene, name, more);
    }
    published(&scene, "Fine", &json!({}));
    let listed = Launch::new(&scene.home, &["personas", "--json"])
        .run()
        .await
        .stdout;
    let listed: Value = serde_json::from_str(&listed).unwrap();
    let personas = listed["personas"].as_array().unwrap();
    let is_ready = |name: &str| {
        personas
            .iter()
            .any(|persona| persona["name"] == name && persona["ready"] == true)
    };
    let checked = Launch::new(&scene.home, &["check"]).run().await.shown();
    let tester = scene.tester();
    let story = scene.play(&tester).await;
    let offered = story.probe.request("ovos.persona.list", &json!({})).await.data;
    let offered = offered["personas"].to_string();
    for (name, _, why) in &cases {
        assert!(
            !is_ready(name) && !offered.contains(&format!("\"{name}\"")),
            "{name}: {listed} {offered}"
        );
        let told = |shown: &str| {
            shown
                .lines()
                .any(|line| line.contains(&format!("{name}.json")) && line.contains(why))
        };
        assert!(told(&checked), "{name}: {checked}");
        assert!(listed["complaints"].to_string().contains(why), "{name}: {listed}");
        story.daemon.wrote(why, PATIENCE).await;
    }
    assert!(is_ready("Fine") && offered.contains("\"Fine\""));
    let unready: Vec<&Value> = personas
        .iter()
        .filter(|persona| persona["ready"] == false)
        .collect();
    assert!(
        unready
            .iter()
            .any(|persona| persona["why_not"].as_str().unwrap().contains("no_such_tool")),
        "{listed}"
    );
}
