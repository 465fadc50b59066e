//! The two settings files: all that is wrong is said, and what comes of it can be used.

use loquat::settings::{LoadOptions, Settings, bus_address};
use loquat_hearing::settings::Speech;

use crate::folder;

pub(crate) fn feed_mycroft(bytes: &[u8]) {
    load("mycroft/mycroft.conf", bytes);
}

pub(crate) fn feed_settings(bytes: &[u8]) {
    load("loquat/loquat.toml", bytes);
}

/// Both loaders, and what the daemon asks of settings.
fn load(name: &str, bytes: &[u8]) {
    folder::with_file(name, bytes, |root, _| {
        let environment = folder::environment(root);
        let options = LoadOptions::default();
        let (settings, complaints) = Settings::load_leniently(&environment, &options);
        let strict = Settings::load(&environment, &options);
        assert_eq!(
            strict.is_err(),
            complaints.refuse(),
            "both loaders judge the same"
        );
        drop((complaints.to_string(), settings.entries(), bus_address(&settings)));
        let speech = settings.tables.get::<Speech>();
        let durations = [
            speech.end_silence(&settings.mycroft.listener),
            speech.longest_utterance(&settings.mycroft.listener),
        ];
        assert!(
            durations.iter().all(|duration| !duration.is_zero()),
            "no capture ends before it begins"
        );
        settings.desk.default_persona(&settings.mycroft.persona);
    });
}
