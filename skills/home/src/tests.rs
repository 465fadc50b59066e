//! What is meant by words, in the home that a real Home Assistant has told of (`tests/home_assistant`).

mod nearness;
mod sentences;

use serde_json::{Value, json};

use super::action::Action;
use super::guard::Guard;
use super::house::{Entity, House, Registries};
use super::order::{Order, figure};
use super::shade::Shade;
use super::target::{Found, Search, Why, Wish};
use super::words::Words;

fn house() -> House {
    let recording: Value =
        serde_json::from_str(include_str!("../../../tests/home_assistant/2025.4/home.json")).expect("JSON");
    let answer = |kind: &str| recording["answers"][kind]["result"].clone();
    let also = ["lock.front_door", "lock.kitchen_door"].map(str::to_owned);
    let mut house = House::taking_in(&also);
    house.furnish(&Registries {
        floors: answer("config/floor_registry/list"),
        areas: answer("config/area_registry/list"),
        devices: answer("config/device_registry/list"),
        entities: answer("config/entity_registry/list"),
        details: answer("config/entity_registry/get_entries"),
    });
    house.apply(&recording["subscribed"][1]["event"]);
    let guard = Guard::default();
    let scripts = recording["scripts"].as_object().expect("scripts");
    let harmless = scripts
        .iter()
        .filter(|(_, answer)| guard.is_harmless_script(&answer["result"]["config"], &house));
    house.harmless_scripts = harmless.map(|(script, _)| script.clone()).collect();
    house
}

fn found(order: &Order, lang: &str, own: Option<&str>, wish: &Wish<'_>) -> Result<Found, Why> {
    let (house, guard) = (house(), Guard::default());
    let fits = |entity: &Entity| order.step(entity).is_some();
    let locales = loquat_kit::Skill::locales([&crate::SKILL]);
    let search = Search::new(&house, &guard, own, Words::of(&locales, lang), &fits);
    search.find(&Wish {
        usual: order.usual(),
        everything: order.everything(),
        likely: order.likely(),
        is_for_rooms: order.is_for_rooms(),
        is_near: order.is_near(),
        level_by: order.level_by(),
        ..wish.clone()
    })
}

fn meant(action: Action, lang: &str, thing: &str) -> Result<Vec<String>, Why> {
    let wish = Wish {
        thing,
        ..Wish::default()
    };
    found(&Order::Do(action), lang, None, &wish).map(|found| found.ids)
}

#[test]
fn a_word_of_the_schema_is_no_area_and_an_unknown_one_is_unknown() {
    let within = |area: &'static str| {
        let wish = Wish {
            thing: "garage door",
            area,
            ..Wish::default()
        };
        found(&Order::Do(Action::Open), "en", None, &wish).map(|found| found.ids)
    };
    assert_eq!(within("Floor"), Ok(vec!["cover.garage_door".to_owned()]));
    assert_eq!(within("attic"), Err(Why::NoPlace("attic".to_owned())));
}

#[test]
fn names_aliases_rooms_and_close_misses_are_understood_in_six_languages() {
    for (action, lang, said, ids) in [
        (Action::On, "en", "the Bed Light", &["light.bed_light"][..]),
        (Action::On, "en", "desk lamp", &["light.office_rgbw_lights"]),
        (Action::On, "en", "bed lihgt", &["light.bed_light"]),
        (Action::On, "en", "kitchen lights", &["light.kitchen_lights"]),
        (
            Action::On,
            "en",
            "the lights in the kitchen",
            &["light.kitchen_lights"],
        ),
        (
            Action::Off,
            "en",
            "lights upstairs",
            &["light.bed_light", "light.office_rgbw_lights"],
        ),
        (Action::Unlock, "en", "the front door", &["lock.front_door"]),
        (Action::Open, "en", "garage", &["cover.garage_door"]),
        (Action::On, "de", "die Bettlampe", &["light.bed_light"]),
        (
            Action::On,
            "de",
            "das Licht in der Küche",
            &["light.kitchen_lights"],
        ),
        (
            Action::Off,
            "de",
            "alle Lichter oben",
            &["light.bed_light", "light.office_rgbw_lights"],
        ),
        (Action::Open, "de", "das Garagentor", &["cover.garage_door"]),
        (Action::Open, "de", "das Tor", &["cover.garage_door"]),
        (Action::On, "fr", "la lampe de chevet", &["light.bed_light"]),
        (Action::On, "es", "la luz de la cocina", &["light.kitchen_lights"]),
        (Action::On, "pt", "a luz da cozinha", &["light.kitchen_lights"]),
        (
            Action::On,
            "it",
            "la luce della cucina",
            &["light.kitchen_lights"],
        ),
    ] {
        let ids = ids.iter().map(|id| (*id).to_owned()).collect();
        assert_eq!(meant(action, lang, said), Ok(ids), "{lang}: {said}");
    }
}

#[test]
fn what_is_not_clear_is_told_and_not_guessed() {
    let several = meant(Action::On, "en", "the lamp").expect_err("several lamps");
    assert!(
        matches!(several, Why::Several(ref names) if names.len() > 3),
        "{several:?}"
    );
    for (action, said, why) in [
        (
            Action::On,
            "flux capacitor",
            Why::Unknown("flux capacitor".to_owned()),
        ),
        (Action::Unlock, "bed light", Why::Unable("Bed Light".to_owned())),
        (Action::On, "ceiling fan", Why::Unknown("ceiling fan".to_owned())),
        (Action::Lock, "locks upstairs", Why::Nothing),
        (Action::On, "", Why::Unknown(String::new())),
    ] {
        assert_eq!(meant(action, "en", said), Err(why), "{said}");
    }
}

/// Which of the things in a home are meant by this name or none, as it was answered.
fn chosen(house: &House, wish: &Wish<'_>) -> Result<Vec<String>, Why> {
    let (guard, locales) = (Guard::default(), loquat_kit::Skill::locales([&crate::SKILL]));
    let fits = |entity: &Entity| wish.usual.contains(&entity.domain());
    let search = Search::new(house, &guard, None, Words::of(&locales, "en"), &fits);
    search.find(wish).map(|found| found.ids)
}

#[test]
fn an_answer_chooses_what_is_left_only_where_it_names_it() {
    let (kitchen, bed) = ("light.kitchen_lights", "light.bed_light");
    let mut house = house();
    for id in [kitchen, bed] {
        house.entities.get_mut(id).expect("a light").names = vec!["Twin".to_owned()];
    }
    let answered = |house: &House, choice: &str| {
        let wish = Wish {
            thing: "twin",
            usual: &["light"],
            choice,
            ..Wish::default()
        };
        chosen(house, &wish)
    };
    let one = |id: &str| Ok(vec![id.to_owned()]);
    assert!(matches!(answered(&house, ""), Err(Why::Several(_))));
    assert_eq!(answered(&house, "the kitchen one"), one(kitchen));
    assert_eq!(answered(&house, "the first one"), one(bed));
    house.entities.remove(bed);
    assert_eq!(answered(&house, ""), one(kitchen));
    assert_eq!(answered(&house, "the kitchen one"), one(kitchen));
    for other in ["the first one", "both", "the hall", "what time is it"] {
        let asked = Err(Why::Several(vec!["Twin".to_owned()]));
        assert_eq!(answered(&house, other), asked, "{other}");
    }
}

#[test]
fn of_several_lists_the_one_is_meant_that_the_answer_names() {
    let mut house = house();
    let shopping = house.entities["todo.shopping_list"].clone();
    let work = Entity {
        id: "todo.work".to_owned(),
        names: vec!["Work".to_owned()],
        ..shopping
    };
    house.entities.insert(work.id.clone(), work);
    let answered = |choice: &str| {
        let wish = Wish {
            usual: &["todo"],
            is_for_one: true,
            choice,
            ..Wish::default()
        };
        chosen(&house, &wish)
    };
    assert!(matches!(answered(""), Err(Why::Several(names)) if names.len() == 2));
    assert_eq!(answered("the work one"), Ok(vec!["todo.work".to_owned()]));
    assert_eq!(answered("the second one"), Ok(vec!["todo.work".to_owned()]));
}

#[test]
fn wide_wishes_leave_out_what_asks_unless_its_kind_is_named() {
    let wide = |action: Action, thing: &str| {
        let wish = Wish {
            thing,
            ..Wish::default()
        };
        found(&Order::Do(action), "en", None, &wish).expect("something")
    };
    let covers = wide(Action::Open, "all covers");
    assert_eq!(covers.left_out, ["Garage Door"]);
    assert!(!covers.ids.contains(&"cover.garage_door".to_owned()) && covers.ids.len() > 2);
    let locks = wide(Action::Unlock, "all doors");
    assert_eq!(locks.ids, ["lock.front_door", "lock.kitchen_door"]);
    let house = house();
    let asks = |id: &str| Guard::default().asks(&house.entities[id], &house);
    assert!(locks.ids.iter().all(|id| asks(id)));
    assert!(asks("script.leave") && asks("scene.open_house"));
    assert!(!asks("script.evening") && !asks("scene.reading"));
}

#[test]
fn what_names_no_thing_no_class_and_no_room_sweeps() {
    let found = |action: Action, lang: &str, thing: &str, area: &str| {
        let wish = Wish {
            thing,
            area,
            ..Wish::default()
        };
        found(&Order::Do(action), lang, None, &wish).expect("something")
    };
    let house = house();
    let asks = |found: &Found| {
        let meant = found.ids.iter().map(|id| &house.entities[id]);
        found.is_sweep && Guard::asks_of_sweep(meant)
    };
    for (action, lang, said) in [
        (Action::Close, "en", "everything"),
        (Action::Open, "en", "everything"),
        (Action::Open, "de", "alles"),
        (Action::Close, "de", "alles"),
        (Action::Close, "fr", "tout"),
        (Action::Open, "fr", "tout"),
        (Action::Close, "es", "todo"),
        (Action::Open, "es", "todo"),
        (Action::Close, "it", "tutto"),
        (Action::Open, "it", "tutto"),
        (Action::Close, "pt", "tudo"),
        (Action::Open, "pt", "tudo"),
        (Action::Lock, "en", "everything"),
        (Action::Unlock, "it", "tutto"),
    ] {
        assert!(asks(&found(action, lang, said, "")), "{lang}: {action:?} {said}");
    }
    for (action, lang, said, area) in [
        (Action::Close, "en", "all covers", ""),
        (Action::Close, "de", "alle Rollläden", ""),
        (Action::Off, "en", "all lights", ""),
        (Action::Close, "en", "everything", "kitchen"),
        (Action::Close, "it", "tutto", "kitchen"),
        (Action::Open, "en", "kitchen", ""),
    ] {
        let wish = Wish {
            thing: said,
            area,
            ..Wish::default()
        };
        let found = self::found(&Order::Do(action), lang, None, &wish);
        assert!(
            !found.is_ok_and(|found| asks(&found)),
            "{lang}: {action:?} {said}"
        );
    }
}

#[test]
fn a_deed_that_only_a_lock_can_do_means_the_lock_of_a_room() {
    let mut house = house();
    let kitchen = house.areas.iter().find(|area| area.name() == "Kitchen");
    let kitchen = kitchen.map(|area| area.id.clone());
    let door = house.entities.get_mut("lock.kitchen_door").expect("a lock");
    door.area = kitchen;
    let (guard, locales) = (Guard::default(), loquat_kit::Skill::locales([&crate::SKILL]));
    for (action, lang, room) in [
        (Action::Unlock, "en", "kitchen"),
        (Action::Lock, "de", "die Küche"),
        (Action::Lock, "fr", "la cuisine"),
        (Action::Unlock, "es", "la cocina"),
        (Action::Lock, "it", "la cucina"),
        (Action::Unlock, "pt", "a cozinha"),
    ] {
        let order = Order::Do(action);
        let fits = |entity: &Entity| order.step(entity).is_some();
        let search = Search::new(&house, &guard, None, Words::of(&locales, lang), &fits);
        let wish = Wish {
            thing: room,
            usual: order.usual(),
            ..Wish::default()
        };
        let found = search.find(&wish).expect("the lock");
        assert_eq!(found.ids, ["lock.kitchen_door"], "{lang}");
    }
}

#[test]
fn the_room_of_the_device_is_meant_where_none_is_named() {
    let wish = Wish {
        thing: "the light",
        ..Wish::default()
    };
    let here = found(&Order::Do(Action::On), "en", Some("Kitchen"), &wish);
    assert_eq!(
        here.map(|found| found.ids),
        Ok(vec!["light.kitchen_lights".to_owned()])
    );
}

#[test]
fn a_step_is_no_value_and_a_whole_number_has_no_decimals() {
    for (order, value, change) in [
        (Order::Degrees(19.5), Some(json!(19.5)), None),
        (Order::Level(30.0), Some(json!(30)), None),
        (Order::DegreesBy(-2.0), None, Some(-2.0)),
        (Order::LevelBy(10.0), None, Some(10.0)),
        (Order::Do(Action::On), None, None),
    ] {
        assert_eq!((order.value(), order.change()), (value, change), "{order:?}");
    }
    assert_eq!(figure(3.0).to_string(), "3");
}

#[test]
fn a_fan_goes_by_its_own_steps_which_neither_start_nor_stop_it() {
    let mut house = House::default();
    let fan = |state: &str, speed: f64, step: f64| json!({"s": state, "a": {"percentage": speed, "percentage_step": step}});
    house.apply(&json!({"a": {
        "fan.middle": fan("on", 66.0, 33.3),
        "fan.slowest": fan("on", 33.0, 33.3),
        "fan.off": fan("off", 0.0, 33.3),
        "fan.fine": fan("on", 50.0, 1.0),
        "fan.full": fan("on", 100.0, 25.0),
    }}));
    for (fan, by, speed) in [
        ("fan.middle", -10.0, 33.0),
        ("fan.middle", 10.0, 99.0),
        ("fan.slowest", -10.0, 33.0),
        ("fan.off", -10.0, 0.0),
        ("fan.off", 10.0, 33.0),
        ("fan.fine", -10.0, 40.0),
        ("fan.full", -10.0, 75.0),
        ("fan.full", 10.0, 100.0),
    ] {
        let step = Order::LevelBy(by).step(&house.entities[fan]);
        let told = step.map(|step| step.data["percentage"].clone());
        assert_eq!(told, Some(json!(speed)), "{fan}: {by}");
    }
}

#[test]
fn orders_fit_only_what_can_obey_them() {
    let house = house();
    let step = |order: Order, id: &str| order.step(&house.entities[id]);
    assert!(step(Order::Do(Action::Press), "lock.front_door").is_none());
    assert!(step(Order::Do(Action::Off), "scene.reading").is_none());
    assert!(step(Order::Level(50.0), "lock.front_door").is_none());
    assert!(step(Order::Degrees(21.0), "light.bed_light").is_none());
    assert!(step(Order::Colour(Shade::Named("red")), "switch.ac").is_none());
    let dark = step(Order::Level(0.0), "light.bed_light").expect("a light is dimmed");
    assert_eq!(dark.service, "turn_off");
    // What a thing says that it cannot do.
    assert!(step(Order::Level(50.0), "cover.kitchen_window").is_none());
    assert!(step(Order::Do(Action::Next), "media_player.living_room").is_none());
    assert!(step(Order::Do(Action::Open), "cover.pergola_roof").is_none());
    assert!(step(Order::Degrees(21.0), "climate.ecobee").is_none());
    assert!(step(Order::Seek, "media_player.walkman").is_none());
}

#[test]
fn on_and_off_mean_for_each_kind_what_they_mean_to_home_assistant() {
    let house = house();
    for (action, id, service) in [
        (Action::On, "cover.garage_door", "open_cover"),
        (Action::Off, "cover.garage_door", "close_cover"),
        (Action::On, "valve.orchard", "open_valve"),
        (Action::Off, "valve.orchard", "close_valve"),
        (Action::On, "lock.front_door", "lock"),
        (Action::Off, "lock.front_door", "unlock"),
        (Action::Open, "lock.front_door", "unlock"),
        (Action::On, "script.evening", "turn_on"),
        (Action::Start, "scene.reading", "turn_on"),
        (Action::Stop, "fan.living_room_fan", "turn_off"),
        (Action::Stop, "light.bed_light", "turn_off"),
        (Action::Stop, "cover.kitchen_window", "stop_cover"),
        (Action::Arm, "light.bed_light", "turn_on"),
        (Action::Disarm, "fan.living_room_fan", "turn_off"),
    ] {
        let step = Order::Do(action).step(&house.entities[id]);
        assert_eq!(step.map(|step| step.service), Some(service), "{action:?} of {id}");
    }
}
