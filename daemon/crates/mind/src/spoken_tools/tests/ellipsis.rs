//! Second sentences: what they mean behind a first one, in six languages, and that no other words are taken for one.

mod anew;
mod both;
mod counted;
mod onwards;
mod recalled;
mod reworded;
mod talks;
mod things;
mod unrelated;

use std::sync::Arc;
use std::time::Duration;

use loquat_agent::Speaker;
use loquat_agent::record::Reason;
use loquat_agent::turn::IntendedCall;
use loquat_orchestrator::search::ToolIntents;
use serde_json::{Value, json};

use self::anew::ANEW;
use self::both::BOTH;
use self::counted::COUNTED;
use self::onwards::ONWARDS;
use self::recalled::RECALLED;
use self::reworded::REWORDED;
use self::talks::TALKS;
use self::things::THINGS;
use self::unrelated::UNRELATED;
use super::pack::with_pack;
use super::{spoken, spoken_at_home};
use crate::reply::{Reply, Undoable};
use crate::spoken_tools::{InConversation, LastSaid, SpokenTools, Wanted};

/// What takes a call back here.
fn taking_back(wanted: &Wanted) -> Undoable {
    let toolbox_id = wanted.done().map(|call| call.toolbox_id.clone());
    Undoable {
        call: IntendedCall {
            toolbox_id: toolbox_id.unwrap_or_default(),
            tool: "take_back".to_owned(),
            undoes: true,
            ..IntendedCall::default()
        },
        deed: "deed".to_owned(),
    }
}

/// What is known behind a sentence that asks for this; each deed can be taken back.
fn behind(spoken: &SpokenTools, wanted: &Wanted, (text, lang): (&str, &str)) -> Option<Arc<LastSaid>> {
    let acts = wanted.done().is_some_and(|call| spoken.acts(call.clone()));
    let reply = Reply {
        undo: acts.then(|| taking_back(wanted)),
        ..Reply::instead(Reason::Answered, "")
    };
    LastSaid::of(wanted, text, lang, &Speaker::Owner, &reply).map(Arc::new)
}

/// What the last of these sentences asks for, said one after the other, and what is known behind it.
fn said(
    spoken: &Arc<SpokenTools>,
    lang: &str,
    sentences: &[&str],
) -> (Option<Wanted>, Option<Arc<LastSaid>>) {
    let (mut last, mut asked) = (None, None);
    for text in sentences {
        let before: Option<Arc<LastSaid>> = last.take();
        let tools = InConversation::new(Arc::clone(spoken), before.clone());
        let found = tools.recognise(text, lang);
        asked = found.and_then(|found| tools.call(&found.intent_name, text, lang));
        let now = asked
            .as_ref()
            .and_then(|wanted| behind(spoken, wanted, (text, lang)));
        last = now.map(|now| Arc::new(Arc::unwrap_or_clone(now).behind(before.as_ref())));
    }
    (asked, last)
}

/// The tool and the arguments, with what is taken back before.
fn told(wanted: &Wanted) -> Value {
    let calls = wanted.call.all().map(|call| {
        if call.undoes {
            json!("back")
        } else {
            json!([call.tool, call.arguments])
        }
    });
    calls.collect()
}

#[test]
fn second_sentences_mean_what_the_first_leaves_open() {
    let mut wrong = Vec::new();
    for spoken in [spoken(), with_pack()].map(Arc::new) {
        for (lang, sentences, expected) in TALKS
            .iter()
            .chain(RECALLED)
            .chain(REWORDED)
            .chain(ANEW)
            .chain(BOTH)
            .chain(COUNTED)
            .chain(THINGS)
            .chain(ONWARDS)
        {
            let (asked, _) = said(&spoken, lang, sentences);
            let asked = asked.map(|wanted| told(&wanted).to_string());
            if asked.as_deref().unwrap_or_default() != *expected {
                wrong.push((lang, sentences, asked));
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

/// What the last of these sentences asks for where there is a home of which nothing is known yet.
fn asked_at_home(sentences: &[&str]) -> Value {
    let spoken = Arc::new(spoken_at_home());
    let (asked, _) = said(&spoken, "en", sentences);
    asked.as_ref().map_or(Value::Null, told)
}

#[test]
fn what_is_said_of_a_home_without_a_name_goes_on_with_what_was_spoken_of() {
    for (sentences, expected) in [
        (
            &["set the radiator to 19 degrees", "colder"][..],
            json!([["set_home", {"of_last": true, "temperature_change": "down", "thing": "the radiator"}]]),
        ),
        (
            &["set the radiator to 19 degrees", "two more degrees"],
            json!([["set_home", {"of_last": true, "temperature_change": 2.0, "thing": "the radiator"}]]),
        ),
        (
            &["turn on the floor lamp", "make it brighter", "no, not so bright"],
            json!([["set_home", {"level_change": "down", "thing": "the floor lamp"}]]),
        ),
        (
            &["dim the floor lamp", "a touch more"],
            json!([["set_home", {"level_change": "down", "thing": "the floor lamp"}]]),
        ),
    ] {
        assert_eq!(asked_at_home(sentences), expected, "{sentences:?}");
    }
}

#[test]
fn who_asks_how_something_is_wants_nothing_done_that_is_nearly_like_it() {
    let spoken = spoken();
    for text in [
        "is do not disturb on",
        "are the the timers cancelled",
        "is it mute",
    ] {
        let guessed = spoken.guess(text, "en");
        assert!(guessed.is_none(), "{text}: {guessed:?}");
    }
}

#[test]
fn nothing_else_is_taken_for_a_second_sentence() {
    let spoken = Arc::new(spoken());
    let (mut count, mut caught) = (0, Vec::new());
    for (lang, firsts, texts) in UNRELATED {
        for first in *firsts {
            let (_, last) = said(&spoken, lang, &[first]);
            let tools = InConversation::new(Arc::clone(&spoken), Some(last.expect(first)));
            for text in *texts {
                let asked = tools.goes_on(text, lang);
                caught.extend(asked.map(|wanted| (first, text, told(&wanted).to_string())));
            }
        }
        count += texts.len();
    }
    assert!(caught.is_empty(), "{caught:#?}");
    assert!(count >= 160, "{count} sentences");
}

#[tokio::test(start_paused = true)]
async fn what_was_understood_serves_its_speaker_for_three_minutes() {
    let spoken = spoken();
    let (text, lang) = ("what time is it in Lima", "en");
    let wanted = spoken.call("clock.time_in", text, lang).expect("a call");
    let reply = Reply::instead(Reason::Answered, "");
    let last = LastSaid::of(&wanted, text, lang, &Speaker::Owner, &reply).expect("a reading");
    assert!(last.is_of(&Speaker::Owner) && !last.is_of(&Speaker::Program));
    assert_eq!(last.told(), r#"get_current_datetime {"timezone":"Lima"}"#);
    tokio::time::advance(Duration::from_secs(179)).await;
    assert!(last.is_of(&Speaker::Owner));
    tokio::time::advance(Duration::from_secs(2)).await;
    assert!(!last.is_of(&Speaker::Owner), "it is too old");
}

#[test]
fn a_deed_is_changed_behind_a_question_about_it() {
    let spoken = Arc::new(spoken());
    for (sentences, expected) in [
        (
            &[
                "wake me up at 7 tomorrow",
                "what alarms do I have",
                "no, half past six",
            ][..],
            json!(["back", ["set_alarm", {"time": "half past six", "date": "tomorrow"}]]),
        ),
        (
            &[
                "set a timer for 5 minutes",
                "how much time is left",
                "what timers do I have",
                "make it ten",
            ],
            json!(["back", ["set_timer", {"duration": "ten minutes"}]]),
        ),
        (
            &[
                "add milk to the shopping list",
                "what's on my shopping list",
                "not milk, bread",
            ],
            json!(["back", ["add_to_list", {"items": "bread", "list": "shopping list"}]]),
        ),
    ] {
        let asked = said(&spoken, "en", sentences).0;
        assert_eq!(asked.as_ref().map(told), Some(expected), "{sentences:?}");
    }
    // A question about something else comes between.
    let asked = said(
        &spoken,
        "en",
        &[
            "wake me up at 7 tomorrow",
            "what time is it in Lima",
            "no, half past six",
        ],
    )
    .0;
    assert_eq!(asked.as_ref().map(told), None);
}

#[test]
fn what_cannot_be_taken_back_is_asked_about_and_what_is_set_anew_is_not() {
    let spoken = Arc::new(spoken());
    let corrected = |first: &str, then: &str| {
        let wanted = said(&spoken, "en", &[first]).0.expect("a call");
        let reply = Reply::instead(Reason::Answered, "");
        let last = LastSaid::of(&wanted, first, "en", &Speaker::Owner, &reply).map(Arc::new);
        let tools = InConversation::new(Arc::clone(&spoken), last);
        tools.goes_on(then, "en").expect("a correction").call
    };
    let timer = corrected("set a timer for 5 minutes", "no, for the oven, 20 minutes");
    assert!(!timer.undoes && timer.further.is_empty());
    let list = corrected("add milk to the shopping list", "not milk, bread");
    assert!(list.is_guess && list.further.is_empty(), "it asks");
    let volume = corrected("set the volume to 30 percent", "no, 40");
    assert!(!volume.is_guess && volume.further.is_empty());
}

#[test]
fn a_sentence_with_two_wishes_and_a_guess_are_followed_by_nothing() {
    let spoken = Arc::new(spoken());
    for first in [
        "set a timer for 5 minutes and add milk to the shopping list",
        "set set a timer for five minutes",
    ] {
        let (asked, _) = said(&spoken, "en", &[first, "no, ten minutes"]);
        assert!(
            asked.is_none_or(|wanted| wanted.intent == "alerts.change_last"),
            "{first}"
        );
    }
}

#[test]
fn the_device_is_not_restarted_by_a_pronoun_for_another_thing() {
    let spoken = Arc::new(spoken());
    for first in [
        "set a timer for 5 minutes",
        "next song",
        "add milk to the shopping list",
    ] {
        let (_, last) = said(&spoken, "en", &[first]);
        let tools = InConversation::new(Arc::clone(&spoken), last);
        for text in ["restart it", "please restart that", "reboot it"] {
            let found = tools.recognise(text, "en").or_else(|| tools.guess(text, "en"));
            let intent = found.map(|found| found.intent_name).unwrap_or_default();
            assert!(!intent.starts_with("power"), "{first}: {text}: {intent}");
        }
    }
    let tools = InConversation::new(Arc::clone(&spoken), None);
    let guessed = tools.guess("restart it", "en").expect("the nearest sentence");
    assert_eq!(guessed.intent_name, "power.restart", "behind nothing");
}

#[test]
fn a_day_is_asked_about_in_another_year() {
    let spoken = Arc::new(spoken());
    let this = jiff::Timestamp::now().to_zoned(jiff::tz::TimeZone::UTC).year();
    for (lang, sentences, day, year) in [
        (
            "en",
            &["when is Easter this year", "same for next year"][..],
            "Easter",
            this + 1,
        ),
        ("en", &["what day is Halloween next year"], "Halloween", this + 1),
        (
            "de",
            &["auf welchen Tag fällt Heiligabend nächstes Jahr"],
            "Heiligabend",
            this + 1,
        ),
        ("en", &["when is Easter", "and in 2031?"], "Easter", 2031),
        (
            "en",
            &["when is Easter", "and next year?", "and this year?"],
            "Easter",
            this,
        ),
        (
            "de",
            &["wann ist Weihnachten", "und nächstes Jahr?"],
            "Weihnachten",
            this + 1,
        ),
        (
            "fr",
            &["quand est Noël", "et l'année prochaine ?"],
            "Noël",
            this + 1,
        ),
        (
            "es",
            &["cuándo es Navidad", "¿y el año que viene?"],
            "Navidad",
            this + 1,
        ),
        (
            "it",
            &["quando è Natale", "e l'anno prossimo?"],
            "Natale",
            this + 1,
        ),
        (
            "pt",
            &["quando é o Natal", "e no próximo ano?"],
            "Natal",
            this + 1,
        ),
    ] {
        let asked = said(&spoken, lang, sentences).0;
        let expected = json!([["days_until", {"date": format!("{day} {year}")}]]);
        assert_eq!(asked.as_ref().map(told), Some(expected), "{sentences:?}");
    }
    for sentences in [
        &["what time is it in Lima", "and next year?"][..],
        &["what day is tomorrow", "and next year?"],
    ] {
        let asked = said(&spoken, "en", sentences).0;
        assert!(asked.is_none(), "{sentences:?}: {:?}", asked.as_ref().map(told));
    }
}

#[test]
fn an_answer_is_said_once_more_whoever_found_it() {
    let spoken = Arc::new(spoken());
    let (first, lang) = ("set a timer for 10 minutes", "en");
    let wanted = said(&spoken, lang, &[first]).0.expect("a call");
    let reply = Reply::instead(Reason::Answered, "Ten minutes, starting now.");
    let last = LastSaid::of(&wanted, first, lang, &Speaker::Owner, &reply).map(Arc::new);
    let behind_deed = InConversation::new(Arc::clone(&spoken), last);
    let behind_brain = InConversation::new(Arc::clone(&spoken), None).answered(Some("Paris.".into()));
    let behind_nothing = InConversation::new(Arc::clone(&spoken), None);
    for (text, lang, is_retold) in [
        ("pardon?", "en", true),
        ("sorry, what did you say", "en", true),
        ("do you mind repeating that", "en", true),
        ("I didn't catch that", "en", true),
        ("tell me what", "en", false),
        ("what did you say to him", "en", false),
        ("wie bitte", "de", true),
        ("das habe ich nicht verstanden", "de", true),
        ("was ist", "de", false),
        ("comment ?", "fr", true),
        ("je n'ai pas compris", "fr", true),
        ("no te he entendido", "es", true),
        ("come hai detto", "it", true),
        ("não percebi", "pt", true),
    ] {
        let told = |tools: &InConversation| tools.refrains(text, lang);
        let (known, paris) = ("Ten minutes, starting now.", "Paris.");
        assert_eq!(
            told(&behind_brain).as_deref(),
            is_retold.then_some(paris),
            "{text}"
        );
        assert_eq!(told(&behind_nothing), None, "{text}");
        assert_eq!(
            told(&behind_deed).as_deref(),
            is_retold.then_some(known),
            "{text}"
        );
        assert!(behind_deed.goes_on(text, lang).is_none(), "{text}");
    }
}

#[test]
fn what_a_heating_is_set_to_is_asked_and_set_anew() {
    let spoken = Arc::new(spoken_at_home());
    let asks = r#"[["read_home",{"kind":"set temperature"}]]"#;
    for (lang, first, then, level) in [
        (
            "en",
            "what's our thermostat set to",
            "turn it down to seventeen",
            17.0,
        ),
        ("en", "what did we set the radiator to", "put it on twenty", 20.0),
        (
            "de",
            "auf wie viel Grad steht die Heizung",
            "stell sie auf achtzehn",
            18.0,
        ),
    ] {
        let asked = said(&spoken, lang, &[first]).0;
        assert_eq!(
            asked.as_ref().map(|asked| told(asked).to_string()).as_deref(),
            Some(asks)
        );
        let set = said(&spoken, lang, &[first, then]).0;
        let expected = json!([["set_home", {"level": level, "kind": "climate"}]]);
        assert_eq!(set.as_ref().map(told), Some(expected), "{then}");
    }
    for (lang, text) in [
        ("fr", "à quelle température est réglé le chauffage"),
        ("es", "a qué temperatura está puesta la calefacción"),
        ("it", "a quanti gradi è impostato il riscaldamento"),
        ("pt", "em quanto está o aquecimento"),
    ] {
        let asked = said(&spoken, lang, &[text]).0;
        assert_eq!(
            asked.as_ref().map(|asked| told(asked).to_string()).as_deref(),
            Some(asks)
        );
    }
}

#[test]
fn all_that_a_question_was_about_are_meant_together() {
    let spoken = Arc::new(spoken_at_home());
    let asked = said(&spoken, "en", &["which lights are on", "turn them all off then"]).0;
    let expected = json!([["control_home", {"action": "off", "kind": "light"}]]);
    assert_eq!(asked.as_ref().map(told), Some(expected));
    let alone = said(&spoken, "en", &["lock them both"]).0;
    assert!(alone.is_none(), "{:?}", alone.as_ref().map(told));
}

#[test]
fn what_is_to_stay_as_it_is_is_a_thing_of_the_home() {
    let spoken = Arc::new(spoken_at_home());
    for (lang, text, action) in [
        ("en", "leave the fan off", "off"),
        ("en", "keep the heater on please", "on"),
        ("de", "lass die Lampe an", "on"),
        ("fr", "laisse la lampe allumée", "on"),
        ("es", "deja la lámpara apagada", "off"),
        ("it", "lascia la lampada accesa", "on"),
        ("pt", "deixa o candeeiro desligado", "off"),
        ("en", "don't leave the fan on", "off"),
        ("en", "don't keep the heater off please", "on"),
        ("de", "lass die Lampe nicht an", "off"),
        ("fr", "ne laisse pas la lampe allumée", "off"),
        ("es", "no dejes la lámpara encendida", "off"),
        ("it", "non lasciare la lampada accesa", "off"),
        ("pt", "não deixes o candeeiro ligado", "off"),
    ] {
        let asked = said(&spoken, lang, &[text]).0;
        let call = asked.as_ref().and_then(Wanted::done);
        let done = call.and_then(|call| call.arguments.get("action")?.as_str());
        assert_eq!(done, Some(action), "{text}");
    }
}

#[test]
fn a_fan_that_was_spoken_of_runs_slower_and_a_lamp_does_not() {
    let spoken = Arc::new(spoken_at_home());
    for (lang, first, then, thing, change) in [
        ("en", "turn on the fan", "not that fast", "the fan", "down"),
        (
            "en",
            "turn on the ceiling fan",
            "a bit faster",
            "the ceiling fan",
            "up",
        ),
        (
            "de",
            "mach den Ventilator an",
            "etwas langsamer",
            "den Ventilator",
            "down",
        ),
        (
            "fr",
            "allume le ventilateur",
            "un peu moins vite",
            "le ventilateur",
            "down",
        ),
        (
            "es",
            "enciende el ventilador",
            "más despacio",
            "el ventilador",
            "down",
        ),
        (
            "it",
            "accendi il ventilatore",
            "troppo veloce",
            "il ventilatore",
            "down",
        ),
        ("pt", "liga a ventoinha", "mais devagar", "a ventoinha", "down"),
    ] {
        let asked = said(&spoken, lang, &[first, then]).0;
        let expected = json!([["set_home", {"level_change": change, "thing": thing}]]);
        assert_eq!(asked.as_ref().map(told), Some(expected), "{first}: {then}");
    }
    for (lang, first, then) in [
        ("en", "turn on the lamp", "not that fast"),
        ("en", "turn on the lamp", "slower"),
        ("en", "turn on the fan", "slower than yesterday"),
        ("de", "mach die Lampe an", "nicht so schnell"),
        ("fr", "allume la lampe", "moins vite"),
        ("es", "enciende la lámpara", "más despacio"),
        ("it", "accendi la lampada", "meno veloce"),
        ("pt", "acende a lâmpada", "mais devagar"),
    ] {
        let asked = said(&spoken, lang, &[first, then]).0;
        assert!(asked.is_none(), "{first}: {then}: {:?}", asked.as_ref().map(told));
    }
}

#[test]
fn a_polite_question_is_understood_as_the_order_that_it_is() {
    let spoken = Arc::new(spoken_at_home());
    for (lang, polite, order) in [
        ("en", "would you mind switching the fan on?", "switch the fan on"),
        ("en", "do you mind waking me at six", "wake me at six"),
        ("en", "how about opening the blinds", "open the blinds"),
        (
            "de",
            "würde es dir etwas ausmachen, das Licht auszuschalten?",
            "das Licht ausschalten",
        ),
        (
            "de",
            "wärst du so lieb, einen Timer auf 5 Minuten zu stellen",
            "stell einen Timer auf 5 Minuten",
        ),
        ("fr", "ça te dérangerait d'allumer la lampe", "allume la lampe"),
        (
            "fr",
            "voudrais-tu me réveiller à six heures",
            "réveille-moi à six heures",
        ),
        ("es", "¿te importaría cerrar la persiana?", "cierra la persiana"),
        (
            "es",
            "te molesta despertarme a las seis",
            "despiértame a las seis",
        ),
        (
            "it",
            "ti dispiacerebbe accendere la lampada",
            "accendi la lampada",
        ),
        (
            "it",
            "saresti così gentile da svegliarmi alle sei",
            "svegliami alle sei",
        ),
        ("pt", "importavas-te de acender a lâmpada", "acende a lâmpada"),
        ("pt", "não te importas de acordar-me às seis", "acorda-me às seis"),
    ] {
        let of = |text: &str| said(&spoken, lang, &[text]).0.as_ref().map(told);
        assert!(of(order).is_some(), "{order}");
        assert_eq!(of(polite), of(order), "{polite}");
    }
    for (lang, text) in [
        ("en", "would you mind waiting for me"),
        ("en", "how about going for a walk"),
        ("de", "hättest du etwas dagegen, kurz zu warten"),
        ("fr", "ça te dérange d'attendre un peu"),
        ("es", "te importa esperar un poco"),
        ("it", "ti dispiace aspettare un po'"),
        ("pt", "importas-te de esperar um pouco"),
    ] {
        assert!(said(&spoken, lang, &[text]).0.is_none(), "{text}");
    }
    // What goes on with the last question is no suggestion.
    let asked = said(
        &spoken,
        "en",
        &["what time is it", "how about opening the blinds"],
    )
    .0;
    assert!(asked.is_none());
    // A second sentence goes on with the order.
    let talk = ["would you mind waking me at six", "no, at seven"];
    let asked = said(&spoken, "en", &talk).0;
    let expected = json!(["back", ["set_alarm", {"time": "at seven"}]]);
    assert_eq!(asked.as_ref().map(told), Some(expected));
}
