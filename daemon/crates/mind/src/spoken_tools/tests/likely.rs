//! Wishes in other words than those of most sentences, and among which tools the right one is found.

use loquat_agent::turn::Likely;

use super::*;

/// A brain is shown no more of them.
const SHOWN: usize = 16;

/// What is said, in which language, and which tool it is for.
const SAID: &[(&str, &str, &str)] = &[
    (
        "en-US",
        "ping me once the rice has had its twelve minutes",
        "set_timer",
    ),
    ("en-US", "get me up at a quarter to six on Thursday", "set_alarm"),
    ("en-US", "are there alarms of mine still waiting", "list_alerts"),
    ("en-US", "that timer of mine, I want it gone", "cancel_alert"),
    ("en-US", "let the timer wait a bit", "pause_timer"),
    (
        "en-US",
        "jot down flour and yeast for when I go to the shop",
        "add_to_list",
    ),
    (
        "en-US",
        "flour is in the house already, so scratch it off the list",
        "remove_from_list",
    ),
    (
        "en-US",
        "do I have to bring anything from the grocery store",
        "read_list",
    ),
    (
        "en-US",
        "you should know that my blood type is zero negative",
        "remember",
    ),
    (
        "en-US",
        "is it going to be wet in Bergen on Monday",
        "will_it_rain",
    ),
    ("en-US", "will I freeze without a scarf", "dress_for_weather"),
    ("en-US", "I can hardly hear you, more volume", "change_volume"),
    ("en-US", "skip that track", "control_player"),
    ("en-US", "which band is that on the player", "what_is_playing"),
    ("en-US", "is the battery nearly empty", "get_battery"),
    (
        "en-US",
        "pair up with the speaker over bluetooth",
        "connect_bluetooth",
    ),
    ("en-US", "express 40 miles in kilometres for me", "unit_convert"),
    ("en-US", "throw two dice for our game", "roll_dice"),
    (
        "en-US",
        "the letters of accommodate one after the other",
        "spell_word",
    ),
    ("en-US", "look on the web for cheap tents", "web_search"),
    (
        "de-DE",
        "gib mir in zwölf Minuten Bescheid, dann ist der Reis gar",
        "set_timer",
    ),
    ("de-DE", "sind noch Wecker von mir gestellt", "list_alerts"),
    (
        "de-DE",
        "Mehl und Hefe fehlen, merk das für den Einkauf",
        "add_to_list",
    ),
    ("de-DE", "wird es in Bergen am Montag nass", "will_it_rain"),
    (
        "fr-FR",
        "il manque de la farine, note-la sur la liste",
        "add_to_list",
    ),
    ("fr-FR", "le minuteur, je n'en veux plus", "cancel_alert"),
    ("es-ES", "falta harina, apúntala en la lista", "add_to_list"),
    ("es-ES", "¿queda alguna alarma puesta?", "list_alerts"),
    ("it-IT", "manca la farina, segnala sulla lista", "add_to_list"),
    ("it-IT", "c'è ancora qualche sveglia impostata?", "list_alerts"),
    ("pt-PT", "falta farinha, aponta isso na lista", "add_to_list"),
    ("pt-PT", "ainda há algum alarme marcado?", "list_alerts"),
];

/// What is meant is sure, or what is said is for no tool at all.
const SURE: &[(&str, bool)] = &[
    ("are any timers on", true),
    ("how loud is the volume", true),
    ("how are you", false),
    ("who are you", false),
    ("what did the Romans eat", false),
    ("is there life on Mars", false),
];

fn likely(spoken: &SpokenTools, text: &str, lang: &str) -> Vec<Likely> {
    let toolboxes = own_toolboxes(&Resources::volatile(Arc::clone(spoken.locales())));
    spoken.likely(text, lang, &toolboxes)
}

#[test]
fn nearly_every_wish_in_other_words_has_its_tool_among_the_first() {
    let spoken = spoken();
    let missed = SAID.iter().filter_map(|(lang, said, tool)| {
        let likely = likely(&spoken, said, lang);
        let first: Vec<&str> = likely
            .iter()
            .map(|likely| likely.tool.as_str())
            .take(SHOWN)
            .collect();
        (!first.contains(tool)).then(|| format!("{said}: {tool} is not among {first:?}"))
    });
    let missed: Vec<String> = missed.collect();
    assert!(missed.len() * 10 <= SAID.len(), "{missed:#?}");
}

#[test]
fn chat_makes_sure_of_no_tool() {
    let spoken = spoken();
    for (said, is_sure) in SURE {
        let likely = likely(&spoken, said, "en-US");
        assert_eq!(likely[0].is_sure, *is_sure, "{said}: {:?}", likely[0]);
    }
}

#[test]
fn what_no_brain_may_call_is_not_among_them() {
    let spoken = spoken();
    for said in [
        "when does the sun set",
        "make what is remembered what it was",
        "do that later",
    ] {
        for likely in likely(&spoken, said, "en-US") {
            assert!(!["weather_detail", "restore_memory", "foresee_deed"].contains(&likely.tool.as_str()));
        }
    }
}

/// What is said, for which argument of which tool, and the words that say it.
const MEASURES: &[(&str, &str, &str, &str, &[&str])] = &[
    (
        "en-US",
        "ring after 25 minutes, the bread is in",
        "set_timer",
        "duration",
        &["25 minutes"],
    ),
    ("en-US", "is the bread ready", "set_timer", "duration", &[]),
    (
        "en-US",
        "get me up by a quarter past six on Friday",
        "set_alarm",
        "time",
        &["by a quarter past six"],
    ),
    (
        "en-US",
        "get me up by a quarter past six on Friday",
        "set_alarm",
        "date",
        &["on Friday"],
    ),
    (
        "en-US",
        "the plants want water at five this evening",
        "set_reminder",
        "time",
        &["at five"],
    ),
    (
        "en-US",
        "the plants want water at five this evening",
        "set_reminder",
        "date",
        &["this evening"],
    ),
    (
        "en-US",
        "three minutes more for the eggs would be good",
        "change_alert",
        "by",
        &["three minutes"],
    ),
    (
        "de-DE",
        "in zwanzig Minuten muss die Wäsche raus",
        "set_reminder",
        "time",
        &["zwanzig Minuten"],
    ),
    (
        "de-DE",
        "übermorgen um halb sieben muss ich raus",
        "set_alarm",
        "time",
        &["um halb sieben"],
    ),
    (
        "de-DE",
        "übermorgen um halb sieben muss ich raus",
        "set_alarm",
        "date",
        &["übermorgen"],
    ),
    (
        "fr-FR",
        "compte dix minutes pour le riz",
        "set_timer",
        "duration",
        &["dix minutes"],
    ),
    (
        "es-ES",
        "mañana a las ocho tengo que estar en pie",
        "set_alarm",
        "date",
        &["mañana"],
    ),
    (
        "it-IT",
        "fra mezz'ora bisogna girare l'arrosto",
        "set_timer",
        "duration",
        &["mezz'ora"],
    ),
    (
        "pt-PT",
        "daqui a 15 minutos tira o bolo",
        "set_timer",
        "duration",
        &["15 minutos"],
    ),
    (
        "en-US",
        "every evening at nine I have to take a pill, tell me then",
        "set_reminder",
        "repeat",
        &["every evening"],
    ),
    (
        "en-US",
        "the bins go out every tuesday at seven, remind me",
        "set_reminder",
        "repeat",
        &["every tuesday"],
    ),
    (
        "en-US",
        "I water the plants on weekdays at eight",
        "set_reminder",
        "repeat",
        &["on weekdays"],
    ),
    (
        "de-DE",
        "jeden abend um neun muss ich eine tablette nehmen",
        "set_reminder",
        "repeat",
        &["jeden abend"],
    ),
    (
        "fr-FR",
        "tous les soirs à neuf heures je prends un cachet",
        "set_reminder",
        "repeat",
        &["tous les soirs"],
    ),
    (
        "es-ES",
        "todas las noches a las nueve tomo una pastilla",
        "set_reminder",
        "repeat",
        &["todas las noches"],
    ),
    (
        "it-IT",
        "ogni sera alle nove prendo una pastiglia",
        "set_reminder",
        "repeat",
        &["ogni sera"],
    ),
    (
        "pt-PT",
        "todas as noites às nove tomo um comprimido",
        "set_reminder",
        "repeat",
        &["todas as noites"],
    ),
];

#[test]
fn times_and_lengths_are_found_among_other_words() {
    let spoken = spoken();
    for (lang, said, tool, argument, words) in MEASURES {
        let all = spoken.intents.measures_in(said, lang, |_, _| true);
        let of_tool = all
            .iter()
            .find(|((_, name), _)| name == tool)
            .map(|(_, arguments)| arguments);
        let found = of_tool.and_then(|arguments| arguments.get(*argument));
        let found: Option<Vec<&str>> = found.map(|found| found.iter().map(String::as_str).collect());
        assert_eq!(found.as_deref(), Some(*words), "{lang}: {said}: {of_tool:?}");
    }
}
