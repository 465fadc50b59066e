//! Rooms are told what is for them and nothing else; what cannot be is said in six languages.

use futures_util::FutureExt;
use futures_util::future::BoxFuture;
use loquat_agent::Speaker;
use loquat_agent::toolbox::{Circumstances, Toolbox};
use loquat_kit::people::{People, Whereabouts};
use loquat_kit::records::Volatile;
use loquat_kit::stations::{Announcement, Station, Stations, Unspoken};
use loquat_trial::languages_are_whole;
use parking_lot::Mutex;
use serde_json::{Map, Value, json};

use super::*;
use crate::people::Residents;

const LANGUAGES: [&str; 6] = ["en-US", "de-DE", "fr-FR", "es-ES", "it-IT", "pt-PT"];

/// Rooms that keep what is said in them.
#[derive(Debug, Default)]
struct Rooms {
    stations: Vec<Station>,
    said: Mutex<Vec<(String, String)>>,
}

impl Rooms {
    fn of(stations: &[(&str, &[&str])]) -> Arc<Self> {
        let station = |(id, names): &(&str, &[&str])| Station {
            id: (*id).to_owned(),
            names: names.iter().map(|name| (*name).to_owned()).collect(),
            is_there: true,
            ..Station::default()
        };
        Arc::new(Self {
            stations: stations.iter().map(station).collect(),
            said: Mutex::default(),
        })
    }

    fn heard(&self) -> Vec<(String, String)> {
        std::mem::take(&mut *self.said.lock())
    }
}

impl Stations for Rooms {
    fn stations(&self) -> Vec<Station> {
        self.stations.clone()
    }

    fn speak<'a>(
        &'a self,
        id: &'a str,
        announcement: &'a Announcement,
    ) -> BoxFuture<'a, Result<(), Unspoken>> {
        self.said.lock().push((id.to_owned(), announcement.words.clone()));
        let outcome = match id {
            "hive:asleep" => Err(Unspoken::Rests),
            "hive:gone" => Err(Unspoken::Gone),
            _ => Ok(()),
        };
        std::future::ready(outcome).boxed()
    }
}

fn intercom() -> Arc<Intercom> {
    let residents = Residents::new(Arc::new(Volatile::default()), |session_id| {
        let (door, _) = session_id.rsplit_once(':')?;
        Some(door.to_owned())
    });
    let locales = Arc::new(Skill::locales([&SKILL]));
    Arc::new(Intercom::new(locales, Arc::new(residents)))
}

fn at(door: &str, lang: &str) -> Circumstances {
    let speaker = if door == DEVICE {
        Speaker::Owner
    } else {
        Speaker::guest(door)
    };
    Circumstances {
        session_id: if door == DEVICE {
            "default".to_owned()
        } else {
            format!("{door}:s")
        },
        speaker,
        lang: Some(lang.to_owned()),
        ..Circumstances::default()
    }
}

async fn says(intercom: &Arc<Intercom>, tool: &str, arguments: Value, person: &Circumstances) -> String {
    let wording = Wording::new(Arc::new(Skill::locales([&SKILL])));
    let arguments: Map<String, Value> = serde_json::from_value(arguments).expect("an object");
    let told = toolbox(intercom, &wording).call(tool, arguments, person).await;
    told.expect("an answer").spoken.expect("words in the language")
}

#[test]
fn every_language_is_whole() {
    languages_are_whole(&SKILL);
}

#[tokio::test]
async fn a_room_is_told_once_and_by_the_first_way_that_leads_there() {
    let (first, second) = (
        Rooms::of(&[(DEVICE, &[]), ("hive:k", &["Kitchen"])]),
        Rooms::of(&[
            ("home:kitchen", &["kitchen", "cuisine"]),
            ("home:hall", &["Hall"]),
        ]),
    );
    let intercom = intercom();
    intercom.add_behind(Arc::<Rooms>::clone(&second));
    intercom.add(Arc::<Rooms>::clone(&first));
    let person = at(DEVICE, "en-US");
    let told = says(&intercom, ANNOUNCE, json!({"message": "dinner"}), &person).await;
    assert_eq!(told, "I have said it there: Kitchen and Hall.");
    assert_eq!(
        first.heard(),
        [("hive:k".to_owned(), "A message: dinner".to_owned())]
    );
    assert_eq!(
        second.heard(),
        [("home:hall".to_owned(), "A message: dinner".to_owned())]
    );
    for (room, told) in [
        ("the kitchen", "I have said it there: Kitchen."),
        ("kitchn", "I have said it there: Kitchen."),
        ("everyone", "I have said it there: Kitchen and Hall."),
        ("here", "That is the room in which you are."),
        (
            "the attic",
            "I cannot speak there: the attic. I can speak here: Kitchen and Hall.",
        ),
    ] {
        let said = says(
            &intercom,
            ANNOUNCE,
            json!({"message": "dinner", "room": room}),
            &person,
        )
        .await;
        assert_eq!(said, told, "{room}");
    }
}

#[tokio::test]
async fn what_becomes_of_it_is_told_in_six_languages() {
    let rooms = Rooms::of(&[
        (DEVICE, &["Salon"]),
        ("hive:a", &["Alpha"]),
        ("hive:asleep", &["Beta"]),
        ("hive:gone", &["Gamma"]),
    ]);
    for lang in LANGUAGES {
        let intercom = intercom();
        let person = at(DEVICE, lang);
        let none = says(&intercom, ANNOUNCE, json!({"message": "x"}), &person).await;
        assert!(none.contains("loquat hive add"), "{none}");
        intercom.add(Arc::<Rooms>::clone(&rooms));
        let nothing = says(&intercom, REPLY, json!({"message": "x"}), &person).await;
        assert!(!nothing.contains("Alpha"), "{nothing}");
        let all = says(&intercom, ANNOUNCE, json!({"message": "x"}), &person).await;
        let parts = ["Alpha", "Beta", "Gamma"].map(|name| all.find(name));
        assert!(parts.iter().all(Option::is_some) && parts.is_sorted(), "{all}");
        let asked = says(
            &intercom,
            ANNOUNCE,
            json!({"elsewhere": true, "message": "x"}),
            &person,
        )
        .await;
        assert!(asked.ends_with('?') && asked.contains("Alpha"), "{asked}");
        let asked = says(&intercom, ANNOUNCE, json!({"room": "Alpha"}), &person).await;
        assert!(asked.ends_with('?'), "{asked}");
        let listed = says(&intercom, ROOMS, json!({}), &person).await;
        assert!(listed.contains("Gamma") && !listed.contains("Salon"), "{listed}");
        let back = says(&intercom, REPLY, json!({"message": "y"}), &at("hive:a", lang)).await;
        assert!(back.contains("Salon"), "{back}");
        rooms.heard();
    }
}

#[tokio::test]
async fn what_is_said_is_one_line_of_words_and_not_too_long() {
    let rooms = Rooms::of(&[(DEVICE, &["Living room"]), ("hive:a", &["Alpha"])]);
    let intercom = intercom();
    intercom.add(Arc::<Rooms>::clone(&rooms));
    let person = at(DEVICE, "en-US");
    for message in ["**now**\nor\u{202e} never", "`{\"tool\": 1}`", "# heading"] {
        says(&intercom, ANNOUNCE, json!({"message": message}), &person).await;
        let [(_, words)] = rooms.heard().try_into().expect("one room");
        assert!(words.starts_with("Message from Living room: "), "{words}");
        assert!(!words.contains(['\n', '*', '`', '\u{202e}', '#']), "{words}");
    }
    let wording = Wording::new(Arc::new(Skill::locales([&SKILL])));
    let long = Map::from_iter([("message".to_owned(), json!("x".repeat(LONGEST + 1)))]);
    let refused = toolbox(&intercom, &wording).call(ANNOUNCE, long, &person).await;
    assert!(refused.is_err() && rooms.heard().is_empty());
}

#[tokio::test(start_paused = true)]
async fn an_answer_goes_back_for_a_while() {
    let rooms = Rooms::of(&[(DEVICE, &["Hall"]), ("hive:a", &["Alpha"]), ("hive:b", &["Beta"])]);
    let intercom = intercom();
    intercom.add(Arc::<Rooms>::clone(&rooms));
    let (a, b) = (at("hive:a", "en-US"), at("hive:b", "en-US"));
    says(&intercom, ANNOUNCE, json!({"message": "x", "room": "Beta"}), &a).await;
    says(
        &intercom,
        ANNOUNCE,
        json!({"message": "y", "room": "Beta"}),
        &at(DEVICE, "en-US"),
    )
    .await;
    rooms.heard();
    let told = says(&intercom, REPLY, json!({"message": "yes"}), &b).await;
    assert_eq!(told, "I have said it there: Hall.", "who spoke last");
    assert_eq!(
        rooms.heard(),
        [(DEVICE.to_owned(), "Answer from Beta: yes".to_owned())]
    );
    tokio::time::advance(Duration::from_secs(31 * 60)).await;
    let told = says(&intercom, REPLY, json!({"message": "yes"}), &b).await;
    assert_eq!(told, "Nothing was said here lately that I could answer.");
}

#[tokio::test]
async fn who_speaks_by_way_of_a_home_answers_what_a_room_of_it_heard() {
    let (own, home) = (
        Rooms::of(&[(DEVICE, &["Hall"])]),
        Rooms::of(&[("home:a", &["Alpha"]), ("home:b", &["Beta"])]),
    );
    let intercom = intercom();
    intercom.add(Arc::<Rooms>::clone(&own));
    intercom.add_behind(home);
    let guest = at("wyoming:10.0.0.2", "en-US");
    let nothing = says(&intercom, REPLY, json!({"message": "yes"}), &guest).await;
    assert_eq!(nothing, "Nothing was said here lately that I could answer.");
    says(
        &intercom,
        ANNOUNCE,
        json!({"message": "x", "room": "Beta"}),
        &at(DEVICE, "en-US"),
    )
    .await;
    let told = says(&intercom, REPLY, json!({"message": "yes"}), &guest).await;
    assert_eq!(told, "I have said it there: Hall.");
    assert_eq!(own.heard(), [(DEVICE.to_owned(), "Answer: yes".to_owned())]);
}

#[tokio::test]
async fn people_are_where_they_were_named() {
    let rooms = Rooms::of(&[(DEVICE, &[]), ("hive:a", &["Alpha"]), ("hive:b", &["Beta"])]);
    let intercom = intercom();
    intercom.add(Arc::<Rooms>::clone(&rooms));
    intercom
        .residents()
        .bind([("hive:b".to_owned(), "Ana".to_owned())].into());
    let told = says(
        &intercom,
        ANNOUNCE,
        json!({"message": "x", "room": "ana"}),
        &at("hive:a", "en-US"),
    )
    .await;
    assert_eq!(told, "I have said it there: Beta.");
    says(
        &intercom,
        ANNOUNCE,
        json!({"message": "x", "room": "Alpha"}),
        &at("hive:b", "en-US"),
    )
    .await;
    let words: Vec<String> = rooms.heard().into_iter().map(|(_, words)| words).collect();
    assert_eq!(words, ["Message from Alpha: x", "Ana says from Beta: x"]);
    assert_eq!(intercom.whereabouts("Zoe"), None);
}

#[tokio::test]
async fn who_only_claims_a_name_is_not_told_what_is_for_another_one() {
    let mut rooms = Rooms::of(&[("hive:a", &["Alpha"]), ("hive:b", &["Beta"])]);
    let own = Arc::get_mut(&mut rooms).expect("no other hand");
    for station in &mut own.stations {
        let session_id = format!("{}:s", station.id);
        station.conversation = Some(Whereabouts {
            session_id,
            ..Whereabouts::default()
        });
    }
    // The owner's Ana is away.
    own.stations[1].is_there = false;
    let intercom = intercom();
    intercom.add(rooms);
    let people = crate::people::toolbox(
        intercom.residents(),
        &Wording::new(Arc::new(Skill::locales([&crate::people::SKILL]))),
    );
    let name = Map::from_iter([("name".to_owned(), json!("Ana"))]);
    people
        .call("name_speaker", name, &at("hive:a", "en-US"))
        .await
        .expect("a name");
    let place = |name: &str| intercom.whereabouts(name).map(|place| place.session_id);
    assert_eq!(
        place("Ana").as_deref(),
        Some("hive:a:s"),
        "nobody else is called so"
    );
    intercom
        .residents()
        .bind([("hive:b".to_owned(), "Ana".to_owned())].into());
    assert_eq!(place("Ana"), None);
}
