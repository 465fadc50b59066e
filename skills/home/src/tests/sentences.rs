//! Sentences without a home: which of them are understood, and as what. What a home would know of its rooms and lamps is read
//! from a few words here.

use loquat_kit::Skill;
use loquat_kit::intent::{InLanguage, Intent, Slot, Unsaid, slot};
use loquat_trial::{heard, heard_among};
use serde_json::{Value, json};

use crate::names::{CONTROL, READ, SET};
use crate::{SENSORS, SHINING, STATE, THINGS};

/// All intents, of which those whose gaps need a home are never meant.
const TRIED: Skill = Skill {
    needs_home: false,
    ..crate::SKILL
};

/// Some intents with gaps for the rooms and lamps below, each telling what it is.
const OF_ROOMS: &[Intent] = &[
    Intent::new("brighter_room", SET)
        .slots(&[ROOM])
        .unsaid(&[("is", Unsaid::Words("brighter"))]),
    Intent::new("dimmer_room", SET)
        .slots(&[ROOM])
        .unsaid(&[("is", Unsaid::Words("dimmer"))]),
    Intent::new("humidity", READ)
        .slots(&[ROOM])
        .unsaid(&[("is", Unsaid::Words("humidity"))]),
    Intent::new("is_state", READ)
        .slots(&[LAMP, ROOM, STATE, SENSORS, SHINING])
        .unsaid(&[("is", Unsaid::Words("one"))]),
    Intent::new("any_state", READ)
        .slots(&[THINGS, SENSORS, STATE, SHINING, ROOM])
        .unsaid(&[("is", Unsaid::Words("any"))]),
    Intent::new("all_state", READ)
        .slots(&[THINGS, SENSORS, STATE, SHINING, ROOM])
        .unsaid(&[("is", Unsaid::Words("all"))]),
    Intent::new("which_state", READ)
        .slots(&[THINGS, SENSORS, STATE, SHINING, ROOM])
        .unsaid(&[("is", Unsaid::Words("which"))]),
    Intent::new("how_many_state", READ)
        .slots(&[THINGS, SENSORS, STATE, SHINING, ROOM])
        .unsaid(&[("is", Unsaid::Words("how many"))]),
];

const IN_ROOMS: Skill = Skill {
    needs_home: false,
    intents: OF_ROOMS,
    ..crate::SKILL
};

const ROOM: Slot = slot("area", room);
const LAMP: Slot = slot("thing", lamp);

fn room(said: &str, _: &InLanguage<'_>) -> Option<Value> {
    const ROOMS: [&str; 7] = [
        "bad",
        "cocina",
        "cozinha",
        "cucina",
        "kitchen",
        "kuche",
        "the kitchen",
    ];
    named(said, &ROOMS)
}

fn lamp(said: &str, _: &InLanguage<'_>) -> Option<Value> {
    const LAMPS: [&str; 5] = [
        "das licht",
        "die stehlampe",
        "la lampara",
        "o candeeiro",
        "stehlampe",
    ];
    named(said, &LAMPS)
}

fn named(said: &str, names: &[&str]) -> Option<Value> {
    let is_it = names.contains(&loquat_kit::folded(said).as_str());
    is_it.then(|| Value::from(said))
}

/// The tool and the arguments of what is understood.
fn understood(lang: &str, text: &str) -> Option<(String, Value)> {
    let call = heard(&[&TRIED], text, lang)?;
    Some((call.tool, Value::Object(call.arguments)))
}

/// What is understood of rooms and lamps.
fn kind(lang: &str, text: &str) -> Option<String> {
    let call = heard(&[&IN_ROOMS], text, lang)?;
    Some(call.arguments.get("is")?.as_str()?.to_owned())
}

#[test]
fn a_step_of_warmth_means_what_was_spoken_of_rather_than_what_is_near() {
    for (lang, text, by) in [
        ("en-us", "three degrees colder", -3.0),
        ("en-us", "turn it up four degrees", 4.0),
        ("de-de", "um drei Grad kühler", -3.0),
        ("de-de", "noch vier Grad mehr", 4.0),
        ("fr-fr", "trois degrés de plus", 3.0),
        ("es-es", "cuatro grados menos", -4.0),
        ("it-it", "quattro gradi in più", 4.0),
        ("pt-pt", "mais três graus", 3.0),
    ] {
        let behind = json!({"of_last": true, "temperature_change": by});
        assert_eq!(understood(lang, text), Some((SET.to_owned(), behind)), "{text}");
        let alone = heard_among(&[&TRIED], text, lang, |intent| !intent.ends_with("_it"));
        let alone = alone.map(|call| Value::Object(call.arguments));
        let near = json!({"kind": "climate", "temperature_change": by});
        assert_eq!(alone, Some(near), "{text}");
    }
}

#[test]
fn a_number_is_a_temperature_only_with_the_word_for_it() {
    for (lang, text, set) in [
        (
            "en-us",
            "turn it back to 19 degrees",
            json!({"temperature": 19.0}),
        ),
        ("en-us", "make it 23 degrees", json!({"temperature": 23.0})),
        ("en-us", "bring it down to 35", json!({"level": 35.0})),
        (
            "de-de",
            "stell sie wieder auf 19 Grad",
            json!({"temperature": 19.0}),
        ),
        ("de-de", "dreh sie zurück auf 35", json!({"level": 35.0})),
        ("fr-fr", "règle-le à 19 degrés", json!({"temperature": 19.0})),
        ("fr-fr", "remets-la sur 35", json!({"level": 35.0})),
        ("es-es", "ponlo a 19 grados", json!({"temperature": 19.0})),
        ("es-es", "súbela a 35", json!({"level": 35.0})),
        ("it-it", "impostalo a 19 gradi", json!({"temperature": 19.0})),
        ("it-it", "rimettila a 35", json!({"level": 35.0})),
        ("pt-pt", "põe-no a 19 graus", json!({"temperature": 19.0})),
        ("pt-pt", "coloca-a a 35", json!({"level": 35.0})),
    ] {
        assert_eq!(understood(lang, text), Some((SET.to_owned(), set)), "{text}");
    }
    for text in ["make it 35", "set the heating 12 degrees", "heating 3 degrees"] {
        assert_eq!(understood("en-us", text), None, "{text}");
    }
}

#[test]
fn what_was_spoken_of_is_switched_and_asked_about_by_a_few_words() {
    let asked = |state: &str| json!({"question": "is", "state": state});
    for (lang, text, tool, arguments) in [
        ("de-de", "wieder ein", CONTROL, json!({"action": "on"})),
        ("de-de", "an", CONTROL, json!({"action": "on"})),
        ("de-de", "wieder aus", CONTROL, json!({"action": "off"})),
        ("de-de", "leuchtet sie noch", READ, asked("leuchtet")),
        ("es-es", "¿Sigue encendido?", READ, asked("encendido")),
        ("es-es", "siguen abiertas todavía", READ, asked("abiertas")),
        ("pt-pt", "continua acesa", READ, asked("acesa")),
    ] {
        let call = Some((tool.to_owned(), arguments));
        assert_eq!(understood(lang, text), call, "{text}");
    }
    assert_eq!(understood("es-es", "sigue está encendido"), None);
}

#[test]
fn lights_are_turned_one_way_and_only_where_it_is_too_bright_or_too_dark() {
    for (lang, text, is) in [
        ("en-us", "bring up the lights a touch", Some("brighter")),
        ("en-us", "put the lights up in the kitchen", Some("brighter")),
        ("en-us", "turn down the lighting in the kitchen", Some("dimmer")),
        ("en-us", "bring the lights in the kitchen", None),
        ("es-es", "hay todavía demasiada luz en la cocina", Some("dimmer")),
        ("es-es", "hay mucha luz en la cocina", None),
        ("es-es", "está muy oscuro en la cocina", None),
        ("es-es", "un poco más de luz en la cocina", Some("brighter")),
        ("es-es", "luz en la cocina", None),
        ("it-it", "c'è ancora troppa luce in cucina", Some("dimmer")),
        ("it-it", "c'è molta luce in cucina", None),
        ("it-it", "è molto buio in cucina", None),
        ("pt-pt", "há ainda demasiada luz na cozinha", Some("dimmer")),
        ("pt-pt", "há muita luz na cozinha", None),
        ("pt-pt", "há muito pouca luz na cozinha", Some("brighter")),
    ] {
        assert_eq!(kind(lang, text).as_deref(), is, "{text}");
    }
}

#[test]
fn what_was_spoken_of_runs_faster_or_slower() {
    for (lang, text, change) in [
        ("en-us", "a bit slower", Some("down")),
        ("en-us", "that's way too fast", Some("down")),
        ("en-us", "another notch up", Some("up")),
        ("en-us", "slower than a snail", None),
        ("en-us", "not that fast food again", None),
        ("de-de", "mach ihn etwas langsamer", Some("down")),
        ("de-de", "nicht ganz so schnell", Some("down")),
        ("de-de", "noch eine Stufe höher", Some("up")),
        ("de-de", "nicht so schnell wie gestern", None),
        ("fr-fr", "un peu moins vite", Some("down")),
        ("fr-fr", "c'est encore trop lent", Some("up")),
        ("fr-fr", "plus vite que moi", None),
        ("es-es", "no tan deprisa", Some("down")),
        ("es-es", "un poco más rápido", Some("up")),
        ("es-es", "más rápido que tú", None),
        ("it-it", "troppo veloce", Some("down")),
        ("it-it", "ancora più veloce", Some("up")),
        ("it-it", "più veloce di me", None),
        ("pt-pt", "mais devagar", Some("down")),
        ("pt-pt", "ainda demasiado lenta", Some("up")),
        ("pt-pt", "mais rápido do que eu", None),
    ] {
        let set = change.map(|change| (SET.to_owned(), json!({"level_change": change})));
        assert_eq!(understood(lang, text), set, "{text}");
    }
}

#[test]
fn questions_may_begin_with_a_verb_for_the_state() {
    for (lang, text, is) in [
        ("de-de", "leuchtet die Stehlampe noch", Some("one")),
        ("de-de", "brennt das Licht im Bad", Some("one")),
        ("de-de", "brennt noch die Stehlampe", Some("one")),
        ("de-de", "schau mal ob das Licht im Bad noch brennt", Some("one")),
        ("de-de", "brennen noch Lampen in der Küche", Some("any")),
        ("de-de", "brennt irgendwo noch Licht", Some("any")),
        ("de-de", "leuchten alle Lampen im Bad", Some("all")),
        ("de-de", "welche Lichter leuchten noch", Some("which")),
        ("de-de", "wie viele Lampen brennen in der Küche", Some("how many")),
        ("de-de", "aus das Licht im Bad", None),
        ("de-de", "wie hoch ist die Feuchtigkeit im Bad", Some("humidity")),
        ("de-de", "wie feucht ist es in der Küche", Some("humidity")),
        ("de-de", "wie hoch ist die Feuchtigkeit ist im Bad", None),
        ("es-es", "sigue encendida la lámpara", Some("one")),
        ("pt-pt", "o candeeiro continua aceso", Some("one")),
    ] {
        assert_eq!(kind(lang, text).as_deref(), is, "{text}");
    }
}
