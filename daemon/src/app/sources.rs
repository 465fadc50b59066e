//! Where personas come from, as the settings have it, and what their files hold.

use loquat_agent::engine::ENGINES;

use crate::mcp_servers;
use crate::persona::{Known, PERSONA_TOOLS, Persona, Personas, SKILL_TOOLS, Sources};
use crate::settings::{Complaint, Environment, Settings};

/// Says where personas come from, and which of them answers where no other was asked for.
pub(super) fn sources(settings: &Settings, environment: &Environment) -> Sources {
    let default = settings
        .desk
        .default_persona(&settings.mycroft.persona)
        .map(|name| {
            let origin = if settings.desk.persona.is_some() {
                settings.origin_of("desk.persona")
            } else {
                settings.mycroft.origin_of("intents.persona.default_persona")
            };
            (name.to_owned(), origin)
        });
    Sources::new(environment, settings, &settings.keys, default)
}

/// Reads all persona files; what is wrong with them comes along.
pub fn load_personas(settings: &Settings, environment: &Environment) -> (Personas, Vec<Complaint>) {
    let (personas, mut complaints) = personas_of(&sources(settings, environment), settings);
    complaints.extend(unaskable(&personas));
    (personas, complaints)
}

/// Reads the persona files of these sources.
pub(super) fn personas_of(sources: &Sources, settings: &Settings) -> (Personas, Vec<Complaint>) {
    let engines: Vec<&str> = ENGINES.iter().map(|engine| engine.id).collect();
    let toolboxes = loquat_skills::TOOLBOXES.iter().copied();
    let of_mcp = mcp_servers::toolbox_ids(&settings.mcp);
    let toolboxes = toolboxes.chain(of_mcp.iter().map(String::as_str));
    let toolboxes: Vec<&str> = toolboxes.chain([SKILL_TOOLS, PERSONA_TOOLS]).collect();
    let known = Known::new(&engines, loquat_agent::gate::SETTINGS, &toolboxes)
        .with_set_up(&loquat_skills::set_up_ids())
        .with_lookups(&loquat_skills::lookup_ids());
    Personas::load(sources, &known)
}

/// Personas that a persona may ask and that are not there, or are itself.
fn unaskable(personas: &Personas) -> Vec<Complaint> {
    let mut complaints = Vec::new();
    for persona in personas {
        let boxes = persona.handlers.iter().flat_map(|handler| &handler.toolboxes);
        let asked = boxes.filter_map(|toolbox| toolbox.personas.as_ref());
        for name in asked.flat_map(|choice| &choice.personas) {
            let is_it = |known: &Persona| {
                [&known.id, &known.name]
                    .iter()
                    .any(|known| known.eq_ignore_ascii_case(name.trim()))
            };
            let why = if is_it(persona) {
                "a persona cannot ask itself"
            } else if personas.into_iter().any(is_it) {
                continue;
            } else {
                "there is no persona of this name"
            };
            let text = format!("{PERSONA_TOOLS}.personas names {name}: {why}");
            complaints.push(Complaint::warning(persona.origin.clone(), text));
        }
    }
    complaints
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::settings::{LoadOptions, Origin};

    #[test]
    fn the_sources_are_what_the_settings_say() {
        let root = tempfile::tempdir().unwrap();
        let environment = Environment::from_pairs([("HOME", root.path().join("home").to_str().unwrap())])
            .with_system_root(root.path());
        let found = || {
            let settings = Settings::load(&environment, &LoadOptions::default()).unwrap();
            sources(&settings, &environment)
        };
        let machine = root.path().join("etc/loquat/personas");
        let person = root.path().join("home/.config/ovos_persona");
        assert_eq!(found().folders, [person, machine.clone()]);
        assert_eq!(found().default, None);

        let conf = root.path().join("etc/mycroft/mycroft.conf");
        std::fs::create_dir_all(conf.parent().unwrap()).unwrap();
        let text = r#"{"intents": {"persona": {"personas_path": "~/p", "default_persona": "Ada", "persona_blacklist": ["Bob"]}}}"#;
        std::fs::write(&conf, text).unwrap();
        assert_eq!(found().folders, [root.path().join("home/p"), machine]);
        assert_eq!(found().blacklist, ["Bob"]);
        assert_eq!(found().default, Some(("Ada".to_owned(), Origin::file(&conf))));

        let ours = root.path().join("etc/loquat/loquat.toml");
        std::fs::create_dir_all(ours.parent().unwrap()).unwrap();
        std::fs::write(&ours, "desk.persona = \"Eve\"\n").unwrap();
        let origin = Origin::file(&ours).at(Some(1), None);
        assert_eq!(found().default, Some(("Eve".to_owned(), origin)));
    }
}
