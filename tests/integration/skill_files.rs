//! Skills in `SKILL.md` files and instructions in `AGENTS.md`, through the running daemon.

use loquat_tests::brain::Reply;
use loquat_tests::daemon::Launch;
use loquat_tests::wait::PATIENCE;
use serde_json::json;

use crate::story::{Scene, Story, TESTER};

const SKILL: &str = "---\nname: party-budget\ndescription: Plans what a party costs.\nallowed-tools: evaluate_expression\n---\n\
                     Multiply the guests by the price in prices.txt.\n";

async fn story(folder: &str) -> Story {
    let scene = Scene::default();
    scene.home.write(&format!("{folder}/party/SKILL.md"), SKILL);
    scene
        .home
        .write(&format!("{folder}/party/prices.txt"), "A guest costs 12 euros.");
    scene.home.write(
        &format!("{folder}/broken/SKILL.md"),
        "---\nname: broken\ndescription: [\n---\nDo.\n",
    );
    let tester = scene
        .tester()
        .toolboxes(&["ovos-math-tools", "ovos-clock-tools", "ovos-skill-md-toolbox"]);
    scene.play(&tester).await
}

fn script(story: &Story) {
    story.script([
        Reply::acts("party_budget", &json!({"task": "Budget for 20 guests"})),
        Reply::acts("party_budget_file", &json!({"path": "prices.txt"})),
        Reply::acts("evaluate_expression", &json!({"expression": "20 * 12"})),
        Reply::answers("It costs 240 euros."),
        Reply::answers("Your party costs 240 euros."),
    ]);
}

#[tokio::test]
async fn a_skill_is_followed_with_the_tools_that_it_allows() {
    let story = story("config/loquat/skills").await;
    script(&story);
    let turn = story.ask("What will a party for 20 guests cost?").await;
    assert_eq!(turn.answer(), "Your party costs 240 euros.");
    let requests: Vec<String> = story
        .brain
        .requests(TESTER)
        .iter()
        .map(loquat_tests::brain::Request::text)
        .collect();
    assert_eq!(requests.len(), 5);
    assert!(
        requests[0].contains("Plans what a party costs."),
        "{}",
        requests[0]
    );
    for hidden in ["Multiply the guests", "party_budget_file"] {
        assert!(
            !requests[0].contains(hidden),
            "it is read when it is needed: {}",
            requests[0]
        );
    }
    assert!(
        requests[1].contains("Multiply the guests") && requests[1].contains("party_budget_file"),
        "{}",
        requests[1]
    );
    assert!(
        !requests[1].contains("get_current_datetime"),
        "the skill does not allow it: {}",
        requests[1]
    );
    assert!(requests[2].contains("A guest costs 12 euros."), "{}", requests[2]);
    assert!(requests[4].contains("It costs 240 euros."), "{}", requests[4]);
    let result = &turn.frame("loquat.turn.result").data;
    assert!(
        !result.to_string().contains("skill-md-toolbox/"),
        "the owner's words mark nothing: {result}"
    );
    story.daemon.wrote("skills/broken/SKILL.md:", PATIENCE).await;
    let checked = Launch::new(&story.home, &["check"]).run().await.shown();
    assert!(checked.contains("skills/broken/SKILL.md:"), "{checked}");
}

#[tokio::test]
async fn a_skill_from_elsewhere_marks_the_turn() {
    let story = story("data/loquat/skills").await;
    script(&story);
    let turn = story.ask("What will a party for 20 guests cost?").await;
    assert_eq!(turn.answer(), "Your party costs 240 euros.");
    let result = &turn.frame("loquat.turn.result").data;
    assert!(
        result.to_string().contains("ovos-skill-md-toolbox/party_budget"),
        "{result}"
    );
}

#[tokio::test]
async fn agents_md_stands_in_the_instructions_and_is_shown() {
    let scene = Scene::default();
    scene.home.write(
        "config/ovos_persona/AGENTS.md",
        "# House\nThe cat is called Tom.\n",
    );
    scene.home.write("config/loquat/AGENTS.md", &"x".repeat(70_000));
    let module = "ovos-agents-md-context-plugin";
    let tester = scene
        .tester()
        .key("memory_module", json!(module))
        .key(module, json!({"agents_md_sources": ["auto"]}));
    let story = scene.play(&tester).await;
    story.script([Reply::answers("Tom.")]);
    assert_eq!(story.ask("What is the cat called?").await.answer(), "Tom.");
    assert!(
        story.brain.requests(TESTER)[0]
            .text()
            .contains("The cat is called Tom.")
    );
    let shown = Launch::new(&story.home, &["prompts", "show", "What is the cat called?"])
        .run()
        .await;
    assert!(
        shown.stdout.contains("The cat is called Tom."),
        "{}",
        shown.shown()
    );
    story
        .daemon
        .wrote("AGENTS.md is not used: it is longer than 64 KiB", PATIENCE)
        .await;
    let checked = Launch::new(&story.home, &["check"]).run().await.shown();
    assert!(checked.contains("AGENTS.md is not used"), "{checked}");
}
