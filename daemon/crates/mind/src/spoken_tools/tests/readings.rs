//! A name that a timer and a list have: which of them is meant is asked, and the answer chooses.

use serde_json::json;

use super::*;

/// The sentences, where these have been set and written on lists.
async fn where_there_are(timers: &[&str], lists: &[&str]) -> SpokenTools {
    let spoken = spoken();
    let resources = Resources::volatile(Arc::clone(spoken.locales()));
    let toolboxes = own_toolboxes(&resources);
    let call = async |id: &str, tool: &str, arguments: Value| {
        let toolbox = toolboxes.iter().find(|toolbox| toolbox.id() == id).unwrap();
        let arguments = serde_json::from_value(arguments).unwrap();
        let done = toolbox.call(tool, arguments, &Circumstances::default()).await;
        done.unwrap();
    };
    for name in timers {
        let timer = json!({"duration": "20 minutes", "name": name});
        call("loquat-alert-tools", "set_timer", timer).await;
    }
    for list in lists {
        let item = json!({"items": "salt", "list": list});
        call("loquat-list-tools", "add_to_list", item).await;
    }
    resources.name_to(spoken.things());
    spoken
}

fn wanted(spoken: &SpokenTools, text: &str, lang: &str) -> Option<crate::spoken_tools::Wanted> {
    let found = spoken.recognise(text, lang)?;
    spoken.call(&found.intent_name, text, lang)
}

#[tokio::test]
async fn a_timer_and_a_list_of_one_name_are_asked_about_in_six_languages() {
    let spoken = where_there_are(&["pasta"], &["pasta list"]).await;
    for (lang, text, timer, list) in [
        ("en-US", "delete the pasta", "pasta (timer)", "pasta (list)"),
        ("de-DE", "lösche pasta", "pasta (Timer)", "pasta (Liste)"),
        ("fr-FR", "supprime pasta", "pasta (minuteur)", "pasta (liste)"),
        ("es-ES", "borra pasta", "pasta (temporizador)", "pasta (lista)"),
        ("it-IT", "cancella pasta", "pasta (timer)", "pasta (lista)"),
        ("pt-PT", "apaga pasta", "pasta (temporizador)", "pasta (lista)"),
    ] {
        let wanted = wanted(&spoken, text, lang).expect(text);
        let meanings = wanted.meanings();
        assert_eq!(meanings, [timer, list], "{text}");
        let word = |told: &str| told.replace("pasta (", "").replace(')', "");
        let tool = |said: &str| {
            let chosen = spoken.chosen(&wanted, &meanings, said, lang)?;
            assert!(chosen.meanings().is_empty(), "it is chosen");
            Some(chosen.call.tool)
        };
        assert_eq!(tool(&word(timer)).as_deref(), Some("cancel_alert"), "{lang}");
        assert_eq!(tool(&word(list)).as_deref(), Some("clear_list"), "{lang}");
        assert_eq!(tool("xyzzy"), None, "{lang}");
    }
    let wanted = wanted(&spoken, "delete pasta", "en-US").unwrap();
    let meanings = wanted.meanings();
    let answered = |said: &str| spoken.chosen(&wanted, &meanings, said, "en-US").unwrap();
    assert_eq!(answered("the second one").call.tool, "clear_list");
    assert_eq!(answered("the last").call.tool, "clear_list");
    let both = answered("both").call;
    let tools: Vec<&str> = both.all().map(|call| call.tool.as_str()).collect();
    assert_eq!(tools, ["cancel_alert", "clear_list"]);
}

#[tokio::test]
async fn what_only_one_thing_is_called_is_not_asked_about() {
    for (timers, lists, text, tool) in [
        (&["pasta"][..], &[][..], "cancel the pasta", "cancel_alert"),
        (&["pasta"], &[], "delete pasta", "cancel_alert"),
        (&["pasta"], &[], "pause the pasta", "pause_timer"),
        (&[], &["pasta list"], "clear pasta", "clear_list"),
        (&["pasta"], &["pasta list"], "cancel the pasta", "cancel_alert"),
        (
            &["pasta"],
            &["pasta list"],
            "cancel the pasta timer",
            "cancel_alert",
        ),
        (&["pasta"], &["pasta list"], "clear the pasta list", "clear_list"),
        (&["pasta"], &["pasta list"], "what is on pasta", "read_list"),
    ] {
        let spoken = where_there_are(timers, lists).await;
        let wanted = wanted(&spoken, text, "en-US").expect(text);
        assert_eq!(wanted.call.tool, tool, "{text}");
        assert!(wanted.meanings().is_empty(), "{text}: {:?}", wanted.meanings());
    }
}

#[tokio::test]
async fn what_nothing_is_called_is_for_others() {
    let spoken = where_there_are(&["egg"], &["garden list"]).await;
    for text in [
        "cancel pasta",
        "delete my subscription",
        "pause the world",
        "read war and peace",
    ] {
        assert_eq!(spoken.recognise(text, "en-US"), None, "{text}");
    }
}
