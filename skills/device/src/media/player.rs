//! One media player, as MPRIS shows it. What a player says of itself and of what it plays are a stranger's words: they are
//! cut, freed of what is not to be heard, and left out where they are of a wrong type.

use std::collections::HashMap;

use zbus::Connection;
use zbus::proxy::CacheProperties;
use zbus::{OwnedObjectPath, OwnedVariant, Variant};

use crate::dbus::{Fault, within};
use loquat_kit::plain;

/// What the names of players begin with.
pub(super) const PREFIX: &str = "org.mpris.MediaPlayer2.";

/// Artists of one piece; more are not said.
const MOST_ARTISTS: usize = 3;

#[zbus::proxy(
    interface = "org.mpris.MediaPlayer2.Player",
    default_path = "/org/mpris/MediaPlayer2"
)]
trait Controls {
    fn play(&self) -> zbus::Result<()>;
    fn pause(&self) -> zbus::Result<()>;
    fn stop(&self) -> zbus::Result<()>;
    fn next(&self) -> zbus::Result<()>;
    fn previous(&self) -> zbus::Result<()>;
    fn seek(&self, microseconds: i64) -> zbus::Result<()>;
    fn set_position(&self, track: &zbus::ObjectPath<'_>, microseconds: i64) -> zbus::Result<()>;

    #[zbus(property)]
    fn playback_status(&self) -> zbus::Result<String>;
    #[zbus(property)]
    fn metadata(&self) -> zbus::Result<HashMap<String, OwnedVariant>>;
}

#[zbus::proxy(
    interface = "org.mpris.MediaPlayer2",
    default_path = "/org/mpris/MediaPlayer2"
)]
trait Identity {
    #[zbus(property)]
    fn identity(&self) -> zbus::Result<String>;
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Status {
    Playing,
    Paused,
    Stopped,
}

/// What a player can be told.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Order {
    Play,
    Pause,
    Stop,
    Next,
    Previous,
}

/// What is being played.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Piece {
    pub(super) title: Option<String>,
    pub(super) artist: Option<String>,
    pub(super) album: Option<String>,
}

#[derive(Debug, Clone)]
pub(super) struct Player {
    /// It has this name on the bus.
    pub(super) name: String,
    pub(super) status: Status,
    controls: ControlsProxy<'static>,
    identity: IdentityProxy<'static>,
}

impl Player {
    /// Asks a player what it does. One that does not say it is stopped.
    pub(super) async fn find(connection: &Connection, name: &str) -> Result<Self, Fault> {
        let made = async {
            let controls = ControlsProxy::builder(connection)
                .destination(name.to_owned())
                .cache_properties(CacheProperties::No)
                .build()
                .await?;
            let identity = IdentityProxy::builder(connection)
                .destination(name.to_owned())
                .cache_properties(CacheProperties::No)
                .build()
                .await?;
            Ok((controls, identity))
        };
        let (controls, identity) = within(name, made).await?;
        let mut player = Self {
            name: name.to_owned(),
            status: Status::Stopped,
            controls,
            identity,
        };
        player.status = player.ask_status().await?;
        Ok(player)
    }

    pub(super) async fn ask_status(&self) -> Result<Status, Fault> {
        let said = within(&self.name, self.controls.playback_status()).await?;
        Ok(match said.as_str() {
            "Playing" => Status::Playing,
            "Paused" => Status::Paused,
            _ => Status::Stopped,
        })
    }

    pub(super) async fn tell(&self, order: Order) -> Result<(), Fault> {
        let controls = &self.controls;
        within(&self.name, async {
            match order {
                Order::Play => controls.play().await,
                Order::Pause => controls.pause().await,
                Order::Stop => controls.stop().await,
                Order::Next => controls.next().await,
                Order::Previous => controls.previous().await,
            }
        })
        .await
    }

    /// Moves on, or back, by so many seconds.
    pub(super) async fn seek(&self, seconds: f64) -> Result<(), Fault> {
        within(&self.name, self.controls.seek(microseconds(seconds))).await
    }

    /// Begins what is played anew.
    pub(super) async fn restart(&self) -> Result<(), Fault> {
        let said = within(&self.name, self.controls.metadata()).await?;
        let track = said.get("mpris:trackid").and_then(track);
        match track {
            Some(track) => within(&self.name, self.controls.set_position(&track, 0)).await,
            // Back behind the beginning is the beginning.
            None => self.seek(-86_400.0).await,
        }
    }

    /// What it plays, as far as it says so.
    pub(super) async fn piece(&self) -> Piece {
        let said = within(&self.name, self.controls.metadata()).await;
        let said = said.unwrap_or_default();
        let text = |key: &str| said.get(key).and_then(|value| words(value));
        Piece {
            title: text("xesam:title"),
            artist: text("xesam:artist"),
            album: text("xesam:album"),
        }
    }

    /// As people call it.
    pub(super) async fn called(&self) -> String {
        let said = within(&self.name, self.identity.identity()).await.ok();
        let said = said.and_then(|name| plain(&name));
        said.unwrap_or_else(|| plain(self.short_name()).unwrap_or_else(|| "?".to_owned()))
    }

    /// The name on the bus without what all have in common: `mpv`, also of `mpv.instance17`.
    pub(super) fn short_name(&self) -> &str {
        let own = self.name.strip_prefix(PREFIX).unwrap_or(&self.name);
        own.split_once(".instance").map_or(own, |(short, _)| short)
    }
}

fn microseconds(seconds: f64) -> i64 {
    (seconds.clamp(-1e6, 1e6) * 1e6) as i64
}

fn track(value: &OwnedVariant) -> Option<OwnedObjectPath> {
    match &**value {
        Variant::ObjectPath(path) => Some(path.to_owned().into()),
        Variant::Str(text) => OwnedObjectPath::try_from(text.as_str()).ok(),
        _ => None,
    }
}

/// A text, or the first of several joined; nothing of another type.
fn words(value: &Variant<'_>) -> Option<String> {
    match value {
        Variant::Str(text) => plain(text),
        Variant::Variant(inner) => words(inner),
        Variant::Array(items) => {
            let texts = items.iter().take(MOST_ARTISTS).filter_map(|item| match item {
                Variant::Str(text) => plain(text),
                _ => None,
            });
            let texts: Vec<String> = texts.collect();
            (!texts.is_empty()).then(|| texts.join(", "))
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wrong_types_are_no_words() {
        assert_eq!(words(&Variant::from(5_i32)), None);
        assert_eq!(words(&Variant::from(vec![1_u32, 2])), None);
        assert_eq!(
            words(&Variant::from(vec!["Ada", "Bo"])),
            Some("Ada, Bo".to_owned())
        );
    }
}
