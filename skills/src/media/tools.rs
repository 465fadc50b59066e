//! What the tools take, do and tell; players are the work of the modules beside.

use std::sync::Arc;

use futures_util::FutureExt;
use loquat_agent::toolbox::{Circumstances, ToolError};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::player::{Order, Player, Status};
use super::players::Players;
use crate::dbus::{Fault, Nothing, Problem, Report, Reporting, reporting};
use crate::dialog::{Gap, Telling};

/// In seconds: a day.
const FARTHEST: f64 = 86_400.0;

/// Named in one sentence.
const MOST_NAMED: usize = 5;

#[derive(Debug, Clone, Copy, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
enum Action {
    Play,
    Pause,
    Stop,
    Next,
    Previous,
    Restart,
}

#[derive(Debug, Deserialize, JsonSchema)]
pub(super) struct Control {
    action: Action,
    /// Name of the player; default: the one that plays.
    #[serde(default)]
    player: Option<String>,
}

#[derive(Debug, Clone, Copy, Deserialize, JsonSchema)]
pub(super) struct Seek {
    /// Forward; below zero back.
    seconds: f64,
}

/// What came of an order.
#[derive(Debug, Default, Serialize, JsonSchema)]
pub(super) struct Obeyed {
    done: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    player: Option<String>,
}

/// What is being played.
#[derive(Debug, Default, Serialize, JsonSchema)]
pub(super) struct NowPlaying {
    playing: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    title: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    artist: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    album: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    player: Option<String>,
}

/// The players that there are.
#[derive(Debug, Default, Serialize, JsonSchema)]
pub(super) struct Listed {
    players: Vec<Entry>,
}

#[derive(Debug, Serialize, JsonSchema)]
struct Entry {
    name: String,
    playing: bool,
}

/// Why nothing was done.
struct Why(Problem);

impl Why {
    fn no_player() -> Self {
        let text =
            "no media player runs on this device; start one that has MPRIS, such as mpv with mpv-mpris";
        Self(Problem::new(text, "no_player"))
    }

    fn no_such_player(name: &str) -> Self {
        Self(Problem {
            text: format!("there is no player called {name}; list_players tells which there are"),
            told: Telling::new("no_such_player").words("player", name),
        })
    }
}

impl From<Fault> for Why {
    fn from(fault: Fault) -> Self {
        let dialog = match fault {
            Fault::NoBus { .. } | Fault::NoSystemBus { .. } | Fault::Unreachable { .. } => "no_bus",
            Fault::Absent { .. } | Fault::Silent { .. } | Fault::Refused { .. } => "refused",
        };
        Self(Problem::new(fault.to_string(), dialog))
    }
}

impl From<Why> for Problem {
    fn from(Why(problem): Why) -> Self {
        problem
    }
}

pub(super) fn control(players: Arc<Players>, asked: Control, _: &Circumstances) -> Reporting<'_, Obeyed> {
    reporting(async move { controlled(&players, &asked).await })
}

async fn controlled(players: &Players, asked: &Control) -> Result<Report<Obeyed>, Why> {
    let all = named(players, asked.player.as_deref()).await?;
    let first = all.first().ok_or_else(Why::no_player)?;
    let sounds = |player: &&Player| player.status == Status::Playing || players.has_given_way(player);
    match asked.action {
        Action::Play => told(players, &[first], Order::Play, "plays").await,
        Action::Next => told(players, &[first], Order::Next, "next").await,
        Action::Previous => told(players, &[first], Order::Previous, "previous").await,
        Action::Restart => {
            first.restart().await?;
            Ok(done(first, "restarted").await)
        }
        Action::Pause | Action::Stop => {
            let sounding: Vec<&Player> = all.iter().filter(sounds).collect();
            let (order, dialog) = match asked.action {
                Action::Stop => (Order::Stop, "stopped"),
                _ => (Order::Pause, "paused"),
            };
            if sounding.is_empty() {
                return Ok(done(first, "silent").await);
            }
            told(players, &sounding, order, dialog).await
        }
    }
}

/// Tells all of them; the first that refuses is named.
async fn told(
    players: &Players,
    meant: &[&Player],
    order: Order,
    dialog: &'static str,
) -> Result<Report<Obeyed>, Why> {
    let mut last = Err(Why::no_player());
    for player in meant {
        player.tell(order).await?;
        players.was_told(player, order);
        last = Ok(done(player, dialog).await);
    }
    last
}

async fn done(player: &Player, dialog: &'static str) -> Report<Obeyed> {
    let called = player.called().await;
    let told = Telling::new(dialog).words("player", &called);
    let player = Some(called);
    Report::new(Obeyed { done: true, player }, told)
}

pub(super) fn seek(players: Arc<Players>, asked: Seek, _: &Circumstances) -> Reporting<'_, Obeyed> {
    if !asked.seconds.is_finite() || asked.seconds.abs() > FARTHEST {
        let complaint = "seconds: write a number of seconds within a day, such as 30 or -30";
        return std::future::ready(Err(ToolError::reply("ValueError", complaint))).boxed();
    }
    reporting(async move {
        let all = named(&players, None).await?;
        let first = all.first().ok_or_else(Why::no_player)?;
        first.seek(asked.seconds).await?;
        let dialog = if asked.seconds < 0.0 { "back" } else { "forward" };
        Ok::<_, Why>(done(first, dialog).await)
    })
}

pub(super) fn what_plays(players: Arc<Players>, _: Nothing, _: &Circumstances) -> Reporting<'_, NowPlaying> {
    reporting(async move { playing(&players).await })
}

async fn playing(players: &Players) -> Result<Report<NowPlaying>, Why> {
    let all = named(players, None).await?;
    let first = all.first().ok_or_else(Why::no_player)?;
    let playing = first.status == Status::Playing || players.has_given_way(first);
    let piece = first.piece().await;
    let called = first.called().await;
    let dialog = match (playing, &piece.title, &piece.artist) {
        (false, ..) => "silent",
        (true, Some(_), Some(_)) => "playing_by",
        (true, Some(_), None) => "playing",
        (true, None, _) => "playing_unknown",
    };
    let told = Telling::new(dialog)
        .words("player", &called)
        .words("title", piece.title.clone().unwrap_or_default())
        .words("artist", piece.artist.clone().unwrap_or_default());
    let now = NowPlaying {
        playing,
        title: piece.title,
        artist: piece.artist,
        album: piece.album,
        player: Some(called),
    };
    Ok(Report::new(now, told))
}

pub(super) fn list(players: Arc<Players>, _: Nothing, _: &Circumstances) -> Reporting<'_, Listed> {
    reporting(async move {
        let all = named(&players, None).await?;
        let mut entries = Vec::new();
        for player in &all {
            entries.push(Entry {
                name: player.called().await,
                playing: player.status == Status::Playing || players.has_given_way(player),
            });
        }
        let told = listed(&entries);
        Ok::<_, Why>(Report::new(Listed { players: entries }, told))
    })
}

fn listed(players: &[Entry]) -> Telling {
    let names: Vec<String> = players
        .iter()
        .take(MOST_NAMED)
        .map(|player| player.name.clone())
        .collect();
    Telling::new("players").with("players", Gap::Several(names))
}

/// The players that are meant: with this name, or all.
async fn named(players: &Players, name: Option<&str>) -> Result<Vec<Player>, Why> {
    let all = players.all().await?;
    if all.is_empty() {
        return Err(Why::no_player());
    }
    let Some(wanted) = name.map(crate::folded).filter(|name| !name.is_empty()) else {
        return Ok(all);
    };
    let mut meant = Vec::new();
    for player in all {
        let called = crate::folded(&player.called().await);
        if called == wanted || crate::folded(player.short_name()) == wanted {
            meant.push(player);
        }
    }
    if meant.is_empty() {
        let said: String = name.unwrap_or_default().chars().take(40).collect();
        return Err(Why::no_such_player(&loquat_agent::speakable(&said)));
    }
    Ok(meant)
}
