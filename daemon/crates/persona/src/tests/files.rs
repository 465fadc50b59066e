//! Whole files: those that are part of the program, and such as people have on OVOS devices.

use serde_json::{Value, json};

use super::{Shelf, quiet, read, whole};

#[test]
fn the_personas_of_the_program_are_read_without_a_word() {
    let mut shelf = Shelf::new();
    shelf.sources.embedded = true;
    let (personas, complaints) = shelf.load();
    assert_eq!(complaints, [] as [&str; 0]);
    let seen: Vec<(&str, &str, &str, usize)> = personas
        .iter()
        .map(|persona| {
            let handler = &persona.handlers[0];
            let brain = handler.brains[0].id.as_str();
            (
                persona.id.as_str(),
                handler.engine_id.as_str(),
                brain,
                handler.toolboxes.len(),
            )
        })
        .collect();
    assert_eq!(
        seen,
        [
            ("loquat", "ovos-react-loop", "loquat-local-brain", 30),
            ("kitchen", "ovos-react-loop", "loquat-local-brain", 4),
            ("desk", "ovos-react-loop", "loquat-local-brain", 4),
            ("house", "ovos-react-loop", "loquat-local-brain", 5),
            ("steward", "ovos-react-loop", "loquat-local-brain", 8),
            ("research", "ovos-plan-execute-loop", "ovos-chat-openai-plugin", 6),
            ("scout", "ovos-react-loop", "ovos-chat-openai-plugin", 2),
            (
                "abacus",
                "ovos-native-toolcall-loop",
                "ovos-chat-openai-plugin",
                1
            ),
        ]
    );
    assert_eq!(personas.default_persona().unwrap().id, "loquat");
    for persona in &personas {
        assert!(
            persona.handlers[0].system_prompt.contains("spoken"),
            "{}",
            persona.id
        );
        assert!(persona.description.is_some());
    }
}

#[test]
fn every_file_of_the_folder_is_part_of_the_program() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../../personas");
    let mut files: Vec<String> = std::fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .filter(|name| {
            std::path::Path::new(name)
                .extension()
                .is_some_and(|kind| kind == "json")
        })
        .collect();
    files.sort();
    let mut embedded: Vec<&str> = crate::embedded::FILES.iter().map(|(name, _)| *name).collect();
    embedded.sort_unstable();
    assert_eq!(files, embedded);
}

/// The samples are shown and are no part of the program, so that the list of personas stays short.
#[test]
fn every_engine_has_a_sample_that_is_read_without_a_word() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../../personas/engines");
    let shelf = Shelf::new();
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_str().unwrap().to_owned();
        shelf.write(&format!("person/{name}"), std::fs::read_to_string(&path).unwrap());
    }
    let (personas, complaints) = shelf.load_knowing(&whole());
    assert_eq!(complaints, [] as [&str; 0]);
    let mut engines: Vec<&str> = personas
        .iter()
        .map(|persona| persona.handlers[0].engine_id.as_str())
        .collect();
    engines.sort_unstable();
    let mut known: Vec<&str> = loquat_agent::engine::ENGINES
        .iter()
        .map(|engine| engine.id)
        .collect();
    known.sort_unstable();
    assert_eq!(engines, known);
}

/// The kind of file that OVOS's own manual shows, of the generation with `solvers`.
#[test]
fn a_server_of_ones_own() {
    let (persona, complaints) = read(&json!({
        "name": "My Kitchen Helper",
        "solvers": ["ovos-chat-openai-plugin"],
        "ovos-chat-openai-plugin": {
            "api_url": "http://nas.lan:8080/v1",
            "key": "sk-xxxx",
            "system_prompt": "You answer cooking questions in one sentence.",
            "model": "llama3.1:8b"
        }
    }));
    let persona = persona.unwrap();
    assert_eq!(
        persona.handlers[0].system_prompt,
        "You answer cooking questions in one sentence."
    );
    assert_eq!(
        persona.handlers[0].brains[0].settings["api_url"],
        "http://nas.lan:8080/v1"
    );
    let brain = &persona.handlers[0].brains[0];
    assert!(brain.key.is_none(), "it would go over the net in the clear");
    assert_eq!(complaints.len(), 2, "about the key alone: {complaints:?}");
}

/// It names an older plugin id, no settings but the manner, and a handler for failures.
#[test]
fn one_of_a_collection() {
    let (persona, complaints) = read(&json!({
        "name": "Harbour Master",
        "solvers": ["ovos-solver-openai-plugin", "ovos-solver-failure-plugin"],
        "ovos-solver-openai-plugin": {"persona": "You are a gruff harbour master. You talk of tides."},
        "description": "Gruff and nautical."
    }));
    let persona = persona.unwrap();
    assert_eq!(complaints.len(), 1, "about the missing address: {complaints:?}");
    assert_eq!(persona.handlers.len(), 1);
    assert_eq!(
        persona.handlers[0].system_prompt,
        "You are a gruff harbour master. You talk of tides."
    );
}

/// A file in the manner of the examples of the agentic loops: comments, the address written out, a key that OVOS does
/// not read, and a toolbox that another package brings.
#[test]
fn one_with_a_loop() {
    let (persona, complaints) = read(&json!({
        "_comment": "Start the server first.",
        "name": "Forecaster",
        "solvers": ["ovos-react-loop"],
        "ovos-react-loop": {
            "brain": "ovos-chat-openai-plugin",
            "max_iterations": 5,
            "system_prompt": "You know the weather.",
            "toolboxes": ["ovos-weather-tools"],
            "ovos-chat-openai-plugin": {
                "_comment": "Any server will do.",
                "model": "llama3",
                "api_url": "http://localhost:11434/v1/chat/completions",
                "api_key": "not-needed-for-local",
                "temperature": 0.3,
                "max_tokens": 512
            }
        }
    }));
    let persona = persona.unwrap();
    let handler = &persona.handlers[0];
    assert_eq!(handler.system_prompt, "You know the weather.");
    assert_eq!(
        Value::Object(handler.brains[0].settings.clone()),
        json!({"model": "llama3", "api_url": "http://localhost:11434/v1", "temperature": 0.3, "max_tokens": 512})
    );
    assert!(handler.brains[0].key.is_some());
    assert!(handler.toolboxes[0].on_bus.is_some());
    assert_eq!(
        complaints.len(),
        2,
        "about the toolbox and the key: {complaints:?}"
    );
}

/// It has the nested form of the documentation, with several engines.
#[test]
fn one_with_two_loops_in_the_nested_form() {
    let persona = quiet(&json!({
        "name": "Two Ways",
        "handlers": ["ovos-native-toolcall-loop", "ovos-react-loop"],
        "memory_module": "ovos-agents-short-term-memory-plugin",
        "plugin-config": {
            "ovos-native-toolcall-loop": {
                "brain": "ovos-chat-openai-plugin",
                "ovos-chat-openai-plugin": {"api_url": "https://api.example/v1", "key": {"credential": "example"}},
                "toolboxes": ["ovos-clock-tools"],
                "max_iterations": 8
            },
            "ovos-react-loop": {"brain": "loquat-local-brain", "toolboxes": ["ovos-clock-tools"]}
        }
    }));
    let brains: Vec<&str> = persona
        .handlers
        .iter()
        .map(|handler| handler.brains[0].id.as_str())
        .collect();
    assert_eq!(brains, ["ovos-chat-openai-plugin", "loquat-local-brain"]);
}

/// Search engines and chat scripts are plugins that are not here; the file says so once for each.
#[test]
fn one_without_a_language_model() {
    let (persona, complaints) = read(&json!({
        "name": "OldSchool",
        "handlers": ["ovos-wikipedia-plugin", "ovos-solver-rivescript-plugin", "ovos-solver-failure-plugin"],
        "ovos-wikipedia-plugin": {"some": "setting"}
    }));
    let persona = persona.unwrap();
    assert_eq!(persona.handlers.len(), 1);
    assert_eq!(persona.handlers[0].brains[0].id, "loquat-local-brain");
    let passed_over = |index: usize, id: &str| {
        format!("/person/file.json: handlers[{index}]: there is no plugin {id} here; it is passed over")
    };
    assert_eq!(
        complaints,
        [
            passed_over(0, "ovos-wikipedia-plugin"),
            passed_over(1, "ovos-solver-rivescript-plugin"),
            "/person/file.json: handlers names no plugin that is here; the model of this device answers"
                .to_owned(),
        ]
    );
}

/// A file that was cut off somewhere, by a full disk for example, is a complaint and nothing worse.
#[test]
fn a_file_that_was_cut_off_is_a_complaint() {
    let whole = include_str!("../../../../../personas/scout.json");
    let whole = whole.trim_end();
    let shelf = Shelf::new();
    for (end, _) in whole.char_indices().step_by(5) {
        shelf.write("person/file.json", &whole[..end]);
        let (personas, complaints) = shelf.load();
        assert_eq!((personas.len(), complaints.len()), (0, 1), "cut at {end}");
    }
}

/// Any value in the place of any other is read or complained of.
#[test]
fn a_value_of_any_shape_does_no_harm() {
    fn paths(value: &Value, path: &str, all: &mut Vec<String>) {
        all.push(path.to_owned());
        match value {
            Value::Object(map) => map
                .iter()
                .for_each(|(key, value)| paths(value, &format!("{path}/{key}"), all)),
            Value::Array(list) => {
                list.iter()
                    .enumerate()
                    .for_each(|(index, value)| paths(value, &format!("{path}/{index}"), all));
            }
            _ => {}
        }
    }
    let whole: Value = serde_json::from_str(include_str!("../../../../../personas/scout.json")).unwrap();
    let mut all = Vec::new();
    paths(&whole, "", &mut all);
    let shapes = [
        json!(null),
        json!(true),
        json!(-1),
        json!(1e300),
        json!(""),
        json!("x"),
        json!([[]]),
        json!({"": {}}),
    ];
    for path in &all {
        for shape in &shapes {
            let mut file = whole.clone();
            *file.pointer_mut(path).unwrap() = shape.clone();
            let (persona, complaints) = read(&file);
            assert!(persona.is_some() || !complaints.is_empty(), "{path} = {shape}");
        }
    }
}

const README: &str = include_str!("../../../../../personas/README.md");

#[test]
fn the_readme_names_every_key() {
    use crate::{brain_keys, handler, parse, trust};

    let (server, local) = (brain_keys::of_server(), brain_keys::of_local());
    let specs = [
        server.as_slice(),
        local.as_slice(),
        trust::TRUST_KEYS,
        parse::BUDGET_KEYS,
    ];
    let keys = specs.concat().into_iter().map(|(key, _)| key);
    for key in keys
        .chain(parse::TOP_KEYS.iter().copied())
        .chain(handler::IGNORED_HANDLERS.iter().copied())
    {
        assert!(README.contains(&format!("`{key}`")), "{key}");
    }
}

#[test]
fn the_examples_of_the_readme_are_right() {
    let mut examples = 0;
    for block in README.split("```json\n").skip(1) {
        let block = block.split("```").next().unwrap();
        let file: Value = if block.starts_with('{') {
            serde_json::from_str(block).unwrap()
        } else {
            let engine: Value = serde_json::from_str(&format!("{{{block}}}")).unwrap();
            json!({"name": "Example", "handlers": ["ovos-react-loop"], "ovos-react-loop": engine})
        };
        let (persona, complaints) = read(&file);
        assert!(persona.is_some(), "{complaints:?}");
        examples += 1;
    }
    assert_eq!(examples, 6);
}
