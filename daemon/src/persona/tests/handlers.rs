//! Handlers: both forms of the file, engines and bare brains, and the instructions that reach the brain.

use serde_json::json;

use super::{quiet, read};

const OPENAI: &str = "ovos-chat-openai-plugin";

#[test]
fn flat_and_nested_files_say_the_same() {
    let engine = json!({
        "brain": OPENAI,
        OPENAI: {"api_url": "http://127.0.0.1:1/v1", "model": "m"},
        "toolboxes": ["ovos-math-tools", "ovos-clock-tools", "ovos-math-tools"],
        "max_iterations": "4",
        "max_steps": 3.0,
        "repairs": {"of": "any shape"},
    });
    let flat = quiet(&json!({"name": "A", "handlers": ["ovos-react-loop"], "ovos-react-loop": engine}));
    let nested = quiet(
        &json!({"name": "A", "solvers": ["ovos-react-loop"], "plugin-config": {"ovos-react-loop": engine}}),
    );
    for persona in [flat, nested] {
        let [handler] = &persona.handlers[..] else {
            panic!("one handler, not {:?}", persona.handlers)
        };
        assert_eq!(handler.engine_id, "ovos-react-loop");
        assert_eq!(handler.brains[0].id, OPENAI);
        assert_eq!(
            serde_json::Value::Object(handler.brains[0].settings.clone()),
            json!({"api_url": "http://127.0.0.1:1/v1", "model": "m"})
        );
        let boxes: Vec<&str> = handler
            .toolboxes
            .iter()
            .map(|toolbox| toolbox.id.as_str())
            .collect();
        assert_eq!(boxes, ["ovos-math-tools", "ovos-clock-tools"]);
        assert_eq!(
            serde_json::Value::Object(handler.engine_settings.clone()),
            json!({"max_iterations": 4, "max_steps": 3, "repairs": {"of": "any shape"}})
        );
    }
}

#[test]
fn settings_may_stand_beside_the_engine_instead_of_in_it() {
    let persona = quiet(&json!({
        "handlers": ["ovos-react-loop"],
        "ovos-react-loop": {"brain": OPENAI, "toolboxes": ["ovos-clock-tools"]},
        OPENAI: {"api_url": "http://h/v1", "model": "outer"},
        "plugin-config": {"ovos-clock-tools": {"a": 1}},
    }));
    let handler = &persona.handlers[0];
    assert_eq!(handler.brains[0].settings["model"], "outer");
    assert_eq!(handler.toolboxes[0].settings["a"], 1);

    let persona = quiet(&json!({
        "handlers": ["ovos-react-loop"],
        "ovos-react-loop": {"brain": OPENAI, OPENAI: {"api_url": "http://h/v1", "model": "inner"}},
        OPENAI: {"model": "outer", "temperature": 1},
    }));
    let settings = &persona.handlers[0].brains[0].settings;
    assert_eq!((settings.len(), &settings["model"]), (2, &json!("inner")));
}

#[test]
fn handlers_keep_their_order_and_a_bare_brain_is_a_plain_conversation() {
    let persona = quiet(&json!({
        "handlers": ["loquat-local-brain", "ovos-native-toolcall-loop", "ovos-solver-failure-plugin"],
        "ovos-native-toolcall-loop": {"brain": "loquat-local-brain"},
        "loquat-local-brain": {"model": "small", "temperature": 0},
    }));
    let seen: Vec<(&str, &str, usize)> = persona
        .handlers
        .iter()
        .map(|handler| {
            (
                handler.engine_id.as_str(),
                handler.brains[0].id.as_str(),
                handler.toolboxes.len(),
            )
        })
        .collect();
    assert_eq!(
        seen,
        [
            ("ovos-react-loop", "loquat-local-brain", 0),
            ("ovos-native-toolcall-loop", "loquat-local-brain", 0)
        ]
    );
    assert_eq!(persona.handlers[0].brains[0].settings["model"], "small");
}

#[test]
fn a_handler_that_is_switched_off_is_skipped() {
    let persona = quiet(&json!({
        "handlers": [OPENAI, "loquat-local-brain"],
        OPENAI: {"enabled": false},
    }));
    assert_eq!(persona.handlers.len(), 1);
    assert_eq!(persona.handlers[0].brains[0].id, "loquat-local-brain");
}

#[test]
fn instructions_are_gathered_each_once() {
    let server = |prompt: &str| json!({"api_url": "http://h/v1", "system_prompt": prompt});
    let (persona, complaints) = read(&json!({
        "handlers": ["ovos-react-loop", OPENAI, "loquat-local-brain"],
        "system_prompt": "Be brief.",
        "ovos-react-loop": {
            "brain": [OPENAI, "loquat-local-brain"],
            "system_prompt": " Use tools. ",
            OPENAI: server("Be brief."),
            "loquat-local-brain": {"system_prompt": "Only for the second brain."},
        },
        OPENAI: server("Rhyme."),
        "loquat-local-brain": {"system_prompt": ""},
    }));
    let persona = persona.unwrap();
    let prompts: Vec<&str> = persona
        .handlers
        .iter()
        .map(|handler| handler.system_prompt.as_str())
        .collect();
    assert_eq!(
        prompts,
        ["Be brief.\n\nUse tools.", "Be brief.\n\nRhyme.", "Be brief."]
    );
    for brain in persona.handlers.iter().flat_map(|handler| &handler.brains) {
        assert!(!brain.settings.contains_key("system_prompt"));
    }
    assert_eq!(
        complaints,
        [
            "/person/file.json: ovos-react-loop.loquat-local-brain.system_prompt is not used; the instructions are \
             those of the first brain"
        ]
    );
}

#[test]
fn comments_in_files_are_left_alone() {
    quiet(&json!({
        "_comment": "top",
        "handlers": ["ovos-react-loop"],
        "ovos-react-loop": {
            "_comment": "engine", "brain": OPENAI, OPENAI: {"_comment": "brain", "_n": 7, "api_url": "http://h/v1"}
        },
    }));
}

#[test]
fn each_mistake_in_a_handler_is_one_sentence() {
    let known = "the engines are ovos-react-loop and ovos-native-toolcall-loop, the brains ovos-chat-openai-plugin, \
                 loquat-local-brain, loquat-ladder, ovos-solver-openai-plugin and ovos-solver-openai-persona-plugin";
    let engine = |settings| json!({"handlers": ["ovos-react-loop"], "ovos-react-loop": settings});
    let cases = [
        (
            json!({}),
            "handlers is missing; it lists the plugins that answer, in order".to_owned(),
        ),
        (
            json!({"handlers": []}),
            "handlers is missing; it lists the plugins that answer, in order".to_owned(),
        ),
        (
            json!({"handlers": "ovos-react-loop"}),
            "handlers must be a list of plugin ids, not \"ovos-react-loop\"".to_owned(),
        ),
        (
            json!({"solvers": [7]}),
            "solvers[0] must be a plugin id, not 7".to_owned(),
        ),
        (
            json!({"solvers": ["ovos-solver-failure-plugin"]}),
            "solvers names nothing that could answer".to_owned(),
        ),
        (
            json!({"handlers": ["ovos-reakt-loop"]}),
            format!(
                "handlers[0]: there is no plugin ovos-reakt-loop here; did you mean ovos-react-loop? {known}"
            ),
        ),
        (
            json!({"solvers": ["loquat-local-brain", "ovos-solver-wikipedia-plugin"]}),
            format!("solvers[1]: there is no plugin ovos-solver-wikipedia-plugin here; {known}"),
        ),
        (
            engine(json!({})),
            "ovos-react-loop.brain is missing; it names the brain, for example \"loquat-local-brain\""
                .to_owned(),
        ),
        (
            engine(json!(7)),
            "ovos-react-loop must be an object, not 7".to_owned(),
        ),
        (
            engine(json!({"brain": "loquat-local-brain", "max_itertions": 3})),
            "ovos-react-loop.max_itertions is no setting; did you mean ovos-react-loop.max_iterations?"
                .to_owned(),
        ),
        (
            engine(json!({"brain": "loquat-local-brain", "max_iterations": -1})),
            "ovos-react-loop.max_iterations must be a whole number from 0 to 100, not -1".to_owned(),
        ),
        (
            engine(json!({"brain": "loquat-local-brain", "beam_width": "wide"})),
            "ovos-react-loop.beam_width must be a whole number from 0 to 100, not \"wide\"".to_owned(),
        ),
        (
            engine(json!({"brain": "loquat-local-brain", "search": "deep"})),
            "ovos-react-loop.search must be one of bfs and dfs, not \"deep\"".to_owned(),
        ),
        (
            engine(json!({"brain": "loquat-local-brain", "channels": {"voce": {}}})),
            "ovos-react-loop.channels.voce is no setting; did you mean ovos-react-loop.channels.voice?".to_owned(),
        ),
        (
            engine(json!({"brain": "loquat-local-brain", "channels": {"query": {"categories": ["harmless"]}}})),
            "ovos-react-loop.channels.query.categories must be a list of some of safe, terminal, dangerous and async, \
             not [\"harmless\"]"
                .to_owned(),
        ),
        (
            engine(json!({"brain": "loquat-local-brain", "inner_engine": "ovos-native-toolcal-loop"})),
            "ovos-react-loop.inner_engine: there is no engine ovos-native-toolcal-loop here; did you mean \
             ovos-native-toolcall-loop? the engines are ovos-react-loop and ovos-native-toolcall-loop"
                .to_owned(),
        ),
        (
            engine(json!({"brain": "loquat-local-brain", "system_prompt": 7})),
            "ovos-react-loop.system_prompt must be a text, not 7".to_owned(),
        ),
    ];
    for (file, expected) in cases {
        let (persona, complaints) = read(&file);
        assert!(persona.is_none());
        assert_eq!(
            complaints,
            [format!("/person/file.json: {expected}; this persona is left out")]
        );
    }
}

#[test]
fn what_another_release_may_know_is_a_warning() {
    let (persona, complaints) = read(&json!({
        "handlers": ["ovos-react-loop"],
        "ovos-react-loop": {"brain": "loquat-local-brain", "planner_style": "terse"},
    }));
    assert!(persona.is_some());
    assert_eq!(
        complaints,
        ["/person/file.json: ovos-react-loop.planner_style is not used here"]
    );
}
