//! What plays in the home, for orders that name no player: "stop the music" may mean a player of a room. What is guarded is
//! left to orders that name it.

use futures_util::FutureExt;
use futures_util::future::BoxFuture;
use loquat_kit::room_players::{RoomOrder, RoomPlayer, RoomPlayers};

use super::action::Action;
use super::deed::carry_out;
use super::house::{Entity, House};
use super::link::{Condition, HomeAssistant};
use super::order::Order;
use super::telling::told_name;

/// A home has a few; more than these are not told apart.
const MOST: usize = 8;

/// States in which a player is heard, or is about to be.
const HEARD: [&str; 2] = ["playing", "buffering"];

impl HomeAssistant {
    /// Whether a player is heard now and can be told to pause without a question.
    fn is_heard(&self, entity: &Entity, house: &House) -> bool {
        entity.domain() == "media_player"
            && HEARD.contains(&entity.state.as_str())
            && Order::Do(Action::Pause).step(entity).is_some()
            && !self.guard.asks(entity, house)
    }
}

impl RoomPlayers for HomeAssistant {
    fn playing(&self) -> Vec<RoomPlayer> {
        if !matches!(*self.condition.borrow(), Condition::Ready { .. }) {
            return Vec::new();
        }
        let house = self.house.read_recursive();
        let heard = house.exposed().filter(|entity| self.is_heard(entity, &house));
        let told = heard.map(|entity| RoomPlayer {
            id: entity.id.clone(),
            name: loquat_agent::speakable(&told_name(entity, &house)),
        });
        told.take(MOST).collect()
    }

    fn tell(&self, id: String, order: RoomOrder) -> BoxFuture<'_, bool> {
        let action = match order {
            RoomOrder::Pause => Action::Pause,
            RoomOrder::Stop => Action::Stop,
            RoomOrder::Next => Action::Next,
            RoomOrder::Previous => Action::Previous,
        };
        async move {
            let report = carry_out(self, &Order::Do(action), &[id]).await;
            let obeyed = [&report.done, &report.under_way, &report.unseen];
            report.fault.is_none() && obeyed.iter().any(|ids| !ids.is_empty())
        }
        .boxed()
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use serde_json::json;

    use super::*;
    use crate::settings::HomeSettings;

    #[test]
    fn only_what_plays_and_is_shown_to_conversations_is_offered() {
        let settings = HomeSettings::new("http://127.0.0.1:1", Arc::new(|| Err("there is none".to_owned())));
        let home = HomeAssistant::new(settings);
        {
            let mut house = home.house.write();
            *house = House::default();
            house.apply(&json!({"a": {
                "media_player.radio": {"s": "playing", "a": {"friendly_name": "Radio"}},
                "media_player.tv": {"s": "paused", "a": {"friendly_name": "TV"}},
                "media_player.deaf": {"s": "playing", "a": {"friendly_name": "Deaf", "supported_features": 0}},
                "vacuum.robot": {"s": "cleaning", "a": {}},
            }}));
        }
        assert_eq!(home.playing(), [], "there is no connection");
        home.condition.send_replace(Condition::Ready { is_admin: false });
        let names: Vec<String> = home.playing().into_iter().map(|player| player.name).collect();
        assert_eq!(names, ["Radio"]);
    }
}
