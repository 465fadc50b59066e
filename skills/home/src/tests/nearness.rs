//! What is meant where a wish for more or less light or warmth names no place, and what a step of warmth means behind what was
//! spoken of before.

use std::sync::Arc;

use loquat_agent::toolbox::Circumstances;
use serde_json::{Value, json};

use crate::given::given;
use crate::house::{House, Place};
use crate::link::HomeAssistant;
use crate::names::SET;
use crate::settings::{FetchToken, HomeSettings};
use crate::target::Why;
use crate::tools::Tools;

/// A den with a lamp that is on and one that is off, a bathroom in which both are off, and a heating in each.
fn house() -> House {
    let mut house = House::default();
    let heating = |name: &str| {
        let attributes = json!({"friendly_name": name, "temperature": 19, "supported_features": 1});
        json!({"s": "heat", "a": attributes})
    };
    let lamp = |name: &str, state: &str| json!({"s": state, "a": {"friendly_name": name, "brightness": 100}});
    house.apply(&json!({"a": {
        "climate.bath": heating("Bath Heating"),
        "climate.den": heating("Den Heating"),
        "light.bath_mirror": lamp("Mirror Lamp", "off"),
        "light.bath_tub": lamp("Tub Lamp", "off"),
        "light.den_desk": lamp("Desk Lamp", "on"),
        "light.den_shelf": lamp("Shelf Lamp", "off"),
    }}));
    for entity in house.entities.values_mut() {
        let room = if entity.id.contains("bath") { "bath" } else { "den" };
        entity.area = Some(room.to_owned());
        entity.is_exposed = true;
    }
    let place = |id: &str, name: &str| Place {
        id: id.to_owned(),
        names: vec![name.to_owned()],
        ..Place::default()
    };
    house.areas = vec![
        place("attic", "Attic"),
        place("bath", "Bathroom"),
        place("den", "Den"),
    ];
    house
}

/// The tools of a device in this room of a home.
fn tools(own: &str, house: House) -> Tools {
    let token: FetchToken = Arc::new(|| Err("there is none".to_owned()));
    let home = HomeAssistant::new(HomeSettings {
        area: (!own.is_empty()).then(|| own.to_owned()),
        ..HomeSettings::new("http://127.0.0.1:1", token)
    });
    *home.house.write() = house;
    Tools {
        home: Arc::new(home),
        locales: Arc::new(loquat_kit::Skill::locales([&crate::SKILL])),
    }
}

fn meant_in(house: House, own: &str, arguments: &Value) -> Result<Vec<String>, Why> {
    let arguments = arguments.as_object().expect("arguments");
    let given = given(SET, arguments).expect("an order");
    let found = tools(own, house).find(given, &Circumstances::default());
    found.map(|(_, found)| found.ids)
}

fn meant(own: &str, arguments: &Value) -> Result<Vec<String>, Why> {
    meant_in(house(), own, arguments)
}

#[expect(clippy::unnecessary_wraps, reason = "it is compared with what may be refused")]
fn ids(ids: &[&str]) -> Result<Vec<String>, Why> {
    Ok(ids.iter().map(|id| (*id).to_owned()).collect())
}

fn several(names: &[&str]) -> Result<Vec<String>, Why> {
    Err(Why::Several(
        names.iter().map(|name| (*name).to_owned()).collect(),
    ))
}

#[test]
fn warmth_without_a_place_is_for_the_room_of_the_device_and_else_a_question() {
    let both = ["Bath Heating", "Den Heating"];
    for wish in [
        json!({"kind": "climate", "temperature_change": "up"}),
        json!({"kind": "climate", "temperature_change": -3}),
        json!({"kind": "climate", "temperature": 17}),
        json!({"kind": "heating", "temperature_change": "down"}),
    ] {
        assert_eq!(meant("Den", &wish), ids(&["climate.den"]), "{wish}");
        assert_eq!(meant("", &wish), several(&both), "{wish}");
        assert_eq!(meant("Attic", &wish), several(&both), "{wish}");
        let mut with_one = house();
        with_one.entities.remove("climate.den");
        assert_eq!(meant_in(with_one, "Den", &wish), ids(&["climate.bath"]), "{wish}");
    }
    for (area, heatings) in [
        ("bathroom", &["climate.bath"][..]),
        ("everywhere", &["climate.bath", "climate.den"]),
    ] {
        let wish = json!({"kind": "climate", "area": area, "temperature_change": 2});
        assert_eq!(meant("Den", &wish), ids(heatings), "{area}");
    }
    let answered = json!({"kind": "climate", "temperature_change": 2, "choice": "the one in the bathroom"});
    assert_eq!(meant("", &answered), ids(&["climate.bath"]));
}

#[test]
fn more_light_wakes_no_lamp_that_is_not_named() {
    let dark = ["Mirror Lamp", "Tub Lamp"];
    let all = ["Mirror Lamp", "Tub Lamp", "Desk Lamp", "Shelf Lamp"];
    let light = |area: &str, change: &str| json!({"kind": "light", "area": area, "level_change": change});
    let named = |thing: &str, change: &str| json!({"thing": thing, "level_change": change});
    for (own, wish, lamps) in [
        ("Den", light("", "up"), ids(&["light.den_desk"])),
        ("Den", light("", "down"), ids(&["light.den_desk"])),
        ("", light("den", "up"), ids(&["light.den_desk"])),
        ("Den", named("the lights", "up"), ids(&["light.den_desk"])),
        ("", light("", "up"), several(&all)),
        ("Den", light("bathroom", "up"), several(&dark)),
        // What is dark stays so.
        (
            "Den",
            light("bathroom", "down"),
            ids(&["light.bath_mirror", "light.bath_tub"]),
        ),
        ("Den", named("tub lamp", "up"), ids(&["light.bath_tub"])),
        (
            "Den",
            named("the desk lamp and the shelf lamp", "up"),
            ids(&["light.den_desk", "light.den_shelf"]),
        ),
    ] {
        assert_eq!(meant(own, &wish), lamps, "{own}: {wish}");
    }
    let mut answered = light("bathroom", "up");
    answered["choice"] = json!("the tub lamp");
    assert_eq!(meant("Den", &answered), ids(&["light.bath_tub"]));
}

#[test]
fn a_step_of_warmth_is_for_the_heating_that_was_spoken_of_and_for_nothing_else_that_was() {
    let step = |mut named: Value| {
        named["temperature_change"] = json!(2);
        named["of_last"] = json!(true);
        named
    };
    for (spoken_of, heating) in [
        (json!({"thing": "the bath heating"}), "climate.bath"),
        (json!({"thing": "heating", "area": "bathroom"}), "climate.bath"),
        (json!({"kind": "climate", "area": "bathroom"}), "climate.bath"),
        (json!({"kind": "temperature", "area": "bathroom"}), "climate.bath"),
        (json!({"thing": "mirror lamp"}), "climate.den"),
        (json!({"thing": "the lights", "area": "bathroom"}), "climate.den"),
        (json!({"kind": "light", "area": "bathroom"}), "climate.den"),
    ] {
        let wish = step(spoken_of);
        assert_eq!(meant("Den", &wish), ids(&[heating]), "{wish}");
    }
    let lamp = step(json!({"thing": "tub lamp"}));
    assert_eq!(meant("", &lamp), several(&["Bath Heating", "Den Heating"]));
    let said = json!({"thing": "tub lamp", "temperature_change": 2});
    assert_eq!(meant("Den", &said), Err(Why::Unable("Tub Lamp".to_owned())));
    let mut cold = house();
    let bath = cold.entities.get_mut("climate.bath").expect("a heating");
    bath.attributes.remove("temperature");
    let unable = meant_in(cold, "Den", &step(json!({"thing": "bath heating"})));
    assert_eq!(unable, Err(Why::Unable("Bath Heating".to_owned())));
}
