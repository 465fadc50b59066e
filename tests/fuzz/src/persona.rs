//! A persona file, beside nothing else.

use loquat::persona::{Known, Personas, Sources};
use loquat::settings::complaint::Complaint;
use loquat::settings::{LoadOptions, Settings};
use loquat_agent::turn::Budget;

use crate::folder;

pub(crate) fn feed(bytes: &[u8]) {
    folder::with_file("ovos_persona/stranger.json", bytes, |root, _| {
        let environment = folder::environment(root);
        let (settings, _) = Settings::load_leniently(&environment, &LoadOptions::default());
        let sources = Sources {
            embedded: false,
            ..Sources::new(&environment, &settings, &settings.keys, None)
        };
        let known = Known::new(
            &["ovos-react-loop", "ovos-plan-solve-loop"],
            &["max_plan_steps"],
            &["ovos-clock-tools"],
        );
        let (personas, complaints) = Personas::load(&sources, &known);
        for persona in &personas {
            assert!(!persona.handlers.is_empty(), "a persona can answer");
            for handler in &persona.handlers {
                persona.budget(handler, Budget::default());
            }
        }
        let is_there = personas.iter().next().is_some();
        let is_refused = complaints.iter().any(Complaint::is_refusal);
        assert!(
            !(is_there && is_refused),
            "a persona that was refused is left out"
        );
        drop(complaints.iter().map(ToString::to_string).collect::<Vec<_>>());
    });
}
