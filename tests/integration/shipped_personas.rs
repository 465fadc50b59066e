//! The personas that the program brings along, and the sample of each engine: loaded, listed and asked, with a scripted brain
//! in the place of theirs.

use std::fs;
use std::path::{Path, PathBuf};

use loquat_tests::brain::Reply;
use loquat_tests::daemon::Launch;
use loquat_tests::home::Home;
use loquat_tests::story::Scene;
use loquat_tests::turn::Utterance;
use serde_json::{Value, json};

const SERVER: &str = "ovos-chat-openai-plugin";

/// The files of a folder beside this package.
fn files(folder: &str) -> Vec<(PathBuf, Value)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join(folder);
    let mut paths: Vec<PathBuf> = fs::read_dir(folder)
        .expect("the folder of personas")
        .map(|entry| entry.expect("an entry").path())
        .filter(|path| path.extension().is_some_and(|ending| ending == "json"))
        .collect();
    paths.sort();
    let read =
        |path: &PathBuf| serde_json::from_str(&fs::read_to_string(path).expect("a file")).expect("JSON");
    paths.iter().map(|path| (path.clone(), read(path))).collect()
}

/// The settings of its engine, beside it or gathered in one place.
fn engine(file: &mut Value) -> &mut Value {
    let id = file["handlers"][0].as_str().expect("a handler").to_owned();
    if file["plugin-config"].is_object() {
        &mut file["plugin-config"][id]
    } else {
        &mut file[id]
    }
}

#[tokio::test]
async fn each_is_asked_and_answers() {
    let scene = Scene::default();
    let all = [files("personas"), files("personas/engines")].concat();
    assert!(all.len() >= 19, "{} personas", all.len());
    let mut names = Vec::new();
    for (number, (_, mut file)) in all.into_iter().enumerate() {
        let name = file["name"].as_str().expect("a name").to_owned();
        let lane = format!("lane{number}");
        let toolboxes = &engine(&mut file)["toolboxes"];
        let has_tools = toolboxes == "all" || toolboxes.as_array().is_some_and(|list| !list.is_empty());
        engine(&mut file)["brain"] = json!(SERVER);
        engine(&mut file)[SERVER] =
            json!({"api_url": scene.brain.url(&lane), "key": "sk-scripted", "model": "scripted"});
        scene
            .home
            .write(&format!("config/ovos_persona/{lane}.json"), &file.to_string());
        scene
            .brain
            .whenever(&lane, "", Reply::answers("Good day to you."));
        names.push((name, lane, has_tools));
    }
    let tester = scene.tester();
    let story = scene.play(&tester).await;
    for (name, lane, has_tools) in names {
        let utterance = Utterance::new("Is everything well?").to(&name).in_session(&lane);
        let turn = utterance.ask(&story.probe).await;
        assert!(turn.answer().contains("Good day"), "{name}: {}", turn.answer());
        let requests = story.brain.requests(&lane);
        assert!(!requests.is_empty(), "{name} asked nothing");
        let shown = |tool: &str| {
            let tool = tool.to_owned();
            requests
                .iter()
                .any(|request| request.text().contains(&tool) || request.tools().contains(&tool))
        };
        // A critic drafts without tools, and has nothing to check in this draft.
        let is_shown = [
            "evaluate_expression",
            "read_file",
            "search_wikipedia",
            "set_volume",
            "set_timer",
        ]
        .into_iter()
        .any(shown);
        assert!(
            is_shown || !has_tools || name == "Checker",
            "{name} is shown no tool"
        );
    }
}

#[tokio::test]
async fn the_list_holds_those_of_the_program_and_no_complaint() {
    let home = Home::without_bus();
    let listed = Launch::new(&home, &["personas", "--json"]).run().await;
    let listed: Value = serde_json::from_str(&listed.stdout).expect("JSON");
    assert_eq!(listed["complaints"], json!([]));
    let names = |listed: &Value| {
        let personas = listed["personas"].as_array().cloned().unwrap_or_default();
        personas
            .iter()
            .map(|persona| persona["name"].clone())
            .collect::<Vec<_>>()
    };
    assert_eq!(
        names(&listed),
        [
            "Loquat", "Kitchen", "Desk", "House", "Steward", "Research", "Scout", "Abacus"
        ]
    );
    for (path, file) in files("personas/engines") {
        let name = path.file_name().expect("a name").to_string_lossy().into_owned();
        home.write(&format!("config/ovos_persona/{name}"), &file.to_string());
    }
    let listed = Launch::new(&home, &["personas", "--json"]).run().await;
    let listed: Value = serde_json::from_str(&listed.stdout).expect("JSON");
    assert_eq!(listed["complaints"], json!([]));
    assert_eq!(names(&listed).len(), 19, "{listed}");
}
