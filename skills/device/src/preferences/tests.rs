//! The tools over a port of the test's own, and what people say for them in six languages.

use std::sync::Arc;

use futures_util::FutureExt;
use futures_util::future::BoxFuture;
use loquat_agent::toolbox::{Circumstances, Toolbox};
use parking_lot::Mutex;
use serde_json::{Value, json};

use super::{Asking, Forgetting, ID, ModelSize, Pace, Preferences, SKILL, Unchanged};
use crate::dbus::stage::wording;
use loquat_kit::function::FunctionToolbox;
use loquat_kit::permission::{Service, Standing};
use loquat_trial::heard;

/// Gives what the test says.
#[derive(Debug)]
struct Owner(Mutex<Result<String, Unchanged>>);

impl Preferences for Owner {
    fn pace(&self, _: Pace) -> BoxFuture<'_, Result<(), Unchanged>> {
        std::future::ready(self.0.lock().clone().map(drop)).boxed()
    }

    fn model(&self, _: ModelSize) -> BoxFuture<'_, Result<String, Unchanged>> {
        std::future::ready(self.0.lock().clone()).boxed()
    }

    fn network(&self, _: Service, _: Standing) -> BoxFuture<'_, Result<(), Unchanged>> {
        std::future::ready(self.0.lock().clone().map(drop)).boxed()
    }
}

fn toolbox(preferences: Option<Arc<dyn Preferences>>, forgetting: Forgetting) -> FunctionToolbox {
    let wording = wording(&SKILL);
    let asking = Asking {
        permissions: Arc::default(),
        locales: Arc::clone(&wording.locales),
        preferences,
    };
    super::toolbox(asking, forgetting, &wording)
}

async fn said(outcome: Result<&str, Unchanged>, session: &str, tool: &str, arguments: Value) -> String {
    let owner = Owner(Mutex::new(outcome.map(str::to_owned)));
    let person = Circumstances {
        session_id: session.to_owned(),
        lang: Some("en-US".to_owned()),
        ..Circumstances::default()
    };
    let arguments = serde_json::from_value(arguments).expect("an object");
    let called = toolbox(Some(Arc::new(owner)), Arc::new(|_| {}))
        .call(tool, arguments, &person)
        .await;
    called.expect("an outcome").spoken.expect("a sentence")
}

#[tokio::test]
async fn what_cannot_be_changed_is_told_with_the_mend() {
    let fixed = Unchanged::Fixed {
        key: "voice.words_per_minute".to_owned(),
        place: "environment variable X".to_owned(),
    };
    let slower = json!({"speed": "slower"});
    let told = said(Err(fixed), "default", "set_speech_speed", slower.clone()).await;
    assert!(
        told.contains("environment variable X") && told.contains("change it there"),
        "{told}"
    );
    let bound = said(
        Err(Unchanged::AtTheBound),
        "default",
        "set_speech_speed",
        json!({"speed": "faster"}),
    )
    .await;
    assert_eq!(bound, "I cannot speak faster than that.");
    let elsewhere = said(Ok("m"), "kitchen", "set_speech_speed", slower).await;
    assert!(elsewhere.contains("at the device itself"), "{elsewhere}");
    let named = said(Ok("tiny"), "default", "use_model", json!({"model": "small"})).await;
    assert!(named.contains("tiny"), "{named}");
}

#[tokio::test]
async fn a_conversation_is_forgotten_in_its_session_alone() {
    let forgotten = Arc::new(Mutex::new(Vec::new()));
    let told = Arc::clone(&forgotten);
    let person = Circumstances {
        session_id: "kitchen".to_owned(),
        ..Circumstances::default()
    };
    let toolbox = toolbox(
        None,
        Arc::new(move |session| told.lock().push(session.to_owned())),
    );
    toolbox
        .call(super::FORGET, serde_json::Map::new(), &person)
        .await
        .expect("an outcome");
    assert_eq!(*forgotten.lock(), ["kitchen"]);
}

const SAID: [(&str, &str, &str, &str); 48] = [
    ("en-us", "you may ask Wikipedia", super::ALLOW, "wikipedia"),
    (
        "en-us",
        "do not ask the weather service any more",
        super::FORBID,
        "weather",
    ),
    ("de-de", "du darfst Wikipedia fragen", super::ALLOW, "wikipedia"),
    (
        "de-de",
        "frag den Wetterdienst nicht mehr",
        super::FORBID,
        "weather",
    ),
    ("fr-fr", "tu peux consulter Wikipédia", super::ALLOW, "wikipedia"),
    ("fr-fr", "ne consulte plus la météo", super::FORBID, "weather"),
    ("es-es", "puedes consultar Wikipedia", super::ALLOW, "wikipedia"),
    ("es-es", "no consultes más el tiempo", super::FORBID, "weather"),
    ("pt-pt", "podes consultar a Wikipédia", super::ALLOW, "wikipedia"),
    ("pt-pt", "não consultes mais o tempo", super::FORBID, "weather"),
    ("it-it", "puoi consultare Wikipedia", super::ALLOW, "wikipedia"),
    ("it-it", "non consultare più il meteo", super::FORBID, "weather"),
    ("en-us", "speak more slowly", super::PACE, "slower"),
    ("en-us", "speak faster", super::PACE, "faster"),
    ("en-us", "speak normally", super::PACE, "normal"),
    ("en-us", "use the small model", super::MODEL, "small"),
    ("en-us", "use the big model", super::MODEL, "big"),
    ("en-us", "forget this conversation", super::FORGET, ""),
    ("de-de", "sprich langsamer", super::PACE, "slower"),
    ("de-de", "sprich etwas schneller", super::PACE, "faster"),
    ("de-de", "sprich wieder normal", super::PACE, "normal"),
    ("de-de", "nimm das kleine Modell", super::MODEL, "small"),
    ("de-de", "benutze das große Modell", super::MODEL, "big"),
    ("de-de", "vergiss dieses Gespräch", super::FORGET, ""),
    ("fr-fr", "parle plus lentement", super::PACE, "slower"),
    ("fr-fr", "parle plus vite", super::PACE, "faster"),
    ("fr-fr", "parle normalement", super::PACE, "normal"),
    ("fr-fr", "utilise le petit modèle", super::MODEL, "small"),
    ("fr-fr", "utilise le grand modèle", super::MODEL, "big"),
    ("fr-fr", "oublie cette conversation", super::FORGET, ""),
    ("es-es", "habla más despacio", super::PACE, "slower"),
    ("es-es", "habla más rápido", super::PACE, "faster"),
    ("es-es", "habla normalmente", super::PACE, "normal"),
    ("es-es", "usa el modelo pequeño", super::MODEL, "small"),
    ("es-es", "usa el modelo grande", super::MODEL, "big"),
    ("es-es", "olvida esta conversación", super::FORGET, ""),
    ("pt-pt", "fala mais devagar", super::PACE, "slower"),
    ("pt-pt", "fala mais depressa", super::PACE, "faster"),
    ("pt-pt", "fala normalmente", super::PACE, "normal"),
    ("pt-pt", "usa o modelo pequeno", super::MODEL, "small"),
    ("pt-pt", "usa o modelo grande", super::MODEL, "big"),
    ("pt-pt", "esquece esta conversa", super::FORGET, ""),
    ("it-it", "parla più lentamente", super::PACE, "slower"),
    ("it-it", "parla più veloce", super::PACE, "faster"),
    ("it-it", "parla normalmente", super::PACE, "normal"),
    ("it-it", "usa il modello piccolo", super::MODEL, "small"),
    ("it-it", "usa il modello grande", super::MODEL, "big"),
    ("it-it", "dimentica questa conversazione", super::FORGET, ""),
];

#[test]
fn six_languages_change_settings() {
    for (lang, said, tool, value) in SAID {
        let call = heard(&[&SKILL], said, lang).unwrap_or_else(|| panic!("{said} ({lang})"));
        assert_eq!(
            (call.toolbox_id.as_str(), call.tool.as_str()),
            (ID, tool),
            "{said}"
        );
        let values: Vec<&str> = call.arguments.values().filter_map(Value::as_str).collect();
        let expected: Vec<&str> = [value].into_iter().filter(|value| !value.is_empty()).collect();
        assert_eq!(values, expected, "{said}");
    }
}

#[test]
fn what_is_said_of_loudness_memory_or_other_models_is_left_to_others() {
    for (lang, said) in [
        ("en-us", "speak louder"),
        ("en-us", "forget everything"),
        ("en-us", "forget that my car is red"),
        ("en-us", "which model of car is faster"),
        ("de-de", "sprich lauter"),
        ("fr-fr", "parle plus fort"),
    ] {
        assert!(
            heard(&[&SKILL], said, lang).is_none_or(|call| call.toolbox_id != ID),
            "{said}"
        );
    }
}
