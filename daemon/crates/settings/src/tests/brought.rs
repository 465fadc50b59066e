//! A table that a part brings: read, judged, shown and kept as those of the program are.

#![expect(
    unreachable_pub,
    reason = "a section is for other crates, and those of this test are not"
)]

use std::path::Path;

use serde::{Deserialize, Serialize};
use toml::Value;

use super::machine::Machine;
use crate::brought::{Brought, Contradiction, Tables};
use crate::section::Table;
use crate::{Document, LeftOut, LoadOptions, Settings, kept, section};

section! {
    /// A lamp.
    "lamp" Lamp {
        /// Its colour.
        colour: String = "red".to_owned();
        /// How bright it is.
        brightness: u32 = 3 => 1..=9;
    }
}

section! {
    /// The house.
    "house" House {
        /// How many storeys it has.
        storeys: u32 = 2 => 1..=9;
    }
}

#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
struct Own {
    house: House,
}

impl Document for Own {
    fn tables() -> Vec<Table> {
        vec![Table::of::<Lamp>(), Table::of::<House>()]
    }

    fn models_folder(&self) -> Option<&Path> {
        None
    }

    fn contradictions(&self, _: &Tables) -> Vec<Contradiction> {
        Vec::new()
    }

    fn brought() -> Vec<Brought> {
        vec![Brought::judged::<Lamp>(|lamp| {
            (lamp.colour == "black").then(|| ("lamp.colour", "no lamp shines black".to_owned()))
        })]
    }

    fn left_out() -> Vec<LeftOut> {
        vec![LeftOut {
            table: "garden",
            feature: "outside",
        }]
    }
}

fn load(machine: &Machine) -> (Settings<Own>, Vec<String>) {
    let (settings, complaints) = Settings::load_leniently(&machine.environment(&[]), &LoadOptions::default());
    (settings, machine.sentences(&complaints.0))
}

#[test]
fn a_part_reads_what_was_set_in_its_table() {
    let machine = Machine::new();
    machine.write(
        "etc/loquat/loquat.toml",
        "[house]\nstoreys = 4\n[lamp]\ncolour = \"blue\"\n",
    );
    let (settings, complaints) = load(&machine);
    assert_eq!(complaints, [] as [&str; 0]);
    assert_eq!(settings.house.storeys, 4);
    let lamp = settings.table::<Lamp>();
    assert_eq!((lamp.colour.as_str(), lamp.brightness), ("blue", 3));
    let entries = settings.entries();
    let colour = entries.iter().find(|entry| entry.key == "lamp.colour").unwrap();
    assert_eq!(colour.value, Some(Value::from("blue")));
    assert_eq!(
        machine.relative(&colour.origin.to_string()),
        "/etc/loquat/loquat.toml:4"
    );
}

#[test]
fn a_mistake_in_it_is_told_and_gives_way_to_what_is_weaker() {
    let machine = Machine::new();
    machine.write("etc/loquat/loquat.toml", "[lamp]\nbrightness = 5\n");
    machine.write(
        "home/.config/loquat/loquat.toml",
        "[lamp]\nbrightness = \"bright\"\ncolour = \"black\"\ncolor = 1\n[lampe]\n",
    );
    let (settings, complaints) = load(&machine);
    assert_eq!(settings.table::<Lamp>().brightness, 5);
    assert_eq!(
        complaints,
        [
            "/home/.config/loquat/loquat.toml:4: lamp.color is no setting; did you mean lamp.colour?",
            "/home/.config/loquat/loquat.toml:5: [lampe] is no table; did you mean [lamp]?",
            "/home/.config/loquat/loquat.toml:2: lamp.brightness must be a whole number from 1 to 9, not \"bright\"",
            "/home/.config/loquat/loquat.toml:3: no lamp shines black",
        ]
    );
}

#[test]
fn it_is_kept_with_the_others_for_a_start_with_a_mistake() {
    let machine = Machine::new();
    let file = machine.write("etc/loquat/loquat.toml", "[lamp]\ncolour = \"blue\"\n");
    let (settings, _) = load(&machine);
    std::fs::create_dir_all(&settings.folders.state).unwrap();
    kept::keep(&settings).unwrap();
    std::fs::write(file, "[lamp]\ncolour = 7\n").unwrap();
    let environment = machine.environment(&[]);
    let recalled = Settings::<Own>::load_or_recall(&environment, &LoadOptions::default()).unwrap();
    assert_eq!(recalled.table::<Lamp>().colour, "blue");
    assert!(recalled.mistakes.is_some());
}

#[test]
fn what_is_set_for_a_part_that_was_left_out_is_told_and_refuses_nothing() {
    let machine = Machine::new();
    machine.write(
        "etc/loquat/loquat.toml",
        "[garden]\ntrees = 4\ncolour = \"green\"\n[house]\nstoreys = 4\n",
    );
    let environment = machine.environment(&[("LOQUAT_GARDEN__TREES", "5")]);
    let options = LoadOptions {
        overrides: vec!["garden.trees=6".to_owned()],
        ..LoadOptions::default()
    };
    let (settings, complaints) = Settings::<Own>::load_leniently(&environment, &options);
    assert_eq!(settings.house.storeys, 4);
    assert!(!complaints.refuse(), "{complaints}");
    assert_eq!(complaints.0, settings.left_out);
    let told = machine.sentences(&settings.left_out);
    assert_eq!(told.len(), 3, "{told:?}");
    for (told, place) in told.iter().zip([
        "/etc/loquat/loquat.toml:1",
        "LOQUAT_GARDEN__TREES",
        "garden.trees=6",
    ]) {
        assert!(
            told.contains(place)
                && told.contains("this loquat was built without outside, so [garden] counts for nothing"),
            "{told}"
        );
    }
}

#[test]
fn what_another_build_has_kept_is_recalled_without_what_this_one_leaves_out() {
    let machine = Machine::new();
    machine.write(
        "etc/loquat/loquat.toml",
        "[house]\nstoreys = 7\n[lamp]\ncolour = 7\n",
    );
    let state = load(&machine).0.folders.state;
    std::fs::create_dir_all(&state).unwrap();
    std::fs::write(
        state.join("settings.toml"),
        "[garden]\ntrees = 4\n[house]\nstoreys = 5\n",
    )
    .unwrap();
    let environment = machine.environment(&[]);
    let recalled = Settings::<Own>::load_or_recall(&environment, &LoadOptions::default()).unwrap();
    assert_eq!(recalled.house.storeys, 5);
}
