//! Brains: their ids old and new, their settings, their keys, and several of them in order.

use loquat_settings::Secret;
use secrecy::ExposeSecret;
use serde_json::{Value, json};

use super::{Shelf, quiet, read};
use crate::{BrainChoice, LOCAL_BRAIN};

const OPENAI: &str = "ovos-chat-openai-plugin";
const SERVER: &str = "http://127.0.0.1:1/v1";

/// A file with such a brain on a server that is not asked here, unless the settings name another.
fn on_react(brain: &Value, settings: &Value) -> Value {
    let mut settings = settings.clone();
    settings
        .as_object_mut()
        .unwrap()
        .entry("api_url")
        .or_insert_with(|| json!(SERVER));
    json!({"handlers": ["ovos-react-loop"], "ovos-react-loop": {"brain": brain, OPENAI: settings}})
}

fn brains(file: &Value) -> Vec<BrainChoice> {
    quiet(file).handlers[0].brains.clone()
}

#[test]
fn all_settings_of_ovos_are_taken_and_those_without_effect_dropped() {
    let brain = brains(&on_react(
        &json!(OPENAI),
        &json!({
            "api_url": "https://llama.example/v1", "model": "llama3.1:8b", "max_tokens": 300, "temperature": 0.5,
            "top_p": 0.2, "frequency_penalty": 0, "presence_penalty": -1.5, "stop_token": ["###"],
            "extra_params": {"top_k": 40, "stop": null}, "supports_tools": true, "json_schema": false,
            "stream": false, "connect_timeout_seconds": 2, "first_token_timeout_seconds": 20,
            "next_token_timeout_seconds": 5.5, "timeout_seconds": 60, "retries": 1,
            "prompt_price": 0.15, "completion_price": 0.6,
            "allow_system_prompts": true, "enable_memory": true, "memory_size": 3, "enable_tx": false,
            "enable_cache": false, "priority": 25, "enabled": true, "system_prompt": null,
        }),
    ))
    .remove(0);
    assert_eq!(
        Value::Object(brain.settings),
        json!({
            "api_url": "https://llama.example/v1", "model": "llama3.1:8b", "max_tokens": 300, "temperature": 0.5,
            "top_p": 0.2, "frequency_penalty": 0, "presence_penalty": -1.5, "stop_token": ["###"],
            "extra_params": {"top_k": 40, "stop": null}, "supports_tools": true, "json_schema": false,
            "stream": false, "connect_timeout_seconds": 2, "first_token_timeout_seconds": 20,
            "next_token_timeout_seconds": 5.5, "timeout_seconds": 60, "retries": 1,
            "prompt_price": 0.15, "completion_price": 0.6,
        })
    );
}

#[test]
fn older_ids_are_the_same_brain() {
    let ids = [
        "ovos-solver-openai-plugin",
        "ovos-solver-openai-persona-plugin",
        "ovos-openai-plugin",
    ];
    for id in ids {
        let persona = quiet(&json!({"solvers": [id], id: {"api_url": "http://h/v1", "model": "m"}}));
        let brain = &persona.handlers[0].brains[0];
        assert_eq!(
            (brain.id.as_str(), &brain.settings["model"]),
            (OPENAI, &json!("m"))
        );
    }
}

#[test]
fn older_names_of_the_instructions_are_understood() {
    let cases = [
        (
            json!({"persona": "You are a Zen Master."}),
            "You are a Zen Master.",
        ),
        (
            json!({"persona": "helpful, creative, clever, and very friendly."}),
            "You are helpful, creative, clever, and very friendly.",
        ),
        (json!({"initial_prompt": "Be kind."}), "Be kind."),
        (
            json!({"initial_prompt": "Be kind.", "system_prompt": "Be terse.", "persona": "x"}),
            "Be terse.",
        ),
    ];
    for (mut settings, expected) in cases {
        settings["api_url"] = json!(SERVER);
        let persona = quiet(&json!({"solvers": [OPENAI], OPENAI: settings}));
        let handler = &persona.handlers[0];
        assert_eq!(handler.system_prompt, expected);
        let mut settings: Vec<&String> = handler.brains[0].settings.keys().collect();
        settings.sort_unstable();
        assert_eq!(settings, ["api_url", "model"]);
    }
}

#[test]
fn an_address_that_was_written_out_is_shortened() {
    let cases = [
        (
            "http://localhost:11434/v1/chat/completions",
            "http://localhost:11434/v1",
        ),
        (
            "http://localhost:11434/v1/chat/completions/",
            "http://localhost:11434/v1",
        ),
        ("https://api.example/v1/", "https://api.example/v1"),
        ("unix:/run/brain.sock", "unix:/run/brain.sock"),
    ];
    for (written, expected) in cases {
        let brains = brains(&on_react(&json!(OPENAI), &json!({"api_url": written})));
        assert_eq!(brains[0].settings["api_url"], expected);
    }
}

#[test]
fn several_brains_are_asked_in_order() {
    let inner = json!({"model": "first", "api_url": SERVER});
    let second =
        json!({"plugin": "ovos-solver-openai-plugin", "model": "second", "key": "", "api_url": SERVER});
    let list = on_react(&json!([OPENAI, second, "loquat-local-brain"]), &inner);
    let ladder = json!({
        "handlers": ["loquat-ladder"],
        "loquat-ladder": {
            "brains": [OPENAI, second, "loquat-local-brain"],
            OPENAI: inner,
        },
    });
    for file in [list, ladder] {
        let brains = brains(&file);
        let seen: Vec<(&str, Option<&Value>)> = brains
            .iter()
            .map(|brain| (brain.id.as_str(), brain.settings.get("model")))
            .collect();
        assert_eq!(
            seen,
            [
                (OPENAI, Some(&json!("first"))),
                (OPENAI, Some(&json!("second"))),
                ("loquat-local-brain", None)
            ]
        );
    }
}

#[test]
fn keys_are_kept_apart_and_never_shown() {
    let cases = [
        (json!({"key": "sk-inline"}), Some("sk-inline")),
        (json!({"api_key": "not-needed"}), Some("not-needed")),
        (json!({"key": "sk-own", "api_key": "sk-other"}), Some("sk-own")),
        (json!({"key": ""}), None),
        (json!({"key": null}), None),
    ];
    for (settings, expected) in cases {
        let (persona, complaints) = read(&on_react(&json!(OPENAI), &settings));
        let persona = persona.unwrap();
        let brain = &persona.handlers[0].brains[0];
        let inline = match &brain.key {
            Some(Secret::Inline(secret)) => Some(secret.expose_secret()),
            _ => None,
        };
        assert_eq!(inline, expected);
        assert_eq!(
            complaints.len(),
            usize::from(expected.is_some()),
            "{complaints:?}"
        );
        assert!(!brain.settings.contains_key("key") && !brain.settings.contains_key("api_key"));
        let shown = format!("{persona:?} {complaints:?}");
        assert!(!shown.contains("sk-") && !shown.contains("not-needed"), "{shown}");
    }
    let shelf = Shelf::new();
    let key = shelf.write("person/openai.key", "sk-file");
    let file = on_react(&json!(OPENAI), &json!({"key": {"file": key}}));
    shelf.write("person/file.json", file.to_string());
    let (personas, _) = shelf.load();
    let persona = personas.iter().next().unwrap();
    assert!(matches!(&persona.handlers[0].brains[0].key, Some(Secret::File(path)) if *path == key));
    let credential = brains(&on_react(
        &json!(OPENAI),
        &json!({"key": {"credential": "openai"}}),
    ));
    assert!(matches!(&credential[0].key, Some(Secret::Credential(name)) if name == "openai"));
}

#[test]
fn a_key_in_the_file_is_a_warning() {
    let (persona, complaints) = read(&on_react(&json!(OPENAI), &json!({"key": "sk-inline"})));
    assert!(persona.is_some());
    assert_eq!(
        complaints,
        [
            "/person/file.json: holds a key and can be read by others; chmod 600 it, or keep the key in a file of its own \
          and write {\"file\": \"PATH\"} in its place"
        ]
    );
}

#[test]
fn what_ovos_fills_in_is_filled_in_and_told_of() {
    let (persona, complaints) =
        read(&json!({"handlers": [OPENAI], OPENAI: {"key": {"credential": "openai"}}}));
    assert_eq!(
        Value::Object(persona.unwrap().handlers[0].brains[0].settings.clone()),
        json!({"api_url": "https://api.openai.com/v1", "model": "gpt-4o-mini"})
    );
    assert_eq!(
        complaints,
        [
            "/person/file.json: ovos-chat-openai-plugin.api_url is missing; what is said goes to \
             https://api.openai.com/v1, as it does with OVOS"
        ]
    );
}

#[test]
fn without_address_and_key_the_model_of_this_device_answers() {
    let settings = json!({
        "model": "gpt-4o", "persona": "You are a pirate.", "temperature": 0.7, "max_tokens": 90, "key": "",
        "stop_token": "###", "supports_tools": true, "retries": 1,
    });
    let (persona, complaints) = read(&json!({"solvers": [OPENAI], OPENAI: settings}));
    let persona = persona.unwrap();
    let handler = &persona.handlers[0];
    assert_eq!(handler.system_prompt, "You are a pirate.");
    assert_eq!(handler.brains[0].id, LOCAL_BRAIN);
    assert_eq!(
        Value::Object(handler.brains[0].settings.clone()),
        json!({"temperature": 0.7, "max_tokens": 90})
    );
    assert_eq!(
        complaints,
        [
            "/person/file.json: ovos-chat-openai-plugin has neither api_url nor key; the model of this device \
             answers"
        ]
    );
}

#[test]
fn brains_that_are_not_here_are_passed_over() {
    let file = |brain: Value| json!({"handlers": ["ovos-react-loop"], "ovos-react-loop": {"brain": brain, OPENAI: {"api_url": SERVER}}});
    let (persona, complaints) = read(&file(json!(["ovos-chat-gguf-plugin", OPENAI])));
    assert_eq!(persona.unwrap().handlers[0].brains[0].id, OPENAI);
    let passed_over = "/person/file.json: ovos-react-loop.brain: there is no brain ovos-chat-gguf-plugin here; it is passed over";
    assert_eq!(complaints, [passed_over]);
    let (persona, complaints) = read(&file(json!("ovos-chat-gguf-plugin")));
    assert_eq!(persona.unwrap().handlers[0].brains[0].id, LOCAL_BRAIN);
    let instead = "/person/file.json: ovos-react-loop.brain names no brain that is here; the model of this device answers";
    assert_eq!(complaints, [passed_over, instead]);
}

#[test]
fn each_mistake_in_a_brain_is_one_sentence_and_something_answers() {
    let place = "ovos-react-loop.ovos-chat-openai-plugin";
    let instead = "ovos-react-loop.brain names no brain that is here; the model of this device answers";
    let brain = |name: Value| json!({"handlers": ["ovos-react-loop"], "ovos-react-loop": {"brain": name}});
    let setting = |settings: Value| on_react(&json!(OPENAI), &settings);
    let absent = "; it counts as absent";
    let cases = [
        (brain(json!(7)), vec!["ovos-react-loop.brain must be the id of a brain or a list of them, not 7; it is passed over".to_owned(), instead.to_owned()]),
        (brain(json!([])), vec![instead.to_owned()]),
        (
            brain(json!("loquat-local-brian")),
            vec!["ovos-react-loop.brain: there is no brain loquat-local-brian here; it is passed over; did you mean loquat-local-brain?".to_owned(), instead.to_owned()],
        ),
        (brain(json!([{"model": "m"}])), vec!["ovos-react-loop.brain has an entry without \"plugin\", the id of the brain; it is passed over".to_owned(), instead.to_owned()]),
        (brain(json!("loquat-ladder")), vec!["loquat-ladder.brains must be a list of brains, asked in order; it is passed over".to_owned(), instead.to_owned()]),
        (
            setting(json!({"api_url": "<your_local_server_url>"})),
            vec![
                format!("{place}.api_url must be an address that begins with http://, https:// or unix:/, not \"<your_local_server_url>\"{absent}"),
                format!("{place} names no server that can be asked; it is passed over"),
                instead.to_owned(),
            ],
        ),
        (setting(json!({"temperature": 3})), vec![format!("{place}.temperature must be a number from 0 to 2, not 3{absent}")]),
        (setting(json!({"max_tokens": "many"})), vec![format!("{place}.max_tokens must be a whole number from 1 to 1000000, not \"many\"{absent}")]),
        (setting(json!({"stop_token": [1]})), vec![format!("{place}.stop_token must be a text or a list of texts, not [1]{absent}")]),
        (setting(json!({"extra_params": []})), vec![format!("{place}.extra_params must be an object, not []{absent}")]),
        (setting(json!({"supports_tools": "yes"})), vec![format!("{place}.supports_tools must be true or false, not \"yes\"{absent}")]),
        (setting(json!({"modell": "m"})), vec![format!("{place}.modell is not used here; did you mean {place}.model?")]),
        (
            json!({"handlers": ["loquat-local-brain"], "loquat-local-brain": {"context": 1}}),
            vec!["loquat-local-brain.context is not used here".to_owned()],
        ),
    ];
    for (file, expected) in cases {
        let (persona, complaints) = read(&file);
        let expected: Vec<String> = expected
            .iter()
            .map(|one| format!("/person/file.json: {one}"))
            .collect();
        assert_eq!(complaints, expected, "{file}");
        assert_eq!(persona.unwrap().handlers.len(), 1);
    }
}

#[test]
fn what_is_said_goes_to_no_other_server_than_the_one_that_was_meant() {
    let openai = json!({"api_url": "example.org", "key": {"credential": "openai"}});
    for file in [
        json!({"handlers": [OPENAI], OPENAI: openai}),
        json!({"handlers": ["ovos-react-loop"], "ovos-react-loop": {"brain": OPENAI, OPENAI: openai}}),
        json!({"handlers": ["ovos-react-loop"], "ovos-react-loop": {"brain": [{"plugin": OPENAI, "api_url": 7}]}}),
    ] {
        let persona = read(&file).0.unwrap();
        assert_eq!(persona.handlers[0].brains.len(), 1);
        assert_eq!(persona.handlers[0].brains[0].id, LOCAL_BRAIN, "{file}");
    }
}

#[test]
fn a_key_that_is_none_is_no_persona() {
    let (persona, complaints) = read(&on_react(&json!(OPENAI), &json!({"key": {"path": "/key"}})));
    assert!(persona.is_none());
    assert_eq!(
        complaints,
        [
            "/person/file.json: ovos-react-loop.ovos-chat-openai-plugin.key must be a text, {\"file\": \"PATH\"} or \
          {\"credential\": \"NAME\"}; this persona is left out"
        ]
    );
}

#[test]
fn a_wrong_key_is_not_repeated() {
    let (_, complaints) = read(&on_react(
        &json!(OPENAI),
        &json!({"key": ["sk-secret"], "api_key": 7}),
    ));
    assert!(!complaints.concat().contains("sk-secret"), "{complaints:?}");
}

#[test]
fn a_ladder_in_a_ladder_is_passed_over() {
    let file = json!({"handlers": ["loquat-ladder"], "loquat-ladder": {"brains": ["loquat-ladder"]}});
    let (persona, complaints) = read(&file);
    assert_eq!(persona.unwrap().handlers[0].brains[0].id, LOCAL_BRAIN);
    assert_eq!(
        complaints,
        [
            "/person/file.json: loquat-ladder.brains must be a list of brains, asked in order; it is passed over",
            "/person/file.json: handlers names no plugin that is here; the model of this device answers",
        ]
    );
}
