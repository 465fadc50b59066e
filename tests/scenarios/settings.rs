//! Settings of a persona that decide what a turn may do, seen from outside.

use loquat_tests::brain::Reply;
use loquat_tests::persona::Persona;
use loquat_tests::story::{Scene, TESTER};
use loquat_tests::toolbox::{Act, ScriptedTool, ScriptedToolbox};
use loquat_tests::turn::Utterance;
use serde_json::{Value, json};

use crate::stage::{PEER, native_with_peer, reading, requests, text, tool, trusting, with_peer};

/// A tool that needs the id of something.
fn by_id() -> ScriptedTool {
    tool("open", &json!({"entity_id": {"type": "string"}}), |_, _| {
        Act::Returns(text("opened"))
    })
}

#[tokio::test]
async fn an_id_that_nobody_named_is_turned_away_unless_the_persona_allows_guesses() {
    for (settings, runs) in [(None, 0), (Some(json!(true)), 0), (Some(json!(false)), 1)] {
        let change = |tester: Persona| match &settings {
            Some(ground) => trusting(tester).setting("ground_identifiers", ground.clone()),
            None => trusting(tester),
        };
        let (story, peer) = with_peer(change, vec![by_id()]).await;
        story.script([
            Reply::acts("open", &json!({"entity_id": "cover.garage"})),
            Reply::answers("That is all."),
        ]);
        assert_eq!(story.ask("Open something").await.answer(), "That is all.");
        assert_eq!(peer.calls().len(), runs, "{settings:?}");
        let told = requests(&story)[1].newest();
        assert_eq!(told.contains("looks guessed"), runs == 0, "{told}");
    }
    let (story, peer) = with_peer(trusting, vec![by_id()]).await;
    story.script([
        Reply::acts("open", &json!({"entity_id": "cover.garage"})),
        Reply::answers("That is all."),
    ]);
    story.ask("Open the cover of the garage").await;
    assert_eq!(peer.calls().len(), 1, "who names it may have it");
}

#[tokio::test]
async fn a_prompt_lists_so_many_tools_and_the_others_are_found() {
    let many = || -> Vec<ScriptedTool> {
        let fillers =
            (0..30).map(|n| ScriptedTool::named(&format!("process_item_{n}"), Act::Returns(text("done"))));
        let coffee = tool("brew_coffee", &json!({}), |_, _| Act::Returns(text("brewed")));
        fillers.chain([coffee]).collect()
    };
    let few = |tester: Persona| trusting(tester).setting("tools_in_prompt", json!(5));
    let (story, peer) = native_with_peer(few, many()).await;
    story.script([
        Reply::calls("find_tools", &json!({"query": "brew coffee"})),
        Reply::calls("brew_coffee", &json!({})),
        Reply::says("Here you are."),
    ]);
    assert_eq!(story.ask("Process item seven").await.answer(), "Here you are.");
    assert_eq!(peer.calls().len(), 1);
    let asked = requests(&story);
    let (first, second) = (&asked[0], &asked[1]);
    let hidden = |offered: Vec<String>| !offered.contains(&"brew_coffee".to_owned());
    assert_eq!(first.tools().len(), 5, "{:?}", first.tools());
    assert!(first.tools().contains(&"find_tools".to_owned()) && hidden(first.tools()));
    assert!(!hidden(second.tools()), "what was found can be called");
    let all = |tester: Persona| trusting(tester).setting("tools_in_prompt", json!(100));
    let (story, _peer) = native_with_peer(all, many()).await;
    story.script([Reply::says("Hello.")]);
    story.ask("Hello").await;
    assert!(!hidden(requests(&story)[0].tools()));
}

#[tokio::test]
async fn only_a_persona_that_may_be_silent_is_offered_silence() {
    let offered = async |may: Option<bool>| {
        let change = |tester: Persona| match may {
            Some(may) => trusting(tester).setting("may_be_silent", json!(may)),
            None => trusting(tester),
        };
        let (story, _peer) = native_with_peer(change, vec![by_id()]).await;
        story.script([Reply::calls("noop", &json!({})), Reply::says("Hello.")]);
        let turn = story.ask("Hm").await;
        assert_eq!(turn.ends(), 1);
        assert_eq!(story.reasons(1).await, ["Noop"]);
        requests(&story)[0].tools().contains(&"noop".to_owned())
    };
    assert!(offered(Some(true)).await);
    assert!(!offered(Some(false)).await);
    assert!(!offered(None).await);
}

#[tokio::test]
async fn a_channel_allows_its_categories_alone() {
    let offered = async |categories: Value| {
        let layers = json!({"text": {"categories": categories}});
        let change = |tester: Persona| reading(tester, &json!({})).setting("channels", layers);
        let (story, peer) = native_with_peer(change, vec![by_id()]).await;
        story.script([
            Reply::calls("open", &json!({"entity_id": "gate"})),
            Reply::says("That is all."),
        ]);
        assert_eq!(story.ask("Open the gate").await.answer(), "That is all.");
        (
            requests(&story)[0].tools().contains(&"open".to_owned()),
            peer.calls().len(),
        )
    };
    assert_eq!(offered(json!(["safe"])).await, (true, 1));
    assert_eq!(offered(json!(["dangerous", "async"])).await, (false, 0));
    assert_eq!(offered(json!([])).await, (false, 0));
}

/// Whether the engine that chooses begins with a step, as opposed to a plan.
async fn begins_with_a_step(settings: &Value, utterance: &str) -> bool {
    let scene = Scene::default();
    let persona =
        Persona::new(TESTER, "auto", &scene.brain.url(TESTER)).brain("supports_tools", json!(false));
    let mut persona = trusting(persona);
    for (key, value) in settings.as_object().into_iter().flatten() {
        persona = persona.setting(key, value.clone());
    }
    let story = scene.play(&persona).await;
    let _peer = ScriptedToolbox::join(story.home.port(), PEER, vec![by_id()]).await;
    story.script((0..8).map(|_| Reply::answers("That is all.")));
    assert_eq!(story.ask(utterance).await.answer(), "That is all.");
    requests(&story)[0].text().contains("Action Input")
}

#[tokio::test]
async fn an_assessment_by_rule_of_thumb_has_a_hard_question_planned_and_gives_no_more_than_the_settings() {
    let hard =
        "Look up the weather, then compare it with yesterday and tell me what to wear, and look for my coat.";
    let heuristic = json!({"assessment": "heuristic"});
    assert!(!begins_with_a_step(&heuristic, hard).await);
    assert!(begins_with_a_step(&heuristic, "Look for my coat.").await);
    assert!(begins_with_a_step(&json!({"assessment": "off"}), hard).await);
    let undivided = json!({"assessment": "heuristic", "decompose": false});
    assert!(begins_with_a_step(&undivided, hard).await);
}

/// By a channel another engine, brain and instructions may answer; what comes by a door is denied what the door is denied.
#[tokio::test]
async fn a_channel_is_answered_by_its_own_engine_brain_and_instructions() {
    let scene = Scene::default();
    let there = json!({
        "engine": "ovos-native-toolcall-loop",
        "brain": [{"plugin": "ovos-chat-openai-plugin", "api_url": scene.brain.url("There"), "model": "there"}],
        "system_prompt": "Answer in rhymes.",
    });
    let tester = scene
        .tester()
        .setting("channels", json!({"text": there, "mcp": {"tools": []}}));
    let story = scene.play(&tester).await;
    story.brain.script("There", [Reply::says("Here, my dear.")]);
    assert_eq!(story.ask("Where are you?").await.answer(), "Here, my dear.");
    assert_eq!(
        requests(&story).len(),
        0,
        "the brain of other channels is not asked"
    );
    let asked = &story.brain.requests("There")[0];
    assert!(asked.text().contains("Answer in rhymes."), "{}", asked.text());
    assert!(!asked.tools().is_empty(), "the engine makes native calls");

    story.brain.script("There", [Reply::says("Two, it is true.")]);
    let by_mcp = Utterance::new("One and one?")
        .in_session("mcp-visitor")
        .ask(&story.probe)
        .await;
    assert_eq!(by_mcp.answer(), "Two, it is true.");
    let offered = story.brain.requests("There")[1].tools();
    assert!(
        !offered.contains(&"evaluate_expression".to_owned()),
        "{offered:?}"
    );
}
