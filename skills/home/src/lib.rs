//! `loquat-home-tools`: the things of a home, told over Home Assistant what to do and asked how they are.
//!
//! Where no Home Assistant is set there are no tools and no sentences. What moves a door, a lock or an alarm is asked about
//! first, whatever it is called.

use std::sync::Arc;
use std::time::Duration;

use include_dir::include_dir;

use loquat_agent::toolbox::{Category, Confirm};
use loquat_kit::Skill;
use loquat_kit::function::{Function, FunctionToolbox};
use loquat_kit::intent::{Intent, Slot, Unsaid};
use loquat_kit::wording::Wording;

mod action;
mod announcement;
mod assist;
mod choosing;
mod class;
mod command;
mod connection;
mod deed;
mod gaps;
mod given;
mod guard;
mod house;
mod link;
mod lists;
mod media;
mod names;
mod obeyed;
mod order;
mod place;
mod playing;
mod presence;
mod progress;
mod question;
mod reading;
mod report;
mod seen;
mod service;
mod session;
mod settings;
mod shade;
mod states;
mod stations;
mod target;
mod telling;
#[cfg(test)]
mod tests;
mod tools;
mod undo;
mod vocabulary;
mod was;
mod words;

pub use gaps::{Sparing, is_spared, names_several, sparing, takes_exceptions};
pub use link::{Condition, HomeAssistant};
use names::{ANNOUNCE, CONTROL, FOLDER, PLAY, RESOLVE, RESTORE, SET};
pub use names::{ASSIST, CHANGE_LIST, CLEAR_LIST, ID, READ, READ_LIST};
pub use settings::{FetchToken, HomeSettings};
use tools::Tools;
pub use vocabulary::{ThingName, Vocabulary};

/// A call, the wait for what comes of it, and a connection that is being made.
const PATIENCE: Duration = Duration::from_secs(14);

const THING: Slot = Slot {
    name: "thing",
    argument: "thing",
    read: gaps::thing,
};
const LOCKABLE: Slot = Slot {
    name: "thing",
    argument: "thing",
    read: gaps::lockable,
};
const READABLE: Slot = Slot {
    name: "thing",
    argument: "thing",
    read: gaps::readable,
};
const SCENE: Slot = Slot {
    name: "thing",
    argument: "thing",
    read: gaps::scene,
};
const AREA: Slot = Slot {
    name: "area",
    argument: "area",
    read: gaps::area,
};
/// A lamp: nothing else has a colour.
const LAMP: Slot = Slot {
    name: "thing",
    argument: "thing",
    read: gaps::lamp,
};
/// A heating, by its name.
const HEATING_THING: Slot = Slot {
    name: "thing",
    argument: "thing",
    read: gaps::heating,
};
/// A place with players, or a player by its name, which often is that of a room. What plays on the device itself is no part of it.
const PLAYED: Slot = Slot {
    name: "area",
    argument: "thing",
    read: gaps::played,
};
/// A place with lights, and one with a heating.
const LIT: Slot = Slot {
    name: "area",
    argument: "area",
    read: gaps::lit,
};
const HEATED: Slot = Slot {
    name: "area",
    argument: "area",
    read: gaps::heated,
};
const PERCENT: Slot = Slot {
    name: "percent",
    argument: "level",
    read: loquat_kit::slots::percent,
};
/// Where no verb tells what is wanted, the word or sign for it does.
const HUNDREDTHS: Slot = Slot {
    name: "hundredths",
    argument: "level",
    read: gaps::hundredths,
};
const DEGREES: Slot = Slot {
    name: "degrees",
    argument: "temperature",
    read: gaps::degrees,
};
const ITEM: Slot = Slot {
    name: "item",
    argument: "item",
    read: gaps::item,
};
const LIST: Slot = Slot {
    name: "list",
    argument: "list",
    read: gaps::todo_list,
};
const STATE: Slot = Slot {
    name: "state",
    argument: "state",
    read: states::state,
};
/// A verb for a state, which begins a question: "brennt das Licht".
const SHINING: Slot = Slot {
    name: "shining",
    argument: "state",
    read: states::shining,
};
const THINGS: Slot = Slot {
    name: "things",
    argument: "kind",
    read: states::things,
};
const SENSORS: Slot = Slot {
    name: "sensors",
    argument: "class",
    read: states::sensors,
};
const QUANTITY: Slot = Slot {
    name: "quantity",
    argument: "class",
    read: states::quantity,
};
/// So many degrees more or less.
const WARMER_BY: Slot = Slot {
    name: "by",
    argument: "temperature_change",
    read: gaps::more_degrees,
};
const COLDER_BY: Slot = Slot {
    name: "by",
    argument: "temperature_change",
    read: gaps::less_degrees,
};
/// So many degrees with the word for them. A sentence with this gap names fewer words itself than one that has that word and a
/// gap for the number, so that what goes on with a heating that was spoken of goes before what names none.
const WARMER_STEP: Slot = Slot {
    name: "step",
    argument: "temperature_change",
    read: gaps::degrees_more,
};
const COLDER_STEP: Slot = Slot {
    name: "step",
    argument: "temperature_change",
    read: gaps::degrees_less,
};
/// What cleans or mows by itself.
const CLEANER: Slot = Slot {
    name: "cleaner",
    argument: "thing",
    read: gaps::cleaner,
};
/// A fan. What goes on with one that was spoken of has this gap though it names none, so that it means nothing else.
const FAN: Slot = Slot {
    name: "thing",
    argument: "thing",
    read: gaps::fan,
};
const COLOUR: Slot = Slot {
    name: "colour",
    argument: "color",
    read: gaps::colour,
};

/// So much more or less light or speed as one asks for without a number.
const MORE: &[(&str, Unsaid)] = &[("level_change", Unsaid::Words("up"))];
const LESS: &[(&str, Unsaid)] = &[("level_change", Unsaid::Words("down"))];

/// The lights of a room, so much brighter or darker.
const MORE_LIGHT: &[(&str, Unsaid)] = &[
    ("kind", Unsaid::Words("light")),
    ("level_change", Unsaid::Words("up")),
];
const LESS_LIGHT: &[(&str, Unsaid)] = &[
    ("kind", Unsaid::Words("light")),
    ("level_change", Unsaid::Words("down")),
];

/// The heating, by so much as one asks for with or without a number.
const HEATING: &[(&str, Unsaid)] = &[("kind", Unsaid::Words("climate"))];
const WARMER: &[(&str, Unsaid)] = &[
    ("kind", Unsaid::Words("climate")),
    ("temperature_change", Unsaid::Words("up")),
];
const COLDER: &[(&str, Unsaid)] = &[
    ("kind", Unsaid::Words("climate")),
    ("temperature_change", Unsaid::Words("down")),
];

/// The heating that was spoken of, by so much or as one asks for without a number.
const SPOKEN_OF: &[(&str, Unsaid)] = &[("of_last", Unsaid::Truth(true))];
const WARMER_OF_LAST: &[(&str, Unsaid)] = &[
    ("of_last", Unsaid::Truth(true)),
    ("temperature_change", Unsaid::Words("up")),
];
const COLDER_OF_LAST: &[(&str, Unsaid)] = &[
    ("of_last", Unsaid::Truth(true)),
    ("temperature_change", Unsaid::Words("down")),
];

/// What plays in a room, at so much percent or as much louder or quieter as one asks for without a number.
const PLAYERS: &[(&str, Unsaid)] = &[("kind", Unsaid::Words("media_player"))];
const LOUDER: &[(&str, Unsaid)] = &[
    ("kind", Unsaid::Words("media_player")),
    ("level_change", Unsaid::Words("up")),
];
const QUIETER: &[(&str, Unsaid)] = &[
    ("kind", Unsaid::Words("media_player")),
    ("level_change", Unsaid::Words("down")),
];

/// What people say for its tools.
const INTENTS: &[Intent] = &[
    does("on"),
    does("off"),
    does("open"),
    does("close"),
    does("stop"),
    does("lock"),
    does("unlock"),
    does("arm"),
    does("disarm"),
    Intent::new("run", CONTROL)
        .slots(&[SCENE, AREA])
        .unsaid(&[("action", Unsaid::Words("run"))]),
    Intent::new("list_add", CHANGE_LIST)
        .slots(&[ITEM, LIST])
        .unsaid(&[("action", Unsaid::Words("add"))]),
    Intent::new("list_done", CHANGE_LIST)
        .slots(&[ITEM, LIST])
        .unsaid(&[("action", Unsaid::Words("complete"))]),
    Intent::new("level", SET).slots(&[THING, AREA, PERCENT, HUNDREDTHS]),
    Intent::new("brighter", SET).slots(&[THING, AREA]).unsaid(MORE),
    Intent::new("dimmer", SET).slots(&[THING, AREA]).unsaid(LESS),
    Intent::new("faster", SET).slots(&[FAN, AREA]).unsaid(MORE),
    Intent::new("slower", SET).slots(&[FAN, AREA]).unsaid(LESS),
    Intent::new("half", SET)
        .slots(&[THING, AREA])
        .unsaid(&[("level", Unsaid::Number(50.0))]),
    Intent::new("low", SET)
        .slots(&[THING, AREA])
        .unsaid(&[("level", Unsaid::Number(33.0))]),
    Intent::new("medium", SET)
        .slots(&[THING, AREA])
        .unsaid(&[("level", Unsaid::Number(66.0))]),
    Intent::new("full", SET)
        .slots(&[THING, AREA])
        .unsaid(&[("level", Unsaid::Number(100.0))]),
    Intent::new("brighter_room", SET).slots(&[LIT]).unsaid(MORE_LIGHT),
    Intent::new("dimmer_room", SET).slots(&[LIT]).unsaid(LESS_LIGHT),
    Intent::new("warmer_by", SET)
        .slots(&[HEATED, WARMER_BY, WARMER_STEP])
        .unsaid(HEATING),
    Intent::new("colder_by", SET)
        .slots(&[HEATED, COLDER_BY, COLDER_STEP])
        .unsaid(HEATING),
    Intent::new("warmer_by_it", SET)
        .slots(&[WARMER_BY])
        .unsaid(SPOKEN_OF)
        .meaning_last(),
    Intent::new("colder_by_it", SET)
        .slots(&[COLDER_BY])
        .unsaid(SPOKEN_OF)
        .meaning_last(),
    Intent::new("warmer", SET).slots(&[HEATED]).unsaid(WARMER),
    Intent::new("colder", SET).slots(&[HEATED]).unsaid(COLDER),
    Intent::new("warmer_it", SET)
        .unsaid(WARMER_OF_LAST)
        .meaning_last(),
    Intent::new("colder_it", SET)
        .unsaid(COLDER_OF_LAST)
        .meaning_last(),
    plays("music_stop"),
    plays("music_pause"),
    plays("music_next"),
    plays("music_previous"),
    Intent::new("music_louder", SET).slots(&[PLAYED]).unsaid(LOUDER),
    Intent::new("music_quieter", SET).slots(&[PLAYED]).unsaid(QUIETER),
    Intent::new("music_level", SET)
        .slots(&[PLAYED, PERCENT])
        .unsaid(PLAYERS),
    Intent::new("send_out", CONTROL)
        .slots(&[CLEANER])
        .unsaid(&[("action", Unsaid::Words("start"))]),
    Intent::new("send_home", CONTROL)
        .slots(&[CLEANER])
        .unsaid(&[("action", Unsaid::Words("return"))]),
    Intent::new("brighter_it", SET).unsaid(MORE).meaning_last(),
    Intent::new("dimmer_it", SET).unsaid(LESS).meaning_last(),
    Intent::new("faster_it", SET)
        .slots(&[FAN])
        .unsaid(MORE)
        .meaning_last(),
    Intent::new("slower_it", SET)
        .slots(&[FAN])
        .unsaid(LESS)
        .meaning_last(),
    Intent::new("colour", SET).slots(&[LAMP, AREA, COLOUR]),
    Intent::new("heat", SET).slots(&[THING, AREA, DEGREES]),
    Intent::new("heat_room", SET)
        .slots(&[AREA, DEGREES])
        .unsaid(&[("kind", Unsaid::Words("climate"))]),
    Intent::new("state", READ).slots(&[READABLE, AREA]),
    Intent::new("is_state", READ)
        .slots(&[READABLE, AREA, STATE, SENSORS, SHINING])
        .unsaid(&[("question", Unsaid::Words("is"))]),
    asks("any_state", "any"),
    asks("all_state", "all"),
    asks("which_state", "which"),
    asks("how_many_state", "how_many"),
    Intent::new("measure", READ).slots(&[READABLE, QUANTITY]),
    Intent::new("temperature", READ)
        .slots(&[AREA])
        .unsaid(&[("kind", Unsaid::Words("temperature"))]),
    Intent::new("set_temperature", READ)
        .slots(&[HEATING_THING, AREA])
        .unsaid(&[("kind", Unsaid::Words(names::SET_TEMPERATURE))]),
    Intent::new("humidity", READ)
        .slots(&[AREA])
        .unsaid(&[("kind", Unsaid::Words("humidity"))]),
    does_to_it("on_it"),
    does_to_it("off_it"),
    does_to_it("open_it"),
    does_to_it("close_it"),
    does_to_it("lock_it"),
    does_to_it("unlock_it"),
    Intent::new("level_it", SET)
        .slots(&[PERCENT, HUNDREDTHS])
        .meaning_last(),
    Intent::new("half_it", SET)
        .unsaid(&[("level", Unsaid::Number(50.0))])
        .meaning_last(),
    Intent::new("colour_it", SET).slots(&[COLOUR]).meaning_last(),
    Intent::new("heat_it", SET).slots(&[DEGREES]).meaning_last(),
    Intent::new("is_it", READ)
        .slots(&[STATE, SHINING])
        .unsaid(&[("question", Unsaid::Words("is"))])
        .meaning_last(),
];

/// The intents of questions that are answered with yes or no.
pub const YES_OR_NO: [&str; 3] = ["home.is_state", "home.any_state", "home.all_state"];

/// An intent that has something do what it is called.
const fn does(name: &'static str) -> Intent {
    let unsaid: &'static [(&'static str, Unsaid)] = match name.as_bytes() {
        b"on" => &[("action", Unsaid::Words("on"))],
        b"off" => &[("action", Unsaid::Words("off"))],
        b"open" => &[("action", Unsaid::Words("open"))],
        b"close" => &[("action", Unsaid::Words("close"))],
        b"stop" => &[("action", Unsaid::Words("stop"))],
        b"lock" => &[("action", Unsaid::Words("lock"))],
        b"unlock" => &[("action", Unsaid::Words("unlock"))],
        b"arm" => &[("action", Unsaid::Words("arm"))],
        _ => &[("action", Unsaid::Words("disarm"))],
    };
    let slots: &'static [Slot] = match name.as_bytes() {
        b"lock" | b"unlock" => &[LOCKABLE, AREA],
        _ => &[THING, AREA],
    };
    Intent::new(name, CONTROL).slots(slots).unsaid(unsaid)
}

/// An intent that has the players of a room do what it is called.
const fn plays(name: &'static str) -> Intent {
    const KIND: (&str, Unsaid) = ("kind", Unsaid::Words("media_player"));
    let unsaid: &'static [(&'static str, Unsaid)] = match name.as_bytes() {
        b"music_stop" => &[KIND, ("action", Unsaid::Words("stop"))],
        b"music_pause" => &[KIND, ("action", Unsaid::Words("pause"))],
        b"music_next" => &[KIND, ("action", Unsaid::Words("next"))],
        _ => &[KIND, ("action", Unsaid::Words("previous"))],
    };
    Intent::new(name, CONTROL).slots(&[PLAYED]).unsaid(unsaid)
}

/// An intent that has what was spoken of last do what it is called.
const fn does_to_it(name: &'static str) -> Intent {
    let unsaid: &'static [(&'static str, Unsaid)] = match name.as_bytes() {
        b"on_it" => &[("action", Unsaid::Words("on"))],
        b"off_it" => &[("action", Unsaid::Words("off"))],
        b"open_it" => &[("action", Unsaid::Words("open"))],
        b"close_it" => &[("action", Unsaid::Words("close"))],
        b"lock_it" => &[("action", Unsaid::Words("lock"))],
        _ => &[("action", Unsaid::Words("unlock"))],
    };
    Intent::new(name, CONTROL).unsaid(unsaid).meaning_last()
}

/// An intent that asks so about several things, and in which state they are.
const fn asks(name: &'static str, question: &'static str) -> Intent {
    let unsaid: &'static [(&'static str, Unsaid)] = match question.as_bytes() {
        b"any" => &[("question", Unsaid::Words("any"))],
        b"all" => &[("question", Unsaid::Words("all"))],
        b"which" => &[("question", Unsaid::Words("which"))],
        _ => &[("question", Unsaid::Words("how_many"))],
    };
    Intent::new(name, READ)
        .slots(&[THINGS, SENSORS, STATE, SHINING, AREA])
        .unsaid(unsaid)
}

/// The skill.
pub const SKILL: Skill = Skill {
    id: ID,
    folder: FOLDER,
    sentences: &include_dir!("$CARGO_MANIFEST_DIR/sentences"),
    intents: INTENTS,
    needs_home: true,
    chooses: choosing::chooses,
    about: choosing::about,
    object: choosing::object,
    ..Skill::PLAIN
};

/// The toolbox; without a home it has no tools.
pub fn toolbox(home: Option<&Arc<HomeAssistant>>, wording: &Wording) -> FunctionToolbox {
    let Some(home) = home else {
        return FunctionToolbox::new(ID, Vec::new());
    };
    let tools = &Arc::new(Tools {
        home: Arc::clone(home),
        locales: Arc::clone(&wording.locales),
    });
    let mut functions = vec![
        Function::sharing(
            tools,
            CONTROL,
            "Switch, open, close, lock or play things of the home: lights, covers, locks, players, scenes.",
            command::control,
        )
        .changing()
        .undone_by(RESTORE)
        .asked_in(telling::asked)
        .with(|tool| tool.resolved_by = Some(RESOLVE.to_owned())),
        Function::sharing(
            tools,
            SET,
            "Set brightness, colour, position, speed, volume or heating of things of the home.",
            command::set,
        )
        .changing()
        .undone_by(RESTORE)
        .asked_in(telling::asked)
        .with(|tool| tool.resolved_by = Some(RESOLVE.to_owned())),
        Function::sharing(
            tools,
            READ,
            "Tell how things of the home are: temperature of a room, whether a window is open.",
            reading::read,
        ),
        Function::sharing(
            tools,
            PLAY,
            "Look for music, a film or a podcast on a player of the home, and play it there.",
            media::play,
        )
        .changing()
        .asked_in(telling::asked)
        .with(|tool| tool.resolved_by = Some(RESOLVE.to_owned())),
        Function::sharing(
            tools,
            ANNOUNCE,
            "Say something aloud in other rooms of the home.",
            announcement::announce,
        )
        .changing()
        // A brain has the tool for all rooms, of the home and others.
        .with(|tool| tool.unseen = true),
    ];
    functions.extend(of_lists(tools));
    functions.extend([
        Function::sharing(
            tools,
            RESTORE,
            "Make things of the home what they were.",
            undo::restore,
        )
        .only_undoing()
        .asked_in(telling::asked)
        .with(|tool| tool.resolved_by = Some(RESOLVE.to_owned())),
        Function::sharing(tools, RESOLVE, "Finds what a call means.", tools::resolve)
            .with(|tool| tool.only_undoes = true),
    ]);
    if tools.home.settings.assist {
        let assist = Function::sharing(
            tools,
            ASSIST,
            "Hand a sentence to Assist of Home Assistant.",
            assist::ask,
        )
        .changing()
        .asked_in(telling::asked_of_assist);
        functions.push(assist.with(|tool| {
            tool.only_undoes = true;
            tool.resolved_by = Some(RESOLVE.to_owned());
        }));
    }
    let functions = functions.into_iter();
    let functions = functions.map(|function| function.with(|tool| tool.timeout = PATIENCE));
    FunctionToolbox::new(ID, functions.collect()).telling(FOLDER, wording)
}

/// The tools for the lists of the home.
fn of_lists(tools: &Arc<Tools>) -> [Function; 3] {
    [
        Function::sharing(
            tools,
            READ_LIST,
            "Tell what is on a to-do list that Home Assistant keeps.",
            lists::read,
        ),
        Function::sharing(
            tools,
            CHANGE_LIST,
            "Put an item on a to-do list that Home Assistant keeps, tick it off or take it off.",
            lists::change,
        )
        .changing(),
        Function::sharing(
            tools,
            CLEAR_LIST,
            "Take everything off a to-do list that Home Assistant keeps.",
            lists::clear,
        )
        .changing()
        .asked_in(lists::asked_to_clear)
        .with(|tool| {
            (tool.category, tool.confirm) = (Category::Dangerous, Confirm::Ask);
            tool.unseen = true;
        }),
    ]
}
