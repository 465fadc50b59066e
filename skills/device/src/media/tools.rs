//! What the tools take, do and tell; players are the work of the modules beside.

use futures_util::FutureExt;
use loquat_agent::toolbox::{Circumstances, ToolError};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;
use std::sync::Arc;

use super::Tools;
use super::player::{Order, Player, Status};
use super::players::Players;
use super::rooms::Sounding;
use crate::dbus::Fault;
use loquat_kit::answers::{Chosen, chosen};
use loquat_kit::dialog::{Gap, Telling};
use loquat_kit::report::{Nothing, Problem, Report, Reporting, YesOrNo, reporting};

/// In seconds: a day.
const FARTHEST: f64 = 86_400.0;

/// Named in one sentence.
const MOST_NAMED: usize = 5;

#[derive(Debug, Clone, Copy, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub(super) enum Action {
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
    /// What was answered to the question which one is meant.
    #[serde(default)]
    #[schemars(skip)]
    choice: String,
}

#[derive(Debug, Clone, Copy, Deserialize, JsonSchema)]
pub(super) struct Seek {
    /// Forward; below zero back.
    seconds: f64,
}

impl Action {
    /// The dialog that tells that it was done.
    pub(super) fn dialog(self) -> &'static str {
        match self {
            Self::Play => "plays",
            Self::Pause => "paused",
            Self::Stop => "stopped",
            Self::Next => "next",
            Self::Previous => "previous",
            Self::Restart => "restarted",
        }
    }

    /// What a player is told; nothing where that is more than one order.
    pub(super) fn order(self) -> Option<(Order, &'static str)> {
        let order = match self {
            Self::Play => Order::Play,
            Self::Pause => Order::Pause,
            Self::Stop => Order::Stop,
            Self::Next => Order::Next,
            Self::Previous => Order::Previous,
            Self::Restart => return None,
        };
        Some((order, self.dialog()))
    }
}

/// What came of an order.
#[derive(Debug, Default, Serialize, JsonSchema)]
pub(super) struct Obeyed {
    done: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    player: Option<String>,
}

impl Obeyed {
    /// By a player of this name.
    pub(super) fn by(player: String) -> Self {
        Self {
            done: true,
            player: Some(player),
        }
    }
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
pub(super) struct Why(pub(super) Problem);

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

pub(super) fn control(shared: Arc<Tools>, asked: Control, person: &Circumstances) -> Reporting<'_, Obeyed> {
    reporting(async move { controlled(&shared, &asked, person).await })
}

async fn controlled(shared: &Tools, asked: &Control, person: &Circumstances) -> Result<Report<Obeyed>, Why> {
    let players = &*shared.players;
    let all = named(players, asked.player.as_deref()).await;
    let sounds = |player: &&Player| player.status == Status::Playing || players.has_given_way(player);
    let of_room = asked.action.of_room().filter(|_| asked.player.is_none());
    if let Some(order) = of_room {
        let rooms = shared.rooms_playing(person);
        if !rooms.is_empty() {
            let here = all.iter().flatten().filter(sounds).collect();
            let (choice, action) = (asked.choice.as_str(), asked.action);
            let sounding = Sounding { here, rooms };
            return shared
                .told_everywhere(sounding, action, order, choice, person)
                .await;
        }
    }
    let all = all?;
    let first = all.first().ok_or_else(Why::no_player)?;
    let stops = matches!(asked.action, Action::Pause | Action::Stop);
    let equal = all.iter().filter(|player| {
        if stops {
            sounds(player)
        } else {
            players.rank(player) == players.rank(first)
        }
    });
    let equal: Vec<&Player> = equal.collect();
    let meant = match which(&equal, shared, &asked.choice, person).await {
        Meant::These(meant) => meant,
        Meant::Asks(report) => return Ok(report),
    };
    match asked.action.order() {
        None => {
            for player in &meant {
                player.restart().await?;
            }
            Ok(done(meant.first().unwrap_or(&first), asked.action.dialog()).await)
        }
        Some(_) if stops && meant.is_empty() => Ok(done(first, "silent").await),
        Some((order, dialog)) => told(players, &meant, order, dialog).await,
    }
}

/// The players that an order is for, or the question which.
enum Meant<'a> {
    These(Vec<&'a Player>),
    Asks(Report<Obeyed>),
}

/// Of several that do the same, those that an answer chooses. Where nothing tells them apart nothing can be asked, and all are
/// meant.
async fn which<'a>(equal: &[&'a Player], shared: &Tools, choice: &str, person: &Circumstances) -> Meant<'a> {
    let names = told_apart(equal).await;
    let is_one = equal.len() < 2 || names.iter().collect::<BTreeSet<_>>().len() < names.len();
    if is_one {
        return Meant::These(equal.to_vec());
    }
    let lang = person.lang.as_deref().unwrap_or("en");
    match chosen(&names, choice, &shared.locales, lang) {
        Some(Chosen::All) => Meant::These(equal.to_vec()),
        Some(Chosen::One(place)) => Meant::These(equal.get(place).copied().into_iter().collect()),
        None => {
            let told = Telling::new("which").with("players", Gap::Several(names.clone()));
            Meant::Asks(Report::asking(Obeyed::default(), names, told))
        }
    }
}

/// What players are called, with what they play where two are called alike.
async fn told_apart(players: &[&Player]) -> Vec<String> {
    let called = players.iter().map(|player| player.called());
    let names: Vec<String> = futures_util::future::join_all(called).await;
    if players.len() < 2 || names.iter().collect::<BTreeSet<_>>().len() == names.len() {
        return names;
    }
    let pieces = players.iter().map(|player| player.piece());
    let pieces = futures_util::future::join_all(pieces).await;
    let told = names.into_iter().zip(pieces);
    told.map(|(name, piece)| match piece.title {
        Some(title) => format!("{name} ({title})"),
        None => name,
    })
    .collect()
}

/// Tells all of them; the first that refuses is named.
pub(super) async fn told(
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
    Report::new(Obeyed::by(called), told)
}

pub(super) fn seek(shared: Arc<Tools>, asked: Seek, _: &Circumstances) -> Reporting<'_, Obeyed> {
    if !asked.seconds.is_finite() || asked.seconds.abs() > FARTHEST {
        let complaint = "seconds: write a number of seconds within a day, such as 30 or -30";
        return std::future::ready(Err(ToolError::reply("ValueError", complaint))).boxed();
    }
    reporting(async move {
        let all = named(&shared.players, None).await?;
        let first = all.first().ok_or_else(Why::no_player)?;
        first.seek(asked.seconds).await?;
        let dialog = if asked.seconds < 0.0 { "back" } else { "forward" };
        Ok::<_, Why>(done(first, dialog).await)
    })
}

pub(super) fn what_plays(shared: Arc<Tools>, _: Nothing, _: &Circumstances) -> Reporting<'_, NowPlaying> {
    reporting(async move { playing(&shared.players).await })
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

/// What may have become so.
#[derive(Debug, Clone, Copy, Deserialize, JsonSchema)]
pub(super) struct Expected {
    /// Whether something is to be playing.
    playing: bool,
}

/// Whether it is so.
#[derive(Debug, Default, Serialize, JsonSchema)]
pub(super) struct Checked {
    /// Absent where that is not known.
    #[serde(skip_serializing_if = "Option::is_none")]
    answer: Option<YesOrNo>,
}

pub(super) fn check(shared: Arc<Tools>, asked: Expected, person: &Circumstances) -> Reporting<'_, Checked> {
    reporting(async move {
        let players = &shared.players;
        let in_rooms = !shared.rooms_playing(person).is_empty();
        let sounds = |player: &Player| player.status == Status::Playing || players.has_given_way(player);
        let is_playing = in_rooms || players.all().await?.iter().any(sounds);
        let answer = Some(YesOrNo::from(is_playing == asked.playing));
        let dialog = if is_playing { "sounds" } else { "silent" };
        Ok::<_, Why>(Report::new(Checked { answer }, Telling::new(dialog)))
    })
}

pub(super) fn list(shared: Arc<Tools>, _: Nothing, _: &Circumstances) -> Reporting<'_, Listed> {
    reporting(async move {
        let players = &shared.players;
        let all = named(players, None).await?;
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
    let Some(wanted) = name.map(loquat_kit::folded).filter(|name| !name.is_empty()) else {
        return Ok(all);
    };
    let mut meant = Vec::new();
    for player in all {
        let called = loquat_kit::folded(&player.called().await);
        if called == wanted || loquat_kit::folded(player.short_name()) == wanted {
            meant.push(player);
        }
    }
    if meant.is_empty() {
        let said: String = name.unwrap_or_default().chars().take(40).collect();
        return Err(Why::no_such_player(&loquat_agent::speakable(&said)));
    }
    Ok(meant)
}
