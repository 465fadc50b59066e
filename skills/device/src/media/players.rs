//! All media players of the device: which there are, which is meant, and which gave way to the device's own voice.
//!
//! Only what gave way here is brought back, and only while nothing else has changed it.

use std::sync::Arc;
use std::time::Duration;

use futures_util::StreamExt as _;
use parking_lot::Mutex;
use tokio::sync::watch;
use tokio_util::sync::CancellationToken;
use zbus::Connection;
use zbus::fdo::DBusProxy;

use super::player::{Order, PREFIX, Player, Status};
use crate::dbus::{DeviceBus, Fault, within};

/// What is asked for a list of names.
const BUS: &str = "org.freedesktop.DBus";

/// It shows other players once more.
const STAND_IN: &str = "org.mpris.MediaPlayer2.playerctld";

/// How soon a bus that is away is tried again.
const AGAIN: Duration = Duration::from_secs(10);

/// A person has one or two; more than these are not asked.
const MOST: usize = 16;

/// The players of the device.
#[derive(Debug)]
pub struct Players {
    bus: DeviceBus,
    /// Names on the bus of those that we paused for as long as the device listens or speaks.
    gave_way: Mutex<Vec<String>>,
    /// What those that are there are called, while it is followed.
    named: watch::Sender<Arc<[String]>>,
}

impl Players {
    /// Those on this bus.
    pub fn new(bus: DeviceBus) -> Self {
        Self {
            bus,
            gave_way: Mutex::default(),
            named: watch::Sender::new(Arc::default()),
        }
    }

    /// What the players that are there are called, for an ear that has nearly understood one; nothing unless
    /// [`follow_names`](Self::follow_names) runs.
    pub fn named(&self) -> Arc<[String]> {
        Arc::clone(&self.named.borrow())
    }

    /// Keeps [`named`](Self::named) true until cancelled. Ends at once where this process has no D-Bus session.
    pub async fn follow_names(&self, cancel: CancellationToken) {
        while self.bus.address().is_some() {
            match cancel.run_until_cancelled(Box::pin(self.follow())).await {
                None => return,
                Some(Ok(())) => {}
                Some(Err(error)) => tracing::debug!(%error, "the names of media players are not known"),
            }
            self.named.send_replace(Arc::default());
            if cancel
                .run_until_cancelled(tokio::time::sleep(AGAIN))
                .await
                .is_none()
            {
                return;
            }
        }
    }

    /// Reads the names whenever a player comes or goes, until the bus does.
    async fn follow(&self) -> Result<(), Fault> {
        let connection = self.bus.connection(BUS).await?;
        let changes = within(BUS, async {
            let bus = DBusProxy::new(&connection).await?;
            bus.receive_name_owner_changed().await
        });
        let mut changes = changes.await?;
        loop {
            let players = self.all().await?;
            let names = futures_util::future::join_all(players.iter().map(Player::called)).await;
            self.named.send_replace(names.into());
            loop {
                let Some(change) = changes.next().await else {
                    return Ok(());
                };
                if change
                    .args()
                    .is_ok_and(|change| change.name().as_str().starts_with(PREFIX))
                {
                    break;
                }
            }
        }
    }

    /// All that are there, those that play first. One that hangs is left out.
    pub(super) async fn all(&self) -> Result<Vec<Player>, Fault> {
        let connection = self.bus.connection(&format!("{PREFIX}*")).await?;
        let names = names(&connection).await?;
        let asked = names.iter().map(|name| Player::find(&connection, name));
        let found = futures_util::future::join_all(asked).await;
        let mut players: Vec<Player> = found.into_iter().filter_map(Result::ok).collect();
        players.sort_by_key(|player| (self.rank(player), player.name.clone()));
        Ok(players)
    }

    /// Those that play, or would if the device were silent, come first.
    pub(super) fn rank(&self, player: &Player) -> u8 {
        match player.status {
            Status::Playing => 0,
            _ if self.has_given_way(player) => 0,
            Status::Paused => 1,
            Status::Stopped => 2,
        }
    }

    /// Whether it is silent only because the device listens or speaks.
    pub(super) fn has_given_way(&self, player: &Player) -> bool {
        player.status == Status::Paused && self.gave_way.lock().contains(&player.name)
    }

    /// A person has told this player what to do, which counts from now on.
    pub(super) fn was_told(&self, player: &Player, order: Order) {
        if matches!(order, Order::Play | Order::Pause | Order::Stop) {
            self.gave_way.lock().retain(|name| *name != player.name);
        }
    }

    /// Has all that play pause until [`come_back`](Self::come_back). Nothing happens where there are none.
    pub async fn give_way(&self) {
        let Ok(players) = self.all().await else { return };
        let playing = players.iter().filter(|player| player.status == Status::Playing);
        let paused = playing.map(|player| async move {
            let told = player.tell(Order::Pause).await;
            told.ok().map(|()| player.name.clone())
        });
        let paused = futures_util::future::join_all(paused).await;
        let mut gave_way = self.gave_way.lock();
        for name in paused.into_iter().flatten() {
            if !gave_way.contains(&name) {
                gave_way.push(name);
            }
        }
    }

    /// Has those that gave way play again, unless they were stopped, ended or told otherwise meanwhile.
    pub async fn come_back(&self) {
        let names = std::mem::take(&mut *self.gave_way.lock());
        if names.is_empty() {
            return;
        }
        let Ok(connection) = self.bus.connection(PREFIX).await else {
            return;
        };
        let back = names.iter().map(|name| async {
            let player = Player::find(&connection, name).await?;
            match player.status {
                Status::Paused => player.tell(Order::Play).await,
                _ => Ok(()),
            }
        });
        for result in futures_util::future::join_all(back).await {
            if let Err(error) = result {
                tracing::debug!(%error, "failed to have a player play again");
            }
        }
    }
}

/// The names of players, each once.
async fn names(connection: &Connection) -> Result<Vec<String>, Fault> {
    let bus = within(BUS, DBusProxy::new(connection)).await?;
    let all = within(BUS, async { Ok(bus.list_names().await?) }).await?;
    let players = all.iter().map(|name| name.as_str());
    let mut names: Vec<String> = players
        .filter(|name| name.starts_with(PREFIX) && *name != STAND_IN)
        .map(str::to_owned)
        .collect();
    names.sort();
    names.truncate(MOST);
    Ok(without_doubles(&bus, names).await)
}

/// One program may offer itself as `mpv` and as `mpv.instance17`.
async fn without_doubles(bus: &DBusProxy<'_>, names: Vec<String>) -> Vec<String> {
    let mut kept: Vec<(String, Option<u32>)> = Vec::new();
    for name in names {
        let process = match zbus::names::BusName::try_from(name.clone()) {
            Ok(known) => {
                let asked = async { Ok(bus.get_connection_unix_process_id(known).await?) };
                within(BUS, asked).await.ok()
            }
            Err(_) => None,
        };
        let is_double = kept.iter().any(|(other, owner)| {
            process.is_some() && *owner == process && name.starts_with(&format!("{other}.instance"))
        });
        if !is_double {
            kept.push((name, process));
        }
    }
    kept.into_iter().map(|(name, _)| name).collect()
}
