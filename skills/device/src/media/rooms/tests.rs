//! What plays in a room and on this device: just one is meant, and of several it is asked which.

use std::sync::Arc;

use futures_util::FutureExt;
use futures_util::future::BoxFuture;
use loquat_agent::toolbox::{Circumstances, Toolbox};
use loquat_agent::{Guest, Speaker};
use loquat_kit::answers::Chosen;
use loquat_kit::room_players::{RoomOrder, RoomPlayer, RoomPlayers};
use loquat_kit::{Locales, Skill};
use parking_lot::Mutex;
use serde_json::json;

use super::super::{Players, SKILL};
use super::chosen_of;
use crate::dbus::DeviceBus;
use crate::dbus::stage::wording;

/// A home of these players, all of which play, and what they were told.
#[derive(Debug, Default)]
struct Home {
    players: Vec<RoomPlayer>,
    told: Mutex<Vec<(String, RoomOrder)>>,
}

impl Home {
    fn with(names: &[&str]) -> Arc<Self> {
        let players = names.iter().map(|name| RoomPlayer {
            id: name.to_lowercase(),
            name: (*name).to_owned(),
        });
        Arc::new(Self {
            players: players.collect(),
            ..Self::default()
        })
    }
}

impl RoomPlayers for Home {
    fn playing(&self) -> Vec<RoomPlayer> {
        self.players.clone()
    }

    fn tell(&self, id: String, order: RoomOrder) -> BoxFuture<'_, bool> {
        self.told.lock().push((id, order));
        std::future::ready(true).boxed()
    }
}

/// What is said to an order, and what the players of the rooms were told.
async fn said(
    rooms: &[&str],
    (action, choice): (&str, &str),
    speaker: Speaker,
) -> (String, Vec<String>, Vec<(String, RoomOrder)>) {
    let home = Home::with(rooms);
    let players = Arc::new(Players::new(DeviceBus::at(None)));
    let elsewhere = Arc::clone(&home) as Arc<dyn RoomPlayers>;
    let toolbox = super::super::toolbox(&players, Some(elsewhere), &wording(&SKILL));
    let person = Circumstances {
        lang: Some("en-US".to_owned()),
        speaker,
        ..Circumstances::default()
    };
    let arguments = json!({"action": action, "choice": choice});
    let arguments = serde_json::from_value(arguments).unwrap();
    let outcome = toolbox.call("control_player", arguments, &person).await.unwrap();
    let told = home.told.lock().clone();
    (outcome.spoken.unwrap_or_default(), outcome.choices, told)
}

#[tokio::test]
async fn the_only_one_that_plays_is_meant_and_nothing_is_asked() {
    for (action, order, answer) in [
        ("stop", RoomOrder::Stop, "Stopped."),
        ("pause", RoomOrder::Pause, "Paused."),
        ("next", RoomOrder::Next, "On to the next one."),
    ] {
        let (said, choices, told) = said(&["Radio (Kitchen)"], (action, ""), Speaker::Owner).await;
        assert_eq!(said, answer);
        assert!(choices.is_empty());
        assert_eq!(told, [("radio (kitchen)".to_owned(), order)]);
    }
}

#[tokio::test]
async fn of_several_it_is_asked_which_and_the_answer_is_taken() {
    let rooms = ["Radio (Kitchen)", "TV (Living room)"];
    let (asked, choices, told) = said(&rooms, ("stop", ""), Speaker::Owner).await;
    assert!(
        asked.ends_with('?') && asked.contains("Radio (Kitchen)"),
        "{asked}"
    );
    assert_eq!((choices.len(), told.len()), (2, 0));
    for (choice, meant) in [
        ("the living room", &["tv (living room)"][..]),
        ("in the kitchen", &["radio (kitchen)"]),
        ("the second one", &["tv (living room)"]),
        ("the radio", &["radio (kitchen)"]),
        ("both", &["radio (kitchen)", "tv (living room)"]),
    ] {
        let (_, _, told) = said(&rooms, ("stop", choice), Speaker::Owner).await;
        let told: Vec<&str> = told.iter().map(|(id, _)| id.as_str()).collect();
        assert_eq!(told, meant, "{choice}");
    }
}

#[tokio::test]
async fn a_guest_stops_nothing_in_a_room() {
    let guest = Speaker::Guest(Guest::default());
    let (_, _, told) = said(&["Radio (Kitchen)"], ("stop", ""), guest).await;
    assert!(told.is_empty());
}

#[test]
fn here_is_this_device_in_six_languages() {
    let locales: Locales = Skill::locales([&SKILL]);
    for (lang, this, said) in [
        ("en", "this device", "on this device"),
        ("en", "this device", "here"),
        ("de", "dieses gerät", "hier"),
        ("fr", "cet appareil", "ici"),
        ("es", "este dispositivo", "aquí"),
        ("it", "questo dispositivo", "qui"),
        ("pt", "este dispositivo", "aqui"),
    ] {
        let names = [loquat_kit::folded(this), "TV (Salon)".to_owned()];
        assert_eq!(
            chosen_of(&names, said, &locales, lang),
            Some(Chosen::One(0)),
            "{lang}: {said}"
        );
        assert_eq!(
            chosen_of(&names[1..], said, &locales, lang),
            None,
            "{lang}: {said}"
        );
    }
}
