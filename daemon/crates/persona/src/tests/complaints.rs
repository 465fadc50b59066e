//! The top level of a file: what it may hold, and one sentence for each mistake in it.

use loquat_agent::brain::ChatMessage;
use loquat_agent::turn::Budget;
use serde_json::{Value, json};

use super::{Shelf, quiet, read};

fn with(extra: &Value) -> Value {
    let mut file = json!({"name": "Ada", "handlers": ["loquat-local-brain"]});
    for (key, value) in extra.as_object().unwrap() {
        file[key] = value.clone();
    }
    file
}

#[test]
fn every_key_of_ours_is_read() {
    let persona = quiet(&with(&json!({
        "description": "Counts.", "system_prompt": "Count.", "lang": "pt-PT", "tags": ["numbers", "maths"],
        "examples": [{"role": "user", "content": "One?"}, {"role": "assistant", "content": "Two."}],
        "budget": {"max_iterations": 3, "max_tool_calls": "4", "max_tokens": 5000, "max_cost": 0.05, "deadline_seconds": 6},
        "enabled": true, "author": "me", "license": "MIT", "catch_phrase": "Hello",
    })));
    assert_eq!((persona.id.as_str(), persona.name.as_str()), ("ada", "Ada"));
    assert_eq!(persona.description.as_deref(), Some("Counts."));
    assert_eq!(persona.system_prompt.as_deref(), Some("Count."));
    assert_eq!(persona.lang.as_deref(), Some("pt-PT"));
    assert_eq!(persona.tags, ["numbers", "maths"]);
    assert_eq!(
        persona.examples,
        [ChatMessage::user("One?"), ChatMessage::assistant("Two.")]
    );
    let budget = Budget {
        max_iterations: 3,
        max_tool_calls: 4,
        max_tokens: Some(5000),
        max_cost: Some(0.05),
        deadline_seconds: 6,
    };
    assert_eq!(persona.budget(&persona.handlers[0], Budget::default()), budget);
    assert!(persona.remembers);
}

#[test]
fn the_nearest_limit_counts() {
    let file = json!({
        "handlers": ["ovos-react-loop", "loquat-local-brain"],
        "ovos-react-loop": {"brain": "loquat-local-brain", "max_iterations": 2},
        "budget": {"max_iterations": 7},
    });
    let persona = quiet(&file);
    let device = Budget {
        max_iterations: 9,
        deadline_seconds: 33,
        ..Budget::default()
    };
    let steps = |index: usize| persona.budget(&persona.handlers[index], device);
    assert_eq!((steps(0).max_iterations, steps(1).max_iterations), (2, 7));
    assert_eq!((steps(0).deadline_seconds, steps(0).max_tool_calls), (33, 20));
}

#[test]
fn memory_can_be_switched_off() {
    let usual = "ovos-agents-short-term-memory-plugin";
    for (module, expected) in [(json!(null), false), (json!(""), false), (json!(usual), true)] {
        assert_eq!(
            quiet(&with(&json!({"memory_module": module}))).remembers,
            expected
        );
    }
    let other = json!({
        "memory_module": "ovos-openai-rag-memory-plugin",
        "ovos-openai-rag-memory-plugin": {"vector_store_id": "vs"},
    });
    let (persona, complaints) = read(&with(&other));
    assert!(persona.unwrap().remembers);
    assert_eq!(
        complaints,
        [
            "/person/file.json: memory_module ovos-openai-rag-memory-plugin is not here; the history of the session takes \
          its place"
        ]
    );
}

#[test]
fn each_mistake_at_the_top_is_one_sentence_and_the_persona_stays() {
    let example = "must be {\"role\": \"user\" or \"assistant\", \"content\": a text}; it is passed over";
    let cases = [
        (
            json!({"name": 7}),
            "name must be a text, not 7; it counts as absent".to_owned(),
        ),
        (
            json!({"description": []}),
            "description must be a text, not []; it counts as absent".to_owned(),
        ),
        (
            json!({"lang": 1}),
            "lang must be a text, not 1; it counts as absent".to_owned(),
        ),
        (
            json!({"tags": "maths"}),
            "tags must be a list of texts, not \"maths\"; it counts as absent".to_owned(),
        ),
        (
            json!({"plugin-config": []}),
            "plugin-config must be an object, not []; it counts as absent".to_owned(),
        ),
        (
            json!({"memory_module": 7}),
            "memory_module must be a text or null, not 7; it counts as null".to_owned(),
        ),
        (
            json!({"intents": "no"}),
            "intents must be true or false, not \"no\"; it counts as false".to_owned(),
        ),
        (
            json!({"system_promt": "x"}),
            "system_promt is not used here; did you mean system_prompt?".to_owned(),
        ),
        (
            json!({"plugin_config": {}}),
            "plugin_config is not used here; did you mean plugin-config?".to_owned(),
        ),
        (json!({"toolbox": ["x"]}), "toolbox is not used here".to_owned()),
        (
            json!({"handler": ["x"]}),
            "handler is not used here; did you mean handlers?".to_owned(),
        ),
        (
            json!({"loquat-local-brian": {}}),
            "loquat-local-brian is not used here; did you mean loquat-local-brain?".to_owned(),
        ),
        (
            json!({"ovos-clock-tool": {"lang": "en"}}),
            "ovos-clock-tool is not used here; did you mean ovos-clock-tools?".to_owned(),
        ),
        (
            json!({"examples": {}}),
            "examples must be a list of {\"role\": …, \"content\": …}, not {}; there are none".to_owned(),
        ),
        (json!({"examples": ["hi"]}), format!("examples[0] {example}")),
        (
            json!({"examples": [{"role": "system", "content": "x"}]}),
            format!("examples[0] {example}"),
        ),
        (
            json!({"examples": [{"role": "user"}]}),
            format!("examples[0] {example}"),
        ),
        (
            json!({"budget": {"max_iterations": "few"}}),
            "budget.max_iterations must be a whole number from 1 to 100, not \"few\"; it counts as absent"
                .to_owned(),
        ),
        (
            json!({"budget": {"deadline": 7}}),
            "budget.deadline is not used here".to_owned(),
        ),
        (
            json!({"budget": {"max_token": 7}}),
            "budget.max_token is not used here; did you mean budget.max_tokens?".to_owned(),
        ),
    ];
    for (extra, expected) in cases {
        let (persona, complaints) = read(&with(&extra));
        assert!(persona.is_some(), "{extra}");
        assert_eq!(complaints, [format!("/person/file.json: {expected}")]);
    }
}

#[test]
fn what_may_have_taken_rights_away_is_not_passed_over() {
    let cases = [
        (
            json!({"enabled": "no"}),
            "enabled must be true or false, not \"no\"",
        ),
        (json!({"budget": 7}), "budget must be an object, not 7"),
        (
            json!({"budget": {"max_tokens": 0}}),
            "budget.max_tokens must be a whole number from 1 to 1000000000, not 0",
        ),
        (
            json!({"budget": {"max_cost": "little"}}),
            "budget.max_cost must be a number from 0 to 1000000, not \"little\"",
        ),
    ];
    for (extra, expected) in cases {
        let (persona, complaints) = read(&with(&extra));
        assert!(persona.is_none(), "{extra}");
        assert_eq!(
            complaints,
            [format!("/person/file.json: {expected}; this persona is left out")]
        );
    }
    let (persona, _) = read(&with(&json!({"memory_module": false, "intents": 0})));
    let persona = persona.unwrap();
    assert!(!persona.remembers && !persona.leaves_to_tools);
}

#[test]
fn a_typo_in_the_json_names_line_and_column_and_spares_the_others() {
    let shelf = Shelf::new();
    shelf.write("person/a.json", "{\n  \"name\": \"A\"\n  \"handlers\": []\n}\n");
    shelf.write("person/b.json", "[]");
    shelf.write("person/c.json", "// only a comment\n");
    shelf.write("person/d.json", b"{\"name\": \"\xff\"}");
    shelf.write("person/e.json", with(&json!({})).to_string());
    shelf.write("person/f.json/inside.txt", "a folder");
    let (personas, complaints) = shelf.load();
    let names: Vec<&str> = personas.iter().map(|persona| persona.name.as_str()).collect();
    assert_eq!(names, ["Ada"]);
    assert_eq!(
        complaints,
        [
            "/person/a.json:3:3: not valid JSON: expected `,` or `}`; this persona is left out",
            "/person/b.json: must hold one JSON object, not []; this persona is left out",
            "/person/c.json: the file is empty; this persona is left out",
            "/person/d.json: not UTF-8 text; this persona is left out",
            "/person/f.json: cannot be read: Is a directory (os error 21); this persona is left out",
        ]
    );
}

#[test]
fn all_mistakes_of_a_file_are_told_at_once() {
    let (_, complaints) = read(&json!({
        "name": 1, "tags": 2, "handlers": [7, "nope-b"], "budget": {"x": 1}, "something_else": true,
    }));
    let keys: Vec<&str> = complaints
        .iter()
        .map(|sentence| sentence.split([':', ' ']).nth(2).unwrap())
        .collect();
    assert_eq!(
        keys,
        [
            "name",
            "handlers[0]",
            "handlers[1]",
            "handlers",
            "budget.x",
            "tags",
            "something_else"
        ]
    );
}
