//! Toolboxes: ours, those of other programs, and how far those are trusted.

use std::time::Duration;

use loquat_agent::toolbox::{CacheScope, Category, Confirm};
use serde_json::{Value, json};

use super::{Shelf, quiet, read};
use crate::{Known, PERSONA_TOOLS, SKILL_TOOLS, ToolboxChoice, Trust};

fn file(toolboxes: &Value, settings: &Value) -> Value {
    let mut engine = json!({"brain": "loquat-local-brain", "toolboxes": toolboxes});
    for (key, value) in settings.as_object().unwrap() {
        engine[key] = value.clone();
    }
    json!({"handlers": ["ovos-react-loop"], "ovos-react-loop": engine})
}

fn toolboxes(file: &Value) -> Vec<ToolboxChoice> {
    quiet(file).handlers[0].toolboxes.clone()
}

#[test]
fn our_own_get_their_settings() {
    let boxes = toolboxes(&file(
        &json!(["ovos-math-tools"]),
        &json!({"ovos-math-tools": {"digits": 3}}),
    ));
    assert_eq!(
        (&boxes[0].on_bus, &boxes[0].settings["digits"]),
        (&None, &json!(3))
    );
}

#[test]
fn those_on_the_bus_get_trust() {
    let cases = [
        (json!({}), Trust::default()),
        (json!({"trust": "dangerous"}), Trust::default()),
        (
            json!({"confirm": "pin"}),
            Trust {
                confirm: Some(Confirm::Pin),
                ..Trust::default()
            },
        ),
        (
            json!({"trust": "safe", "read_only": true, "timeout_seconds": 2.5, "progress_phrase": "Looking outside"}),
            Trust {
                category: Category::Safe,
                read_only: true,
                timeout: Some(Duration::from_millis(2500)),
                progress_phrase: Some("Looking outside".to_owned()),
                ..Trust::default()
            },
        ),
        (
            json!({"trust": "terminal", "retries": 0, "cache_seconds": 600, "cache_scope": "device", "may_end_turn": true}),
            Trust {
                category: Category::Terminal,
                retries: 0,
                cache: Duration::from_mins(10),
                cache_scope: CacheScope::Device,
                may_end_turn: true,
                ..Trust::default()
            },
        ),
    ];
    for (settings, expected) in cases {
        let inner = file(
            &json!(["ovos-weather-tools"]),
            &json!({"ovos-weather-tools": settings}),
        );
        let mut outer = file(&json!(["ovos-weather-tools"]), &json!({}));
        outer["ovos-weather-tools"] = settings.clone();
        for file in [inner, outer] {
            assert_eq!(toolboxes(&file)[0].on_bus, Some(expected.clone()), "{settings}");
        }
    }
}

#[test]
fn no_toolboxes_are_none() {
    for none in [json!([]), json!(null)] {
        assert!(toolboxes(&file(&none, &json!({}))).is_empty());
    }
}

#[test]
fn one_that_nothing_is_said_about_is_looked_for_on_the_bus() {
    let (persona, complaints) = read(&file(&json!(["ovos-weather-tools"]), &json!({})));
    let toolbox = &persona.unwrap().handlers[0].toolboxes[0];
    assert_eq!(toolbox.on_bus, Some(Trust::default()));
    assert_eq!(
        complaints,
        [
            "/person/file.json: ovos-react-loop.toolboxes: ovos-weather-tools is no toolbox of Loquat's own \
          (ovos-clock-tools and ovos-math-tools); it is looked for on the bus, and its tools are dangerous unless \
          \"ovos-weather-tools\": {\"trust\": \"safe\"} says otherwise"
        ]
    );
}

#[test]
fn a_mistake_that_grants_nothing_is_one_sentence() {
    let boxes = "ovos-react-loop.toolboxes";
    let weather = |settings: Value| file(&json!(["weather"]), &json!({"weather": settings}));
    let absent = "; it counts as absent";
    let cases = [
        (file(&json!("ovos-math-tools"), &json!({})), format!("{boxes} must be a list of texts, not \"ovos-math-tools\"; there are none")),
        (file(&json!([7]), &json!({})), format!("{boxes} must be a list of texts; 7 is passed over")),
        (
            file(&json!(["ovos-maths-tools"]), &json!({})),
            format!(
                "{boxes}: ovos-maths-tools is no toolbox of Loquat's own (ovos-clock-tools and ovos-math-tools); it is \
                 looked for on the bus, and its tools are dangerous unless \"ovos-maths-tools\": {{\"trust\": \"safe\"}} \
                 says otherwise; did you mean ovos-math-tools?"
            ),
        ),
        (weather(json!({"trust": "blind"})), "ovos-react-loop.weather.trust must be \"safe\", \"terminal\" or \"dangerous\", not \"blind\"; it counts as dangerous".to_owned()),
        (weather(json!({"trust": true})), format!("ovos-react-loop.weather.trust must be a text, not true{absent}")),
        (weather(json!({"read_olny": true})), "ovos-react-loop.weather.read_olny is not used here; did you mean ovos-react-loop.weather.read_only?".to_owned()),
        (weather(json!({"timeout_seconds": 0})), format!("ovos-react-loop.weather.timeout_seconds must be a number from 0.1 to 3600, not 0{absent}")),
    ];
    for (file, expected) in cases {
        let (persona, complaints) = read(&file);
        assert_eq!(complaints, [format!("/person/file.json: {expected}")]);
        let granted = &persona.unwrap().handlers[0].toolboxes;
        let is_careful = |toolbox: &ToolboxChoice| toolbox.on_bus == Some(Trust::default());
        assert!(granted.iter().all(is_careful), "{granted:?}");
    }
}

#[test]
fn a_mistake_in_what_asks_first_is_no_persona() {
    let weather = |settings: Value| file(&json!(["weather"]), &json!({"weather": settings}));
    let math = |settings: Value| file(&json!(["ovos-math-tools"]), &json!({"ovos-math-tools": settings}));
    for (file, expected) in [
        (
            weather(json!({"confirm": "never"})),
            "weather.confirm must not be \"never\" for dangerous tools; if they can do no harm, add \"trust\": \"safe\"",
        ),
        (
            weather(json!({"trust": "safe", "confirm": "sometimes"})),
            "weather.confirm must be one of never, ask and pin, not \"sometimes\"",
        ),
        (
            weather(json!({"trust": "safe", "tools": ["put"]})),
            "weather.tools must be an object, not [\"put\"]",
        ),
        (weather(json!(true)), "weather must be an object, not true"),
        (
            math(json!("ask")),
            "ovos-math-tools must be an object, not \"ask\"",
        ),
        (
            math(json!({"confirm": true})),
            "ovos-math-tools.confirm must be one of ask and pin, not true",
        ),
        (
            math(json!({"tools": {"add": {"confrim": "ask"}}})),
            "ovos-math-tools.tools.add.confrim is no setting; did you mean ovos-react-loop.ovos-math-tools.tools.add.confirm?",
        ),
    ] {
        let (persona, complaints) = read(&file);
        assert!(persona.is_none());
        assert_eq!(
            complaints,
            [format!(
                "/person/file.json: ovos-react-loop.{expected}; this persona is left out"
            )]
        );
    }
}

#[test]
fn what_asks_first_does_so_under_almost_its_name() {
    let misspelt = file(
        &json!(["ovos-math-tools"]),
        &json!({"ovos-math-tools": {"confrim": "ask"}}),
    );
    let (persona, complaints) = read(&misspelt);
    assert_eq!(
        persona.unwrap().handlers[0].toolboxes[0].caution.confirm,
        Some(Confirm::Ask)
    );
    assert_eq!(
        complaints,
        [
            "/person/file.json: ovos-react-loop.ovos-math-tools.confrim is read as ovos-react-loop.ovos-math-tools.confirm, \
          since it takes rights away"
        ]
    );
    let lifted = file(
        &json!(["weather"]),
        &json!({"weather": {"trust": "safe", "confrim": "pin"}}),
    );
    let (persona, _) = read(&lifted);
    let trust = persona.unwrap().handlers[0].toolboxes[0].on_bus.clone().unwrap();
    assert_eq!(trust.confirm, Some(Confirm::Pin));
}

#[test]
fn settings_cannot_be_handed_to_another_program() {
    let (persona, complaints) = read(&file(
        &json!(["weather"]),
        &json!({"weather": {"appid": "secret", "trust": "safe"}}),
    ));
    let persona = persona.unwrap();
    assert!(persona.handlers[0].toolboxes[0].settings.is_empty());
    assert_eq!(
        complaints,
        ["/person/file.json: ovos-react-loop.weather.appid is not used here"]
    );
    assert!(!format!("{persona:?}").contains("secret"));
}

#[test]
fn single_tools_of_a_trusted_box_are_told_what_they_can_do() {
    let tools = json!({
        "back_up": {"async": true, "timeout_seconds": 3600},
        "put": {"undo": {"tool": "take", "arguments": {"id": "result.entry"}}, "confirm": "pin"},
        "tell": {"streams": true, "may_end_turn": true, "undo": "take"},
    });
    let peer = json!({"peer-tools": {"trust": "safe", "tools": tools}});
    let boxes = toolboxes(&file(&json!(["peer-tools"]), &peer));
    let trust = boxes[0].on_bus.clone().unwrap();
    let tool = |name: &str| trust.tools[name].clone();
    assert!(tool("back_up").goes_on && tool("back_up").timeout == Some(Duration::from_hours(1)));
    assert_eq!(
        (tool("put").confirm, tool("put").undo.unwrap().arguments.len()),
        (Some(Confirm::Pin), 1)
    );
    assert!(tool("tell").streams && tool("tell").may_end_turn);
    assert_eq!(tool("tell").undo.unwrap().tool, "take");
}

#[test]
fn our_own_tools_may_only_ask_more() {
    let list =
        json!({"ovos-math-tools": {"confirm": "ask", "tools": {"solve_equation": {"confirm": "pin"}}}});
    let boxes = toolboxes(&file(&json!(["ovos-math-tools"]), &list));
    assert_eq!(boxes[0].caution.confirm, Some(Confirm::Ask));
    assert_eq!(
        boxes[0].caution.tools["solve_equation"].confirm,
        Some(Confirm::Pin)
    );
    assert!(boxes[0].settings.is_empty(), "the rest is for the toolbox");
}

#[test]
fn what_cannot_be_said_of_a_tool_is_refused_with_its_place() {
    for (id, settings, told) in [
        (
            "peer-tools",
            json!({"tools": {"put": {"undo": "take"}}}),
            "peer-tools.tools.put.undo needs a toolbox that is trusted",
        ),
        (
            "peer-tools",
            json!({"trust": "terminal", "tools": {"put": {"async": true}}}),
            "peer-tools.tools.put.async cannot be",
        ),
        (
            "peer-tools",
            json!({"trust": "safe", "tools": {"put": {"undo": 7}}}),
            "peer-tools.tools.put.undo must be the name",
        ),
        (
            "peer-tools",
            json!({"trust": "safe", "tools": {"put": true}}),
            "peer-tools.tools.put must be an object",
        ),
        (
            "peer-tools",
            json!({"tools": {"put": {"confirm": "never"}}}),
            "peer-tools.tools.put.confirm must not be",
        ),
        (
            "ovos-math-tools",
            json!({"confirm": "never"}),
            "ovos-math-tools.confirm must be one of",
        ),
        (
            "ovos-math-tools",
            json!({"tools": {"solve_equation": {"undo": "x"}}}),
            "undo",
        ),
    ] {
        let (_, complaints) = read(&file(&json!([id]), &json!({id: settings})));
        assert!(
            complaints.iter().any(|complaint| complaint.contains(told)),
            "{told}: {complaints:?}"
        );
    }
}

/// Knows toolboxes of every kind.
fn of_every_kind() -> Known {
    let toolboxes = [
        "ovos-clock-tools",
        "ovos-shell-tools",
        "mcp-notes",
        SKILL_TOOLS,
        PERSONA_TOOLS,
    ];
    Known::new(&["ovos-react-loop"], &[], &toolboxes).with_set_up(&["ovos-shell-tools"])
}

fn chosen(toolboxes: &Value, settings: &Value) -> (Vec<String>, bool, Vec<String>) {
    let shelf = Shelf::new();
    shelf.write("person/file.json", file(toolboxes, settings).to_string());
    let (personas, complaints) = shelf.load_knowing(&of_every_kind());
    let handlers = personas.iter().flat_map(|persona| &persona.handlers);
    let handlers: Vec<_> = handlers.collect();
    let ids = handlers.iter().flat_map(|handler| &handler.toolboxes);
    let ids = ids.map(|toolbox| toolbox.id.clone()).collect();
    (ids, handlers.iter().any(|handler| handler.has_all), complaints)
}

#[test]
fn one_word_stands_for_every_toolbox_that_needs_no_settings() {
    let usual = ["ovos-clock-tools", "mcp-notes", SKILL_TOOLS].map(str::to_owned);
    for all in [json!("all"), json!(["all"]), json!(["ovos-clock-tools", "all"])] {
        assert_eq!(chosen(&all, &json!({})), (usual.to_vec(), true, Vec::new()));
    }
    let set_up =
        json!({"ovos-shell-tools": {"allowed_commands": ["uptime"]}, PERSONA_TOOLS: {"personas": ["Scout"]}});
    let (ids, ..) = chosen(&json!("all"), &set_up);
    let with_both = [
        "ovos-clock-tools",
        "ovos-shell-tools",
        "mcp-notes",
        SKILL_TOOLS,
        PERSONA_TOOLS,
    ];
    assert_eq!(ids, with_both);
    let (ids, has_all, _) = chosen(&json!(["ovos-shell-tools"]), &json!({}));
    assert_eq!(
        (ids, has_all),
        (vec!["ovos-shell-tools".to_owned()], false),
        "it is named"
    );
}

#[test]
fn every_skill_is_among_all_of_them_and_none_is_trusted() {
    let shelf = Shelf::new();
    shelf.write("person/file.json", file(&json!("all"), &json!({})).to_string());
    let (personas, _) = shelf.load_knowing(&of_every_kind());
    let persona = personas.iter().next().unwrap();
    let mut skills = persona.handlers[0]
        .toolboxes
        .iter()
        .filter_map(|toolbox| toolbox.skills.as_ref());
    assert_eq!(
        skills.next().unwrap().trust("skill-kettle", "on"),
        Some(&Trust::default())
    );
    let of_one = json!({SKILL_TOOLS: {"skills": {"skill-kettle": {"trust": "safe"}}}});
    shelf.write("person/file.json", file(&json!("all"), &of_one).to_string());
    let (personas, _) = shelf.load_knowing(&of_every_kind());
    let persona = personas.iter().next().unwrap();
    let mut skills = persona.handlers[0]
        .toolboxes
        .iter()
        .filter_map(|toolbox| toolbox.skills.as_ref());
    assert_eq!(
        skills.next().unwrap().trust("skill-door", "unlock"),
        None,
        "one was named"
    );
}

#[test]
fn a_word_that_is_almost_all_is_refused() {
    for word in ["al", "All", "alle"] {
        let (ids, _, complaints) = chosen(&json!(word), &json!({}));
        assert!(ids.is_empty());
        assert_eq!(
            complaints,
            [format!(
                "/person/file.json: ovos-react-loop.toolboxes must be a list of texts or \"all\", not \"{word}\"; this persona is left out"
            )]
        );
    }
}
