//! The owner of a real home, who sees what it really became and moves its things by hand, past the device. Judges nothing.

use std::collections::BTreeMap;
use std::path::PathBuf;

use loquat_tests::binaries::setting;
use loquat_tests::brain::Reply;
use loquat_tests::wait::{PATIENCE, wait_for};
use serde_json::{Value, json};
use tokio::sync::{Mutex, MutexGuard};

use super::FRONT_DOOR;
use crate::home::TOOLS;
use crate::story::{Scene, Story, TESTER};

/// There is one home, and one story at a time happens in it.
static HOME: Mutex<()> = Mutex::const_new(());

/// The address and the owner's token of the home.
pub(super) struct Owner {
    url: String,
    token: String,
    _alone: MutexGuard<'static, ()>,
}

impl Owner {
    /// The states of all that must not move.
    pub(super) async fn guarded(&self) -> BTreeMap<String, String> {
        let states = self.ask(client().get(format!("{}/api/states", self.url)));
        let states = states.await;
        let all = states.as_array().expect("a list of states").iter();
        let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
        all.map(|state| (text(&state["entity_id"]), text(&state["state"])))
            .filter(|(id, _)| is_guarded(id))
            .collect()
    }

    /// The state of a thing, with its attributes.
    pub(super) async fn sees(&self, id: &str) -> Value {
        self.ask(client().get(format!("{}/api/states/{id}", self.url)))
            .await
    }

    /// Waits until a thing has become so.
    pub(super) async fn sees_become(&self, id: &str, state: &str) {
        let what = format!("{id} to be {state}");
        wait_for(&what, PATIENCE, async || {
            (self.sees(id).await["state"] == state).then_some(())
        })
        .await;
    }

    /// Moves a thing by a service, and waits until it has become so.
    pub(super) async fn moves(&self, service: &str, id: &str, state: &str) {
        let request = client()
            .post(format!("{}/api/services/{service}", self.url))
            .json(&json!({"entity_id": id}));
        self.ask(request).await;
        self.sees_become(id, state).await;
    }

    async fn ask(&self, request: reqwest::RequestBuilder) -> Value {
        let answer = request.bearer_auth(&self.token).send().await;
        let answer = answer.expect("the home answers its owner");
        answer.json().await.expect("the home answers in JSON")
    }
}

fn client() -> reqwest::Client {
    loquat_tls::http_client()
        .build()
        .expect("an HTTP client can be built")
}

fn is_guarded(id: &str) -> bool {
    let kinds = ["lock.", "alarm_control_panel.", "siren.", "valve."];
    id == "cover.garage_door" || kinds.iter().any(|kind| id.starts_with(kind))
}

fn variable(name: &str) -> String {
    setting(name).expect("`make test-home` sets it")
}

/// Each thing that the voices of the home have noted so far.
pub(super) fn noted() -> Vec<Value> {
    let file = PathBuf::from(variable("LOQUAT_HOME_ASSISTANT_VOICES"));
    let lines = std::fs::read_to_string(file).expect("the voices keep a file");
    // The last line may still be being written.
    lines
        .lines()
        .filter_map(|line| serde_json::from_str(line).ok())
        .collect()
}

/// A daemon with a person at its terminal, in the real home.
pub(super) async fn at_a_real_home() -> (Story, Owner) {
    let alone = HOME.lock().await;
    let scene = Scene::default();
    let token = scene
        .home
        .write("token", &variable("LOQUAT_HOME_ASSISTANT_TOKEN"));
    let url = variable("LOQUAT_HOME_ASSISTANT");
    for (key, value) in [
        ("home_assistant.url", format!("\"{url}\"")),
        ("home_assistant.token_file", format!("\"{}\"", token.display())),
        ("home_assistant.also", format!("[\"{FRONT_DOOR}\"]")),
        ("home_assistant.assist", "true".to_owned()),
        // Only an administrator is told the steps of a script by 2026.11.
        ("home_assistant.unasked", "[\"script.evening\"]".to_owned()),
        ("skills.intents", "\"alone\"".to_owned()),
        ("tools.expose", format!("[\"{TOOLS}\"]")),
    ] {
        scene.home.setting(key, &value);
    }
    let tester = scene.tester().toolboxes(&[TOOLS]);
    let story = scene.play_attended(&tester).await;
    story.daemon.wrote("connected to Home Assistant", PATIENCE).await;
    story
        .brain
        .whenever(TESTER, "", Reply::answers("The persona has it."));
    let owner = Owner {
        url,
        token: variable("LOQUAT_HOME_ASSISTANT_OWNER"),
        _alone: alone,
    };
    (story, owner)
}
