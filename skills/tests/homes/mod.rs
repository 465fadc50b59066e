//! What stands in the home of these tests beside what was recorded, and what is said about it.

use loquat_tests::home_assistant::Thing;
use serde_json::{Value, json};

use super::Row;

/// A player that can do all that is asked of one: among it searching, playing, and setting and muting its volume.
const ALL_OF_A_PLAYER: u64 = 4_194_304 + 16_384 + 4_096 + 512 + 256 + 128 + 32 + 16 + 8 + 4 + 1;

pub(super) fn furniture() -> Vec<Thing> {
    let mut things = covers_and_valves();
    things.extend(robots_and_people());
    things.extend([
        Thing::new("button.doorbell", "Doorbell", "unknown"),
        Thing::new("button.find", "Find Me", "unknown").of_class("identify"),
        Thing::new("input_boolean.guests", "Guest Mode", "off"),
        Thing::new("humidifier.cellar", "Humidifier", "on").with("humidity", json!(40)),
        Thing::new("light.kitchen", "Kitchen", "off").within("kitchen"),
        Thing::new("light.lamp_bedroom", "Lamp", "off").within("bedroom"),
        Thing::new("light.lamp_kitchen", "Lamp", "off").within("kitchen"),
        Thing::new("light.christmas", "Christmas Lights", "off"),
        Thing::new("switch.christmas", "Christmas Lights", "off"),
        Thing::new("binary_sensor.pane", "Kitchen Pane", "on")
            .within("kitchen")
            .of_class("window"),
        Thing::new("climate.studio", "Studio Heating", "heat")
            .within("office")
            .that_can(1 + 8)
            .with("fan_modes", json!(["low", "high"]))
            .with("fan_mode", json!("low"))
            .with("min_temp", json!(7))
            .with("max_temp", json!(35))
            .with("temperature", json!(20))
            .with("current_temperature", json!(19)),
        Thing::new("media_player.jukebox", "Jukebox", "paused")
            .within("office")
            .that_can(ALL_OF_A_PLAYER)
            .with("volume_level", json!(0.5))
            .with("is_volume_muted", json!(false)),
        Thing::new("assist_satellite.hall", "Hall", "idle")
            .that_can(1)
            .hidden(),
        Thing::new("assist_satellite.kitchen", "Kitchen Satellite", "idle")
            .within("kitchen")
            .that_can(1),
        Thing::new("assist_satellite.mute", "Mute Satellite", "idle")
            .within("office")
            .that_can(0),
    ]);
    things
}

fn covers_and_valves() -> Vec<Thing> {
    let cover = |id: &'static str, name: &str, state: &'static str, class: &str, open: u8| {
        let thing = Thing::new(id, name, state).of_class(class).that_can(15);
        thing.with("current_position", json!(open))
    };
    vec![
        cover("cover.bedroom_blind", "Bedroom Blind", "open", "blind", 70).within("bedroom"),
        cover("cover.bedroom_curtain", "Bedroom Curtain", "closed", "curtain", 0).within("bedroom"),
        cover("cover.front_gate", "Front Gate", "closed", "gate", 0),
        Thing::new("valve.main", "Main Valve", "open")
            .that_can(15)
            .with("current_position", json!(100)),
    ]
}

fn robots_and_people() -> Vec<Thing> {
    vec![
        Thing::new("vacuum.robby", "Robby", "docked")
            .within("living_room")
            .that_can(8_192 + 16_384 + 4 + 8 + 16),
        Thing::new("vacuum.plain", "Plain Vacuum", "docked")
            .within("bedroom")
            .that_can(8_192 + 16),
        Thing::new("lawn_mower.moe", "Moe", "docked").that_can(7),
        Thing::new("person.ada", "Ada", "home"),
        Thing::new("person.bob", "Bob", "not_home"),
        Thing::new("person.cy", "Cy", "Work"),
    ]
}

pub(super) fn controlled() -> Vec<Row> {
    let mut rows = switched();
    rows.extend(moved());
    rows
}

fn switched() -> Vec<Row> {
    let control = |action: &str, thing: &str| json!({"action": action, "thing": thing});
    vec![
        (
            control("on", "Guest Mode"),
            "input_boolean.turn_on input_boolean.guests",
            "I have turned on Guest Mode.",
        ),
        (
            control("off", "Humidifier"),
            "humidifier.turn_off humidifier.cellar",
            "I have turned off Humidifier.",
        ),
        (
            control("arm", "Living Room Fan"),
            "fan.turn_on fan.living_room_fan",
            "I have turned on Living Room Fan.",
        ),
        (
            control("stop", "Living Room Fan"),
            "fan.turn_off fan.living_room_fan",
            "I have turned off Living Room Fan.",
        ),
        (
            control("stop", "Ceiling Lights"),
            "light.turn_off light.ceiling_lights",
            "I have turned off Ceiling Lights.",
        ),
        // A light and a switch have this name.
        (
            control("on", "Christmas Lights"),
            "light.turn_on light.christmas",
            "I have turned on Christmas Lights.",
        ),
        (
            control("on", "living room ceiling lights"),
            "light.turn_on light.ceiling_lights",
            "I have turned on Ceiling Lights.",
        ),
        (
            control("mute", "Jukebox"),
            "media_player.volume_mute media_player.jukebox",
            "I have muted Jukebox.",
        ),
        (
            control("unmute", "Jukebox"),
            "media_player.volume_mute media_player.jukebox",
            "Jukebox can be heard again.",
        ),
        (
            json!({"action": "play", "area": "office"}),
            "media_player.media_play media_player.jukebox",
            "Playing on Jukebox.",
        ),
        (
            json!({"action": "pause", "area": "office", "kind": "media_player"}),
            "media_player.media_pause media_player.jukebox",
            "I have paused Jukebox.",
        ),
        (control("next", "Browse"), "", "Browse cannot do that."),
        (
            control("press", "Find Me"),
            "button.press button.find",
            "I have pressed Find Me.",
        ),
    ]
}

fn moved() -> Vec<Row> {
    let control = |action: &str, thing: &str| json!({"action": action, "thing": thing});
    vec![
        (
            control("on", "Kitchen Window"),
            "cover.open_cover cover.kitchen_window",
            "I have opened Kitchen Window.",
        ),
        (
            control("off", "Kitchen Window"),
            "cover.close_cover cover.kitchen_window",
            "I have closed Kitchen Window.",
        ),
        (
            json!({"action": "close", "area": "bedroom", "class": "blind"}),
            "cover.close_cover cover.bedroom_blind",
            "I have closed Bedroom Blind.",
        ),
        (
            json!({"action": "open", "area": "Bedroom", "kind": "cover", "class": ["curtain", "shade"]}),
            "cover.open_cover cover.bedroom_curtain",
            "I have opened Bedroom Curtain.",
        ),
        // A class of several, and a floor.
        (
            json!({"action": "on", "area": "upstairs", "kind": "cover", "class": "blinds"}),
            "cover.open_cover cover.bedroom_blind",
            "I have opened Bedroom Blind.",
        ),
        // The window of the device's room has no class.
        (
            json!({"action": "open", "kind": "cover", "class": "window", "area": "here"}),
            "cover.open_cover cover.kitchen_window",
            "I have opened Kitchen Window.",
        ),
        (
            json!({"action": "close", "kind": "everything", "area": "bedroom"}),
            "cover.close_cover cover.bedroom_blind cover.bedroom_curtain",
            "I have closed Bedroom Blind and Bedroom Curtain.",
        ),
        (
            json!({"action": "close", "thing": "bedroom blinds"}),
            "cover.close_cover cover.bedroom_blind",
            "I have closed Bedroom Blind.",
        ),
        (
            control("start", "Robby"),
            "vacuum.start vacuum.robby",
            "I have started Robby.",
        ),
        (
            json!({"action": "return", "kind": "vacuum", "area": "living room"}),
            "vacuum.return_to_base vacuum.robby",
            "Robby: it is under way.",
        ),
        (
            json!({"action": "clean_area", "area": "Office"}),
            "vacuum.clean_area vacuum.robby",
            "Robby: cleaning Office.",
        ),
        (
            json!({"action": "clean_area", "thing": "Robby", "area": "here"}),
            "vacuum.clean_area vacuum.robby",
            "Robby: cleaning Kitchen.",
        ),
        (
            json!({"action": "clean_area", "thing": "Plain Vacuum", "area": "Kitchen"}),
            "",
            "Plain Vacuum cannot do that.",
        ),
        (
            control("on", "Moe"),
            "lawn_mower.start_mowing lawn_mower.moe",
            "I have started Moe.",
        ),
        (
            json!({"action": "return", "kind": "lawn_mower"}),
            "lawn_mower.dock lawn_mower.moe",
            "I have sent Moe home.",
        ),
    ]
}

#[expect(clippy::too_many_lines, reason = "a table")]
pub(super) fn set() -> Vec<Row> {
    let dimmed = "light.turn_on light.kitchen";
    vec![
        // A light and a player have this name, and the room.
        (
            json!({"thing": "Kitchen", "level": 40}),
            dimmed,
            "I have set Kitchen.",
        ),
        (
            json!({"thing": "Kitchen", "kind": "light", "level": 30}),
            dimmed,
            "I have set Kitchen.",
        ),
        (
            json!({"thing": "Kitchen", "kind": "player", "level": 30}),
            "media_player.volume_set media_player.kitchen",
            "I have set Kitchen.",
        ),
        (
            json!({"area": "office", "kind": "player", "level": 30}),
            "media_player.volume_set media_player.jukebox",
            "I have set Jukebox.",
        ),
        (
            json!({"thing": "Hall Window", "level": 30}),
            "cover.set_cover_position cover.hall_window",
            "I have set Hall Window.",
        ),
        (
            json!({"thing": "Kitchen Window", "level": 30}),
            "",
            "Kitchen Window cannot do that.",
        ),
        (
            json!({"class": "blind", "kind": "cover", "level": 60}),
            "cover.set_cover_position cover.bedroom_blind",
            "I have set Bedroom Blind.",
        ),
        (
            json!({"thing": "Living Room Fan", "level": 66}),
            "fan.set_percentage fan.living_room_fan",
            "I have set Living Room Fan.",
        ),
        (
            json!({"thing": "Preset Only Limited Fan", "level": 50}),
            "",
            "Preset Only Limited Fan cannot do that.",
        ),
        (
            json!({"thing": "Humidifier", "level": 55}),
            "humidifier.set_humidity humidifier.cellar",
            "I have set Humidifier.",
        ),
        (
            json!({"thing": "Bed Light", "color": "brown"}),
            "light.turn_on light.bed_light",
            "I have set Bed Light.",
        ),
        (
            json!({"thing": "Bed Light", "kelvin": 4000}),
            "light.turn_on light.bed_light",
            "I have set Bed Light.",
        ),
        (
            json!({"temperature": 22}),
            "climate.set_temperature climate.studio",
            "I have set Studio Heating.",
        ),
        (
            json!({"area": "here", "fan_mode": "HIGH"}),
            "climate.set_fan_mode climate.studio",
            "I have set Studio Heating.",
        ),
        // A number without degrees, said of a heating.
        (
            json!({"thing": "Studio Heating", "level": 21}),
            "climate.set_temperature climate.studio",
            "I have set Studio Heating.",
        ),
        (
            json!({"thing": "Studio Heating", "level": 73}),
            "",
            "Studio Heating takes 7 to 35.",
        ),
        (
            json!({"thing": "Bed Light", "level": 150}),
            "",
            "Bed Light takes 0 to 100.",
        ),
        (
            json!({"thing": "Bed Light", "kelvin": 90_000}),
            "",
            "Bed Light takes 1000 to 10000.",
        ),
        (
            json!({"thing": "Studio Heating", "fan_mode": "turbo"}),
            "",
            "Studio Heating knows only low and high.",
        ),
        (
            json!({"thing": "Ecobee", "temperature": 21}),
            "",
            "Ecobee cannot do that.",
        ),
    ]
}

pub(super) fn numbers() -> Vec<(Value, Value)> {
    vec![
        (
            json!({"thing": "Bed Light", "level": 40}),
            json!({"brightness_pct": 40.0}),
        ),
        (
            json!({"thing": "Bed Light", "level_change": 10}),
            json!({"brightness_pct": 50.0}),
        ),
        (
            json!({"thing": "Bed Light", "level_change": -90}),
            json!({"brightness_pct": 1.0}),
        ),
        (
            json!({"thing": "Jukebox", "level_change": "up"}),
            json!({"volume_level": 0.6}),
        ),
        (
            json!({"area": "office", "level_change": -35}),
            json!({"volume_level": 0.25}),
        ),
        (
            json!({"thing": "Jukebox", "level_change": "down"}),
            json!({"volume_level": 0.15}),
        ),
        (
            json!({"thing": "Bedroom Blind", "level_change": -20}),
            json!({"position": 50.0}),
        ),
        (
            json!({"thing": "Bed Light", "color": "black"}),
            json!({"color_name": "black"}),
        ),
        (
            json!({"thing": "Bed Light", "kelvin": 4000}),
            json!({"color_temp_kelvin": 4000}),
        ),
        (
            json!({"thing": "Studio Heating", "fan_mode": "HIGH"}),
            json!({"fan_mode": "high"}),
        ),
        (json!({"temperature": 21.5}), json!({"temperature": 21.5})),
    ]
}

/// The tool, its arguments, the word of the question, and what is called after the yes.
type Guarded = (&'static str, Value, &'static str, &'static str);

#[expect(clippy::too_many_lines, reason = "a table")]
pub(super) fn guarded() -> Vec<Guarded> {
    let control = |action: &str, thing: &str| json!({"action": action, "thing": thing});
    vec![
        (
            "control_home",
            control("off", "Front Door"),
            "unlock",
            "lock.unlock lock.front_door",
        ),
        (
            "control_home",
            control("on", "Front Door"),
            "lock",
            "lock.lock lock.front_door",
        ),
        (
            "control_home",
            control("open", "Front Door"),
            "unlock",
            "lock.unlock lock.front_door",
        ),
        (
            "control_home",
            json!({"action": "off", "kind": "lock"}),
            "unlock",
            "lock.unlock lock.front_door lock.kitchen_door",
        ),
        (
            "control_home",
            json!({"action": "open", "kind": "cover", "class": "garage"}),
            "open",
            "cover.open_cover cover.garage_door",
        ),
        (
            "control_home",
            json!({"action": "on", "class": ["door", "gate"], "kind": "cover"}),
            "open",
            "cover.open_cover cover.front_gate",
        ),
        (
            "control_home",
            control("close", "garage doors"),
            "close",
            "cover.close_cover cover.garage_door",
        ),
        (
            "control_home",
            control("close", "the gate"),
            "close",
            "cover.close_cover cover.front_gate",
        ),
        (
            "control_home",
            control("press", "Doorbell"),
            "press",
            "button.press button.doorbell",
        ),
        (
            "control_home",
            control("on", "Doorbell"),
            "press",
            "button.press button.doorbell",
        ),
        (
            "control_home",
            control("run", "Doorbell"),
            "press",
            "button.press button.doorbell",
        ),
        (
            "control_home",
            control("start", "Leave the house"),
            "start",
            "script.turn_on script.leave",
        ),
        (
            "control_home",
            control("off", "Main Valve"),
            "close",
            "valve.close_valve valve.main",
        ),
        (
            "control_home",
            control("stop", "Siren"),
            "turn off",
            "siren.turn_off siren.siren",
        ),
        (
            "set_home",
            json!({"thing": "Main Valve", "level": 50}),
            "set",
            "valve.set_valve_position valve.main",
        ),
        (
            "set_home",
            json!({"thing": "Main Valve", "level_change": -20}),
            "set",
            "valve.set_valve_position valve.main",
        ),
        (
            "set_home",
            json!({"kind": "cover", "class": "gate", "level": 50}),
            "set",
            "cover.set_cover_position cover.front_gate",
        ),
    ]
}

pub(super) fn questions() -> Vec<(Value, &'static str)> {
    let mut questions = about_things();
    questions.extend(about_people());
    questions
}

fn about_things() -> Vec<(Value, &'static str)> {
    let ask =
        |question: &str, kind: &str, state: &str| json!({"question": question, "kind": kind, "state": state});
    let is = |thing: &str, state: &str| json!({"question": "is", "thing": thing, "state": state});
    vec![
        (is("Kitchen Window", "closed"), "Yes."),
        (is("Kitchen Window", "open"), "No, Kitchen Window is closed."),
        (is("Kitchen Pane", "on"), "Yes."),
        (is("Kitchen Pane", "open"), "Yes."),
        (is("Kitchen Pane", "off"), "No, Kitchen Pane is open."),
        (is("Front Door", "locked"), "Yes."),
        (is("Hvac", "on"), "Yes."),
        (is("Jukebox", "off"), "No, Jukebox is paused."),
        (ask("any", "lock", "unlocked"), "Yes, Kitchen Door."),
        (ask("all", "lock", "locked"), "No, not Kitchen Door."),
        (ask("which", "lock", "locked"), "Front Door."),
        (ask("how_many", "lock", "jammed"), "None."),
        (ask("any", "vacuum", "cleaning"), "No."),
        (ask("all", "vacuum", "docked"), "Yes."),
        (ask("how_many", "vacuum", "docked"), "2: Plain Vacuum and Robby."),
        (
            json!({"question": "any", "kind": "light", "area": "living room", "state": "on"}),
            "Yes, 2: Ceiling Lights and Living Room RGBWW Lights.",
        ),
        (
            json!({"question": "which", "kind": "media_player", "state": "playing"}),
            "7, Bedroom, Browse, Group and Kitchen among them.",
        ),
        (
            json!({"question": "all", "kind": "cover", "class": "blind", "state": "open"}),
            "Yes.",
        ),
        (
            json!({"question": "which", "kind": "cover", "class": ["blind", "curtain"], "area": "upstairs", "state": "closed"}),
            "Bedroom Curtain.",
        ),
        (
            json!({"question": "any", "kind": "cover", "class": "awning", "state": "open", "area": "office"}),
            "There is nothing of that kind there.",
        ),
        (
            json!({"thing": "Kitchen Lights"}),
            "Kitchen Lights: on, 71 percent.",
        ),
        (
            json!({"thing": "Bedroom Blind"}),
            "Bedroom Blind: open, 70 percent.",
        ),
        (json!({"thing": "Moe"}), "Moe: docked."),
        (
            json!({"kind": "climate", "area": "office"}),
            "Studio Heating: 19 °.",
        ),
        (json!({"thing": "Studio Heating"}), "Studio Heating: heating."),
        (json!({"kind": "vacuum"}), "Plain Vacuum: docked. Robby: docked."),
    ]
}

fn about_people() -> Vec<(Value, &'static str)> {
    let ask = |question: &str, state: &str| json!({"question": question, "kind": "person", "state": state});
    let is = |thing: &str, state: &str| json!({"question": "is", "thing": thing, "state": state});
    vec![
        (json!({"thing": "Ada"}), "Ada: at home."),
        (json!({"thing": "Bob"}), "Bob: away."),
        (json!({"thing": "Cy", "kind": "person"}), "Cy: Work."),
        (is("Ada", "home"), "Yes."),
        (is("Cy", "work"), "Yes."),
        (is("Bob", "work"), "No, Bob is away."),
        (ask("any", "home"), "Yes, Ada."),
        (ask("all", "at home"), "No, not Bob and Cy."),
        (ask("which", "Work"), "Cy."),
        (ask("how_many", "home"), "1: Ada."),
        (ask("which", "the moon"), "None."),
    ]
}

/// Calls of which something is said in every language.
pub(super) fn tellings() -> Vec<(&'static str, Value)> {
    let control = |action: &str, thing: &str| ("control_home", json!({"action": action, "thing": thing}));
    let mut calls: Vec<(&str, Value)> = about_things()
        .into_iter()
        .chain(about_people())
        .map(|(asked, _)| ("read_home", asked))
        .collect();
    calls.extend([
        control("mute", "Jukebox"),
        control("unmute", "Jukebox"),
        control("press", "Find Me"),
        control("start", "Robby"),
        control("return", "Moe"),
        ("control_home", json!({"action": "clean_area", "area": "Office"})),
        ("set_home", json!({"thing": "Bed Light", "level": 150})),
        (
            "set_home",
            json!({"thing": "Studio Heating", "fan_mode": "turbo"}),
        ),
        ("play_home", json!({"query": "Queen", "thing": "Jukebox"})),
        ("play_home", json!({"query": "silence", "thing": "Jukebox"})),
        ("play_home", json!({"query": "Queen", "thing": "Walkman"})),
        ("announce_home", json!({"message": "Dinner"})),
        ("announce_home", json!({"message": "Dinner", "area": "here"})),
        ("announce_home", json!({"message": "Dinner", "area": "Office"})),
    ]);
    calls
}

/// The tool, its arguments, and what is told or shown.
pub(super) fn mistaken() -> Vec<(&'static str, Value, &'static str)> {
    vec![
        (
            "control_home",
            json!({"action": "on", "area": "attic"}),
            "no room 'attic'; its rooms and floors are Living Room, Kitchen, Bedroom, Office, Ground floor, First floor",
        ),
        (
            "control_home",
            json!({"action": "on", "kind": "light", "area": "here"}),
            "I do not know which room I am in.",
        ),
        (
            "control_home",
            json!({"action": "clean_area"}),
            "I do not know which room I am in.",
        ),
        (
            "control_home",
            json!({"action": "clean_area", "area": "attic"}),
            "no room 'attic'",
        ),
        (
            "control_home",
            json!({"action": "on", "thing": "flux capacitor"}),
            "nothing called 'flux capacitor'; it has ",
        ),
        (
            "control_home",
            json!({"action": "open", "kind": "cover", "class": "awning", "area": "bedroom"}),
            "nothing of that kind there; the home has alarm_control_panel, ",
        ),
        (
            "control_home",
            json!({"action": "open", "class": "sail", "kind": "cover", "area": "bedroom"}),
            "cover (blind), cover (curtain)",
        ),
        (
            "control_home",
            json!({"action": "sing"}),
            "ValueError: unknown variant `sing`",
        ),
        (
            "set_home",
            json!({"thing": "Bed Light"}),
            "write just one of level, color and temperature",
        ),
        (
            "set_home",
            json!({"thing": "Bed Light", "level": 3, "kelvin": 3000}),
            "write just one of",
        ),
        (
            "set_home",
            json!({"thing": "Bed Light", "color": "ultraviolet"}),
            "color: write one of red, green",
        ),
        (
            "set_home",
            json!({"thing": "Jukebox", "level_change": "sideways"}),
            "level_change: write a number",
        ),
        (
            "set_home",
            json!({"temperature": 21}),
            "Which one do you mean: HeatPump, Hvac and Studio Heating?",
        ),
        (
            "read_home",
            json!({"thing": "Bed Light", "question": "why"}),
            "unknown variant `why`",
        ),
        (
            "read_home",
            json!({"kind": "lock", "area": "attic", "question": "any"}),
            "no room 'attic'",
        ),
        (
            "read_home",
            json!({"kind": "humidifier", "area": "office", "state": "on", "question": "any"}),
            "There is nothing of that kind there.",
        ),
    ]
}
