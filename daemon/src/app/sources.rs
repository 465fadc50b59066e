//! Where personas come from, as the settings have it.

use crate::persona::Sources;
use crate::settings::{Environment, Settings};

/// Where personas come from, and which of them answers where no other was asked for.
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
