//! `loquat-media-tools`: the media players of the device, told over D-Bus (MPRIS) to play, pause, go on and go back.
//!
//! Plays nothing itself. What players say of what they play are strangers' words.

use std::sync::Arc;
use std::time::Duration;

use include_dir::include_dir;

use loquat_kit::Skill;
use loquat_kit::function::{Function, FunctionToolbox};
use loquat_kit::intent::{Intent, Slot, Unsaid};
use loquat_kit::locale::Locales;
use loquat_kit::room_players::RoomPlayers;
use loquat_kit::wording::Wording;
use serde_json::json;

mod gaps;
mod player;
mod players;
mod rooms;
#[cfg(test)]
mod tests;
mod tools;

pub use players::Players;

/// The toolbox's id.
pub const ID: &str = "loquat-media-tools";

/// The folder of its sentences.
const FOLDER: &str = "media";

/// What all tools work with.
#[derive(Debug)]
struct Tools {
    players: Arc<Players>,
    /// What plays elsewhere in the home, where there is one.
    rooms: Option<Arc<dyn RoomPlayers>>,
    locales: Arc<Locales>,
}

/// Several calls of players, each with a limit of its own.
const PATIENCE: Duration = Duration::from_secs(8);

const CONTROL: &str = "control_player";
const SEEK: &str = "seek";
const PLAYING: &str = "what_is_playing";
const LIST: &str = "list_players";
const CHECK: &str = "check_player";

const FORWARD: Slot = Slot {
    name: "span",
    argument: "seconds",
    read: gaps::span,
};
const BACK: Slot = Slot {
    name: "span",
    argument: "seconds",
    read: gaps::span_back,
};

/// What people say for its tools.
const INTENTS: &[Intent] = &[
    Intent::new("play", CONTROL).unsaid(&[("action", Unsaid::Words("play"))]),
    Intent::new("pause", CONTROL).unsaid(&[("action", Unsaid::Words("pause"))]),
    Intent::new("stop", CONTROL).unsaid(&[("action", Unsaid::Words("stop"))]),
    Intent::new("next", CONTROL).unsaid(&[("action", Unsaid::Words("next"))]),
    Intent::new("previous", CONTROL).unsaid(&[("action", Unsaid::Words("previous"))]),
    Intent::new("restart", CONTROL).unsaid(&[("action", Unsaid::Words("restart"))]),
    Intent::new("restart_it", CONTROL)
        .unsaid(&[("action", Unsaid::Words("restart"))])
        .meaning_last(),
    Intent::new("play_on", CONTROL)
        .unsaid(&[("action", Unsaid::Words("play"))])
        .only_behind(CONTROL),
    Intent::new("stop_it", CONTROL)
        .unsaid(&[("action", Unsaid::Words("stop"))])
        .meaning_last(),
    Intent::new("forward", SEEK).slots(&[FORWARD]),
    Intent::new("back", SEEK).slots(&[BACK]),
    Intent::new("playing", PLAYING),
    Intent::new("players", LIST),
    Intent::new("starts", CHECK)
        .unsaid(&[("playing", Unsaid::Truth(true))])
        .awaited(),
    Intent::new("ends", CHECK)
        .unsaid(&[("playing", Unsaid::Truth(false))])
        .awaited(),
];

/// The skill.
pub const SKILL: Skill = Skill {
    id: ID,
    folder: FOLDER,
    sentences: &include_dir!("$CARGO_MANIFEST_DIR/src/media/sentences"),
    intents: INTENTS,
    chooses: |_, choices, spoken| {
        rooms::chosen_of(choices, spoken.said, spoken.locales, spoken.lang).is_some()
    },
    object: gaps::object,
    ..Skill::PLAIN
};

/// The toolbox, with what plays elsewhere in the home.
pub fn toolbox(
    players: &Arc<Players>,
    rooms: Option<Arc<dyn RoomPlayers>>,
    wording: &Wording,
) -> FunctionToolbox {
    let tools = &Arc::new(Tools {
        players: Arc::clone(players),
        rooms,
        locales: Arc::clone(&wording.locales),
    });
    let functions = vec![
        Function::sharing(
            tools,
            CONTROL,
            "Tell the media player to play, pause, stop or change the track.",
            tools::control,
        )
        .hinted(
            "This song is boring.",
            "This asks for another one.",
            json!({"action": "next"}),
        )
        .changing(),
        Function::sharing(
            tools,
            SEEK,
            "Go forward or back within what is being played.",
            tools::seek,
        )
        .changing(),
        Function::sharing(
            tools,
            PLAYING,
            "Tell which music is being played, and by which player.",
            tools::what_plays,
        ),
        Function::sharing(
            tools,
            LIST,
            "Tell which media players run on this device.",
            tools::list,
        ),
    ];
    let functions = functions.into_iter().map(|function| {
        function.with(|tool| {
            tool.brings_foreign_text = true;
            tool.timeout = PATIENCE;
        })
    });
    let check = Function::sharing(
        tools,
        CHECK,
        "Tell whether music is being played, or is not.",
        tools::check,
    )
    // A brain asks what is being played.
    .with(|tool| tool.unseen = true);
    FunctionToolbox::new(ID, functions.chain([check]).collect()).telling(FOLDER, wording)
}
