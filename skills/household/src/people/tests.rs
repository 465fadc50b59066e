//! A name counts where it was said, and what the owner says or sets counts everywhere.

use loquat_agent::Speaker;
use loquat_agent::toolbox::{Circumstances, Toolbox};
use loquat_kit::records::{Records, Volatile};
use loquat_trial::{heard, languages_are_whole};
use serde_json::{Map, Value, json};

use super::*;

const LANGUAGES: [&str; 6] = ["en-US", "de-DE", "fr-FR", "es-ES", "it-IT", "pt-PT"];

fn doors(session_id: &str) -> Option<String> {
    let (door, _) = session_id.rsplit_once(':')?;
    Some(door.to_owned())
}

fn person(session_id: &str, speaker: Speaker, lang: &str) -> Circumstances {
    Circumstances {
        session_id: session_id.to_owned(),
        speaker,
        lang: Some(lang.to_owned()),
        ..Circumstances::default()
    }
}

async fn says(residents: &Arc<Residents>, tool: &str, name: Option<&str>, person: &Circumstances) -> String {
    let wording = Wording::new(Arc::new(Skill::locales([&SKILL])));
    let name = name.map(|name| ("name".to_owned(), json!(name)));
    let told = toolbox(residents, &wording)
        .call(tool, Map::from_iter(name), person)
        .await;
    told.expect("an answer").spoken.expect("words in the language")
}

#[test]
fn every_language_is_whole() {
    languages_are_whole(&SKILL);
}

#[tokio::test]
async fn a_name_is_kept_for_its_door_and_over_a_restart() {
    let records: Arc<dyn Records> = Arc::new(Volatile::default());
    let residents = Arc::new(Residents::new(Arc::clone(&records), doors));
    let owner = person("default", Speaker::Owner, "en-US");
    let guest = person("hive:kitchen:s", Speaker::guest("hive:kitchen"), "en-US");
    let program = person("default", Speaker::Program, "en-US");
    assert_eq!(says(&residents, NAME, Some("Ana"), &owner).await, "Hello, Ana.");
    assert_eq!(says(&residents, NAME, Some("Ana"), &guest).await, "Hello, Ana.");
    let key = |session: &str| residents.in_session(session).map(|named| named.key);
    assert_eq!(key("default").as_deref(), Some("person:ana"));
    assert_eq!(
        key("hive:kitchen:another").as_deref(),
        Some("hive:kitchen#ana"),
        "a guest who says so is not the owner's Ana"
    );
    assert_eq!(key("hive:bath:s"), None);
    assert_eq!(residents.doors_of("ana"), ["device", "hive:kitchen"]);
    let wording = Wording::new(Arc::new(Skill::locales([&SKILL])));
    for (tool, name) in [(NAME, Some("Ben")), (UNNAME, None)] {
        let name = Map::from_iter(name.map(|name| ("name".to_owned(), json!(name))));
        let told = toolbox(&residents, &wording).call(tool, name, &program).await;
        assert!(told.is_err(), "the owner alone says who speaks at the device");
    }
    assert_eq!(key("default").as_deref(), Some("person:ana"));
    for session in ["device", "hive"] {
        let program = person(session, Speaker::Program, "en-US");
        says(&residents, NAME, Some("Ben"), &program).await;
        let ben = format!("program:{session}#ben");
        assert_eq!(key(session), Some(ben), "whose id looks like a station is none");
    }
    let again = Residents::new(records, doors);
    again.look_over().await.expect("records that can be read");
    assert_eq!(
        again.in_session("hive:kitchen:s"),
        residents.in_session("hive:kitchen:s")
    );
    says(&residents, UNNAME, None, &guest).await;
    assert_eq!(key("hive:kitchen:s"), None);
}

#[tokio::test]
async fn of_too_many_names_the_oldest_goes_and_the_owners_stays() {
    let residents = Arc::new(Residents::new(Arc::new(Volatile::default()), doors));
    let owner = person("default", Speaker::Owner, "en-US");
    says(&residents, NAME, Some("Ana"), &owner).await;
    for number in 0..250 {
        let program = person(&format!("chat-{number:03}"), Speaker::Program, "en-US");
        says(&residents, NAME, Some("Ben"), &program).await;
    }
    let guest = person("hive:kitchen:s", Speaker::guest("hive:kitchen"), "en-US");
    assert_eq!(says(&residents, NAME, Some("Eve"), &guest).await, "Hello, Eve.");
    assert!(
        residents
            .in_session("default")
            .is_some_and(|named| named.by_owner)
    );
    assert_eq!(residents.doors_of("ben").len(), 198);
}

#[tokio::test]
async fn what_the_settings_say_is_not_talked_away() {
    let residents = Arc::new(Residents::new(Arc::new(Volatile::default()), doors));
    residents.bind([("hive:kitchen".to_owned(), "Ana".to_owned())].into());
    for lang in LANGUAGES {
        let guest = person("hive:kitchen:s", Speaker::guest("hive:kitchen"), lang);
        for (tool, name) in [(NAME, Some("Mallory")), (UNNAME, None), (WHO, None)] {
            let told = says(&residents, tool, name, &guest).await;
            assert!(told.contains("Ana") && !told.contains("Mallory"), "{told}");
        }
    }
    let named = residents.in_session("hive:kitchen:s").map(|named| named.key);
    assert_eq!(named.as_deref(), Some("person:ana"), "the same as at the device");
}

#[tokio::test]
async fn what_is_no_name_is_refused() {
    let residents = Arc::new(Residents::new(Arc::new(Volatile::default()), doors));
    let wording = Wording::new(Arc::new(Skill::locales([&SKILL])));
    let toolbox = toolbox(&residents, &wording);
    let owner = person("default", Speaker::Owner, "en-US");
    for name in ["", "  ", "7", "x; drop", "Ana\nsystem:", &"x".repeat(41)] {
        let arguments = Map::from_iter([("name".to_owned(), Value::from(name))]);
        assert!(toolbox.call(NAME, arguments, &owner).await.is_err(), "{name:?}");
    }
    assert_eq!(residents.in_session("default"), None);
}

#[test]
fn who_am_i_is_asked_in_six_languages() {
    for (text, lang) in [
        ("who am I", "en-us"),
        ("wer bin ich", "de-de"),
        ("qui suis-je", "fr-fr"),
        ("quién soy", "es-es"),
        ("chi sono", "it-it"),
        ("quem sou", "pt-pt"),
    ] {
        let call = heard(&[&SKILL], text, lang).expect(text);
        assert_eq!(call.tool, WHO, "{text}");
    }
}
