//! Skills in `SKILL.md` files and instructions in `AGENTS.md`, through the running daemon.

use std::os::unix::fs::symlink;

use loquat_tests::brain::Reply;
use loquat_tests::daemon::Launch;
use loquat_tests::home::Home;
use loquat_tests::wait::PATIENCE;
use serde_json::json;

use crate::story::{Scene, Story, TESTER};

/// What stands in files of the owner that no persona may send away.
const CANARY: &str = "canary-5b1d-of-the-owner";

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

/// Lays files beside the persona that are not what they seem: their paths from there, and why each is refused.
fn laid(home: &Home) -> Vec<(&'static str, &'static str)> {
    let canary = home.write("config/loquat/openai.key", &format!("{CANARY}\n"));
    let elsewhere = home.write("elsewhere/AGENTS.md", &format!("# Else\n{CANARY}\n"));
    let personas = home.path().join("config/ovos_persona");
    let at = |name: &str| {
        let path = personas.join(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        path
    };
    symlink("../loquat/openai.key", at("AGENTS.md")).unwrap();
    symlink(elsewhere.parent().unwrap(), at("folder")).unwrap();
    symlink(elsewhere.parent().unwrap(), at("deep/er")).unwrap();
    std::fs::hard_link(&canary, at("hard/AGENTS.md")).unwrap();
    rustix::fs::mkfifoat(rustix::fs::CWD, at("pipe/AGENTS.md"), rustix::fs::Mode::RUSR).unwrap();
    std::fs::create_dir_all(at("plain/AGENTS.md")).unwrap();
    symlink("AGENTS.md", at("loop/AGENTS.md")).unwrap();
    symlink("/proc/self/environ", at("magic/AGENTS.md")).unwrap();
    let mut laid = vec![
        ("auto", "is a link"),
        ("folder/AGENTS.md", "\"folder\" on its path is a link"),
        ("deep/er/AGENTS.md", "\"er\" on its path is a link"),
        ("hard/AGENTS.md", "it has 2 names"),
        ("pipe/AGENTS.md", "it is no regular file"),
        ("plain/AGENTS.md", "it is no regular file"),
        ("loop/AGENTS.md", "is a link"),
        ("magic/AGENTS.md", "is a link"),
        ("../../elsewhere/AGENTS.md", "its path leads out"),
        ("missing/AGENTS.md", "it cannot be read"),
    ];
    // Only root makes files of others.
    if rustix::process::geteuid().is_root() {
        let others = at("others/AGENTS.md");
        std::fs::write(&others, CANARY).unwrap();
        std::os::unix::fs::chown(&others, Some(65534), None).unwrap();
        laid.push(("others/AGENTS.md", "it belongs to user 65534"));
    }
    laid
}

#[tokio::test]
async fn what_lies_beside_a_persona_and_is_another_file_is_sent_nowhere() {
    let scene = Scene::default();
    let laid = laid(&scene.home);
    let sources: Vec<&str> = laid.iter().map(|(path, _)| *path).collect();
    scene.home.write(
        "config/ovos_persona/own/AGENTS.md",
        "# House\nThe cat is called Tom.\n",
    );
    let sources: Vec<&str> = sources.into_iter().chain(["own/AGENTS.md"]).collect();
    let module = "ovos-agents-md-context-plugin";
    let tester = scene
        .tester()
        .key("memory_module", json!(module))
        .key(module, json!({"agents_md_sources": sources}));
    let story = scene.play(&tester).await;
    story.script([Reply::answers("Tom.")]);
    assert_eq!(story.ask("What is the cat called?").await.answer(), "Tom.");
    let sent = story.brain.requests(TESTER)[0].text();
    assert!(sent.contains("The cat is called Tom."), "{sent}");
    for secret in [CANARY, "XDG_CONFIG_HOME="] {
        assert!(!sent.contains(secret), "{sent}");
    }
    let checked = Launch::new(&story.home, &["check"]).run().await.shown();
    let log = story.daemon.output();
    for (path, why) in laid {
        let file = if path == "auto" { "AGENTS.md" } else { path };
        let is_told = |text: &str| {
            text.lines()
                .any(|line| line.contains(&format!("{file} is not used: ")) && line.contains(why))
        };
        assert!(is_told(&log), "{path} in {log}");
        assert!(is_told(&checked), "{path} in {checked}");
    }
}

#[tokio::test]
async fn a_key_beside_a_persona_is_no_link_to_another_one() {
    let scene = Scene::default();
    let secret = scene.home.write("elsewhere/id", &format!("{CANARY}\n"));
    let personas = scene.home.path().join("config/ovos_persona");
    symlink(&secret, personas.join("own.key")).unwrap();
    let key = personas.join("own.key").display().to_string();
    let tester = scene.tester().brain("key", json!({"file": key}));
    let mut story = scene.play(&tester).await;
    story.daemon.wrote("own.key, which is not used", PATIENCE).await;
    let checked = Launch::new(&story.home, &["check"]).run().await.shown();
    assert!(checked.contains("own.key, which is not used"), "{checked}");
    assert!(story.daemon.is_alive());
}
