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
fn plugins_that_are_not_here_are_passed_over() {
    let (persona, complaints) = read(&json!({
        "solvers": ["ovos-solver-rivescript-plugin", "loquat-local-brain", {"module": "ovos-solver-plugin-wolfram-alpha"}],
        "ovos-solver-rivescript-plugin": {"some": "setting"},
        "ovos-solver-plugin-wolfram-alpha": {},
    }));
    let persona = persona.unwrap();
    assert_eq!(persona.handlers.len(), 1);
    assert_eq!(persona.handlers[0].brains[0].id, "loquat-local-brain");
    let passed_over = |index: usize, id: &str| {
        format!("/person/file.json: solvers[{index}]: there is no plugin {id} here; it is passed over")
    };
    assert_eq!(
        complaints,
        [
            passed_over(0, "ovos-solver-rivescript-plugin"),
            passed_over(2, "ovos-solver-plugin-wolfram-alpha")
        ]
    );
}

#[test]
fn what_looks_up_keeps_its_place_and_the_model_of_this_device_comes_behind() {
    let persona = quiet(&json!({
        "solvers": ["ovos-solver-wikipedia-plugin", "loquat-local-brain", {"module": "ovos-solver-ddg-plugin"}],
        "ovos-solver-wikipedia-plugin": {"enabled": true},
    }));
    let seen: Vec<(Option<&str>, usize)> = persona
        .handlers
        .iter()
        .map(|handler| (handler.lookup.as_deref(), handler.brains.len()))
        .collect();
    assert_eq!(
        seen,
        [
            (Some("ovos-solver-wikipedia-plugin"), 0),
            (None, 1),
            (Some("ovos-solver-ddg-plugin"), 0)
        ]
    );
    let (persona, complaints) = read(&json!({
        "solvers": ["ovos-solver-wikipedia-plugin", "ovos-solver-failure-plugin"],
        "ovos-solver-wikipedia-plugin": {"lang": "en"},
    }));
    let handlers = persona.unwrap().handlers;
    assert_eq!(handlers.len(), 2);
    assert_eq!(handlers[1].brains[0].id, "loquat-local-brain");
    assert_eq!(
        complaints,
        [
            "/person/file.json: ovos-solver-wikipedia-plugin.lang is not used here",
            "/person/file.json: solvers only looks questions up; the model of this device answers the others"
        ]
    );
}

#[test]
fn a_handler_may_be_an_object_with_its_settings() {
    let brain = json!({"api_url": "http://h/v1", "model": "m"});
    let mut beside = brain.clone();
    beside["module"] = json!(OPENAI);
    let cases = [
        json!({"solvers": [{"module": OPENAI, OPENAI: brain}]}),
        json!({"handlers": [beside]}),
        json!({"handlers": [{"module": OPENAI}], OPENAI: brain}),
    ];
    for file in cases {
        let persona = quiet(&file);
        let choice = &persona.handlers[0].brains[0];
        assert_eq!(
            (choice.id.as_str(), &choice.settings["model"]),
            (OPENAI, &json!("m"))
        );
    }
    let engine = json!({"brain": OPENAI, OPENAI: brain, "toolboxes": ["ovos-clock-tools"]});
    let persona = quiet(&json!({"handlers": [{"module": "ovos-react-loop", "ovos-react-loop": engine}]}));
    let handler = &persona.handlers[0];
    assert_eq!(handler.brains[0].settings["model"], "m");
    assert_eq!(handler.toolboxes[0].id, "ovos-clock-tools");
}

#[test]
fn the_words_of_older_files_are_understood() {
    let persona = quiet(&json!({
        "chat": "ovos-react-loop",
        "ovos-react-loop": {
            "llm": "ovos-openai-plugin",
            "ovos-openai-plugin": {"api_url": "http://h/v1/chat/completions", "model": "m"},
            "max_iterations": 6,
        },
    }));
    let handler = &persona.handlers[0];
    assert_eq!(handler.engine_id, "ovos-react-loop");
    assert_eq!(handler.brains[0].id, OPENAI);
    assert_eq!(handler.brains[0].settings["api_url"], "http://h/v1");
    assert_eq!(handler.engine_settings["max_iterations"], 6);
}

#[test]
fn an_engine_is_known_without_the_ending_of_its_id() {
    let persona = quiet(&json!({
        "solvers": ["ovos-react"],
        "ovos-react": {"brain": "loquat-local-brain", "inner_engine": "ovos-native-toolcall"},
    }));
    let handler = &persona.handlers[0];
    assert_eq!(handler.engine_id, "ovos-react-loop");
    assert_eq!(
        handler.engine_settings["inner_engine"],
        "ovos-native-toolcall-loop"
    );
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
fn nothing_that_answers_is_no_persona() {
    for (file, expected) in [
        (
            json!({}),
            "handlers is missing; it lists the plugins that answer, in order",
        ),
        (
            json!({"handlers": []}),
            "handlers is missing; it lists the plugins that answer, in order",
        ),
        (
            json!({"solvers": ["ovos-solver-failure-plugin"]}),
            "solvers names nothing that could answer",
        ),
        (json!({"chat": 7}), "chat must be a list of plugin ids, not 7"),
    ] {
        let (persona, complaints) = read(&file);
        assert!(persona.is_none());
        assert_eq!(
            complaints,
            [format!("/person/file.json: {expected}; this persona is left out")]
        );
    }
}

#[test]
fn a_mistake_in_a_handler_is_one_sentence_and_another_answers() {
    let instead = |key: &str| format!("{key} names no plugin that is here; the model of this device answers");
    let entry = |what: &str| format!("solvers[0] must be a plugin id, not {what}; it is passed over");
    for (file, expected) in [
        (json!({"solvers": [7]}), vec![entry("7"), instead("solvers")]),
        (
            json!({"solvers": [{"name": "ovos-react-loop"}]}),
            vec![entry("{\"name\":\"ovos-react-loop\"}"), instead("solvers")],
        ),
        (json!({"solvers": [7, "loquat-local-brain"]}), vec![entry("7")]),
        (
            json!({"handlers": ["ovos-reakt-loop"]}),
            vec![
                "handlers[0]: there is no plugin ovos-reakt-loop here; it is passed over; did you mean ovos-react-loop?"
                    .to_owned(),
                instead("handlers"),
            ],
        ),
        (
            json!({"handlers": ["ovos-solver-wikipedia-plugins", "loquat-local-brain"]}),
            vec![
                "handlers[0]: there is no plugin ovos-solver-wikipedia-plugins here; it is passed over; did you mean \
                 ovos-solver-wikipedia-plugin?"
                    .to_owned(),
            ],
        ),
        (
            json!({"handlers": ["loquat-local-brain", "ovos-chat-openai-plugin"], "loquat-local-brain": {"enabled": "no"},
                   "ovos-chat-openai-plugin": {"api_url": "http://h/v1"}}),
            vec!["loquat-local-brain.enabled must be true or false, not \"no\"; it counts as false".to_owned()],
        ),
    ] {
        let (persona, complaints) = read(&file);
        let expected: Vec<String> = expected.iter().map(|one| format!("/person/file.json: {one}")).collect();
        assert_eq!(complaints, expected, "{file}");
        assert_eq!(persona.unwrap().handlers.len(), 1, "{file}");
    }
}

#[test]
fn one_plugin_needs_no_list() {
    for key in ["handlers", "solvers", "chat"] {
        assert_eq!(quiet(&json!({key: "loquat-local-brain"})).handlers.len(), 1);
        assert_eq!(
            quiet(&json!({key: {"module": "loquat-local-brain"}}))
                .handlers
                .len(),
            1
        );
    }
}

#[test]
fn a_mistake_in_an_engine_is_one_sentence_and_the_usual_counts() {
    let engine = |settings| json!({"handlers": ["ovos-react-loop"], "ovos-react-loop": settings});
    let cases = [
        (
            engine(json!({})),
            vec![
                "ovos-react-loop.brain is missing; the model of this device answers, as with \"loquat-local-brain\" there",
            ],
        ),
        (
            engine(json!(7)),
            vec![
                "ovos-react-loop must be an object, not 7; it counts as empty",
                "ovos-react-loop.brain is missing; the model of this device answers, as with \"loquat-local-brain\" there",
            ],
        ),
        (
            engine(json!({"brain": "loquat-local-brain", "max_itertions": 3})),
            vec![
                "ovos-react-loop.max_itertions is not used here; did you mean ovos-react-loop.max_iterations?",
            ],
        ),
        (
            engine(json!({"brain": "loquat-local-brain", "max_iterations": -1})),
            vec![
                "ovos-react-loop.max_iterations must be a whole number from 0 to 100, not -1; it counts as absent",
            ],
        ),
        (
            engine(json!({"brain": "loquat-local-brain", "beam_width": "wide"})),
            vec![
                "ovos-react-loop.beam_width must be a whole number from 0 to 100, not \"wide\"; it counts as absent",
            ],
        ),
        (
            engine(json!({"brain": "loquat-local-brain", "search": "deep"})),
            vec!["ovos-react-loop.search must be one of bfs and dfs, not \"deep\"; it counts as absent"],
        ),
        (
            engine(json!({"brain": "loquat-local-brain", "inner_engine": "ovos-native-toolcal-loop"})),
            vec![
                "ovos-react-loop.inner_engine: there is no engine ovos-native-toolcal-loop here, and the usual one is used; \
                 did you mean ovos-native-toolcall-loop? the engines are ovos-react-loop and ovos-native-toolcall-loop",
            ],
        ),
        (
            engine(json!({"brain": "loquat-local-brain", "system_prompt": 7})),
            vec!["ovos-react-loop.system_prompt must be a text, not 7; it counts as absent"],
        ),
    ];
    for (file, expected) in cases {
        let (persona, complaints) = read(&file);
        let expected: Vec<String> = expected
            .iter()
            .map(|one| format!("/person/file.json: {one}"))
            .collect();
        assert_eq!(complaints, expected, "{file}");
        assert_eq!(persona.unwrap().handlers[0].brains[0].id, "loquat-local-brain");
    }
}

#[test]
fn what_a_channel_is_denied_is_understood_or_the_persona_is_left_out() {
    let engine = |key: &str, channels| json!({"handlers": ["ovos-react-loop"], "ovos-react-loop": {"brain": "loquat-local-brain", key: channels}});
    for (channels, expected) in [
        (json!("voice"), "channels must be an object, not \"voice\""),
        (
            json!({"voce": {}}),
            "channels.voce is no setting; did you mean ovos-react-loop.channels.voice?",
        ),
        (json!({"voice": 7}), "channels.voice must be an object, not 7"),
        (
            json!({"query": {"categories": ["harmless"]}}),
            "channels.query.categories must be a list of some of safe, terminal, dangerous and async, not [\"harmless\"]",
        ),
    ] {
        let (persona, complaints) = read(&engine("channels", channels));
        assert!(persona.is_none());
        assert_eq!(
            complaints,
            [format!(
                "/person/file.json: ovos-react-loop.{expected}; this persona is left out"
            )]
        );
    }
    let (persona, complaints) = read(&engine("chanels", json!({"voice": {"categories": ["safe"]}})));
    assert_eq!(
        complaints,
        [
            "/person/file.json: ovos-react-loop.chanels is read as ovos-react-loop.channels, since it takes rights away"
        ]
    );
    let settings = &persona.unwrap().handlers[0].engine_settings;
    assert_eq!(settings["channels"], json!({"voice": {"categories": ["safe"]}}));
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
