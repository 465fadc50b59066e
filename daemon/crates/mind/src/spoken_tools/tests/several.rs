//! Several wishes in one sentence: each is understood and whole, or none of them.

use loquat_orchestrator::search::ToolIntents;

use super::spoken;

/// What is asked and the tools that are called for it, in their order.
const SEVERAL: &[(&str, &str, &[&str])] = &[
    (
        "en-US",
        "What time is it in Lima, and what time is it in Cairo?",
        &["get_current_datetime", "get_current_datetime"],
    ),
    (
        "en-US",
        "Set a timer for 5 minutes and 30 seconds and tell me what day it is, please",
        &["set_timer", "get_current_datetime"],
    ),
    (
        "en-US",
        "what time is it and then what is the date and what is 3 times 4",
        &[
            "get_current_datetime",
            "get_current_datetime",
            "evaluate_expression",
        ],
    ),
    (
        "en-US",
        "Put bread and butter on my shopping list",
        &["add_to_list"],
    ),
    (
        "en-US",
        "Remind me to buy milk and bread at 5 pm",
        &["set_reminder"],
    ),
    (
        "de-DE",
        "Stell einen Timer auf zehn Minuten und sag mir, wie spät es ist",
        &["set_timer", "get_current_datetime"],
    ),
    (
        "fr-FR",
        "Quelle heure est-il et quel jour sommes-nous ?",
        &["get_current_datetime", "get_current_datetime"],
    ),
    (
        "es-ES",
        "¿Qué hora es y qué hora es en Tokio?",
        &["get_current_datetime", "get_current_datetime"],
    ),
    (
        "pt-PT",
        "Que horas são e que horas são em Tóquio?",
        &["get_current_datetime", "get_current_datetime"],
    ),
    (
        "it-IT",
        "Che ore sono e poi quanto fa tre per quattro?",
        &["get_current_datetime", "evaluate_expression"],
    ),
    (
        "en-US",
        "what is 5 plus 3 and who was Bach",
        &["evaluate_expression", "search_wikipedia"],
    ),
];

#[test]
fn a_sentence_asks_for_several_things() {
    let spoken = spoken();
    let mut wrong = Vec::new();
    for (lang, text, tools) in SEVERAL {
        let found = spoken.recognise(text, lang).map(|found| found.intent_name);
        let wanted = found.and_then(|found| spoken.call(&found, text, lang));
        let called: Vec<String> = wanted
            .iter()
            .flat_map(|wanted| wanted.call.all().map(|call| call.tool.clone()))
            .collect();
        wrong.extend((called != *tools).then_some((text, called)));
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn of_several_wishes_each_is_understood_and_whole() {
    let spoken = spoken();
    for text in [
        "What time is it and open the window",
        "Set a timer and tell me what time it is",
        "What time is it and",
        "and what time is it and what is the date and what day is it and what is 2 plus 2 and what is 3 plus 3",
    ] {
        let found = spoken.recognise(text, "en-US");
        assert_eq!(found, None, "{text}");
    }
}
